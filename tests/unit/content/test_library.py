"""Decks on disk, and ids written into them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recall.content.folders import find_decks
from recall.content.ids import slug, write_ids
from recall.content.library import read_deck
from recall.content.media import resolve
from recall.errors import DataError
from recall.model.fault import Fault


def write(path: Path, data: str | bytes = "Q: a\nA: b\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_decks_are_found_below_a_folder_by_identity(tmp_path: Path):
    """Hidden files, README and other endings are no decks."""
    for name in (
        "b.md",
        "gpu/memory.md",
        "gpu/a/x.MD",
        "README.md",
        ".hidden.md",
        ".git/c.md",
        "paths/p.toml",
        "n.txt",
    ):
        write(tmp_path / name)
    (tmp_path / "folder.md").mkdir()
    assert [file.deck for file in find_decks(tmp_path)] == ["b", "gpu/a/x", "gpu/memory"]
    assert [file.deck for file in find_decks(tmp_path / "gpu/memory.md")] == ["memory"]
    with pytest.raises(DataError, match="no such file"):
        find_decks(tmp_path / "none")


def test_links_are_followed_once(tmp_path: Path):
    """A loop ends, and a file with two names is one deck, by its own name."""
    write(tmp_path / "decks/z.md")
    (tmp_path / "decks/a.md").symlink_to("z.md")
    (tmp_path / "decks/loop").symlink_to(tmp_path / "decks")
    write(tmp_path / "elsewhere/c.md")
    (tmp_path / "decks/more").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "decks/dangling.md").symlink_to("nowhere.md")
    found = find_decks(tmp_path / "decks")
    assert [file.deck for file in found] == ["dangling", "more/c", "z"]
    assert [fault.rule for fault in read_deck(found[0].path, "dangling").faults] == ["unreadable"]


def test_names_are_compared_in_nfc(tmp_path: Path):
    """A file system that decomposes letters gives the same deck."""
    write(tmp_path / "cafe\u0301.md")
    assert [file.deck for file in find_decks(tmp_path)] == ["caf\u00e9"]


def test_a_name_that_is_no_utf8_is_a_deck_all_the_same(tmp_path: Path):
    """Its identity can be stored."""
    path = os.fsencode(tmp_path) + b"/bad\xff.md"
    try:
        Path(os.fsdecode(path)).write_text("Q: a\nA: b\n")
    except OSError:
        pytest.skip("this file system takes no such name")
    (file,) = find_decks(tmp_path)
    deck = read_deck(file.path, file.deck)
    assert file.deck == "bad\ufffd"
    assert len(deck.notes) == 1
    deck.notes[0].place.file.encode()


def test_bytes_that_are_no_utf8_drop_only_their_note(tmp_path: Path):
    """With the place of each."""
    path = write(tmp_path / "d.md", b"Q: a\nA: b\nid: x\n\nQ: caf\xe9\nA: c\nid: y\n\nQ: d\nA: e\nid: z\n")
    deck = read_deck(path, "d")
    assert [note.id for note in deck.notes] == ["x", "z"]
    assert [(f.rule, f.place.line, f.place.column, f.source_line) for f in deck.faults] == [
        ("encoding", 5, 7, "Q: caf\ufffd")
    ]


@pytest.mark.parametrize("data", ["Q: a\nA: b".encode("utf-16"), b""])
def test_other_encodings_and_empty_files_are_no_exception(tmp_path: Path, data: bytes):
    """UTF-16 is named."""
    deck = read_deck(write(tmp_path / "d.md", data), "d")
    assert deck.notes == ()
    assert [fault.rule for fault in deck.faults] == (["encoding"] if data else [])


def test_what_is_no_file_is_a_fault(tmp_path: Path):
    """A folder, and a pipe that would block for ever."""
    os.mkfifo(tmp_path / "p.md")
    assert find_decks(tmp_path) == []
    assert [fault.rule for fault in read_deck(tmp_path / "p.md", "p").faults] == ["unreadable"]
    assert [fault.rule for fault in read_deck(tmp_path, "p").faults] == ["unreadable"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_read_is_reported(tmp_path: Path):
    """Its neighbours are read."""
    write(tmp_path / "a.md")
    (tmp_path / "locked").mkdir(mode=0)
    faults: list[Fault] = []
    assert [file.deck for file in find_decks(tmp_path, faults)] == ["a"]
    assert [fault.rule for fault in faults] == ["unreadable"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does `ncu` measure?", "what-does-ncu-measure"),
        ("Warum dauert's länger?", "warum-dauerts-länger"),
        ("显存带宽是多少？", "显存带宽是多少"),
        ("हिन्दी शब्द", "हिन्दी-शब्द"),
        ("**3.35** TB/s", "3-35-tb-s"),
        ("🂡 ?!", "card"),
        ("cafe\u0301", "caf\u00e9"),
        ("word " * 40, "-".join(["word"] * 12)),
        ("x" * 100, "x" * 60),
    ],
)
def test_slugs_are_readable_in_every_script(question: str, expected: str):
    """Words in lower case, joined by dashes."""
    assert slug(question) == expected


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_writing_ids_changes_only_those_lines(tmp_path: Path, ending: str, last: str, bom: bytes):
    """BOM, line ends, Unicode form and a missing last line end stay; permissions too."""
    before = (
        "---\nname = 'x'\n---\n# Head\n\nQ: One cafe\u0301?  \nA: b\n```\nQ: no\n```\n\n---\n\n"
        "Q: Two?\nA: c\nid: two\n\nC: [x] one"
    )
    path = write(tmp_path / "d.md", bom + (before + last).replace("\n", ending).encode())
    path.chmod(0o640)
    written = write_ids(path, {"x-one"})
    after = before.replace("```\n\n---", "```\nid: one-caf\u00e9\n\n---") + "\nid: x-one-2"
    assert path.read_bytes() == bom + (after + last).replace("\n", ending).encode()
    assert [(entry.note, entry.place.line) for entry in written] == [("one-caf\u00e9", 11), ("x-one-2", 20)]
    assert path.stat().st_mode & 0o777 == 0o640
    assert write_ids(path) == []
    assert [note.explicit_id for note in read_deck(path, "d").notes] == [True, True, True]
    assert [entry.name for entry in tmp_path.iterdir()] == ["d.md"]


def test_ids_are_written_through_a_link(tmp_path: Path):
    """The link stays a link."""
    target = write(tmp_path / "real.md")
    link = tmp_path / "link.md"
    link.symlink_to(target)
    assert [entry.note for entry in write_ids(link)] == ["a"]
    assert link.is_symlink()
    assert target.read_text() == "Q: a\nA: b\nid: a\n"


def test_no_id_is_written_into_an_open_fence(tmp_path: Path):
    """It would be code."""
    path = write(tmp_path / "d.md", "Q: a\nA: b\n\nQ: c\nA:\n```\nd\n")
    assert [entry.note for entry in write_ids(path)] == ["a"]
    assert path.read_text() == "Q: a\nA: b\nid: a\n\nQ: c\nA:\n```\nd\n"


def test_a_file_that_is_no_utf8_is_left_alone(tmp_path: Path):
    """And told so."""
    path = write(tmp_path / "d.md", b"Q: \xff\nA: b\n")
    with pytest.raises(DataError, match="UTF-8"):
        write_ids(path)
    assert path.read_bytes() == b"Q: \xff\nA: b\n"


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("a.png", True),
        ("media/a%20b.png", True),
        ("../a.png", False),
        ("/etc/passwd", False),
        ("media/../../a.png", False),
        ("https://a.b/c.png", False),
        ("file:///etc/passwd", False),
        ("C:\\a.png", False),
        ("~/a.png", False),
        ("link/a.png", False),
        ("a\0b", False),
    ],
)
def test_media_lie_below_the_deck(tmp_path: Path, name: str, inside: bool):
    """No address, nothing outside, no way around by a link."""
    deck = write(tmp_path / "decks/d.md")
    (tmp_path / "decks/link").symlink_to(tmp_path)
    assert (resolve(name, deck) is not None) is inside
