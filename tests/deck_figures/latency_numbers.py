"""Figures of `decks/latency-numbers.md`."""

from __future__ import annotations

from math import isclose

from deck_figures import Claim, Figure, Given, Row, between

# Latency Numbers Every Programmer Should Know, the list of 2012 (read in two copies: la.buvette.org/vrac/
# cache-system.txt and sylab-srv.cs.fiu.edu/resources/latencies).
L1_NS, BRANCH_NS, L2_NS, MUTEX_NS, MEMORY_NS = 0.5, 5, 7, 25, 100
SSD_RANDOM_US, READ_1MB_US, DATACENTRE_US, SEEK_MS, OCEAN_MS = 150, 250, 500, 10, 150
# Colin Scott, interactive latency page, 2020 column (as listed in public gists and slides).
L1_2020_NS, BRANCH_2020_NS, L2_2020_NS, MUTEX_2020_NS, MEMORY_2020_NS, SSD_2020_US = 1, 3, 4, 17, 100, 16
# Measured on a 2-vCPU cloud VM, 2026; the Xeon 5150 figure stands beside the list in a public gist.
SSD_VM_US, SWITCH_VM_US, SWITCH_5150_US = 67, 1.1, 4.3
# Insights into DeepSeek-V3, ISCA 2025, arXiv 2505.09343, table 5 (64 B, CPU side).
IB_SAME_LEAF_US, IB_CROSS_LEAF_US, IB_MESSAGE_B = 2.8, 3.7, 64
# te42kyfo/gpu-benches: pointer chase, cycles at a clock in GHz.
H100_CYCLES, H100_GHZ = {"l1": 34, "l2": 265, "hbm": 650}, 1.755
A100_CYCLES, A100_GHZ = {"l2": 211, "hbm": 571}, 1.41
# te42kyfo/gpu-benches, gpu-small-kernels/h200*.txt, first line: 4096 doubles read and written, GB/s.
SMALL_KERNEL_B, STREAM_GB_S, GRAPH_GB_S = 4096 * 2 * 8, 26, 49
# te42kyfo/gpu-benches, README.md, cuda-memcpy on a V100 PCIe: milliseconds and GB/s.
COPY_MS, COPY_GB_S = {1: 0.03, 8: 0.03}, {32: 0.93, 262144: 12.34}
# stas00/ml-engineering, network/README.md and compute/accelerator/README.md: GB/s, one direction.
PCIE4, PCIE5, PCIE5_BOTH, NVLINK4, NVLINK4_BOTH, NVLINK3_BOTH, A100_ALL_REDUCE = 31, 63, 126, 450, 900, 600, 235
H100_HBM, A100_HBM = 3350, 2039
NDR_GBIT_S = 400
NDR = NDR_GBIT_S / 8

ROWS: tuple[Row, ...] = (
    Figure("lat-classic-machine", "0.5 ns", L1_NS),
    Figure("lat-classic-machine", "7 ns", L2_NS),
    Figure("lat-classic-machine", "100 ns", MEMORY_NS),
    Claim("lat-classic-machine", "1, 4 and 100 ns", (L1_2020_NS, L2_2020_NS, MEMORY_2020_NS) == (1, 4, 100)),
    Figure("lat-cycles-per-access", "300 cycles", MEMORY_NS * 3),
    Claim("lat-cycles-per-access", r"$100\,\text{ns} \times 3\,\text{cycles/ns}$", isclose(100e-9 * 3e9, 300)),
    Claim("lat-branch-mispredict", "3 to 5 ns", (BRANCH_2020_NS, BRANCH_NS) == (3, 5)),
    Figure("lat-branch-mispredict", "15 cycles", BRANCH_NS * 3),
    Claim("lat-branch-mispredict", "At 3 GHz, 5 ns", isclose(3e9 * 5e-9, 15)),
    Claim("lat-branch-mispredict", "about as dear as an L2 hit", between(0.5, BRANCH_NS / L2_NS, 1.5)),
    Claim("lat-mutex", "About 20 ns (17 to 25 ns)", (MUTEX_2020_NS, MUTEX_NS) == (17, 25)),
    Claim("lat-mutex", "from about 1 to 5 µs", between(1, SWITCH_VM_US, 5) and between(1, SWITCH_5150_US, 5)),
    Figure("lat-classic-outside", "500 µs", DATACENTRE_US),
    Figure("lat-classic-outside", "10 ms", SEEK_MS),
    Figure("lat-classic-outside", "150 ms", OCEAN_MS),
    Claim(
        "lat-classic-outside",
        "each more than ten times the one before",
        SEEK_MS * 1e3 / DATACENTRE_US > 10 and OCEAN_MS / SEEK_MS > 10,
    ),
    Figure("lat-fibre-floor", "60 ms", 2 * 6e6 / 2e8 * 1e3),
    Figure("lat-fibre-floor", "30 ms", 6e6 / 2e8 * 1e3),
    Claim(
        "lat-fibre-floor",
        r"$2d/v = 2 \times 6\times10^6\,\text{m} / (2\times10^8\,\text{m/s})$",
        isclose(2 * 6e6 / 2e8, 0.060),
    ),
    Claim("lat-ssd-random-read", "Tens of microseconds", between(10, SSD_2020_US, 100) and between(10, SSD_VM_US, 100)),
    Figure("lat-ssd-random-read", "150 µs", SSD_RANDOM_US),
    Figure("lat-ssd-random-read", "16 µs", SSD_2020_US),
    Figure("lat-ssd-random-read", "67 µs", SSD_VM_US),
    Figure("lat-read-1mb", "40 µs", 1e6 / 25e9 * 1e6),
    Claim("lat-read-1mb", r"$10^6\,\text{B} / (25\times10^9\,\text{B/s})$", isclose(1e6 / 25e9, 40e-6)),
    Figure("lat-read-1mb", "4 GB/s", 1e6 / (READ_1MB_US * 1e-6) / 1e9),
    Claim("lat-read-1mb", r"$10^6\,\text{B} / 250\,\text{µs}$", isclose(1e6 / 250e-6, 4e9)),
    Claim("lat-bandwidth-not-latency", "one access stayed at about 100 ns", MEMORY_NS == MEMORY_2020_NS == 100),
    Figure("lat-infiniband-message", "2.8 µs", IB_SAME_LEAF_US),
    Figure("lat-infiniband-message", "64 B", IB_MESSAGE_B),
    Figure("lat-infiniband-message", "3.7 µs", IB_CROSS_LEAF_US),
    Figure("lat-infiniband-message", "500 µs", DATACENTRE_US),
    Claim("lat-infiniband-message", "About 3 µs", round(IB_SAME_LEAF_US) == 3),
    Figure("lat-h100-ladder", "1755 MHz", H100_GHZ * 1000),
    Figure("lat-h100-ladder", "19 ns", H100_CYCLES["l1"] / H100_GHZ),
    Figure("lat-h100-ladder", "151 ns", H100_CYCLES["l2"] / H100_GHZ),
    Figure("lat-h100-ladder", "370 ns", H100_CYCLES["hbm"] / H100_GHZ),
    Claim("lat-h100-ladder", "34, 265 and 650 cycles", tuple(H100_CYCLES.values()) == (34, 265, 650)),
    Claim(
        "lat-h100-ladder",
        "At every level longer than on a CPU",
        H100_CYCLES["l1"] / H100_GHZ > L1_2020_NS
        and H100_CYCLES["l2"] / H100_GHZ > L2_NS
        and H100_CYCLES["hbm"] / H100_GHZ > MEMORY_NS,
    ),
    Claim("lat-cycles-are-not-time", "265 cycles on an H100 PCIe at 1755 MHz", H100_CYCLES["l2"] == 265),
    Claim("lat-cycles-are-not-time", "211 cycles on an A100 at 1410 MHz", A100_CYCLES["l2"] == 211),
    Claim(
        "lat-cycles-are-not-time",
        "about 150 ns on both",
        between(149, H100_CYCLES["l2"] / H100_GHZ, 152) and between(149, A100_CYCLES["l2"] / A100_GHZ, 152),
    ),
    Claim("lat-cycles-are-not-time", "$265/1.755 = 151$ ns", round(265 / 1.755) == 151),
    Claim("lat-cycles-are-not-time", "$211/1.41 = 150$ ns", round(211 / 1.41) == 150),
    Claim("lat-hbm-against-dram", "405 ns", round(A100_CYCLES["hbm"] / A100_GHZ) == 405),
    Figure("lat-hbm-against-dram", "4 times", 405 / MEMORY_NS),
    Claim("lat-hbm-against-dram", "$405/100 = 4.05$", isclose(405 / 100, 4.05)),
    Claim("lat-hbm-against-dram", "2039 GB/s, some 80 times the 25 GB/s", between(75, A100_HBM / 25, 85)),
    Claim("lat-idle-against-loaded", "370 ns", round(H100_CYCLES["hbm"] / H100_GHZ) == 370),
    Claim("lat-kernel-launch", "64 kB each", SMALL_KERNEL_B == 65536),
    Figure("lat-kernel-launch", "2.5 µs", SMALL_KERNEL_B / STREAM_GB_S / 1e3),
    Figure("lat-kernel-launch", "1.3 µs", SMALL_KERNEL_B / GRAPH_GB_S / 1e3),
    Claim("lat-kernel-launch", r"$65536\,\text{B} / 26\,\text{GB/s}$", round(65536 / 26e9 * 1e6, 1) == 2.5),
    Claim("lat-kernel-launch", r"$65536\,\text{B} / 49\,\text{GB/s}$", round(65536 / 49e9 * 1e6, 1) == 1.3),
    Claim("lat-launch-share", "One third", isclose(300 * 2.5 / (300 * (2.5 + 5)), 1 / 3)),
    Claim("lat-launch-share", "$2.5 / (2.5 + 5)$", isclose(2.5 / (2.5 + 5), 1 / 3)),
    Figure("lat-pcie-rates", "31 GB/s", PCIE4),
    Figure("lat-pcie-rates", "63 GB/s", PCIE5),
    Claim("lat-pcie-rates", "The rate doubles with each generation", between(1.9, PCIE5 / PCIE4, 2.1)),
    Figure("lat-pcie-one-way", "63 GB/s", PCIE5_BOTH / 2),
    Figure("lat-pcie-one-way", "126 GB/s", PCIE5_BOTH),
    Claim("lat-load-140-gb", "140 GB (70 billion parameters in BF16)", 70e9 * 2 == 140e9),
    Figure("lat-load-140-gb", "2.2 s", 140 / PCIE5),
    Claim("lat-load-140-gb", "$140/63$", round(140 / 63, 1) == 2.2),
    Figure("lat-load-140-gb", "0.28 s", 140 / (8 * PCIE5)),
    Figure("lat-load-140-gb", "23 s", 140 / 6),
    Claim("lat-load-140-gb", "$140/6$", round(140 / 6) == 23),
    Figure("lat-small-copies", "12.3 GB/s", COPY_GB_S[262144]),
    Figure("lat-small-copies", "0.93 GB/s", COPY_GB_S[32]),
    Claim("lat-small-copies", "1 kB takes as long as 8 kB, some 0.03 ms", COPY_MS[1] == COPY_MS[8] == 0.03),
    Figure("lat-h100-link-ladder", "3350", H100_HBM),
    Figure("lat-h100-link-ladder", "450", NVLINK4),
    Figure("lat-h100-link-ladder", "63", PCIE5),
    Figure("lat-h100-link-ladder", "50", NDR),
    Claim("lat-h100-link-ladder", "67 : 9 : 1", (H100_HBM / NDR, NVLINK4 / NDR) == (67, 9)),
    Figure("lat-bits-to-bytes", "50 GB/s", NDR_GBIT_S / 8),
    Claim("lat-bits-to-bytes", "8 bits to the byte", NDR_GBIT_S / NDR == 8),
    Figure("lat-nvlink-direction", "450 GB/s", NVLINK4_BOTH / 2),
    Figure("lat-nvlink-direction", "78 %", A100_ALL_REDUCE / (NVLINK3_BOTH / 2) * 100),
    Figure("lat-nvlink-direction", "300 GB/s", NVLINK3_BOTH / 2),
    Claim("lat-nvlink-direction", "Some 80 %", between(75, A100_ALL_REDUCE / (NVLINK3_BOTH / 2) * 100, 85)),
    Claim("lat-nvlink-direction", "235 GB/s", A100_ALL_REDUCE == 235),
    Figure("lat-parallelism-on-links", "9 times", NVLINK4 / NDR),
    Claim("lat-parallelism-on-links", "slower than NVLink 4", NVLINK4 > NDR),
    # What the questions give, as the expressions above use it.
    Given("lat-cycles-per-access", "at 3 GHz waits for one main-memory access of 100 ns."),
    Given("lat-fibre-floor", r"at $2\times10^8$ m/s in fibre"),
    Given("lat-fibre-floor", "a place 6000 km away"),
    Given("lat-ssd-random-read", "random 4 KiB"),
    Given("lat-read-1mb", "at 25 GB/s. How long does it take to read 1 MB"),
    Given("lat-read-1mb", "prints 250 µs"),
    Given("lat-bandwidth-not-latency", "reading 1 MB from memory"),
    Given("lat-infiniband-message", "over 400 Gbit/s"),
    Given("lat-cycles-are-not-time", "at 1755 MHz and 211 cycles on an A100 at 1410 MHz."),
    Given("lat-hbm-against-dram", "is 405 ns."),
    Given("lat-hbm-against-dram", "read 2039 GB/s, some 80 times the 25 GB/s"),
    Given("lat-idle-against-loaded", "measures 370 ns"),
    Given("lat-launch-is-asynchronous", "shows 3 µs, though the kernel runs for 1 ms."),
    Given("lat-launch-share", "runs 300 kernels of 5 µs each, and every one waits 2.5 µs"),
    Given("lat-pcie-one-way", "prints 126 GB/s"),
    Given("lat-load-140-gb", "one PCIe Gen5 x16 link (63 GB/s)?"),
    Given("lat-load-140-gb", "over 8 GPUs,"),
    Given("lat-load-140-gb", "reads 6 GB/s."),
    Given("lat-small-copies", "reach 12.3 GB/s for large buffers, but 0.93 GB/s for 32 kB."),
    Given("lat-bits-to-bytes", "carries 400 Gbit/s."),
    Given("lat-nvlink-direction", "NVLink 4 is sold as 900 GB/s"),
    Given("lat-nvlink-direction", "reports 235 GB/s for all-reduce on an A100 node whose NVLink is sold as 600 GB/s."),
)

WRONG_BELIEFS = (
    # NVLink's 900 GB/s or PCIe's 126 GB/s as what one transfer sees.
    r"all-reduce (sees|gets|reaches) (about )?900",
    r"copy (runs|goes) at 126",
    r"400 ?GB/s (InfiniBand|NDR|port)",
    # Launch overhead as time of the GPU; a synchronise to be safe.
    r"launch overhead is GPU time",
    r"synchroni[sz]e (in the loop|after each kernel) to be safe",
    # Figures of 2009 or 2012 as facts of today.
    r"(today|now|modern).{0,40}\b250 µs",
)
