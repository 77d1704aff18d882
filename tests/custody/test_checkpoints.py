"""A book that goes on from a checkpoint is the book replayed; one that does not match its seal is told and not used."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from provender.cli.custody.book_readers import read_book
from provender.custody import checkpoints
from provender.custody.book_file import FROM_START, create_book, open_book
from provender.custody.book_lines import seal
from provender.custody.documents.book_mark import roots_of
from provender.custody.events.record_kinds import RECORDS
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import balances_of_book
from provender.custody.model.digest import plain_event
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event
from provender.custody.model.periods import Period
from provender.custody.saved_state import LAYOUT, SavedState, state_of
from provender.custody.store import post, repeated
from provender.database.store.records import TABLES
from provender.problem import ProblemsError
from provender.rule import Crop
from provender.signing.hashes import sha256_hex
from tests.custody.papers import elevator_book
from tests.custody.test_book_file import EXAMPLES, entity_event
from tests.simulation.season import season

WRITTEN: Final = ("4d8f52eb3c4edbea", "d3443ef68a7d6605b0f2d991b675238ca168ab849f8d10bdef0394e13830cc92")
"""The layout, and the hash of what it makes of a small book. Where only the second changes, raise the number in the
first (``provender.custody.saved_state.LAYOUT``): states that lie beside books would be read by the wrong rules."""


def test_a_state_of_other_bytes_has_another_layout() -> None:
    store = elevator_book()
    events = [posted.request for posted in store.events()]
    raw = state_of(store, {"events": len(events)}, lines_of(events)[1])
    assert (LAYOUT, sha256_hex(raw)) == WRITTEN


def follow(store: MemoryStore, events: Sequence[Event]) -> MemoryStore:
    for event in events:
        assert post(store, event).status == "posted", event
    return store


def lines_of(events: Sequence[Event]) -> tuple[bytes, list[int]]:
    """Return events as a book holds them, and where the line of each begins."""
    book, places = b"", []
    for event in events:
        places.append(len(book))
        book += json.dumps({"event": plain_event(event)}).encode() + b"\n"
    return book, places


def saved_after(events: Sequence[Event], edition: int) -> tuple[SavedState, list[int]]:
    book, places = lines_of(events)
    store = MemoryStore()
    store.edition = edition
    raw = state_of(follow(store, events), {"events": len(events)}, places)
    return SavedState(raw, book), places


def whole(store: MemoryStore, parties: Sequence[str]) -> object:
    """Return what a store answers to whatever may be asked of it."""
    origins = sorted({lot.origin for event in store.events() for lot in store.lots_by(event.request.id)})
    lots = [store.lots_at(origin, 0, 2**40) for origin in origins]
    places = {(lot.custodian, lot.site, lot.form) for found in lots for lot in found}
    forms = sorted({(lot.crop, lot.form) for found in lots for lot in found})
    return (
        store.events(), lots, [store.steps(name) for name in parties], [store.steps_of(origin) for origin in origins],
        [sorted(store.lots_of(name, crop), key=repr) for name in parties for crop in Crop],
        [list(store.stock(name, *form).lots) for name in parties for form in forms],
        [(store.amount_in(*place), sorted(store.lots_in(*place), key=repr)) for place in sorted(places)],
        [sorted(ask(name), key=repr) for name in parties for ask in (store.unverified_from, store.held_from)],
        [store.many(kind, name) for kind in RECORDS.values() for name in ("", *parties, *origins)],
        sorted(store.doubtful_origins(origins), key=repr),
        [(store.lots_by(one.request.id), store.parents(one.request.id)) for one in store.events()],
        [balances_of_book(store, name) for name in parties if store.many(Period, name)],
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_a_state_and_what_came_since_equal_the_whole_season_replayed(seed: int) -> None:
    played = MemoryStore()
    season(played, seed, 250)
    events = [posted.request for posted in played.events()]
    cut = random.Random(seed).randrange(1, len(events))
    saved, before = saved_after(events[:cut], played.edition)
    resumed = follow(MemoryStore(saved=saved), events[cut:])
    parties = [one.id for one in played.many(Entity, "")]
    assert whole(resumed, parties) == whole(played, parties)
    _, places = lines_of(events)
    again = follow(MemoryStore(saved=saved), events[cut:])  # nothing was looked at but by decisions
    made = [state_of(store, {}, at) for store, at in ((again, places[len(before) :]), (played, places))]
    assert made[0] == made[1]


def test_a_state_knows_every_kind_of_record() -> None:
    assert {cls.kind: cls for cls in TABLES} == RECORDS


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "coop.jsonl"
    create_book(path, "coop")
    with open_book(path) as book:
        for line in EXAMPLES[:-1]:
            book.post(read_event(json.loads(line)))
        book.leave_checkpoint(after=1)
        book.post(read_event(json.loads(EXAMPLES[-1])))
    return path


@pytest.fixture
def path(sealed: Path, tmp_path: Path) -> Path:
    for file in (sealed, checkpoints.path_of(sealed)):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path / sealed.name


def told(path: Path) -> tuple[list[str], str, int]:
    """Return what is told of a book, its head, and how many of its events were answered again."""
    with open_book(path) as book:
        return [one.code for one in book.problems], book.head, len(book.store._entered)


def test_a_book_opens_by_its_checkpoint_and_the_lines_since(path: Path) -> None:
    codes, _head, replayed = told(path)
    assert (codes, replayed) == ([], 1)
    with open_book(path) as book:
        lines = list(book.lines)
        assert len(book.store.events()) == len(EXAMPLES)
        assert book.post(entity_event("late")).status == "posted"
        late = book.head
    checkpoints.path_of(path).unlink()
    with open_book(path) as book:
        assert (book.lines[:-1], book.head, book.problems) == (lines, late, [])
        day = min(line.day for line in lines if line.day)
        assert roots_of(lines, *map(type(book.store.events()[0].request.day).fromisoformat, (day, "2027-01-01")))


def test_a_changed_state_is_told_and_every_event_is_replayed(path: Path) -> None:
    file = checkpoints.path_of(path)
    raw = file.read_bytes()
    for wrong in (raw.replace(b'"held"', b'"lost"', 1), raw[:-40], b"", b"{}\n\n", raw + b"x", b"\xff" * 50):
        file.write_bytes(wrong)
        codes, _, replayed = told(path)
        assert replayed == len(EXAMPLES)
        assert codes == (["checkpoint_differs"] if wrong else [])


def test_a_state_of_another_book_or_of_other_bytes_is_not_used(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b'{"event": ', b'{"event":  ', 1))  # the same event, other bytes
    codes, _, replayed = told(path)
    assert (codes, replayed) == (["checkpoint_differs"], len(EXAMPLES))


def forged(path: Path, before: bytes = b'"north"', after: bytes = b'"south"') -> None:
    """Give the owner more in the state, and seal that with a line of the book that fits it."""
    file = checkpoints.path_of(path)
    state = file.read_bytes().replace(before, after)
    assert state != file.read_bytes()
    file.write_bytes(state)
    head = json.loads(state.split(b"\n", 1)[0])
    content = {"checkpoint": checkpoints.name_of(state)}
    line = {**content, "chain": seal(head["head"], content)}
    path.write_bytes(path.read_bytes()[: head["bytes"]] + json.dumps(line).encode() + b"\n")


def test_a_false_state_that_the_book_seals_is_found_from_the_start(path: Path) -> None:
    forged(path)
    assert told(path)[2] == 0  # the book seals it: whoever trusts the book trusts the state
    token = FROM_START.set(True)
    try:
        with pytest.raises(ProblemsError, match="seals a state that the events before it do not give"):
            told(path)
    finally:
        FROM_START.reset(token)


def sites_for_others(path: Path) -> list[tuple[str, ...]]:
    return [one.sites for one in read_book(path).entities]


def test_whoever_lays_books_side_by_side_goes_by_their_events_whatever_state_they_seal(path: Path) -> None:
    sound = sites_for_others(path)
    forged(path)
    with open_book(path) as book:
        false = [one.sites for one in book.store.many(Entity, "")]
    assert sound == sites_for_others(path) != false


def test_what_only_a_false_state_allows_is_told_by_whoever_lays_books_side_by_side(path: Path) -> None:
    forged(path, b'"annex"', b'"attic"')
    raw = {"type": "measurement", "id": "more", "day": "2026-01-30", "entity": "coop", "site": "attic",
           "form": "corn", "amount": "5", "number": "M9"}  # fmt: skip
    with open_book(path) as book:
        assert book.post(read_event(raw)).status == "posted"
    (told,) = read_book(path).problems
    assert "no such site" in told.cause


def test_a_sound_state_holds_from_the_start(path: Path) -> None:
    token = FROM_START.set(True)
    try:
        codes, _, replayed = told(path)
    finally:
        FROM_START.reset(token)
    assert (codes, replayed) == ([], len(EXAMPLES))


def test_an_event_that_stands_word_for_word_is_known_without_being_read(tmp_path: Path) -> None:
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
        book.leave_checkpoint(after=1)
    with open_book(path) as book:
        for one in (*tickets, tickets[0]):  # more than are looked up one by one
            known = repeated(book.store, one)
            assert known is not None
            assert known == post(book.store, read_event(one))
        assert repeated(book.store, {**tickets[3], "amount": "903.0"}) is None
        assert book.enter({**tickets[3], "amount": "903.0"}).status == "exists"
        assert book.enter({**tickets[3], "amount": "904"}).status == "id_has_other_content"
        odd: list[object] = [{**tickets[3], "amount": 9.5}, {"id": 7}, [], None]
        assert [repeated(book.store, one) for one in odd] == [None] * 4
