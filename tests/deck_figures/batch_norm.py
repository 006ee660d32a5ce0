"""Figures of `decks/batch-norm.md`."""

from __future__ import annotations

from math import ceil, isclose, log, sqrt

import numpy as np
from numpy.typing import NDArray

from deck_figures import Claim, Figure, Given, Row, between

Array = NDArray[np.float64]

# PyTorch documentation and source: nn.BatchNorm2d, torch/nn/functional.py. TensorFlow documentation:
# tf.keras.layers.BatchNormalization.
TORCH_MOMENTUM, TORCH_EPS, KERAS_MOMENTUM, KERAS_EPS = 0.1, 1e-5, 0.99, 1e-3
# Wu and He 2018, arXiv 1803.08494, table 2: validation error of ResNet-50 in per cent, by images per GPU.
BN_ERROR = {32: 23.6, 16: 23.7, 8: 24.8, 4: 27.3, 2: 34.7}
GN_ERROR = {32: 24.1, 16: 24.2, 8: 24.0, 4: 24.2, 2: 24.1}

BATCH = np.array([1.0, 2.0, 3.0, 4.0])
BIASED, UNBIASED = float(BATCH.var()), float(BATCH.var(ddof=1))


def forward(x: Array, gamma: float, beta: float, eps: float) -> Array:
    """BatchNorm of one channel in training."""
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


def backward(x: Array, g: Array, gamma: float, eps: float) -> Array:
    """The formula of the card `bn-backward`."""
    r = 1 / np.sqrt(x.var() + eps)
    xhat = (x - x.mean()) * r
    return gamma * r * (g - g.mean() - xhat * (g * xhat).mean())


def numeric_gradient(x: Array, g: Array, gamma: float, eps: float, step: float = 1e-6) -> Array:
    """dL/dx of L = sum(g * forward(x)), by central differences."""
    gradient = np.zeros_like(x)
    for index in range(len(x)):
        shift = np.zeros_like(x)
        shift[index] = step
        high, low = forward(x + shift, gamma, 0.3, eps), forward(x - shift, gamma, 0.3, eps)
        gradient[index] = ((high - low) * g).sum() / (2 * step)
    return gradient


def folded(
    weight: float, bias: float, gamma: float, beta: float, mean: float, variance: float, eps: float
) -> tuple[float, float]:
    """W' and b' of the card `bn-folding`."""
    factor = gamma / sqrt(variance + eps)
    return weight * factor, (bias - mean) * factor + beta


X, G = np.array([0.3, -1.2, 2.5, 0.9, -0.4]), np.array([1.0, -0.5, 0.25, 2.0, -1.5])
FOLDED = folded(2, 1, 3, 1, 5, 4, 0)
MERGED = np.array([-1.0, 1.0, 1.0, 3.0])
"""Two ranks with two values each: means 0 and 2, biased variance 1."""


def fits_any_input() -> bool:
    """Whether the folded layer equals the layer followed by BatchNorm in eval mode."""
    weight, bias, gamma, beta, mean, variance = 0.7, -0.2, 1.3, 0.4, 0.9, 2.2
    new_weight, new_bias = folded(weight, bias, gamma, beta, mean, variance, TORCH_EPS)
    return all(
        isclose(new_weight * x + new_bias, gamma * (weight * x + bias - mean) / sqrt(variance + TORCH_EPS) + beta)
        for x in (-2.0, 0.0, 3.5)
    )


def weight_after(updates: int, momentum: float) -> float:
    """How much of an initial 1 is left when every batch statistic is 0."""
    running = 1.0
    for _ in range(updates):
        running = (1 - momentum) * running + momentum * 0.0
    return running


def steps_to_forget(momentum: float) -> int:
    """Updates until the start weighs less than 1 %, *momentum* in PyTorch's sense."""
    return ceil(log(0.01) / log(1 - momentum))


ROWS: tuple[Row, ...] = (
    Claim(
        "bn-formula",
        r"\hole[scale]{\sqrt{\sigma_B^2 + \epsilon}}",
        isclose(float(forward(X, 1, 0, 0.1)[0]), (0.3 - X.mean()) / sqrt(X.var() + 0.1)),
    ),
    Claim(
        "bn-formula",
        "mean 0 and variance 1",
        isclose(float(forward(X, 1, 0, 0).mean()), 0, abs_tol=1e-12) and isclose(float(forward(X, 1, 0, 0).var()), 1),
    ),
    Figure("bn-axes", "6272", 32 * 14 * 14),
    Claim(
        "bn-axes",
        r"$m = N \cdot H \cdot W = 32 \times 14 \times 14$",
        np.zeros((32, 3, 14, 14))[:, 0].size == 32 * 14 * 14,
    ),
    Figure("bn-worked-example", "1.342", float(forward(BATCH, 1, 0, 1e-5)[3])),
    Claim("bn-worked-example", "Mean 2.5, variance 1.25 (divided by 4)", (BATCH.mean(), BIASED) == (2.5, 1.25)),
    Claim(
        "bn-worked-example",
        r"$1.5/\sqrt{1.25 + 10^{-5}}$",
        isclose(1.5 / sqrt(1.25 + 1e-5), float(forward(BATCH, 1, 0, 1e-5)[3])),
    ),
    Figure("bn-worked-example", "1.162", 1.5 / sqrt(UNBIASED + 1e-5)),
    Claim("bn-worked-example", "$m - 1$: the unbiased variance, 5/3", isclose(UNBIASED, 5 / 3)),
    Claim("bn-batch-of-one", "1 x 1", np.zeros((1, 3, 1, 1))[:, 0].size == 1),
    Figure("bn-running-update", "0.1", TORCH_MOMENTUM),
    Claim(
        "bn-running-update",
        r"\hole[weights]{(1 - a)}\,r + \hole[weights]{a}\,b",
        isclose(weight_after(1, TORCH_MOMENTUM), 1 - TORCH_MOMENTUM),
    ),
    Figure("bn-port-from-keras", "0.99", KERAS_MOMENTUM),
    Figure("bn-port-from-keras", "0.01", 1 - KERAS_MOMENTUM),
    Figure("bn-port-from-keras", "0.001", KERAS_EPS),
    Figure("bn-port-from-keras", "10^{-5}", TORCH_EPS),
    Claim("bn-initial-weight", "$(1 - a)^n$", isclose(weight_after(10, 0.1), (1 - 0.1) ** 10)),
    Claim("bn-initial-weight", "by $1 - a$", isclose(weight_after(1, 0.3), 1 - 0.3)),
    Figure("bn-initial-weight", "0.349", weight_after(10, TORCH_MOMENTUM)),
    Claim("bn-initial-weight", "$0.9^{10}$", round(0.9**10, 3) == 0.349),
    Claim("bn-initial-weight", "a third of each statistic is still the initial 0 or 1", between(0.3, 0.9**10, 0.37)),
    Figure("bn-steps-to-forget", "44", steps_to_forget(TORCH_MOMENTUM)),
    Claim("bn-steps-to-forget", "$0.9^n < 0.01$", 0.9**44 < 0.01 <= 0.9**43),
    Figure("bn-steps-to-forget", "459", steps_to_forget(1 - KERAS_MOMENTUM)),
    Claim("bn-steps-to-forget", "$0.99^n < 0.01$", 0.99**459 < 0.01 <= 0.99**458),
    Claim("bn-bessel-factor", r"$\frac{m}{m - 1}$", isclose(UNBIASED / BIASED, 4 / (4 - 1))),
    Claim(
        "bn-bessel-factor",
        r"$E[\text{biased}] = \frac{m-1}{m}\,\sigma^2$",
        isclose(np.mean([np.var([a, b]) for a in (-1, 1) for b in (-1, 1)]), 0.5),
    ),
    Claim("bn-bessel-factor", "a factor 2 at m = 2", 2 / (2 - 1) == 2),
    Figure("bn-bessel-factor", "1.0002", 6272 / 6271),
    Claim("bn-bessel-factor", "m = 6272", 32 * 14 * 14 == 6272),
    Figure("bn-running-variance-step", "1.0667", 0.9 * 1 + 0.1 * UNBIASED),
    Claim(
        "bn-running-variance-step",
        r"$0.9 \times 1 + 0.1 \times \frac{5}{3}$",
        isclose(0.9 + 0.1 * 5 / 3, 0.9 + 0.1 * UNBIASED),
    ),
    Figure("bn-running-variance-step", "1.025", 0.9 * 1 + 0.1 * BIASED),
    Figure("bn-running-variance-step", "1.25", BIASED),
    Claim(
        "bn-backward",
        r"$r = 1/\sqrt{\sigma_B^2 + \epsilon}$",
        np.allclose(forward(X, 2, 1, 0.1), 2 * (X - X.mean()) * (1 / np.sqrt(X.var() + 0.1)) + 1),
    ),
    Claim(
        "bn-backward",
        r"\gamma r \left(g - \hole[mean?comes from the mean]{\bar g}"
        r" - \hole[variance?comes from the variance]{\hat x\,\overline{g \hat x}}\right)",
        np.allclose(backward(X, G, 1.7, 0.1), numeric_gradient(X, G, 1.7, 0.1), atol=1e-7),
    ),
    Claim("bn-gradient-sums-to-zero", "sum to zero", isclose(float(backward(X, G, 1.7, 0.1).sum()), 0, abs_tol=1e-12)),
    Claim(
        "bn-gradient-sums-to-zero",
        "Adding a constant to the whole batch",
        np.allclose(forward(X + 5, 1, 0, 0.1), forward(X, 1, 0, 0.1)),
    ),
    Claim(
        "bn-eval-backward",
        r"$r = 1/\sqrt{\sigma^2 + \epsilon}$",
        isclose((3 * (1.5 - 0.4) - 3 * (0.5 - 0.4)) / sqrt(4), 3 / sqrt(4)),
    ),
    Claim(
        "bn-batch-of-two",
        "Zero, whatever the loss",
        np.allclose(backward(np.array([1.0, 3.0]), np.array([1.0, 0.0]), 2, 0), 0),
    ),
    Claim("bn-batch-of-two", "$-1$ and $+1$", np.allclose(forward(np.array([1.0, 3.0]), 1, 0, 0), [-1, 1])),
    Claim("bn-folding", r"\hole[fold]{\frac{\gamma}{\sqrt{\sigma^2 + \epsilon}}}\,W", fits_any_input()),
    Claim("bn-folding", r"\hole[fold]{(b - \mu)\,\frac{\gamma}{\sqrt{\sigma^2 + \epsilon}} + \beta}", fits_any_input()),
    Figure("bn-folding-example", "$-5$", FOLDED[1]),
    Claim("bn-folding-example", r"$3/\sqrt{4} = 1.5$", isclose(3 / sqrt(4), 1.5)),
    Claim("bn-folding-example", r"$b' = (1 - 5) \times 1.5 + 1$", FOLDED[1] == (1 - 5) * 1.5 + 1),
    Claim("bn-folding-example", "the weight becomes 3", FOLDED[0] == 3),
    Figure("bn-small-batch", "23.6 %", BN_ERROR[32]),
    Figure("bn-small-batch", "34.7 %", BN_ERROR[2]),
    Claim("bn-small-batch", "at 32 images per GPU", 32 in BN_ERROR),
    Claim("bn-small-batch", "at 2; with", 2 in BN_ERROR),
    Claim("bn-small-batch", "24 %", all(between(23.9, error, 24.3) for error in GN_ERROR.values())),
    Figure("bn-merge-variances", "A: 2", float(MERGED.var())),
    Claim("bn-merge-variances", "The mean of the variances, 1,", isclose((MERGED[:2].var() + MERGED[2:].var()) / 2, 1)),
    Claim(
        "bn-merge-variances",
        "the variance of the means, 1.",
        isclose(np.var([MERGED[:2].mean(), MERGED[2:].mean()]), 1),
    ),
    Claim("bn-merge-variances", "means 0 and 2", (MERGED[:2].mean(), MERGED[2:].mean()) == (0, 2)),
    # What the questions give, as the expressions above use it.
    Given("bn-axes", "= 32 and H = W = 14, how"),
    Given("bn-worked-example", r"(1, 2, 3, 4); $\gamma = 1$, $\beta = 0$, $\epsilon = 10^{-5}$"),
    Given("bn-worked-example", "make of the 4 in training"),
    Given("bn-worked-example", "gives 1.162?"),
    Given("bn-batch-of-one", "shape (1, C)?"),
    Given("bn-port-from-keras", "of 0.99 to"),
    Given("bn-initial-weight", "default 0.1, after 10 updates?"),
    Given("bn-steps-to-forget", "than 1 %, at PyTorch's default momentum of 0.1?"),
    Given("bn-steps-to-forget", "of 0.99?"),
    Given("bn-running-variance-step", "variance 1, momentum 0.1, batch (1, 2, 3, 4). What"),
    Given("bn-running-variance-step", "gives 1.025. Which"),
    Given("bn-batch-of-two", "= 0$. What"),
    Given("bn-folding-example", r"($\gamma = 3$, $\beta = 1$, mean 5, variance 4, $\epsilon = 0$)"),
    Given("bn-folding-example", "weight 2 and bias 1."),
    Given("bn-merge-variances", "means 0 and 2, variance 1 each"),
)

WRONG_BELIEFS = (
    r"running (mean|variance|statistics)[^.]{0,40}(receive|get|have) (a )?gradients",
    r"no_grad[^.]{0,30}switches",
    r"momentum of the optimiser|optimiser's momentum, default 0\.1",
    r"BatchNorm (always )?uses the unbiased variance(?! one)",
    r"fold[^.]{0,40}during training",
    r"average of the (per-rank |per-device )?variances is the variance",
)
