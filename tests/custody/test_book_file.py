"""A book on disk: what was posted comes back, and what was changed in the file is found."""

import errno
import json
import os
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import pytest

from provender.custody.book_file import TOGETHER, BookFile, Header, create_book, look_into, open_book
from provender.custody.events.registry import read_event
from provender.custody.model.event import Event
from provender.problem import ProblemsError

EXAMPLES = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    book = tmp_path / "coop.jsonl"
    book.write_text(Header("coop", shared=True).line(), encoding="utf-8")
    with open_book(book) as opened:
        for line in EXAMPLES:
            assert opened.post(read_event(json.loads(line))).status == "posted"
    return book


def test_a_book_replays_to_the_same_lots_and_head_and_a_refused_event_leaves_no_trace(path: Path) -> None:
    with open_book(path) as first:
        head, lots = first.head, first.store.lots_of("coop", "soybeans")
        assert first.entity == "coop"
        assert len(first.store.events()) == len(EXAMPLES)
    with open_book(path) as again:
        assert (again.head, again.store.lots_of("coop", "soybeans")) == (head, lots)
        assert again.next_id("sale") == f"sale-{len(EXAMPLES) + 1}"
    before = path.read_bytes()
    with open_book(path) as opened:
        assert opened.post(read_event(json.loads(EXAMPLES[0]))).status == "exists"
    assert path.read_bytes() == before


@pytest.mark.parametrize("harm", ["change", "remove", "swap", "cut", "forge"])
def test_a_line_changed_removed_moved_or_cut_is_named(path: Path, harm: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    where = 10
    match harm:
        case "change":
            lines[where] = lines[where].replace("2026", "2025")
        case "remove":
            del lines[where]
        case "swap":
            lines[where], lines[where + 1] = lines[where + 1], lines[where]
        case "cut":
            lines[where] = lines[where][:40] + "\n"
        case _:
            lines[where] = '{"event": {"type": "gift"}, "chain": ""}\n'
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(ProblemsError) as caught, open_book(path):
        pass
    problem = caught.value.problems[0]
    assert (problem.code, problem.place.row) == ("book_broken", where + 1)


def test_a_book_is_begun_once_and_only_a_book_is_opened(tmp_path: Path) -> None:
    book = tmp_path / "coop.jsonl"
    create_book(book, "coop")
    with pytest.raises(ProblemsError, match="There is a file"):
        create_book(book, "coop")
    with pytest.raises(ProblemsError, match="cannot be opened"), open_book(tmp_path / "none.jsonl"):
        pass
    for text in (b"", b"{}\n", b"[]\n", b"no json\n", b'{"format": 1}\n', b"\x7fELF\xff\x00\n"):
        book.write_bytes(text)
        with pytest.raises(ProblemsError, match="is no book"), open_book(book):
            pass


@pytest.mark.parametrize("harm", [b"\xff", b"\\ud800"])
def test_bytes_that_are_no_letters_break_the_seal_of_their_line(path: Path, harm: bytes) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[5] = lines[5].replace(b"Bluestem", b"Blue" + harm)
    path.write_bytes(b"".join(lines))
    with pytest.raises(ProblemsError, match="does not match its seal") as caught, open_book(path):
        pass
    assert caught.value.problems[0].place.row == 6


@pytest.mark.parametrize("step", ["write", "fsync"])
def test_a_disk_that_is_full_leaves_the_book_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    before, write = path.read_bytes(), os.write

    def fails(file: int, line: bytes = b"") -> int:
        if len(line) > 20:
            return write(file, line[:20])  # a part of the line is there when the disk says no
        raise OSError(errno.ENOSPC, "No space left on device")

    entity = {"type": "entity", "id": "late", "day": "2026-06-01", "entity": "late", "name": "Late", "roles": ["farm"]}
    with open_book(path) as book, monkeypatch.context() as patched:
        patched.setattr(f"provender.custody.book_file.os.{step}", fails)
        with pytest.raises(OSError, match="No space"):
            book.post(read_event(entity))
    assert path.read_bytes() == before
    with open_book(path) as again:
        assert again.post(read_event(entity)).status == "posted"
    with open_book(path) as again:
        assert len(again.store.events()) == len(EXAMPLES) + 1


def test_a_book_that_may_only_be_read_is_read_and_takes_nothing_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, opened = path.read_bytes(), Path.open

    def locked(self: Path, mode: str = "r", **how: Any) -> IO[Any]:  # noqa: ANN401 - as Path.open has it
        if "+" in mode:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(self, mode, **how)

    monkeypatch.setattr(Path, "open", locked)
    entity = {"type": "entity", "id": "late", "day": "2026-06-01", "entity": "late", "name": "Late", "roles": ["farm"]}
    with open_book(path) as book:
        assert len(book.store.events()) == len(EXAMPLES)
        with pytest.raises(ProblemsError, match="can be read here, not written"):
            book.post(read_event(entity))
    assert path.read_bytes() == before


def entity_event(name: str) -> Event:
    told = {"type": "entity", "id": name, "day": "2026-01-01", "entity": name, "name": name, "sites": ["yard"]}
    return read_event({**told, "roles": ["first_point"]})


def test_events_entered_together_are_all_on_the_disk_when_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "coop.jsonl"
    create_book(path, "coop")
    with open_book(path) as book:
        with book.together():
            for number in range(2 * TOGETHER + 7):
                book.post(entity_event(f"buyer-{number}"))
            assert len(path.read_text().splitlines()) == 1 + 2 * TOGETHER
        assert len(path.read_text().splitlines()) == 1 + 2 * TOGETHER + 7
    with open_book(path) as again:
        assert again.store.count == 2 * TOGETHER + 7


def test_what_was_entered_before_a_failure_stays(tmp_path: Path) -> None:
    path = tmp_path / "coop.jsonl"
    create_book(path, "coop")

    def enter_and_fail(book: BookFile) -> None:
        with book.together():
            book.post(entity_event("a"))
            raise RuntimeError

    with open_book(path) as book, pytest.raises(RuntimeError):
        enter_and_fail(book)
    with open_book(path) as again:
        assert again.store.count == 1


@pytest.mark.parametrize("left", [1, 40, -1])
def test_a_half_written_last_line_is_set_aside_and_told(path: Path, left: int) -> None:
    raw = path.read_bytes()
    last = raw.splitlines(keepends=True)[-1]
    path.write_bytes(raw[: len(raw) - len(last)] + last[:left].rstrip(b"}\n"))
    with open_book(path) as book:
        assert len(book.store.events()) == len(EXAMPLES) - 1
        assert [one.code for one in book.problems] == ["half_line"]
        assert book.post(read_event(json.loads(EXAMPLES[-1]))).status == "posted"
    assert path.read_bytes() == raw
    assert path.with_name(f"{path.name}.half-line").exists()


def test_a_whole_last_line_without_its_end_stays_and_the_next_one_follows_it(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw.rstrip(b"\n"))
    entity = {"type": "entity", "id": "late", "day": "2026-06-01", "entity": "late", "name": "Late", "roles": ["farm"]}
    with open_book(path) as book:
        assert (len(book.store.events()), book.problems) == (len(EXAMPLES), [])
        assert book.post(read_event(entity)).status == "posted"
    assert path.read_bytes().startswith(raw)
    with open_book(path) as again:
        assert len(again.store.events()) == len(EXAMPLES) + 1


def test_a_book_with_a_bad_line_is_looked_at_up_to_it_and_not_written(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[10] = lines[10].replace("2026", "2025")
    path.write_text("".join(lines), encoding="utf-8")
    with look_into(path) as book:
        assert len(book.store.events()) == 9
        assert [(one.code, one.place.row) for one in book.problems] == [("book_broken", 11)]
        with pytest.raises(ProblemsError, match="Restore the book from a copy"):
            book.post(read_event(json.loads(EXAMPLES[10])))


def test_an_event_that_stands_word_for_word_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "coop.jsonl"
    create_book(path, "coop")
    site = {"entity": "coop", "site": "yard", "form": "corn", "day": "2026-01-05"}
    tickets = [
        {"type": "receipt", "id": f"t-{number}", **site, "amount": str(900 + number), "number": f"T{number}"}
        for number in range(150)
    ]
    with open_book(path) as book:
        book.post(entity_event("coop"))
        assert {book.enter(one).status for one in tickets} == {"posted"}
    with open_book(path) as book:
        for one in (*tickets, tickets[0]):
            assert book.enter(one).status == "exists"
        assert book.enter({**tickets[3], "amount": "903.0"}).status == "exists"
        assert book.enter({**tickets[3], "amount": "904"}).status == "id_has_other_content"
