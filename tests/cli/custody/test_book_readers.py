"""Books read by several processes say what they say read one after another, whatever happens to the processes."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import ClassVar

import pytest

from provender.cli.custody import reconcile as book_readers
from provender.cli.custody.reconcile import BookRead, read_book, read_to_bytes, reading
from provender.cli.portfolio import _custody
from provender.custody.book_file import create_book, open_book
from provender.custody.documents.build import marked, transfer_document
from provender.custody.documents.read import read_transfer
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered, put_together
from tests.custody.papers import ADA, DAY, buyer_book, elevator_book, letter, take, told_of
from tests.custody.world import bought, ev


def stores() -> list[tuple[str, MemoryStore]]:
    """Return a seller's book and that of its buyer."""
    seller, buyer = elevator_book(), buyer_book()
    take(buyer, letter(seller))
    return [("elevator", seller), ("crush", buyer)]


@pytest.fixture
def books(tmp_path: Path) -> list[Path]:
    """Return two books, a copy of one with a changed line, and a file that is not there."""
    paths = []
    for owner, store in stores():
        create_book(path := tmp_path / f"{owner}.jsonl", owner)
        with open_book(path) as book:
            for posted in store.events():
                book.post(posted.request)
        paths.append(path)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(paths[0].read_bytes().replace(b'"bushels": "', b'"bushels": "1', 1))
    garbage = tmp_path / "garbage.jsonl"
    garbage.write_bytes(b'{"book" garbage\n')
    return [paths[0], changed, tmp_path / "absent.jsonl", garbage, paths[1]]


def said(reads: Sequence[BookRead]) -> list[object]:
    gathered = put_together([one.gathered for one in reads])
    told = [[one.as_json() for one in read.problems] for read in reads]
    keys = [{party: list(held) for party, held in read.pinned.by_party.items()} for read in reads]
    return [gathered, reconcile(gathered), told, keys, [list(read.entities) for read in reads]]


def test_what_is_gathered_apart_is_what_is_gathered_in_one() -> None:
    one, gathered = Gathered(), {first: Gathered() for first in (0, 1, 7)}
    for name, store in stores():
        one.add_book(name, store, store.events(), name)
        for first in (0, 1, 7):
            apart = Gathered(first=first)
            apart.add_book(name, store, store.events(), name)
            gathered[first].add(apart)
    assert all(together == one for together in gathered.values())
    together = gathered[7]
    assert {claim.source for claim in together.claims} == {0, 1}


def test_processes_say_what_one_process_says(books: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = said([read_book(path) for path in books])
    monkeypatch.setattr(book_readers, "ENOUGH", 0)
    monkeypatch.setattr(book_readers, "processors", lambda: 2)
    monkeypatch.setattr(book_readers, "read_to_bytes", read_elsewhere)
    with reading(books) as read:
        reads = list(read)
    assert said(reads) == alone
    assert [len(read.problems) for read in reads] == [0, 1, 1, 1, 0]
    assert reads[3].problems[0].cause == "The file is no book of this program."
    assert reads[1].problems[0].code == "book_broken"


def read_elsewhere(path: Path, place: int) -> bytes:
    """Read a book; in a process of tests the name is found by its module, so this runs where the book is read."""
    import multiprocessing

    assert multiprocessing.parent_process() is not None
    return read_to_bytes(path, place)


class BreakingPool:
    """A pool whose processes end from outside after the first book, as where memory runs out."""

    begun: ClassVar[list[Path]] = []
    ended: ClassVar[list[bool]] = []

    def __init__(self, *_: object, **__: object) -> None:
        self.begun.clear()
        self.ended.clear()

    def submit(self, read: Callable[[Path, int], bytes], path: Path, place: int) -> Future[bytes]:
        future = Future[bytes]()
        if self.begun:
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(read(path, place))
        self.begun.append(path)
        return future

    def shutdown(self, *, cancel_futures: bool) -> None:
        self.ended.append(cancel_futures)


class NoPool:
    """What a system answers that has no processes for us, or none after the first book."""

    def __init__(self, *_: object, **__: object) -> None:
        raise ImportError("This platform lacks a functioning sem_open implementation")


class TiredPool(BreakingPool):
    """A pool that takes one book and then cannot begin another process."""

    def submit(self, read: Callable[[Path, int], bytes], path: Path, place: int) -> Future[bytes]:
        if self.begun:
            raise OSError("Resource temporarily unavailable")
        return super().submit(read, path, place)


@pytest.mark.parametrize("pool", [BreakingPool, NoPool, TiredPool])
def test_what_a_lost_process_did_not_read_is_read_here(
    books: list[Path], monkeypatch: pytest.MonkeyPatch, pool: type[object]
) -> None:
    monkeypatch.setattr(book_readers, "ENOUGH", 0)
    monkeypatch.setattr(book_readers, "processors", lambda: 2)
    monkeypatch.setattr(book_readers, "ProcessPoolExecutor", pool)
    with reading(books) as read:
        assert said(list(read)) == said([read_book(path) for path in books])


def test_who_leaves_early_waits_for_no_book_not_begun(books: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_readers, "ENOUGH", 0)
    monkeypatch.setattr(book_readers, "processors", lambda: 2)
    monkeypatch.setattr(book_readers, "ProcessPoolExecutor", BreakingPool)
    with pytest.raises(KeyboardInterrupt), reading(books):
        raise KeyboardInterrupt
    assert BreakingPool.ended == [True]


def test_the_largest_book_is_begun_first_told_in_place(books: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_readers, "ENOUGH", 0)
    monkeypatch.setattr(book_readers, "processors", lambda: 2)
    monkeypatch.setattr(book_readers, "ProcessPoolExecutor", BreakingPool)
    books[-1].write_bytes(books[-1].read_bytes() + b"\n" * 100_000)
    with reading(books) as read:
        names = [one.gathered.names for one in read]
    assert BreakingPool.begun[0] == books[-1]
    assert names == [["elevator.jsonl"], [], [], [], []]


@pytest.mark.parametrize(("count", "enough"), [(2, book_readers.ENOUGH), (1, 0)])
def test_few_books_are_read_here(books: list[Path], monkeypatch: pytest.MonkeyPatch, count: int, enough: int) -> None:
    monkeypatch.setattr(book_readers, "processors", lambda: count)
    monkeypatch.setattr(book_readers, "ENOUGH", enough)
    monkeypatch.delattr(book_readers, "ProcessPoolExecutor")
    with reading(books) as read:
        assert len(list(read)) == len(books)


def test_what_reads_and_compares_books_begins_only_with_the_first_book() -> None:
    """The processes begin before all that is imported, and none of them needs columns."""
    wanted = "import sys, provender.cli.custody.reconcile as readers; from pathlib import Path\n"
    wanted += "assert 'provender.custody.reconcile.gathered' not in sys.modules\n"
    wanted += "readers.read_book(Path('absent.jsonl')); assert 'polars' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", wanted], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr


def test_a_copy_that_goes_on_otherwise_and_a_paper_of_lines_that_are_gone_are_told(tmp_path: Path) -> None:
    seller = elevator_book()
    create_book(path := tmp_path / "coop.jsonl", "coop")
    with open_book(path) as book:
        for posted in seller.events():
            book.post(posted.request)
        made = marked(transfer_document(book.store, "s1", as_of=DAY), book.lines)
    older, other = tmp_path / "older.jsonl", tmp_path / "other.jsonl"
    older.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    other.write_bytes(older.read_bytes())
    loss = ev("loss", "l", "2026-02-01", entity="coop", crop="soybeans", bushels="5")
    for copy in (path, other):
        with open_book(copy) as book:
            assert book.enter(loss if copy == other else {**loss, "bushels": "9"}).status.well

    def told(*paths: Path) -> list[str]:
        gathered = put_together([read_book(one).gathered for one in paths])
        transfer, _ = read_transfer(made, "letter.json")
        assert transfer is not None
        gathered.add_transfer("letter.json", transfer)
        gathered.add_mark("coop", made)
        kinds = (DiscrepancyKind.BOOK_REWRITTEN, DiscrepancyKind.LINK_NOT_SHOWN)
        return [f"{one.kind}: {one.said}" for one in told_of(gathered) if one.kind in kinds]

    lines = len(path.read_bytes().splitlines()) - 1
    assert told(path) == []
    was = f"letter.json was made from {lines - 1} lines of the book of coop"
    assert told(path, older) == told(older, path) == told(path, path) == []
    (asked,) = told(older)
    assert asked.startswith(f"link_not_shown: {was}: older.jsonl has {lines - 2} lines. It is an older copy")
    two = "book_rewritten: coop has two books: coop.jsonl and other.jsonl are the same up to line"
    assert told(path, other) == [
        f"{two} {lines - 1} and differ from there on.",
        f"book_rewritten: {was}: other.jsonl differs up to there.",
    ]


def test_an_older_copy_of_a_book_says_nothing_that_the_newer_one_took_back(tmp_path: Path) -> None:
    """A return that was in dispute, and a ticket behind a purchase that was taken back: settled since."""
    store = elevator_book()
    tickets = [{"number": "T-9", "bushels": "10"}]
    first, second = (bought(name, "ada", "coop", ADA, "10", day="2026-01-12", site="north") for name in ("p8", "p9"))
    first[1]["tickets"], second[1]["tickets"] = tickets, [{**tickets[0], "number": "t9"}]
    undo = ev("correct", "c", "2026-01-13", entity="coop", movement="p8", reason="x")
    create_book(path := tmp_path / "coop.jsonl", "coop")
    with open_book(path) as book:
        for one in [*(posted.request for posted in store.events()), *map(read_event, first)]:
            assert book.post(one).status.well
        older = (tmp_path / "older.jsonl").write_bytes(path.read_bytes())
        for one in map(read_event, (undo, *second)):
            assert book.post(one).status.well, one
    reads = [read_book(tmp_path / name).gathered for name in ("older.jsonl", "coop.jsonl")]
    assert older
    assert [str(one.kind) for one in reconcile(put_together(reads))] == [
        str(one.kind) for one in reconcile(put_together(reads[1:]))
    ]
    both, alone = (
        _custody([tmp_path / name for name in names])[0] for names in (("older.jsonl", "coop.jsonl"), ("coop.jsonl",))
    )
    assert {name: rows.height for name, rows in both.items()} == {name: rows.height for name, rows in alone.items()}
    apart = Gathered()
    for read in reads:
        apart.add(read)
    assert "look_alike" in {str(one.kind) for one in reconcile(apart)}
