"""A book can be sealed anew by hand: that an entry is signed is shown by its paper, or by the book of who signed it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.book_file import Header, seal
from provender.custody.documents.read import Transfer, read_transfer
from provender.custody.events.typed import signed_entries
from provender.custody.model.entities import Opinion
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from tests.custody.events.test_footing import (
    BUY,
    DOCUMENT,
    MILLS,
    PROVEN,
    REPORT,
    SLIP,
    TAKE,
    book,
    farm_report,
    farm_slip,
    mills_letter,
    pin,
    signed,
)
from tests.custody.papers import gather_books, key_of
from tests.custody.world import CAST, Event, ev, posted, read
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

ADAS, MILLS_KEY = key_of("ada").fingerprint, key_of("mill").fingerprint
NOTICE: Final = signed(ev("notice", "n1", "2026-01-08", giver="mill", taker="coop", number="N1", origin="blind",
                          reason="suspended", spans=[["0", "900"]]), "mill")  # fmt: skip
ENTRIES: Final = [REPORT, signed(SLIP, "ada"), BUY, PROVEN, signed(DOCUMENT, "mill"), TAKE, NOTICE]
WORDS: Final = {
    "report/ada/soybeans/2025/1": (ADAS, "Report of ada on soybeans 2025, version 1", 4_000_000),
    "slip/S1": (ADAS, "Sale slip S1 of ada", 4_000_000),
    "document/mill/M1": (MILLS_KEY, "Document M1 of mill", 900_000),
    "notice/mill/N1": (MILLS_KEY, "Notice N1 of mill", 900_000),
    f"statement/mill/{MILLS['number']}": (PROVEN["signed_by"], "Verification statement V-mill of verity on mill",
                                          900_000),
}  # fmt: skip


def gathered(*more: tuple[str, MemoryStore]) -> ReconcileInput:
    return gather_books(("coop", book(*ENTRIES)), *more)


def asked(found: ReconcileInput) -> list[Discrepancy]:
    kinds = (DiscrepancyKind.LINK_NOT_SHOWN, DiscrepancyKind.ENTERED_OTHERWISE)
    return [one for one in reconcile(found) if one.kind in kinds]


def test_each_entry_that_says_it_is_signed_names_key_and_bushels() -> None:
    store = book(*ENTRIES)
    found = {one.about: (one.signed_by, one.what, one.bushels) for one in signed_entries(store, store.events())}
    assert found == WORDS


def test_where_no_signed_paper_is_beside_books_they_are_asked_for_once() -> None:
    (one,) = asked(gathered(("coop", book(*ENTRIES))))
    assert (one.kind, one.bushels) == (DiscrepancyKind.LINK_NOT_SHOWN, 0)
    said = "documents of mill, notices of mill, reports of ada, sale slips of ada, verification statements of verity"
    assert one.said == f"Nothing here is shown to be signed: ask for the {said}."


@pytest.mark.parametrize("about", WORDS)
def test_a_paper_that_is_not_beside_the_others_is_asked_for_with_its_bushels(about: str) -> None:
    found = gathered()
    for other, (kid, _, _) in WORDS.items():
        found.show(other if other != about else "another", kid, "paper.json")
    (one,) = asked(found)
    assert (one.kind, one.bushels) == (DiscrepancyKind.LINK_NOT_SHOWN, WORDS[about][2])
    assert one.said.startswith("coop.jsonl rests on papers that are not here: ask for the ")


@pytest.mark.parametrize("about", WORDS)
def test_a_paper_that_is_signed_with_another_key_than_its_entry_says_is_told(about: str) -> None:
    found = gathered()
    for other, (kid, _, _) in WORDS.items():
        found.show(other, kid if other != about else "another key", "paper.json")
    (one,) = asked(found)
    kid, what, bushels = WORDS[about]
    assert (one.kind, one.bushels) == (DiscrepancyKind.ENTERED_OTHERWISE, bushels)
    assert one.said == f"coop.jsonl: {what}: signed with key {kid}, and paper.json with another key."


GOOD: Final[Any] = read(PROVEN)


@ROWS
def test_what_a_paper_says_besides_its_bushels_is_compared(about: str, terms: list[str], *, is_told: bool) -> None:
    found = gathered()
    for other, (kid, _, _) in WORDS.items():
        found.show(other, kid, "paper.json", *(terms if other == about else ()))
    assert [one.kind for one in asked(found)] == [DiscrepancyKind.ENTERED_OTHERWISE] * is_told


@pytest.mark.parametrize(
    ("change", "is_told"),
    [({}, False), ({"opinion": Opinion.ADVERSE}, True), ({"end_day": date(2026, 9, 29)}, True),
     ({"verifier": "other"}, True), ({"crops": ("corn",)}, True)],
)  # fmt: skip
def test_a_statement_is_held_against_what_the_book_says_of_it(change: dict[str, Any], *, is_told: bool) -> None:
    found = gathered()
    for other, (kid, _, _) in WORDS.items():
        if not other.startswith("statement"):
            found.show(other, kid, "paper.json")
    found.show_statement(replace(GOOD, **change), "statement.json")
    assert [one.kind for one in asked(found)] == [DiscrepancyKind.ENTERED_OTHERWISE] * is_told


def test_the_book_of_who_signed_shows_it_as_its_paper_would() -> None:
    farm = posted(MemoryStore("ada"), [*CAST, {**REPORT, "signed_by": ""}, SLIP])
    mill = posted(MemoryStore("mill"), CAST)
    (one,) = asked(gathered(("ada", farm), ("mill", mill)))
    assert one.said == "Nothing here is shown to be signed: ask for the verification statements of verity."


# By the command: a book edited and sealed anew.


def written(folder: Path, events: list[Event]) -> None:
    head, lines = Header("coop").head, [Header("coop").line()]
    for event in events:
        head = seal(head, event)
        lines.append(json.dumps({"event": event, "chain": head}) + "\n")
    (folder / "coop.jsonl").write_text("".join(lines), encoding="utf-8")


def told(folder: Path, papers: Mapping[str, object]) -> set[str]:
    for name, paper in papers.items():
        (folder / name).write_text(json.dumps(paper), encoding="utf-8")
    result = CliRunner().invoke(app, ["reconcile", str(folder), "--json"])
    assert result.exit_code in (0, 1), result.exception
    rows = json.loads(result.stdout)["findings"]
    return {f"{one['kind']} {one['bushels']}" for one in rows if one["kind"] in ("link_not_shown", "entered_otherwise")}


def test_a_book_sealed_anew_with_a_key_that_signed_nothing_is_told_beside_the_papers(tmp_path: Path) -> None:
    held = {"report.json": farm_report(), "slip.json": farm_slip()}
    written(tmp_path, [*CAST, pin("ada"), REPORT, signed(SLIP, "ada"), BUY])
    assert told(tmp_path, held) == set()
    forged = {**pin("ada"), "id": "pin-2", "number": "K2", "signing_key": key_of("forger").fingerprint}
    written(tmp_path, [*CAST, pin("ada"), forged, REPORT, signed(SLIP, "forger"), BUY])
    assert told(tmp_path, held) == {"entered_otherwise 4000"}
    (tmp_path / "slip.json").unlink()
    assert told(tmp_path, {}) == {"link_not_shown 4000"}


def test_a_book_whose_last_line_was_cut_is_told_with_what_is_found(tmp_path: Path) -> None:
    written(tmp_path, [*CAST, pin("ada"), REPORT, signed(SLIP, "ada"), BUY])
    book_file = tmp_path / "coop.jsonl"
    book_file.write_bytes(book_file.read_bytes()[:-9])
    result = CliRunner().invoke(app, ["reconcile", str(book_file), "--json"])
    assert [one["code"] for one in json.loads(result.stdout)["problems"]] == ["half_line"]


def test_the_statement_that_a_document_carries_shows_what_the_book_says_of_it() -> None:
    paper: Any = mills_letter()
    transfer, _ = read_transfer(paper["document"], "m.json")
    assert isinstance(transfer, Transfer)
    lines = [{**DOCUMENT["lines"][0], "origin": "o"}]
    found = gather_books(("coop", book(PROVEN, {**signed(DOCUMENT, "mill"), "lines": lines})))
    found.add_transfer("m.json", replace(transfer, statement={"number": "V-mill"}), MILLS_KEY)
    assert {one.kind for one in asked(found)} == {DiscrepancyKind.ENTERED_OTHERWISE}, (
        "the seller's word is no statement"
    )
