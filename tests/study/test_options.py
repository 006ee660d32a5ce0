"""Changed settings: the states are folded anew, where they changed and nowhere else."""

from __future__ import annotations

import pytest

from learner import Learner, all_states, asked, assert_folded, many, state
from recall.model.review import Rating
from recall.store import index


@pytest.fixture
def learnt(both: Learner) -> Learner:
    """Two decks with some history."""
    both.configure("fuzz = false\n")
    both.write("a", many(4))
    both.write("b/c", many(4, 4))
    study = both.open()
    for rating in (Rating.GOOD, Rating.AGAIN, Rating.EASY):
        session = study.session()
        for _ in range(8):
            if session.shown is not None:
                session.rate(rating)
        both.clock.pass_by(days=9)
    assert_folded(study)
    return both


@pytest.mark.parametrize(
    ("config", "changed"),
    [
        ("desired_retention = 0.97\n", {"a", "b/c"}),
        ("rollover_hour = 11\n", {"a", "b/c"}),
        ('[deck."b"]\ndesired_retention = 0.8\n', {"b/c"}),
        ('[deck."a"]\nmaximum_interval = 5\n', {"a"}),
        ('[deck."a"]\nlearning_steps_s = [60]\n', {"a"}),
        ("new_per_day = 1\nreviews_per_day = 1\nleech_threshold = 2\n", set()),
    ],
)
def test_changed_options_are_folded_in_at_the_next_reading(learnt: Learner, config: str, changed: set[str]):
    before = all_states(learnt.opened[0])
    learnt.configure(f"fuzz = false\n{config}")
    study = learnt.open(follow=False)
    differs = {row.deck for row in index.decks(study.database) if row.options != study.fingerprint(row.deck)}
    assert {deck for deck in differs if deck in ("a", "b/c")} == changed
    assert study.sync().decks == [], "no file is read for it"
    assert_folded(study)
    after = all_states(study)
    moved = {"a" if int(card[5:]) < 4 else "b/c" for card in after if after[card] != before[card]}
    assert moved <= changed
    assert bool(moved) == bool(changed)
    assert study.fold_changed_options() == 0
    learnt.configure("fuzz = false\n")
    again = learnt.open(follow=False)
    again.sync()
    assert {card: found.due for card, found in all_states(again).items()} == {
        card: found.due for card, found in before.items()
    }
    assert_folded(again)


def test_undo_goes_by_the_present_options(learner: Learner):
    learner.configure("fuzz = false\n")
    learner.write("a", many(1))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=20)
    session = study.session()
    session.rate(Rating.GOOD)
    learner.configure("fuzz = false\ndesired_retention = 0.8\n")
    study = learner.open()
    assert_folded(study)
    study.session().undo()
    assert_folded(study)
    assert state(study, "card-0").due_day > study.today() - 12
