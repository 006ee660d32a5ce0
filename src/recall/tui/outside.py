"""Images, sound and links opened by the desktop, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from recall.content.media import is_there, resolve
from recall.prose.blocks import Block, Code, Heading, Items, Math, Paragraph, Quote, Rule, Table, parse
from recall.prose.spans import Span

# What a deck may name to be opened: never a program.
_MEDIA = {
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".tif", ".tiff", ".avif", ".mp3", ".wav", ".ogg", ".oga",
    ".flac", ".m4a", ".opus", ".mp4", ".webm", ".mkv", ".mov", ".pdf",
}  # fmt: skip


def openable(texts: Sequence[str], media: Sequence[str], deck_file: str) -> list[str]:
    """What the card offers to open: web addresses, and media files that lie with its deck."""
    targets = [*media, *(span.target for text in texts for span in _spans(parse(text)) if span.target)]
    found: list[str] = []
    for target in targets:
        address = _allowed(target, Path(deck_file))
        if address and address not in found:
            found.append(address)
    return found


def _allowed(target: str, deck_file: Path) -> str | None:
    if target.lower().startswith(("http://", "https://")):
        return target
    path = resolve(target, deck_file)
    return str(path) if path is not None and path.suffix.lower() in _MEDIA and is_there(path) else None


def open_outside(address: str) -> None:
    """Hand *address* to the desktop and go on. Raises `OSError` when there is nothing to open it with."""
    if sys.platform == "win32":
        os.startfile(address)
        return
    command = "open" if sys.platform == "darwin" else "xdg-open"
    subprocess.Popen(
        [command, address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _spans(blocks: Sequence[Block]) -> Iterator[Span]:
    for block in blocks:
        match block:
            case Paragraph(spans) | Heading(_, spans) | Math(spans):
                yield from spans
            case Items(items):
                for item in items:
                    yield from _spans(item)
            case Quote(inner):
                yield from _spans(inner)
            case Table(_, head, rows):
                for row in (head, *rows):
                    for cell in row:
                        yield from cell
            case Code() | Rule():
                pass
