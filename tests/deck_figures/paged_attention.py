"""Figures of `decks/paged-attention.md`."""

from __future__ import annotations

from math import ceil, floor, isclose

from deck_figures import Claim, Figure, Given, Row, between

# Llama 3 paper, arXiv 2407.21783, table 3, 70B: layers, attention heads, KV heads, model dimension.
LAYERS, HEADS, KV_HEADS, MODEL = 80, 64, 8, 8192
HEAD_DIMENSION = MODEL // HEADS
WEIGHTS_GB = 70.6 * 2
"""70.6e9 parameters (stas00/ml-engineering and the Llama 3.1 model card), two bytes each."""
# Kwon et al., SOSP 2023, arXiv 2309.06180: section 3 (OPT-13B), figure 2 (shares in per cent), section 7.1,
# abstract, section 7.2 (block size).
OPT_HIDDEN, OPT_LAYERS, OPT_TOKENS = 5120, 40, 2048
ORCA_MAX, ORCA_ORACLE, ORACLE_RESERVED, ORACLE_EXTERNAL, VLLM = 20.4, 38.2, 25.2, 36.6, 96.3
KERNEL_OVERHEAD, THROUGHPUT_GAIN, BLOCK = (20, 26), (2, 4), 16
FIGURE_6_TABLE, FIGURE_6_BLOCK = (7, 1, 3), 4

TOKEN = 2 * LAYERS * KV_HEADS * HEAD_DIMENSION * 2
OPT_TOKEN = 2 * OPT_HIDDEN * OPT_LAYERS * 2
SEQUENCE = TOKEN * 8192


def translate(token: int, table: tuple[int, ...], block: int) -> tuple[int, int]:
    """Physical block and slot of *token*."""
    return table[token // block], token % block


ROWS: tuple[Row, ...] = (
    Claim(
        "paged-kv-formula",
        r"\hole[two?how many tensors]{2} \cdot L \cdot \hole[heads?which heads]{n_{\text{kv}}} \cdot d \cdot b",
        2 * LAYERS * KV_HEADS * HEAD_DIMENSION * 2 == 327_680,
    ),
    Claim(
        "paged-llama-70b", "80 layers, 8 KV heads of dimension 128", (LAYERS, KV_HEADS, HEAD_DIMENSION) == (80, 8, 128)
    ),
    Figure("paged-llama-70b", "320 KiB", TOKEN / 2**10),
    Claim(
        "paged-llama-70b",
        r"$2 \times 80 \times 8 \times 128 \times 2 = 327{,}680$ B",
        2 * 80 * 8 * 128 * 2 == 327_680 == TOKEN,
    ),
    Figure("paged-llama-70b", "327.68 kB", TOKEN / 1e3),
    Figure("paged-llama-70b", "2.5 GiB", SEQUENCE / 2**30),
    Claim("paged-llama-70b", r"$327{,}680 \times 8192$ B", SEQUENCE == 327_680 * 8192),
    Figure("paged-llama-70b", "2.68 GB", SEQUENCE / 1e9),
    Claim("paged-kv-heads-trap", "64 query heads and 8 KV heads", (HEADS, KV_HEADS) == (64, 8)),
    Figure("paged-kv-heads-trap", "8 times", HEADS / KV_HEADS),
    Claim("paged-kv-heads-trap", "$64/8$", 64 // 8 == 8),
    Claim("paged-opt-13b", "800 KiB", OPT_TOKEN == 800 * 2**10),
    Figure("paged-opt-13b", "1.68 GB", OPT_TOKEN * OPT_TOKENS / 1e9),
    Claim(
        "paged-opt-13b", r"$2 \times 5120 \times 40 \times 2 = 819{,}200$ B", 2 * 5120 * 40 * 2 == 819_200 == OPT_TOKEN
    ),
    Claim(
        "paged-opt-13b",
        "800 KB and 1.6 GB",
        OPT_TOKEN / 2**10 == 800 and round(OPT_TOKEN * OPT_TOKENS / 2**30, 1) == 1.6,
    ),
    Figure("paged-opt-13b", "1.56 GiB", OPT_TOKEN * OPT_TOKENS / 2**30),
    Claim("paged-sequences-that-fit", "141.2 GB of weights", isclose(WEIGHTS_GB, 141.2)),
    Claim("paged-sequences-that-fit", "2.684 GB each", round(SEQUENCE / 1e9, 3) == 2.684),
    Figure("paged-sequences-that-fit", "161", floor((0.9 * 8 * 80e9 - 141.2e9) / SEQUENCE)),
    Claim("paged-sequences-that-fit", r"$(0.9 \times 640 - 141.2)/2.684$", floor((0.9 * 640 - 141.2) / 2.684) == 161),
    Figure("paged-real-use", "20.4 %", ORCA_MAX),
    Figure("paged-real-use", "38.2 %", ORCA_ORACLE),
    Figure("paged-real-use", "96.3 %", VLLM),
    Claim("paged-oracle-waste", "more than half", 100 - ORCA_ORACLE > 50),
    Figure("paged-oracle-waste", "25.2 %", ORACLE_RESERVED),
    Figure("paged-oracle-waste", "36.6 %", ORACLE_EXTERNAL),
    Claim("paged-oracle-waste", "Reservation took", isclose(ORACLE_RESERVED + ORACLE_EXTERNAL + ORCA_ORACLE, 100)),
    Claim("paged-translate", "Physical block 3, slot 1", translate(9, FIGURE_6_TABLE, FIGURE_6_BLOCK) == (3, 1)),
    Claim("paged-translate", "physical block  7   1   3", FIGURE_6_TABLE == (7, 1, 3)),
    Claim(
        "paged-translate",
        r"$9 = 2 \times 4 + 1$: logical block 2 is physical block 3",
        divmod(9, 4) == (2, 1) and FIGURE_6_TABLE[2] == 3,
    ),
    Figure("paged-block-count", "63", ceil(1000 / BLOCK)),
    Claim("paged-block-count", r"$\lceil 1000/16 \rceil$; the last block holds 8 tokens", 1000 - 62 * 16 == 8),
    Figure("paged-waste-per-sequence", "A: 15.", BLOCK - 1),
    Figure("paged-waste-per-sequence", "4.9 MB", (BLOCK - 1) * TOKEN / 1e6),
    Claim("paged-waste-per-sequence", r"$15 \times 327{,}680$ B", (BLOCK - 1) * TOKEN == 15 * 327_680),
    Figure("paged-block-size", "16 tokens", BLOCK),
    Claim("paged-copy-on-write", "falls to 1", 2 - 1 == 1),
    Claim("paged-copy-on-write", "a count of 1", 2 - 1 == 1),
    Figure("paged-prefix-win", "7.7 %", (6500 - 6000) / 6500 * 100),
    Claim("paged-prefix-win", "$500/6500$", 6500 - 6000 == 500),
    Claim("paged-kernel-cost", "20 to 26 %", KERNEL_OVERHEAD == (20, 26)),
    Claim("paged-kernel-cost", "2 to 4 times", THROUGHPUT_GAIN == (2, 4)),
    Claim("paged-not-smaller", "Not at all", between(TOKEN, 2 * LAYERS * KV_HEADS * HEAD_DIMENSION * 2, TOKEN)),
    # What the questions give, as the expressions above use it.
    Given("paged-llama-70b", "has 80 layers, 8 KV heads of dimension 128, BF16."),
    Given("paged-llama-70b", "of 8192 tokens,"),
    Given("paged-kv-heads-trap", "has 64 query heads and 8 KV"),
    Given("paged-opt-13b", "a sequence of its maximum of 2048 tokens"),
    Given("paged-sequences-that-fit", "8 GPUs of 80 GB serve Llama-3 70B"),
    Given("paged-sequences-that-fit", "90 % of the memory usable"),
    Given("paged-sequences-that-fit", "sequences of 8192 tokens"),
    Given("paged-translate", "Blocks hold 4 tokens."),
    Given("paged-translate", "does token 9 lie, counting tokens and slots from 0?"),
    Given("paged-block-count", "many 16-token blocks does a sequence of 1000 tokens"),
    Given("paged-waste-per-sequence", "of 16 tokens?"),
    Given("paged-waste-per-sequence", "at 327,680 B"),
    Given("paged-block-size", "holds 16 tokens."),
    Given("paged-block-size", "of 256?"),
    Given("paged-copy-on-write", "count 2). One"),
    Given("paged-recompute-is-prefill", "generated 200 tokens"),
    Given("paged-prefix-win", "6000 of a prompt's 6500 tokens"),
    Given("paged-kernel-cost", "rise 2 to 4 times"),
)

WRONG_BELIEFS = (
    r"paging (reduces|shrinks) the (size of the )?KV cache",
    r"PagedAttention (makes|speeds) (up )?attention (faster|up)?",
    r"attention (gets|becomes|is) faster",
    r"decod(e|ing) (gets|becomes|is) faster",
    r"continuous batching is (also called )?dynamic batching",
    r"2 [^.]{0,20}query heads [^.]{0,20}head dim",
    r"paging removes all waste|no waste at all",
)
