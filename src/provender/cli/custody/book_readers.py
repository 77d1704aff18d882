"""Books read whole and boiled down to what is compared: several at a time where there are processors and books enough.

A book is replayed from its first event, and no book needs another for that. What a process hands back is what the
comparison keeps of a book, not the book.

What reads a book is imported when one is read: the processes begin before that, and whoever waits for them imports what
compares meanwhile.
"""

import multiprocessing
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provender.problem import Problem, ProblemsError
from provender.processors import processors

if TYPE_CHECKING:
    from provender.custody.book_lines import BookLine
    from provender.custody.documents.signatures import Pinned
    from provender.custody.memory_store import MemoryStore
    from provender.custody.model.entities import Entity
    from provender.custody.reconcile.gathered import Gathered

    Seen = Callable[[str, MemoryStore, str], None]

ENOUGH: Final = 4_000_000
"""Bytes of books from which on it pays to begin further processes, each of which takes about a second to begin."""


@dataclass(slots=True)
class BookRead:
    """What one file of events says.

    Attributes:
        gathered: what is compared.
        pinned: the keys that it pins.
        entities: everybody whom it knows.
        problems: why there is none of that.
    """

    gathered: "Gathered"
    pinned: "Pinned"
    entities: "Sequence[Entity]" = ()
    problems: Sequence[Problem] = ()


def read_book(path: Path, seen: "Seen | None" = None, first: int = 0) -> BookRead:
    """Read a sealed book, or a file of events as `custody run` takes it; a problem is handed back, not raised.

    Args:
        path: of the file.
        seen: gets its name, store and owner (empty: everybody in it).
        first: the number of the file among those that it is compared with.
    """
    from provender.custody.documents.signatures import Pinned
    from provender.custody.reconcile.gathered import Gathered
    from provender.custody.store import many_at_once

    found = BookRead(Gathered(first=first), Pinned())
    try:
        with many_at_once():
            _read(found, path, seen)
    except ProblemsError as refused:
        found.problems = refused.problems
    return found


def _read(found: BookRead, path: Path, seen: "Seen | None") -> None:
    from provender.custody.batch import run_lines
    from provender.custody.book_file import open_book
    from provender.custody.memory_store import MemoryStore

    if _is_book(path):
        with open_book(path) as opened:
            _take(found, path.name, opened.store, opened.entity, seen, opened.lines)
        return
    store = MemoryStore()
    with path.open(encoding="utf-8", errors="replace") as lines:
        for _ in run_lines(store, lines):
            pass
    _take(found, path.name, store, "", seen)


def _is_book(path: Path) -> bool:
    """Tell it by the first bytes; ProblemsError where there are none to be had."""
    with suppress(OSError), path.open("rb") as stream:
        if stream.read(len(_BOOK)) == _BOOK:
            return True
    from provender.cli.custody.documents import signed_bytes  # what it rests on takes a while to begin

    return signed_bytes(path).startswith(_BOOK)


_BOOK: Final = b'{"book"'


def _take(
    found: BookRead, name: str, store: "MemoryStore", owner: str, seen: "Seen | None", lines: "Sequence[BookLine]" = ()
) -> None:
    from provender.custody.model.entities import Entity

    found.gathered.add_book(name, store, store.events(), owner, lines)
    found.pinned.add_book(store)
    found.entities = store.many(Entity, "")
    if seen:
        seen(name, store, owner)


def read_to_bytes(path: Path, place: int) -> bytes:
    """Read a book for another process, which makes of the bytes what they say when it gets to it.

    Args:
        path: of the file.
        place: which of the books it is; its number too, where all before it can be read.
    """
    return pickle.dumps(read_book(path, first=place), pickle.HIGHEST_PROTOCOL)


@contextmanager
def reading(paths: Sequence[Path]) -> Iterator[Iterator[BookRead]]:
    """Give what books say, in the order of the paths, read by as many processes as there are processors.

    They have begun when this is entered. A book that no process could read is read in this one.
    """
    workers = min(processors(), len(paths))
    sizes = list(map(_size, paths))
    if workers < 2 or sum(sizes) < ENOUGH or multiprocessing.current_process().daemon:  # noqa: PLR2004
        yield map(read_book, paths)
        return
    pool, begun = None, dict[int, Future[bytes]]()
    with suppress(*_NO_PROCESS):
        # Begun anew, not as a copy of this one: whatever holds threads here would stand still in a copy.
        pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
        # The largest first, or all would wait for one at the end; those of about one size in the order of their paths,
        # as they are then put together while others are read.
        for place in sorted(range(len(paths)), key=lambda place: -sizes[place].bit_length()):
            begun[place] = pool.submit(read_to_bytes, paths[place], place)
    try:
        yield _in_order(paths, begun)
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)


_NO_PROCESS: Final = (BrokenProcessPool, OSError, ImportError)
"""There are no processes here, or one was ended from outside."""


def _in_order(paths: Sequence[Path], begun: dict[int, Future[bytes]]) -> Iterator[BookRead]:
    for place, path in enumerate(paths):
        yield (_handed_back(begun.pop(place)) if place in begun else None) or read_book(path)


def _handed_back(reading_it: Future[bytes]) -> BookRead | None:
    """Return what a process made of a book, or None where it could not."""
    with suppress(*_NO_PROCESS):
        read: BookRead = pickle.loads(reading_it.result())  # noqa: S301 - by a process of ours, through its own pipe
        return read
    return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
