"""Figures of `decks/loss-scaling.md`."""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import inf, isclose, log2

import numpy as np

from deck_figures import Claim, Figure, Given, Row

# IEEE 754-2019 binary16 and binary32; bfloat16 is binary32 without its low 16 bits: exponent and fraction bits.
BITS = {"fp16": (5, 10), "bf16": (8, 7), "fp32": (8, 23)}
# PyTorch source, torch/amp/grad_scaler.py: the defaults of GradScaler.
INIT_SCALE, GROWTH, BACKOFF, INTERVAL = 2.0**16, 2.0, 0.5, 2000
# Micikevicius et al. 2018, arXiv 1710.03740, sections 3.1 and 3.2.
PAPER_ZERO, SSD_SCALE, SSD_RANGE = 2.0**-24, 8, (2.0**-27, 2.0**-24)


def fp16(value: float) -> float:
    """*value* rounded to binary16."""
    with np.errstate(over="ignore"):
        return float(np.float16(value))


def bf16(value: float) -> float:
    """*value* rounded to bfloat16, ties to even. Finite values only."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    bits += 0x7FFF + ((bits >> 16) & 1)
    return struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0]


def fp32(value: float) -> float:
    return float(np.float32(value))


def summed(rounded: Callable[[float], float], count: int) -> float:
    """1.0 after *count* additions of 1e-4, *rounded* to the format after each one."""
    weight = 1.0
    for _ in range(count):
        weight = rounded(weight + rounded(1e-4))
    return weight


def simulate(overflows: list[bool]) -> tuple[float, int]:
    """Scale after the steps, and the count of good steps since the last change: GradScaler's rule."""
    scale, good = INIT_SCALE, 0
    for overflow in overflows:
        if overflow:
            scale, good = scale * BACKOFF, 0
        elif good + 1 == INTERVAL:
            scale, good = scale * GROWTH, 0
        else:
            good += 1
    return scale, good


def steps_until_growth(history: list[bool]) -> int:
    """Good steps that are still needed after *history*."""
    before, count = simulate(history)[0], 0
    while simulate(history + [False] * count)[0] <= before:
        count += 1
    return count


def spacing(fraction_bits: int) -> float:
    """Distance from 1 to the next value."""
    return 2.0**-fraction_bits


RESCUED = fp32(fp16(1e-8 * INIT_SCALE)) / INIT_SCALE

ROWS: tuple[Row, ...] = (
    *(
        Claim("ls-format-bits", f"| [{bits[0]}]{{{name}}} | [{bits[1]}]{{{name}}} |", 1 + sum(bits) in (16, 32))
        for name, bits in BITS.items()
    ),
    Claim(
        "ls-format-bits",
        "the low 16 bits cut off",
        BITS["fp32"][1] - BITS["bf16"][1] == 16 and bf16(3.14159265) == 3.140625,
    ),
    Figure("ls-fp16-max", "65504", float(np.finfo(np.float16).max)),
    Claim("ls-fp16-max", r"$(2 - 2^{-10}) \times 2^{15}$", (2 - 2.0**-10) * 2**15 == 65504),
    Figure("ls-fp16-max", "65520", next(float(value) for value in range(65504, 65537) if fp16(value) == inf)),
    Claim("ls-fp16-max", "half way to 65536", (65504 + 65536) / 2 == 65520),
    Figure("ls-fp16-smallest", "2^{-14}", float(np.finfo(np.float16).smallest_normal)),
    Figure("ls-fp16-smallest", r"6.10\times10^{-5}", 2.0**-14),
    Figure("ls-fp16-smallest", "2^{-24}", float(np.finfo(np.float16).smallest_subnormal)),
    Figure("ls-fp16-smallest", r"5.96\times10^{-8}", 2.0**-24),
    Claim("ls-fp16-zero", r"$2^{-25}", fp16(2.0**-25) == 0 and fp16(2.0**-25 * 1.001) > 0),
    Figure("ls-fp16-zero", r"2.98\times10^{-8}", 2.0**-25),
    Claim("ls-fp16-zero", "half of the smallest subnormal $2^{-24}$", 2.0**-24 / 2 == 2.0**-25),
    Claim("ls-fp16-zero", "even neighbour, 0", fp16(2.0**-25) == 0),
    Claim("ls-fp16-zero", "gives the limit as $2^{-24}$", PAPER_ZERO == 2.0**-24),
    Claim(
        "ls-fp16-zero", "Values between $2^{-25}$ and $2^{-24}$ round up to $2^{-24}$", fp16(1.5 * 2.0**-25) == 2.0**-24
    ),
    Figure("ls-spacing-at-one", "2^{-10}", spacing(BITS["fp16"][1])),
    Figure("ls-spacing-at-one", "0.001", spacing(BITS["fp16"][1])),
    Claim(
        "ls-spacing-at-one", "just above 1 in FP16", float(np.nextafter(np.float16(1), np.float16(2))) - 1 == 2.0**-10
    ),
    Figure("ls-spacing-at-one", "2^{-7}", spacing(BITS["bf16"][1])),
    Figure("ls-spacing-at-one", "0.008", spacing(BITS["bf16"][1])),
    Claim("ls-spacing-at-one", "7 stored fraction bits against 10", (BITS["bf16"][1], BITS["fp16"][1]) == (7, 10)),
    Figure("ls-rescued-gradient", r"9.997\times10^{-9}", RESCUED),
    Claim("ls-rescued-gradient", "to three digits", isclose(RESCUED, 1e-8, rel_tol=5e-4)),
    Figure("ls-rescued-gradient", r"6.55\times10^{-4}", 1e-8 * 65536),
    Claim("ls-rescued-gradient", "$10^{-8}$ becomes 0 in FP16", fp16(1e-8) == 0),
    Claim("ls-rescued-gradient", "a normal FP16 value", fp16(1e-8 * 65536) >= 2.0**-14),
    Figure("ls-needed-scale", "1024", 2.0 ** next(n for n in range(40) if 2.0**n * 1e-7 >= 2.0**-14)),
    Claim("ls-needed-scale", "$2^{-14}/10^{-7} = 610$", round(2.0**-14 / 1e-7) == 610),
    Claim("ls-powers-of-two", "nothing is rounded", fp16(1.2345) * 1024 == fp16(fp16(1.2345) * 1024)),
    Figure("ls-ssd-scale", "8", SSD_SCALE),
    Claim(
        "ls-ssd-scale",
        "between $2^{-27}$ and $2^{-24}$ mattered: three powers of two",
        log2(SSD_RANGE[1] / SSD_RANGE[0]) == 3 == log2(SSD_SCALE),
    ),
    Claim("ls-not-the-learning-rate", "already 0", fp16(1e-8) * 1000 == 0),
    Claim("ls-unscale-before-clip", "At 1:", True),
    Figure("ls-clip-threshold", r"1.5\times10^{-5}", 1 / 65536),
    Claim("ls-clip-threshold", "$1/65536$", round(1 / 65536, 6) == 1.5e-5),
    Figure("ls-grad-scaler-defaults", "65536", INIT_SCALE),
    Figure("ls-grad-scaler-defaults", "2]", GROWTH),
    Figure("ls-grad-scaler-defaults", "2000", INTERVAL),
    Figure("ls-grad-scaler-defaults", "0.5", BACKOFF),
    Claim("ls-grad-scaler-defaults", "$65536 = 2^{16}$", 2**16 == 65536),
    Figure("ls-scale-after", "8192", simulate([True] * 3)[0]),
    Claim("ls-scale-after", r"$65536 \times 0.5^3$", 65536 * 0.5**3 == 8192),
    Figure("ls-scale-after", "262144", simulate([False] * 4000)[0]),
    Claim("ls-scale-after", r"$65536 \times 2^2$", 65536 * 2**2 == 262144),
    Figure("ls-consecutive-steps", "2000.", steps_until_growth([False] * 1999 + [True])),
    Claim("ls-consecutive-steps", "sets the count back to 0", simulate([False] * 1999 + [True])[1] == 0),
    Figure("ls-steady-state", "0.05 %", 100 / INTERVAL),
    Claim("ls-steady-state", "1/2000", 1 / INTERVAL == 0.0005),
    Claim("ls-bf16", "$2^{-126}$", 2.0 ** (2 - 2 ** (BITS["bf16"][0] - 1)) == 2.0**-126),
    Figure("ls-bf16", "8.", spacing(7) / spacing(10)),
    Claim("ls-bf16", "7 fraction bits against 10", (BITS["bf16"][1], BITS["fp16"][1]) == (7, 10)),
    Figure("ls-bf16-updates", "A: 1.0", summed(bf16, 1000)),
    Claim("ls-bf16-updates", "$1 + 2^{-7}$", bf16(1 + 2.0**-7) > 1 == bf16(1 + 2.0**-9)),
    Figure("ls-bf16-updates", "0.0039", spacing(7) / 2),
    Figure("ls-bf16-updates", "1.1000", summed(fp32, 1000)),
    Claim("ls-adam-epsilon", "A: 0", fp16(1e-8) == 0),
    Claim("ls-adam-epsilon", "$10^{-8}$ is below $2^{-25}$", 1e-8 < 2.0**-25),
    # What the questions give, as the expressions above use it.
    Given("ls-fp16-zero", "exactly 0 when"),
    Given("ls-fp16-zero", "as $2^{-24}$. Why"),
    Given("ls-spacing-at-one", "above 1 in"),
    Given("ls-rescued-gradient", "of $10^{-8}$ becomes 0 in FP16. What comes back if the loss is scaled by 65536 and"),
    Given("ls-needed-scale", "of $10^{-7}$ into"),
    Given("ls-unscale-before-clip", "at 1, 2, 3 or 4?"),
    Given("ls-clip-threshold", "by 65536 are clipped to norm 1.0 before"),
    Given("ls-scale-after", "Scale 65536, backoff 0.5. What"),
    Given("ls-scale-after", "Instead, 4000 clean steps pass from 65536, with growth 2 every 2000. What"),
    Given("ls-consecutive-steps", "after 2000 good steps. After 1999 of"),
    Given("ls-steady-state", "interval 2000 skip"),
    Given("ls-scale-collapses", "below 1. What"),
    Given("ls-bf16-updates", "of 1.0 receives 1000 updates of $10^{-4}$, stored"),
    Given("ls-adam-epsilon", "= 10^{-8}$. What"),
    Claim("ls-master-weights", "cost 4 bytes per parameter more", struct.calcsize("<f") == 4),
    Given("ls-master-weights", "computes in 16 bits"),
)

WRONG_BELIEFS = (
    r"loss scaling (prevents|avoids|cures) overflow",
    r"BF16 is (more accurate|more precise)",
    r"E4M3[^.]{0,20}240",
    r"unscale[^.]{0,20}after clipping",
    r"clip[^.]{0,20}before unscal",
    r"(scale|raise) the learning rate instead",
    r"after 2000 good steps in total",
    r"loss scaling (cures|restores) lost updates",
    r"nan_to_num",
)
