"""A checkpoint: the state of a book beside it, sealed by a line of the book (decision 0020).

The line names the state by its hash, and the state carries the hash of the book's bytes up to the line. So a state
is taken for true only where the book says so and is the book it was made from; otherwise all events are replayed.
"""

import json
import os
from collections.abc import Callable, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final, NamedTuple

from provender.custody.saved_state import LAYOUT, SavedState, Whole, state_of
from provender.problem import Place, Problem, Weight
from provender.signing.hashes import sha256_hex

EVERY: Final = 1_000
"""After so many events a session of entries leaves a checkpoint: fewer are replayed sooner than a state is read."""
Seal = Callable[[str, object], str]


class At(NamedTuple):
    """How far a book is.

    Attributes:
        entity: whose book it is.
        edition: by which its next event is answered.
        lines: how many lines stand, without the first.
        size: their bytes, the first line included.
        head: the hash of the last line.
    """

    entity: str
    edition: int
    lines: int
    size: int
    head: str


def path_of(book: Path) -> Path:
    """Return the file beside a book."""
    return book.with_name(f"{book.name}.checkpoint")


def sealed_state(line: object) -> str | None:
    """Return what a line of a book seals of a state; None where it is no such line."""
    held = line.get("checkpoint") if isinstance(line, dict) and "event" not in line else None
    return held if isinstance(held, str) else None


def name_of(state: bytes) -> str:
    """Return what a book seals of a state: how it is laid out and its hash."""
    return f"{LAYOUT}-{sha256_hex(state)}"


def is_ours(named: object) -> bool:
    """Tell whether a state that a line names is laid out as this program does it."""
    return isinstance(named, str) and named.startswith(f"{LAYOUT}-")


def last_in(book: Path) -> int:
    """Return the byte at which the last line begins that seals a state; 0 where there is none."""
    return book.read_bytes().rfind(b'\n{"checkpoint"') + 1


def made(store: Whole, at: At, events: int, book: bytes, places: Sequence[int]) -> bytes:
    """Return the state of a book, given its bytes and where the lines of new events begin."""
    told = {"book": at.entity, "edition": at.edition, "lines": at.lines, "bytes": at.size, "head": at.head}
    head = {**told, "events": events, "layout": LAYOUT, "sha256": sha256_hex(book[: at.size])}
    return state_of(store, head, places)


def write(path: Path, state: bytes) -> None:
    """Put a state beside its book, whole or not at all."""
    waiting = path_of(path).with_name(f"{path.name}.checkpoint-{os.getpid()}")
    waiting.write_bytes(state)
    waiting.replace(path_of(path))


def _mapped(path: Path) -> mmap:
    with path.open("rb") as stream:
        return mmap(stream.fileno(), 0, access=ACCESS_READ)


def find(path: Path, entity: str, seal: Seal) -> tuple[SavedState, At] | Problem | None:
    """Return the state that a book seals, what is wrong with the one beside it, or None where there is none to use.

    Args:
        path: of the book.
        entity: whose it is by its first line.
        seal: the hash of a line over the one before.
    """
    try:
        raw, book = _mapped(path_of(path)), _mapped(path)
    except (OSError, ValueError):
        return None
    try:
        state = SavedState(raw, book)
        told = state.head
        at = At(str(told["book"]), int(told["edition"]), int(told["lines"]), int(told["bytes"]), str(told["head"]))
        if told["layout"] != LAYOUT:
            return None  # of another version of this program
        line = json.loads(book[at.size : book.find(b"\n", at.size)])
        content = {"checkpoint": name_of(raw[:])}
        bound = line == {**content, "chain": seal(at.head, content)} and at.entity == entity
        same = bound and sha256_hex(book[: at.size]) == told["sha256"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        same = False
    if same:
        return state, at
    return Problem(
        Place(path_of(path).name),
        "The checkpoint is not the one that the book seals: it or the book was changed since. It was not used.",
        "Nothing needs doing: all events of the book were read instead. If the book was not restored from a copy, "
        "find out who wrote into the folder.",
        "2100.032(a)",
        Weight.CONFIRM,
        code="checkpoint_differs",
    )
