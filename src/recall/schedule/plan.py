"""How the cards under one set of options are scheduled: steps inside a day, intervals in days, fuzz.

A `Plan` is what can be reckoned once from `Options`. The scalar and the vectorised fold read the same plan
and use the same arithmetic in the same order, so that both come to the same integers.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from recall.errors import UsageError
from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import Rating
from recall.schedule.memory import MemoryModel, arithmetic_for, check_retention, model_for

DAY_S = 86_400
FUZZ_RANGES = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, float("inf"), 0.05))
"""(from days, to days, share): an interval may move by a day and by these shares of it, as in Anki."""
_MASK = (1 << 64) - 1


class StepChoice(NamedTuple):
    """What one rating does to a card at one step."""

    step: int
    """The next step; -1: the card leaves the steps for `REVIEW`."""
    delay_s: int
    """Seconds to the next step; 0 when it leaves."""
    minimum_days: int
    """Shortest interval when it leaves, so that it never comes before a harder rating's step."""


_LEAVES_AT_ONCE = StepChoice(-1, 0, 1)


def step_choices(steps_s: tuple[int, ...]) -> tuple[tuple[StepChoice, ...], ...]:
    """For each step, what each rating does (index 0 unused), with Anki's meaning of steps.

    Again goes to the first step. Hard repeats the step; on the first it waits the mean of the first two, or
    one and a half times the only one, at most a day more. Good goes on, and leaves after the last. Easy leaves.
    A list that does not rise is made to: no rating waits less than a harder one.
    """
    table: list[tuple[StepChoice, ...]] = []
    again = steps_s[0] if steps_s else 0
    for step, delay in enumerate(steps_s):
        if step > 0:
            hard = delay
        elif len(steps_s) > 1:
            hard = (delay + steps_s[1]) // 2
        else:
            hard = min(delay * 3 // 2, delay + DAY_S)
        hard = max(again, hard)
        if step + 1 < len(steps_s):
            good_delay = max(hard, steps_s[step + 1])
            good = StepChoice(step + 1, good_delay, 1)
            easy = StepChoice(-1, 0, 1 + good_delay // DAY_S)
        else:
            good = easy = StepChoice(-1, 0, 1 + hard // DAY_S)
        table.append((_LEAVES_AT_ONCE, StepChoice(0, again, 1), StepChoice(step, hard, 1), good, easy))
    return tuple(table)


class Plan:
    """Options made ready for use. Get one from `plan_for`."""

    def __init__(
        self,
        options: Options,
        arithmetic: MemoryModel,
        learning: tuple[tuple[StepChoice, ...], ...],
        relearning: tuple[tuple[StepChoice, ...], ...],
        maximum: int,
    ) -> None:
        self.options = options
        self.arithmetic = arithmetic
        """The formulas of the model, for folds and for sorting; equal to it to the last bits."""
        self.learning = learning
        self.relearning = relearning
        self.maximum = maximum
        """Longest interval in days."""

    @cached_property
    def model(self) -> MemoryModel:
        """The memory model, which schedules answers; it is loaded at the first of them."""
        return model_for(self.options)

    @cached_property
    def first_stability(self) -> tuple[float, ...]:
        """By rating (index 0 unused): the stability that plans the interval after a first review.

        It is the model's own, unless weights give a harder rating a higher one: then that, so that no button
        waits less than a harder one.
        """
        return tuple(
            max((self.arithmetic.first(lower).stability for lower in range(1, rating + 1)), default=0.0)
            for rating in range(5)
        )

    def interval(self, stability: float, last: int, minimum: int, seed: int, reps: int) -> int:
        """Whole days until the next review of a card that leaves this one with *stability*.

        *last*: the interval before, in days, or 0. If the new one is longer before fuzz, it stays longer after
        it. *minimum*: at least so many days. *seed*, *reps*: of the card, see `fuzz_share`.

        The share of the fuzz depends on the card and its repetition, not on the rating, and every step below
        rises with stability; so a better rating never gives a shorter interval.
        """
        days = self.arithmetic.interval(stability, self.options.desired_retention)
        maximum = self.maximum
        if last and round(days) > last >= minimum:
            minimum = last + 1
        if minimum > maximum:
            minimum = maximum
        days = min(max(days, float(minimum)), float(maximum))
        if not self.options.fuzz or days < 2.5:
            return min(max(round(days), minimum), maximum)
        spread = 1.0
        for start, end, share in FUZZ_RANGES:
            spread += share * max(min(days, end) - start, 0.0)
        lower = min(max(round(days - spread), minimum), maximum)
        upper = min(max(round(days + spread), minimum), maximum)
        if lower == upper and upper < maximum:
            upper += 1
        return min(lower + int(fuzz_share(seed, reps) * (1 + upper - lower)), upper)


def card_seed(card: CardId) -> int:
    """32 bits that name *card* to the fuzz: CRC-32 of its id in UTF-8."""
    import zlib

    return zlib.crc32(card.encode("utf-8", "surrogatepass"))


def fuzz_share(seed: int, reps: int) -> float:
    """Where in its fuzz range an interval falls, 0 <= share < 1: the same whenever the log is folded.

    SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014) of the card's
    *seed* and its count of reviews; 53 bits, so that the double is exact.
    """
    z = (((seed << 32) | (reps & 0xFFFFFFFF)) + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return ((z ^ (z >> 31)) >> 11) * 2.0**-53


_plans: dict[int, Plan] = {}


def plan_for(options: Options) -> Plan:
    """The plan of *options*, made once for each `Options` object.

    Raises `UsageError` for parameters, retention, steps or maximum interval that make no schedule.
    """
    # By identity, since hashing 40 numbers costs more than the whole look-up; the plan keeps its options
    # alive, so an identity is never that of another object.
    plan = _plans.get(id(options))
    if plan is None:
        plan = _make_plan(options)
        if len(_plans) >= 256:
            _plans.clear()
        _plans[id(options)] = plan
    return plan


def _make_plan(options: Options) -> Plan:
    check_retention(options.desired_retention)
    if options.maximum_interval < 1:
        raise UsageError(f"maximum interval {options.maximum_interval} is below one day", "")
    for delay in (*options.learning_steps_s, *options.relearning_steps_s):
        if delay < 1:
            raise UsageError(f"a learning step of {delay} seconds is too short", "steps are one second or more")
    return Plan(
        options,
        arithmetic_for(options),
        step_choices(options.learning_steps_s),
        step_choices(options.relearning_steps_s),
        min(options.maximum_interval, 36_500),
    )


RATINGS = tuple(Rating)
