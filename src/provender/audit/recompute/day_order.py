"""The days of a package against each other: what rests on something is not older than it (interpretation 75).

A report is made after the harvest it is about, a slip after its report, a statement after the visits it rests on, and
a paper made from a book that knows events of a later day is told: sales and moves may be entered ahead. What a key
signed out of its time is told in ``key_days``.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.custody_section import EntityBook, PaperFile, books, papers
from provender.audit.package.farm_section import FarmPart, ReportFile
from provender.audit.package.layout import REQUEST
from provender.audit.package.write import PackageRequest
from provender.audit.recompute.statements import statements_of
from provender.audit.sampling.sample_file import PATH as SAMPLE
from provender.audit.shape import inside
from provender.audit.statement.engagement import Engagement, Way, Work, read_part
from provender.audit.statement.opinion import days_of_work
from provender.audit.statement.statement import VerificationStatement
from provender.custody.documents.book_mark import MARK
from provender.custody.documents.build import PERIOD, SLIP, TRANSFER
from provender.custody.events.report import ReportEvent
from provender.custody.events.statement import StatementEvent
from provender.custody.model.amounts import counted
from provender.problem import ProblemsError
from provender.signing.hashes import document_hash

CITE: Final = "2100.030(d)"
CITES: Final = (CITE, "2100.031(c)", "2100.034(c)")
CLOCKS: Final = timedelta(days=1)
"""Two parties write down the days of their own places."""


def recompute(case: PackageContents) -> CheckResult:
    """Hold every stated day against the days of what it rests on."""
    told: list[str] = []
    reports = {one.digest: one for farm in case.farms for one in farm.reports}
    reports |= {one.digest: one for one in case.held_reports}
    differences = [one for farm in case.farms for claimed in farm.latest for one in _report(farm, claimed)]
    for found in books(case).values():
        differences += [one.of((found.entity,)) for one in _entered(case, found, reports)]
    for paper in papers(case):
        differences += [one.of((paper.issuer,)) for one in _paper(case, paper, reports, told)]
    for path, received in statements_of(case).items():
        if received.statement is not None:
            differences += _statement(case, path, received.statement, told)
    differences += _request(case)
    computed = len(reports) + len(papers(case)) + len(statements_of(case))
    return CheckResult("days", CITES, computed, tuple(differences), tuple(told))


def _day(document: Mapping[str, Any], *names: str) -> date | None:
    """Return the first of these days that a document states."""
    for name in names:
        try:
            return date.fromisoformat(str(document[name]))
        except (KeyError, ValueError):
            continue
    return None


def _report(farm: FarmPart, claimed: ReportFile) -> Iterator[Difference]:
    """Yield a report older than its harvest, or than evidence that it names."""
    made = _day(claimed.document, "made_on")
    days = [one.facts.get("last_day") for one in _harvests(farm, claimed)]
    last = max((day for day in days if day is not None), default=None)
    if made is None:
        return
    if last is not None and made < last:
        words = (f"made on {made}", f"harvested until {last}")
        yield Difference("report_before_harvest", "2100.031(c)", claimed.name, *words, claimed.bushels).of(
            (claimed.name,)
        )
    named = {line["evidence_id"] for line in claimed.document.get("rests_on", {}).get("evidence", ())}
    for row in farm.rows("evidence"):
        if row["evidence_id"] in named and row["taken_on"] is not None and row["taken_on"] > made:
            place = f"{claimed.name}: evidence {row['evidence_id']}"
            yield Difference(
                "evidence_after_report", CITE, place, f"named on {made}", f"taken on {row['taken_on']}", claimed.bushels
            ).of((claimed.name,))


def _harvests(farm: FarmPart, claimed: ReportFile) -> list[Any]:
    """Return the crop intervals that a report is about."""
    return [one for key, of in farm.assessment.harvests.items() if key == claimed.key for one in of]


def _entered(case: PackageContents, found: EntityBook, reports: Mapping[str, ReportFile]) -> Iterator[Difference]:
    """Yield what a book has on a day on which its paper was not yet made."""
    by_mark = {mark: one for one in reports.values() for mark in (one.digest, one.mark)}
    issued = {(one.audited, one.number): one for each in statements_of(case).values() if (one := each.statement)}
    for event in found.requests:
        if isinstance(event, ReportEvent) and event.report in by_mark:
            made = _day(by_mark[event.report].document, "made_on")
            if made is not None and event.day < made - CLOCKS:
                place = (
                    f"book of {found.entity}, report of {event.entity}, {event.crop} {event.harvest_year}, "
                    f"version {event.version}"
                )
                yield Difference("entered_before_made", CITE, place, f"entered on {event.day}", f"made on {made}")
        known = issued.get((event.entity, event.number)) if isinstance(event, StatementEvent) else None
        if known is not None and event.day < known.issued_on - CLOCKS:
            place = f"book of {found.entity}, statement {known.number} about {known.audited}"
            words = (f"entered on {event.day}", f"issued on {known.issued_on}")
            yield Difference("entered_before_made", CITE, place, *words)


def _paper(
    case: PackageContents, paper: PaperFile, reports: Mapping[str, ReportFile], told: list[str]
) -> Iterator[Difference]:
    """Yield a paper older than what it states: its report, its period; tell of a sale or an event that lay ahead."""
    document, place = paper.document, f"{paper.name}, in {paper.path}"
    made = _day(document, "made_on", "closed_on")
    if made is None:
        return
    if paper.kind == SLIP and (report := reports.get(str(document.get("report")))):
        signed = _day(report.document, "made_on")
        if signed is not None and made < signed - CLOCKS:
            words = (f"made on {made}", f"its report was made on {signed}")
            yield Difference("delivered_before_report", "2100.031(c)", place, *words)
    title = _day(document, "title_date") if paper.kind == TRANSFER else None
    if title is not None and made < title - CLOCKS:  # a train under way: its paper is made when it leaves
        told.append(f"{place}: made on {made}, before title passed on {title}.")
    end = _day(document, "end") if paper.kind == PERIOD else None
    closed = _day(document, "closed_on")
    if end is not None and closed is not None and closed < end:
        yield Difference("closed_before_end", "2100.034(b)", place, f"closed on {closed}", f"the period ends {end}")
    found = books(case).get(paper.issuer)
    if found is not None and paper.kind == TRANSFER:  # a period's statement may be printed long after its close
        told += _known_then(found, paper, made, place)


def _known_then(found: EntityBook, paper: PaperFile, made: date, place: str) -> Iterator[str]:
    """Tell of the first event of a later day that the book already had when a paper was made from it."""
    lines = paper.document.get(MARK, {}).get("lines") or 0
    last = (made + CLOCKS).isoformat()
    for number, line in enumerate(found.bound[:lines], 2):
        if line.day > last:
            yield f"{place}: made on {made}, and line {number} of the book before it is a {line.kind} of {line.day}."
            return


def _statement(case: PackageContents, path: str, one: VerificationStatement, told: list[str]) -> Iterator[Difference]:
    """Yield a statement older than its engagement, visits, review or draw."""
    engagement, _ = read_part(Engagement, one.engagement or {})
    work, _ = read_part(Work, one.work or {})
    if engagement is not None and work is not None:  # whoever receives a statement does not ask this
        for cause, _, code, cite in days_of_work(one, engagement, work):
            yield Difference(f"statement_{code}", cite, path, f"issued on {one.issued_on}", cause)
    elif work is not None:
        yield from _visits(path, one, work)
    document = case.json(SAMPLE)
    if not isinstance(document, dict) or document_hash(document) != one.sample_hash:
        return
    frozen = document.get("frozen")
    drawn = _day(frozen, "frozen_on") if isinstance(frozen, Mapping) else None
    if drawn is not None and one.issued_on < drawn - CLOCKS:
        words = (f"issued on {one.issued_on}", f"its farms were frozen on {drawn}")
        yield Difference("statement_before_draw", "2100.040(a)(3)", path, *words)
    early = [row for row in (work.farms if work else ()) if row.way is not Way.EXEMPT and drawn and row.on < drawn]
    if early:
        told.append(
            f"{path}: {counted(len(early), 'farm was', 'farms were')} seen"
            f" before the list to draw from was frozen on {drawn}."
        )


def _visits(path: str, one: VerificationStatement, work: Work) -> Iterator[Difference]:
    days = [row.on for row in work.sites] + [row.on for row in work.farms]
    if late := [day for day in days if day > one.issued_on]:
        words = (f"issued on {one.issued_on}", f"it tells of work on {min(late)}")
        yield Difference("statement_before_visit", "2100.032(c)(1)", path, *words)


def _request(case: PackageContents) -> Iterator[Difference]:
    """Yield a package that was made before it was asked for."""
    if REQUEST not in case or case.header is None:
        return
    try:
        asked = PackageRequest.read(inside(case.json(REQUEST)))  # type: ignore[arg-type]  # answered by the except
    except (KeyError, TypeError, ValueError, AttributeError, ProblemsError):
        return  # opening the package says so
    if case.header.made_on < asked.asked_on - CLOCKS:
        words = (f"made on {case.header.made_on}", f"asked for on {asked.asked_on}")
        yield Difference("asked_after_made", CITE, "package.json, made_on", *words)
