"""A book on disk: one posted event a line, each line sealed by a hash over it and the line before.

A person can read it and a program can replay it. An event that was changed, removed or moved breaks the chain of
hashes, and the book says at which line.
"""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from provender.custody.batch import read_line
from provender.custody.digest import plain_event
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.event import Event
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision
from provender.custody.store import post
from provender.problem import Place, Problem, ProblemsError, refuse
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex

FORMAT: Final = 1
TOGETHER: Final = 500
"""How many events are written through to the disk at a time where many come at once."""


def seal(before: str, event: object) -> str:
    """Return the hash of a line: over the hash of the line before and the event in canonical JSON."""
    return sha256_hex(before.encode() + b"\n" + canonical_json(event))


def _sealed(before: str, event: object, chain: object) -> bool:
    try:
        return chain == seal(before, event)
    except ValueError:  # what canonical JSON cannot hold was never sealed
        return False


class BookFile:
    """An open book: the store it was replayed into, and the file that new events are added to.

    Attributes:
        entity: whose book it is.
        store: the events replayed.
        head: the hash of the last line.
    """

    def __init__(self, path: Path, stream: IO[str], entity: str) -> None:
        self.path = path
        self.entity = entity
        self.store = MemoryStore()
        self.head = ""
        self._stream = stream
        self._waiting: list[str] = []
        self._together = False

    def replay(self, lines: Iterator[tuple[int, str]]) -> None:
        """Replay lines, checking every seal.

        Raises:
            ProblemsError: a line is unreadable, its seal is broken, or its event would not be posted today.
        """
        for number, text in lines:
            line = _line(self.path, number, text)
            event, chain = line.get("event"), line.get("chain")
            if not _sealed(self.head, event, chain):
                raise _broken(self.path, number, "does not match its seal: the event or one before it was changed.")
            try:
                outcome = post(self.store, read_event(event))
            except Refusal as refused:
                raise _broken(self.path, number, refused.message) from None
            if outcome.status is not Status.POSTED:
                raise _broken(self.path, number, outcome.message)
            self.head = str(chain)

    def post(self, request: Event) -> Decision:
        """Post an event and, when it stands, add it to the file before returning.

        Raises:
            ProblemsError: the file was opened only to be read.
        """
        if not self._stream.writable():
            remedy = "Nothing was entered. Ask its owner, or work on a copy."
            raise refuse(str(self.path), "The book can be read here, not written.", remedy, code="book_read_only")
        outcome = post(self.store, request)
        if outcome.status is Status.POSTED:
            event = plain_event(request)
            head = seal(self.head, event)
            self._waiting.append(json.dumps({"event": event, "chain": head}, ensure_ascii=False) + "\n")
            if not self._together or len(self._waiting) == TOGETHER:
                self._append()
            self.head = head
        return outcome

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write events through to the disk some hundred at a time: an answer counts only when this has ended."""
        self._together = True
        try:
            yield
        finally:
            self._together = False
            self._append()

    def _append(self) -> None:
        """Write what waits through to the disk, or none of it: half a line would keep the book from being opened."""
        waiting, self._waiting = "".join(self._waiting), []
        if not waiting:
            return
        file, rest = self._stream.fileno(), waiting.encode()
        before = os.lseek(file, 0, os.SEEK_END)
        try:
            while rest:
                rest = rest[os.write(file, rest) :]
            os.fsync(file)
        except OSError:
            os.ftruncate(file, before)
            raise

    def next_id(self, word: str) -> str:
        """Return an id for the next event, such as ``sale-12``."""
        return f"{word}-{self.store.count + 1}"


def _line(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        raw = read_line(text)
    except Refusal as refused:
        raise _broken(path, number, f"cannot be read: {refused.detail or refused.message}") from None
    if not isinstance(raw, dict):
        raise _broken(path, number, "is no line of a book.")
    return raw


def _owner(path: Path, first: str) -> str:
    """Return whose book the first line of a file begins."""
    try:
        header = read_line(first)
    except Refusal:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT or not isinstance(header.get("entity"), str):
        raise refuse(path.name, "The file is no book of this program.", "Begin one with `provender custody init`.")
    return str(header["entity"])


def _broken(path: Path, number: int, cause: str) -> ProblemsError:
    remedy = "Restore the book from a copy; enter corrections as events, never in the file."
    place = Place(path.name, row=number)
    return ProblemsError([Problem(place, f"The line {cause}", remedy, "2100.032(a)", code="book_broken")])


def create_book(path: Path, entity: str) -> None:
    """Begin a book for an entity.

    Raises:
        ProblemsError: there is a file already.
    """
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(json.dumps({"book": "provender custody", "format": FORMAT, "entity": entity}) + "\n")
    except FileExistsError:
        raise refuse(path.name, "There is a file of this name.", "Choose another name, or use that book.") from None


def _opened(path: Path) -> IO[str]:
    """Open the file, only to read where it cannot be written: who audits a copy may look and not change."""
    # Damaged bytes become signs that no event has, so that the line they stand on does not match its seal.
    try:
        return path.open("r+", encoding="utf-8", errors="replace")
    except OSError as trouble:
        if trouble.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise refuse(str(path), f"The book cannot be opened: {trouble.strerror}.", "Check the name.") from None
    try:
        return path.open(encoding="utf-8", errors="replace")
    except OSError as trouble:
        remedy = "Ask its owner for the right to read it."
        raise refuse(str(path), f"The book cannot be opened: {trouble.strerror}.", remedy) from None


@contextmanager
def open_book(path: Path) -> Iterator[BookFile]:
    """Open a book, replayed and locked against a second writer.

    Raises:
        ProblemsError: no such file, no book, or a broken line.
    """
    import fcntl  # only where books are opened: not every system has it

    with _opened(path) as stream:
        fcntl.flock(stream, fcntl.LOCK_EX if stream.writable() else fcntl.LOCK_SH)
        lines = enumerate(stream, 1)
        _, first = next(lines, (1, "{}"))
        book = BookFile(path, stream, _owner(path, first))
        book.replay(lines)
        yield book
