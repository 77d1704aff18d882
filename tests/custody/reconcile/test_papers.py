"""Every kind of signed paper binds whoever signed it: its book may not say otherwise, nor not have it (2100.032(a))."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from provender.audit.package.custody_section import ASKED
from provender.audit.recompute.cross_party import READ
from provender.cli.custody.app import app
from provender.cli.custody.reconcile import gather, read_book
from provender.custody.book_file import Header, create_book, open_book
from provender.custody.documents.build import (
    PERIOD,
    RESTATEMENT,
    SLIP,
    TRANSFER,
    period_document,
    restatement_document,
    slip_document,
    transfer_document,
)
from provender.custody.documents.consents import NOTICE, consent_document, notice_document
from provender.custody.documents.receive import TYPS, Pinned, sign_document
from provender.custody.documents.refiner_figures import FIGURES, figures_document
from provender.custody.events.trade import CONSENT
from provender.custody.model.entities import Entity
from provender.custody.reconcile.books import HELD_AGAINST_BOOKS, paper_discrepancies, reconcile
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError
from provender.report.typ import TYPE as REPORT
from provender.signing.jws import sign
from tests.custody.papers import ADA, elevator_book, key_of, salted, vouched
from tests.custody.test_attacks import PAPER
from tests.custody.world import CAST, Event, ev, favourable, posted

DAY: Final = date(2026, 7, 1)
Q1: Final = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-01")
GRAIN: Final = ev("measurement", "g", "2026-03-31", entity="coop", site="north", form="soybeans", amount="9000",
                  number="M")  # fmt: skip
WORSE: Final = {**salted(), "id": "v2", "version": 2, "day": "2026-04-02", "ci": "5100"}
TAKEN: Final = [
    *CAST, vouched(), favourable("crush", "soybeans"), PAPER,
    ev("accept", "a", "2026-02-02", taker="crush", movement="d", site="plant"),
]  # fmt: skip
RETIRED: Final = ev("retire", "r1", "2026-02-10", entity="fuel", crop="soybeans", bushels="1000", fuel="biodiesel",
                    batch="B1", gallons="1500")  # fmt: skip


def elevator(*more: Event) -> MemoryStore:
    return posted(elevator_book(vouched()), more)


def crusher(*more: Event) -> MemoryStore:
    return posted(MemoryStore(), [*TAKEN, *more])


def refiner(*more: Event) -> MemoryStore:
    """A refiner's book: 2,500.5 bu from the elevator, of which 1,000 go into a batch of fuel."""
    paper = {**PAPER, "taker": "fuel"}
    came = ev("accept", "a", "2026-02-02", taker="fuel", movement="d", site="works")
    return posted(MemoryStore(), [*CAST, vouched(), paper, came, *more])


BACK: Final = ev("return", "b1", "2026-02-20", giver="crush", taker="coop", movement="d", amount="500", site="north")


def _figures(store: MemoryStore) -> dict[str, Any]:
    entity = store.one(Entity, "fuel")
    assert entity
    return figures_document(store, entity, (date(2026, 1, 1), date(2026, 3, 31)), as_of=DAY)


# Of each kind: whose it is, the book, the paper made from it, and what the signer may have written instead.
MADE: Final[dict[str, tuple[str, Callable[[], MemoryStore], Callable[[MemoryStore], dict[str, Any]], str, str]]] = {
    TRANSFER: ("coop", elevator, lambda store: transfer_document(store, "s1", as_of=DAY), '"2500.5"', '"2600.5"'),
    SLIP: ("ada", lambda: posted(MemoryStore(), [*CAST, salted(), ev("slip", "sl", "2026-01-10", giver="ada",
           taker="coop", origin=ADA, bushels="4000")]), lambda store: slip_document(store, "sl", as_of=DAY),
           '"4000"', '"4500"'),
    PERIOD: ("coop", lambda: elevator(GRAIN, Q1), lambda store: period_document(store, "coop", date(2026, 1, 1)),
             '"1499.5"', '"1599.5"'),
    RESTATEMENT: ("coop", lambda: elevator(GRAIN, Q1, WORSE),
                  lambda store: restatement_document(store, "coop", date(2026, 1, 1), as_of=DAY), '"5100"', '"5050"'),
    NOTICE: ("coop", lambda: elevator(WORSE), lambda store: notice_document(store, "coop", "v2", "crush", as_of=DAY),
             '"5100"', '"5050"'),
    CONSENT: ("crush", lambda: crusher(BACK), lambda store: consent_document(store, "crush", "b1", as_of=DAY),
              '"500"', '"400"'),
    FIGURES: ("fuel", lambda: refiner(RETIRED), _figures, '"1000"', '"1100"'),
}  # fmt: skip


def told(folder: Path, me: str, store: MemoryStore, *papers: dict[str, Any]) -> list[str]:
    """Return what reconciling a party's book with papers that it signed finds, but for what is not here."""
    (folder / f"{me}.jsonl").write_text(Header(me, shared=True).line(), encoding="utf-8")
    with open_book(folder / f"{me}.jsonl") as book:
        for posted in store.events():
            assert book.post(posted.event).status == "posted", posted.event
    for number, paper in enumerate(papers):
        signed = json.dumps(sign_document(paper, key_of(me)))
        (folder / f"paper{number}.json").write_text(signed, encoding="utf-8")
    key = folder / "key.json.key"
    key.write_text(json.dumps(key_of(me).public.export()), encoding="utf-8")
    result = CliRunner().invoke(app, ["reconcile", str(folder), "--key", str(key), "--json"])
    assert result.exit_code in (0, 1), result.exception
    answer = json.loads(result.stdout)
    assert answer["problems"] == []
    return [f"{one['kind']}: {one['message']}" for one in answer["findings"] if one["kind"] != "link_not_shown"]


def test_every_kind_that_can_be_signed_is_read_by_reconcile_and_by_verify() -> None:
    assert set(TYPS) == {TRANSFER, SLIP, *HELD_AGAINST_BOOKS} == set(ASKED) == set(MADE)
    assert {*TYPS, REPORT} == set(READ)


@pytest.mark.parametrize("kind", MADE)
def test_a_paper_is_told_where_its_signers_book_says_otherwise(tmp_path: Path, kind: str) -> None:
    me, book, make, true, false = MADE[kind]
    store = book()
    paper = make(store)
    (tmp_path / "true").mkdir()
    assert told(tmp_path / "true", me, store, paper) == []
    text = json.dumps(paper)
    assert true in text
    (tmp_path / "false").mkdir()
    assert told(tmp_path / "false", me, store, json.loads(text.replace(true, false)))


def test_a_refiners_figures_bind_after_the_retirement_is_corrected_and_the_oil_sold_again(tmp_path: Path) -> None:
    paper = _figures(refiner(RETIRED))
    again = ev("sale", "x", "2026-02-12", giver="fuel", taker="crush", crop="soybeans", bushels="2000")
    undone = ev("correct", "u", "2026-02-11", entity="fuel", movement="r1", reason="typed twice")
    found = told(tmp_path, "fuel", refiner(favourable("fuel", "soybeans"), RETIRED, undone, again), paper)
    assert len(found) == 1
    assert "refiner figures signed by fuel: fuel.jsonl does not have it" in found[0]


@pytest.mark.parametrize("kind", HELD_AGAINST_BOOKS)
def test_a_paper_of_what_its_signers_book_does_not_have_is_told(tmp_path: Path, kind: str) -> None:
    me, book, make, _, _ = MADE[kind]
    bare = {"coop": elevator, "crush": crusher, "fuel": refiner}[me]()
    found = told(tmp_path, me, bare, make(book()))
    assert any("does not have it" in one for one in found), found


def test_a_notice_that_its_buyer_passed_over_is_told(tmp_path: Path) -> None:
    notice = notice_document(elevator(WORSE), "coop", "v2", "crush", as_of=DAY)
    create_book(tmp_path / "crush.jsonl", "crush")
    with open_book(tmp_path / "crush.jsonl") as book:
        for one in crusher().events():
            assert book.post(one.event).status == "posted"
    (tmp_path / "notice.json").write_text(json.dumps(sign_document(notice, key_of("coop"))), encoding="utf-8")
    result = CliRunner().invoke(app, ["reconcile", str(tmp_path), "--json"])
    assert "as if it had not come" in result.stdout


def test_an_earlier_restatement_is_as_true_as_the_one_after_the_next_change(tmp_path: Path) -> None:
    first = elevator(GRAIN, Q1, WORSE)
    paper = restatement_document(first, "coop", date(2026, 1, 1), as_of=DAY)
    later = posted(first, [{**WORSE, "id": "v3", "version": 3, "ci": "5200", "day": "2026-04-05"}])
    now = restatement_document(later, "coop", date(2026, 1, 1), as_of=DAY)
    assert now["number"] != paper["number"]
    assert told(tmp_path, "coop", later, paper, now) == []


DAMAGE: Final[tuple[Any, ...]] = (None, [], {}, "", "9" * 40, -1, "2026-13-40", "\u202e", [None], {"id": None})


def _places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - any JSON
    """Yield the place of every value inside a document."""
    pairs = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in pairs:
        yield (*path, key)
        yield from _places(value, (*path, key))


@pytest.mark.parametrize("kind", MADE)
def test_no_damage_to_a_signed_paper_ends_reconcile(tmp_path: Path, kind: str) -> None:
    """Each value in turn is something else; whatever is made of it is told, and nothing is raised."""
    me, book, make, _, _ = MADE[kind]
    store, chance = book(), Random(20261121)
    paper = make(store)
    for place in _places(paper):
        changed = deepcopy(paper)
        inner = changed
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = chance.choice(DAMAGE)
        gathered = ReconcileInput()
        gathered.add_book("book.jsonl", store, store.events(), me)
        (tmp_path / "paper.json").write_text(json.dumps(sign(changed, key_of(me), typ=TYPS[kind])))
        try:
            gather(gathered, tmp_path / "paper.json", Pinned(named={key_of(me).fingerprint}))
        except ProblemsError:
            continue
        for _, one in gathered.papers:
            gathered.held += paper_discrepancies("paper.json", one, "book.jsonl", store)
        reconcile(gathered)


def test_a_book_whose_name_holds_half_a_letter_is_no_book(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"book": "provender custody", "format": 1, "entity": "a\\ud800"}\n')
    assert read_book(tmp_path / "x.jsonl").problems
