"""A book on disk: one posted event a line, each line sealed by a hash over it and the line before.

A person can read it and a program can replay it. An event that was changed, removed or moved breaks the chain of
hashes, and the book says at which line. A last line that was only half written is set aside.
"""

import errno
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedRandom, BufferedReader
from pathlib import Path
from typing import Any, Final, Self, cast

from provender.custody.events.registry import post, read_event, read_posted
from provender.custody.model.event import Event, Refusal, Status, plain_event
from provender.custody.model.store_view import Decision
from provender.custody.store import MemoryStore, many_at_once, read_line
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.schema import clean_name, frozen
from provender.signing.canonical import canonical_json, sha256_hex
from provender.whole_file import write_whole

# The lines of a book: the first, which says whose it is, and those of events; each sealed.

_FORMAT: Final = 1


def seal(before: str, event: object) -> str:
    """Return the hash of a line: over the hash of the line before and the event in canonical JSON."""
    return sha256_hex(before.encode() + b"\n" + canonical_json(event))


def fits_seal(before: str, line: object) -> bool:
    """Tell whether a line holds its event and the seal of it, and nothing besides that no seal goes over."""
    if not isinstance(line, dict) or line.keys() != {"event", "chain"}:
        return False
    try:
        return bool(line["chain"] == seal(before, line["event"]))
    except ValueError:  # what canonical JSON cannot hold was never sealed
        return False


@frozen
class Header:
    """The first line of a book."""

    entity: str  # whose book it is
    shared: bool = False  # whether it was taken out of a book into which every party entered what is its own

    def as_json(self) -> dict[str, object]:
        more: dict[str, object] = {"shared": True} if self.shared else {}
        return {"book": "provender custody", "format": _FORMAT, "entity": self.entity, **more}

    @property
    def own(self) -> str:
        """Return who enters what stands in the book; empty where every party entered what is its own."""
        return "" if self.shared else self.entity

    @property
    def head(self) -> str:
        """Return what the seal of the first event goes over: the header itself."""
        return seal("", self.as_json())

    def line(self) -> str:
        return json.dumps(self.as_json()) + "\n"


def read_header(raw: object) -> Header | None:
    name = raw.get("entity") if isinstance(raw, dict) and raw.get("format") == _FORMAT else None
    if not isinstance(raw, dict) or not isinstance(name, str) or not name.isprintable():
        return None
    header = Header(name, raw.get("shared", False) is True)
    return header if raw == header.as_json() else None


@frozen
class BookLine:
    """One sealed line: the kind of its event, its day (ISO), and its hash."""

    kind: str
    day: str
    head: str

    @classmethod
    def of(cls, event: object, head: str) -> Self:
        """Return the line of an event; what is none is of no kind and no day."""
        data = event if isinstance(event, dict) else {}
        return cls(str(data.get("type", "")), str(data.get("day", "")), head)


TOGETHER: Final = 500
"""How many events are written through to the disk at a time where many come at once."""


class BookFile:
    """An open book: the store it was replayed into, and the file that new events are added to.

    Attributes:
        entity: whose book it is.
        store: the events replayed.
        head: the hash of the last line.
        lines: every line after the first, in order.
        entries: the events themselves, where the book is only listed; the store then has none.
        problems: what is told of the file: a last line set aside, or the line from which on it cannot be read.
    """

    def __init__(self, path: Path, stream: BufferedReader | BufferedRandom, header: Header) -> None:
        self.path = path
        self.entity = header.entity
        self.store = MemoryStore(header.own)
        self.head = header.head
        self.problems: list[Problem] = []
        self.lines: list[BookLine] = []
        self.entries: list[dict[str, Any]] = []
        self._stream = stream
        self._waiting: list[str] = []
        self._together = False
        self._whole = True
        self._ends_open = False

    def replay(self, lines: Iterable[bytes], *, listed: bool = False) -> None:
        """Replay lines, checking every seal. A last line without an end that does not fit was half written.

        Where the book is only ``listed``, its seals say that its events stood: nothing is decided again.

        Raises:
            ProblemsError: a line is unreadable, its seal is broken, or its event would not be posted.
        """
        for number, raw in enumerate(lines, 2):
            # Damaged bytes become signs that no event has, so that the line they stand on does not match its seal.
            text = raw.decode("utf-8", errors="replace")
            self._ends_open = not text.endswith("\n")
            try:
                self._replay_line(number, text, listed=listed)
            except ProblemsError:
                if not self._ends_open:
                    raise
                self._set_aside(number, text)

    def _replay_line(self, number: int, text: str, *, listed: bool) -> None:
        line = _line(self.path, number, text)
        event, chain = line.get("event"), line.get("chain")
        if not fits_seal(self.head, line):
            raise _broken(self.path, number, "does not match its seal: the event or one before it was changed.")
        try:
            request = read_posted(event)
        except Refusal as refused:
            raise _broken(self.path, number, f"cannot be read: {refused.message}") from None
        if listed:
            self.entries.append(cast("dict[str, Any]", event))
        elif (outcome := post(self.store, request)).status is not Status.POSTED:
            raise _broken(self.path, number, f"would not be posted: {outcome.message}")
        self._sealed_line(event, str(chain))

    def _add(self, line: str) -> None:
        """Let a line wait to be written."""
        before = "\n" if self._ends_open else ""
        self._waiting.append(f"{before}{line}\n")
        self._ends_open = False

    def _sealed_line(self, event: object, head: str) -> None:
        self.head = head
        self.lines.append(BookLine.of(event, head))

    def _set_aside(self, number: int, text: str) -> None:
        """Keep the book up to a half-written last line, and that line in a file beside it."""
        beside = self.path.with_name(f"{self.path.name}.half-line")
        cause, remedy = "The last line was only half written: its event is not in the book.", "Enter the event again."
        if self._stream.writable():
            with beside.open("a", encoding="utf-8") as kept:
                kept.write(text + "\n")
            file = self._stream.fileno()
            whole = self.path.read_bytes()
            os.ftruncate(file, whole.rfind(b"\n") + 1)
            remedy += f" What was there of it is kept in {beside.name}."
        self._ends_open = False
        self.problems.append(
            Problem(Place(self.path.name, row=number), cause, remedy, "2100.032(a)", Weight.CONFIRM, code="half_line")
        )

    def read_only_from(self, problem: Problem) -> None:
        """Keep what stands before a bad line, to be looked at and not written."""
        self.problems.append(problem)
        self._whole = False

    def enter(self, raw: object) -> Decision:
        """Read an event and post it, as ``post`` does.

        Raises:
            Refusal: it cannot be read.
            ProblemsError: the file was opened only to be read, or cannot be read to its end.
        """
        self._check_writable()
        return self.post(read_event(raw))

    def _check_writable(self) -> None:
        if not self._whole:
            raise ProblemsError(self.problems)
        if not self._stream.writable():
            remedy = "Nothing was entered. Ask its owner, or work on a copy."
            raise refuse(str(self.path), "The book can be read here, not written.", remedy, code="book_read_only")

    def post(self, request: Event) -> Decision:
        """Post an event and, when it stands, add it to the file before returning.

        Raises:
            ProblemsError: the file was opened only to be read, or cannot be read to its end.
        """
        self._check_writable()
        outcome = post(self.store, request)
        if outcome.status is not Status.POSTED:
            return outcome
        event = plain_event(request)
        head = seal(self.head, event)
        self._add(json.dumps({"event": event, "chain": head}, ensure_ascii=False))
        if not self._together or len(self._waiting) >= TOGETHER:
            self._append()
        self._sealed_line(event, head)
        return outcome

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write events through to the disk some hundred at a time: an answer counts only when this has ended."""
        self._together = True
        try:
            with many_at_once():
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


def _header(path: Path, first: str) -> Header:
    try:
        header = read_header(read_line(first))
    except Refusal:
        header = None
    if header is None:
        raise refuse(path.name, "The file is no book of this program.", "Begin one with `provender custody init`.")
    return header


def _broken(path: Path, number: int, cause: str) -> ProblemsError:
    remedy = (
        "Restore the book from a copy; enter corrections as events, never in the file. What stands before this line "
        "can be looked at: `provender custody journal` and the other lists open the book up to it."
    )
    place = Place(path.name, row=number)
    return ProblemsError([Problem(place, f"The line {cause}", remedy, "2100.032(a)", code="book_broken")])


def create_book(path: Path, entity: str) -> None:
    """Begin a book for an entity. Raises ProblemsError: there is a file already, or the entity's name cannot be one."""
    try:
        entity = clean_name(entity)
    except ValueError as wrong:
        raise refuse(path.name, f"The entity's name {wrong}.", "Choose a short name such as coop.") from None
    try:
        write_whole(path, Header(entity).line().encode(), new=True)
    except FileExistsError:
        raise refuse(path.name, "There is a file of this name.", "Choose another name, or use that book.") from None


def _opened(path: Path) -> BufferedReader | BufferedRandom:
    """Open the file, only to read where it cannot be written: who audits a copy may look and not change."""
    try:
        return path.open("r+b")
    except OSError as trouble:
        if trouble.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise refuse(str(path), f"The book cannot be opened: {trouble.strerror}.", "Check the name.") from None
    try:
        return path.open("rb")
    except OSError as trouble:
        remedy = "Ask its owner for the right to read it."
        raise refuse(str(path), f"The book cannot be opened: {trouble.strerror}.", remedy) from None


@contextmanager
def open_book(path: Path) -> Iterator[BookFile]:
    """Open a book, replayed and locked against a second writer.

    Raises:
        ProblemsError: no such file, no book, or a broken line.
    """
    with _replayed(path, damaged=False) as book:
        yield book


@contextmanager
def look_into(path: Path, *, listed: bool = False) -> Iterator[BookFile]:
    """Open a book to be looked at: of one with a bad line, what stands before that, with the problem beside it.

    Raises:
        ProblemsError: no such file, or no book.
    """
    with _replayed(path, damaged=True, listed=listed) as book:
        yield book


@contextmanager
def _replayed(path: Path, *, damaged: bool, listed: bool = False) -> Iterator[BookFile]:
    import fcntl  # only where books are opened: not every system has it

    with _opened(path) as stream:
        fcntl.flock(stream, fcntl.LOCK_EX if stream.writable() else fcntl.LOCK_SH)
        first = stream.readline()
        header = _header(path, first.decode("utf-8", errors="replace") or "{}")
        book = BookFile(path, stream, header)
        try:
            with many_at_once():
                book.replay(stream, listed=listed)
        except ProblemsError as broken:
            if not damaged:
                raise
            book.read_only_from(broken.problems[0])
        yield book
