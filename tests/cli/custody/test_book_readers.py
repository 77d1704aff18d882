"""What books say is put together from what each says alone; of copies the one that goes on counts."""

from pathlib import Path

import pytest

from provender.cli.custody.reconcile import read_book
from provender.cli.portfolio import _custody
from provender.custody.book_file import create_book, open_book
from provender.custody.documents.build import marked, transfer_document
from provender.custody.documents.read import read_transfer
from provender.custody.events.registry import read_event
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered, put_together
from provender.custody.store import MemoryStore
from tests.custody import world
from tests.custody.papers import ADA, DAY, buyer_book, elevator_book, letter, take, told_of
from tests.custody.world import as_received, bought, ev, on_paper


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
            for one in as_received(owner, (posted.request for posted in store.events())):
                book.post(one)
        paths.append(path)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(paths[0].read_bytes().replace(b'"bushels": "', b'"bushels": "1', 1))
    garbage = tmp_path / "garbage.jsonl"
    garbage.write_bytes(b'{"book" garbage\n')
    return [paths[0], changed, tmp_path / "absent.jsonl", garbage, paths[1]]


def test_a_book_that_cannot_be_read_is_handed_back_with_its_problem(books: list[Path]) -> None:
    reads = [read_book(path) for path in books]
    assert [len(read.problems) for read in reads] == [0, 1, 1, 1, 0]
    assert reads[3].problems[0].cause == "The file is no book of this program."
    assert reads[1].problems[0].code == "book_broken"


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


def test_a_copy_that_goes_on_otherwise_and_a_paper_of_lines_that_are_gone_are_told(tmp_path: Path) -> None:
    seller = elevator_book()
    create_book(path := tmp_path / "coop.jsonl", "coop")
    with open_book(path) as book:
        for one in as_received("coop", (posted.request for posted in seller.events())):
            book.post(one)
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
        before = [*(posted.request for posted in store.events()), *map(read_event, first)]
        for one in as_received("coop", before):
            assert book.post(one).status.well
        older = (tmp_path / "older.jsonl").write_bytes(path.read_bytes())
        for one in map(world.read, (undo, on_paper(second[0], "a key"), *second[1:])):
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
