"""A boundary file is read once by a limited process; whoever keeps the file keeps what was read, for all."""

import json

import pytest

from provender.formats import child
from provender.formats.boundaries import Boundaries
from provender.records.book import RecordBook
from provender.records.evidence_files import HeldFiles
from provender.report import outlines
from tests.practices.season import square

NAME = "home.geojson"
KEY = ("farm", NAME)


class Held(dict[str, str]):
    """A memory that loses nothing."""

    put = dict.__setitem__


@pytest.fixture(autouse=True)
def _process_that_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlines, "_known", {})


def content(west: float = -93.6) -> bytes:
    return square(40, west=west, south=42.0).encode()


def read(memory: Held | None, text: bytes | None = None) -> Boundaries | None:
    files = HeldFiles({KEY: lambda: content() if text is None else text}, memory)
    return outlines.outlines_of(RecordBook.from_frames({}, boundaries=files), "farm", [NAME])[NAME]


def another_process(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Forget what this process knows; return where each child that is started from now on is written down."""
    started: list[str] = []
    converse = child._converse

    def counted(request: str, *more: object) -> object:
        started.append(request)
        return converse(request, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(outlines, "_known", {})
    monkeypatch.setattr(child, "_converse", counted)
    return started


def test_another_process_needs_no_child_for_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Held()
    first = read(memory)
    assert first is not None
    assert len(memory) == 1
    started = another_process(monkeypatch)
    assert read(memory) == first
    assert started == []


def test_without_a_keeper_each_process_reads_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    first = read(None)
    started = another_process(monkeypatch)
    assert read(None) == first
    assert len(started) == 1


def test_that_nothing_can_be_read_is_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Held()
    assert read(memory, b"no outline") is None
    started = another_process(monkeypatch)
    assert read(memory, b"no outline") is None
    assert started == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"fields": 7}', json.dumps({"other": []})])
def test_what_is_kept_and_cannot_be_understood_is_read_anew(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    memory = Held()
    first = read(memory)
    memory.update(dict.fromkeys(memory, text))
    started = another_process(monkeypatch)
    assert read(memory) == first
    assert len(started) == 1
    assert set(memory.values()) != {text}, "what was read anew is kept in its place"


def test_another_file_of_the_same_name_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Held()
    first = read(memory)
    started = another_process(monkeypatch)
    moved = content(-93.5)
    assert read(memory, moved) != first
    assert len(started) == 1
