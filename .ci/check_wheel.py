"""Hold a built wheel against the tracked files: it carries all that it should, and nothing else.

    python .ci/check_wheel.py recall_trainer-0.1.0-py3-none-any.whl

Run from the root of a clone. Exits with 1 and the names of the files that are missing or too many.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile

SHIPPED = {
    "src/recall/": ("recall/", ("",)),
    "decks/": ("recall/bundle/decks/", (".md", ".toml")),
    "derivations/": ("recall/bundle/derivations/", (".md", ".py")),
    "gpu_checks/": ("recall/bundle/gpu_checks/", (".md", ".py")),
    "cpu_checks/": ("recall/bundle/cpu_checks/", (".md", ".py")),
}
"""Folder in the repository: its place in the wheel, and the endings of the files that go there: of the program, all."""


def expected() -> set[str]:
    """Names that the wheel must hold, apart from its own metadata."""
    listing = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    return {
        place + name.removeprefix(folder)
        for name in listing.stdout.splitlines()
        for folder, (place, endings) in SHIPPED.items()
        if name.startswith(folder) and name.endswith(endings)
    }


def main(wheel: str) -> int:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = expected()
    for name in sorted(wanted - held):
        print(f"{wheel}: lacks {name}")
    for name in sorted(held - wanted):
        print(f"{wheel}: should not hold {name}")
    empty = [place for place, _ in SHIPPED.values() if not any(name.startswith(place) for name in held)]
    for place in empty:
        print(f"{wheel}: nothing below {place}")
    print(f"{wheel.rpartition('/')[2]}: {len(held)} files")
    return 1 if wanted != held or empty else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
