"""Books read whole and boiled down to what is compared: several at a time where there are processors and books enough.

A book is replayed from its first event, and no book needs another for that. What a process hands back is what the
comparison keeps of a book, not the book.
"""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.cli.custody.documents import signed_bytes
from provender.custody.batch import run_lines
from provender.custody.book_file import open_book
from provender.custody.book_lines import BookLine
from provender.custody.documents.signatures import Pinned
from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.reconcile.gathered import Gathered
from provender.custody.store import many_at_once
from provender.problem import Problem, ProblemsError
from provender.processors import processors

ENOUGH: Final = 4_000_000
"""Bytes of books from which on it pays to begin further processes, each of which takes about a second to begin."""

Seen = Callable[[str, MemoryStore, str], None]


@dataclass(slots=True)
class BookRead:
    """What one file of events says.

    Attributes:
        gathered: what is compared.
        pinned: the keys that it pins.
        entities: everybody whom it knows.
        problems: why there is none of that.
    """

    gathered: Gathered
    pinned: Pinned
    entities: Sequence[Entity] = ()
    problems: Sequence[Problem] = ()


def read_book(path: Path, seen: Seen | None = None) -> BookRead:
    """Read a sealed book, or a file of events as `custody run` takes it; a problem is handed back, not raised.

    Args:
        path: of the file.
        seen: gets its name, store and owner (empty: everybody in it).
    """
    found = BookRead(Gathered(), Pinned())
    try:
        with many_at_once():
            _read(found, path, seen)
    except ProblemsError as refused:
        found.problems = refused.problems
    return found


def _read(found: BookRead, path: Path, seen: Seen | None) -> None:
    first = signed_bytes(path).split(b"\n", 1)[0]
    if first.startswith(b'{"book"'):
        with open_book(path, from_start=True, states=False) as opened:
            _take(found, path.name, opened.store, opened.entity, seen, opened.lines)
        return
    store = MemoryStore()
    with path.open(encoding="utf-8", errors="replace") as lines:
        for _ in run_lines(store, lines):
            pass
    _take(found, path.name, store, "", seen)


def _take(
    found: BookRead, name: str, store: MemoryStore, owner: str, seen: Seen | None, lines: Sequence[BookLine] = ()
) -> None:
    found.gathered.add_book(name, store, store.events(), owner, lines)
    found.pinned.add_book(store)
    found.entities = store.many(Entity, "")
    if seen:
        seen(name, store, owner)


def read_books(paths: Sequence[Path]) -> Iterator[BookRead]:
    """Yield what books say, in the order of the paths, read by as many processes as there are processors."""
    done = 0
    workers = min(processors(), len(paths))
    if workers > 1 and sum(map(_size, paths)) >= ENOUGH and not multiprocessing.current_process().daemon:
        # Begun anew, not as a copy of this one: whatever holds threads here would stand still in a copy.
        fresh = multiprocessing.get_context("spawn")
        try:
            with ProcessPoolExecutor(workers, mp_context=fresh) as pool:
                for read in pool.map(read_book, paths):
                    yield read
                    done += 1
        except (BrokenProcessPool, OSError, ImportError):
            pass  # no processes here, or one was ended from outside: the rest is read in this one
    for path in paths[done:]:
        yield read_book(path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
