"""Papers of subpart D against books: statements of periods, transfer documents, slips, and who signed them."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.custody_section import EntityBook, PaperFile, books, contract_keys, papers, signatures_of
from provender.audit.recompute.paper_diff import compare_papers
from provender.audit.shape import scaled
from provender.custody.documents.build import (
    PERIOD,
    SLIP,
    TRANSFER,
    in_force,
    period_document,
    slip_document,
    transfer_document,
)
from provender.custody.events.document import DocumentEvent
from provender.custody.events.sale import SaleEvent
from provender.custody.model.origins import Origin, Slip
from provender.custody.model.store_view import taken_back_by
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, SCALE, show
from provender.signing.hashes import document_hash
from provender.signing.jws import MEANING, Status

PERIODS: Final = ("2100.034(c)", "2100.034(d)", "2100.034(d)(1)(ii)", "2100.034(d)(1)(iv)")
TRANSFERS: Final = (
    "2100.032(a)(1)(i)", "2100.032(a)(1)(ii)", "2100.032(a)(1)(iii)", "2100.032(a)(1)(iv)", "2100.032(c)(2)",
    "2100.032(c)(3)", "2100.033",
)  # fmt: skip
KEPT: Final = ("2100.032(b)",)
SIGNED: Final = ("2100.032(a)",)
NO_PAPERS: Final = "The package holds no such documents."


def periods(case: PackageContents) -> CheckResult:
    """Make the statement of every closed period again and compare it, equation by equation."""
    differences: list[Difference] = []
    computed = 0
    for paper in papers(case):
        found = books(case).get(paper.issuer)
        if paper.kind == PERIOD and found is not None:
            computed += 1
            differences += _again(found, paper, "balance_differs")
    return CheckResult("balances", PERIODS, computed, tuple(differences), () if computed else (NO_PAPERS,))


def transfers(case: PackageContents) -> CheckResult:
    """Make every transfer document and slip again from each book that knows its movement, and compare."""
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for paper in papers(case):
        if paper.kind == PERIOD:
            continue
        for found in books(case).values():
            if paper.kind == TRANSFER and found.entity == paper.issuer and (by := _corrected_by(found, paper.number)):
                told.append(
                    f"{paper.name}: the sale was taken back by {by}. Ask whether its buyer gave the paper back."
                )
            elif paper.kind == TRANSFER and found.entity == paper.issuer:
                computed += 1
                differences += _again(found, paper, "transfer_differs")
            elif paper.kind == TRANSFER and found.entity == paper.document["buyer"]["id"]:
                computed += 1
                differences += _received(found, paper)
            elif paper.kind == SLIP and found.entity in (paper.issuer, paper.document["buyer"]["id"]):
                computed += 1
                differences += _again(found, paper, "slip_differs")
    differences += _two_texts(papers(case))
    return CheckResult(
        "transfers", TRANSFERS, computed, tuple(differences), tuple(told) if computed or told else (NO_PAPERS,)
    )


def _again(found: EntityBook, paper: PaperFile, code: str) -> list[Difference]:
    name = f"{paper.name}, book of {found.entity}"
    try:
        tried = [compare_papers(paper.document, made, name, code=code) for made in _made(found, paper)]
    except ProblemsError as refused:
        why = " ".join(problem.cause for problem in refused.problems)
        return [
            Difference(
                f"{code}:missing", "2100.032(a)(1)", f"{paper.name}, in {paper.path}", "a document", why, _size(paper)
            ).of((found.entity,))
        ]
    return [one.of((found.entity,)) for one in next((one for one in tried if not one), tried[0])]


def _made(found: EntityBook, paper: PaperFile) -> list[dict[str, Any]]:
    """Return a paper made again: a slip with each version of the report that the farm could have in hand that day."""
    day = date.fromisoformat(str(paper.document.get("made_on", "2025-01-17")))
    if paper.kind == PERIOD:
        return [period_document(found.store, paper.issuer, date.fromisoformat(str(paper.document["start"])))]
    if paper.kind == SLIP:
        slip = found.store.one(Slip, paper.number)
        origin = found.store.one(Origin, slip.origin) if slip else None
        versions = in_force(origin, day) if origin else [None]
        return [slip_document(found.store, paper.number, as_of=day, version=one) for one in versions]
    return [_with_campaigns(transfer_document(found.store, paper.number, as_of=day), paper.document)]


def _with_campaigns(made: dict[str, Any], paper: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the campaigns of products that came from a supplier: it names them, the book does not."""
    named = {(line.get("origin"), line.get("start")): line.get("campaign") for line in paper["lines"]}
    lines = [
        {**line, "campaign": named.get((line["origin"], line["start"]))}
        if line["product_lb"] is not None and line["campaign"] is None
        else line
        for line in made["lines"]
    ]
    return {**made, "lines": lines}


def _size(paper: PaperFile) -> int | None:
    return scaled(paper.document.get("crop_used_bu", paper.document.get("bushels")), SCALE)


def _received(found: EntityBook, paper: PaperFile) -> Iterator[Difference]:
    """Compare a supplier's transfer document with what the buyer booked of it, line by line."""
    event = next(
        (
            one
            for one in found.requests
            if isinstance(one, DocumentEvent) and (one.giver, one.number) == (paper.issuer, paper.number)
        ),
        None,
    )
    if event is None:
        if found.store.posted(paper.number) is None:  # one shared book holds the sale itself
            words = ("a document received", "the book has not taken it in")
            yield Difference(
                "document_not_booked", "2100.035(b)(1)", f"{paper.name}, book of {found.entity}", *words, _size(paper)
            )
        else:
            yield from _again(found, paper, "transfer_differs")
        return
    said = {
        (str(line["origin"]), str(line["start"])): (
            str(line["crop_used_bu"]),
            str(line["ci_g_per_bu"]),
            str(line["product_lb"] or "0"),
            str(line["harvest_year"]),
        )
        for line in paper.document["lines"]
    }
    booked = {
        (line.origin, show(line.start)): (
            show(line.bushels), show(line.ci, CI_SCALE), show(line.pounds), str(line.harvest_year)
        )
        for line in event.lines
    }  # fmt: skip
    if event.report and event.report != document_hash(paper.document):
        place = f"{paper.name}, book of {found.entity}"
        words = (f"a document with hash {event.report[:12]}", f"{document_hash(paper.document)[:12]} in {paper.path}")
        yield Difference("other_document_than_received", "2100.035(b)(1)", place, *words, _size(paper))
    for key in sorted({*said, *booked}):
        if said.get(key) != booked.get(key):
            place = f"{paper.name}, book of {found.entity}: origin {key[0][:12]} from {key[1]}"
            yield Difference(
                "booked_otherwise", "2100.035(b)(1)", place, _line(booked.get(key)), _line(said.get(key)), _size(paper)
            ).of((found.entity,))


def _line(values: tuple[str, str, str, str] | None) -> str:
    return "" if values is None else f"{values[0]} bu at {values[1]} g CO2e/bu, {values[2]} lb, harvest {values[3]}"


def _two_texts(found: tuple[PaperFile, ...]) -> Iterator[Difference]:
    """Yield documents of one number that two parties hold with different texts."""
    first: dict[tuple[str, str, str], PaperFile] = {}
    for one in found:
        other = first.setdefault((one.kind, one.issuer, one.number), one)
        if other is not one and document_hash(other.document) != document_hash(one.document):
            name = f"{one.name}, {other.path} beside {one.path}"
            pair = compare_papers(other.document, one.document, name, code="copies_differ")
            yield from (difference.of((one.issuer,)) for difference in pair)


def kept(case: PackageContents) -> CheckResult:
    """Look for the papers an entity must hold: slips and reports of its farms, documents of its suppliers."""
    # What another party or the verifier holds shows nothing of what this one kept.
    there = {(paper.prefix, paper.kind, paper.issuer, paper.number) for paper in papers(case)}
    differences: list[Difference] = []
    computed = 0
    for found in books(case).values():
        for kind, party, number, cite, bushels in _wanted(found):
            computed += 1
            if (found.prefix, kind, party, number) not in there:
                words = (f"{kind.removeprefix('custody-').replace('-', ' ')} {number} of {party}", "it is not here")
                differences.append(Difference("paper_missing", cite, f"book of {found.entity}", *words, bushels))
    return CheckResult("papers kept", KEPT, computed, tuple(differences), () if computed else (NO_PAPERS,))


def _wanted(found: EntityBook) -> Iterator[tuple[str, str, str, str, int | None]]:
    mine = found.entity
    for event in found.requests:
        if isinstance(event, DocumentEvent) and event.taker == mine and any(line.origin for line in event.lines):
            yield TRANSFER, event.giver, event.number, "2100.032(b)(2)", sum(line.bushels for line in event.lines)
        if isinstance(event, SaleEvent) and event.giver == mine and not _taken_back(found, event.id):
            yield TRANSFER, mine, event.id, "2100.032(c)", event.bushels or None
        slip = found.store.one(Slip, event.id)
        if slip is not None and slip.taker == mine:
            yield SLIP, slip.giver, slip.id, "2100.032(b)(1)", sum(stop - start for start, stop in slip.spans)


def _corrected_by(found: EntityBook, sale: str) -> str:
    """Return by what a sale was taken back; empty where it stands or is not known."""
    posted = found.store.posted(sale)
    return taken_back_by(found.store, posted) if posted else ""


def _taken_back(found: EntityBook, event: str) -> bool:
    posted = found.store.posted(event)
    return posted is None or bool(taken_back_by(found.store, posted))


def signed(case: PackageContents) -> CheckResult:
    """Check who signed each paper: the issuer, with the key a contract or the verifier's list binds to it."""
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for paper in papers(case):
        checked = signatures_of(case)[paper.path]
        place = f"{paper.name}, in {paper.path}"
        if checked.status is Status.NOT_SIGNED or "document" not in paper.envelope:
            differences.append(
                Difference("not_signed", "2100.032(a)", place, "a signed paper", "no signature", _size(paper))
            )
            continue
        computed += 1
        if checked.status not in (Status.VALID, Status.SIGNER_UNKNOWN):
            words = ("signed", MEANING[checked.status][0])
            differences.append(Difference(f"signature_{checked.status}", "2100.032(a)", place, *words, _size(paper)))
            continue
        known = [("the list of pinned keys", case.pins.of(paper.issuer)), *contract_keys(case, paper.issuer)]
        for where, keys in known:
            if keys and checked.kid not in keys:
                words = (f"signed with key {checked.kid}", f"{where} has {', '.join(sorted(keys))}")
                differences.append(Difference("signed_with_other_key", "2100.032(a)", place, *words, _size(paper)))
        if not any(keys for _, keys in known):
            told.append(f"{place}: no key is pinned to {paper.issuer}.")
    return CheckResult(
        "papers signed", SIGNED, computed, tuple(differences), tuple(told) if computed or differences else (NO_PAPERS,)
    )
