"""What an audit was engaged for, what was seen where, and the work that its statement carries (interpretation 74)."""

import json
from collections.abc import Mapping
from datetime import date
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.utils import timezone

from provender.audit.findings.dealt_with import open_of
from provender.audit.outcome import State
from provender.audit.programme.items import DUTY, STANDARD, TASK
from provender.audit.programme.items import Role as AuditRole
from provender.audit.statement.engagement import Answer, Engagement, SeenPlace, Way, read_part
from provender.audit.statement.papers import farm_rows, period_part
from provender.custody.documents.build import PERIOD, period_document
from provender.custody.events.period import Closing
from provender.database.actor import Actor, today
from provender.database.models import Audit, AuditEntry, EntryKind, ReportVersion, SignedDocument
from provender.database.store.audits import data_of, drawn_farms, entries, findings_of, last, sample_of
from provender.database.store.custody import SqlStore
from provender.plain import field, infos, view, write
from provender.problem import Place, Problem, ProblemsError
from provender.services.audits.audits import add_entry
from provender.services.audits.findings import told
from provender.services.audits.programme import Mark, items_of, marks_of
from provender.services.audits.sample import names_of

CITE: Final = "2100.032(c)(1)"
KINDS: Final = (TASK, DUTY, STANDARD)
"""Sections of the work program, in the order in which people read them."""


@view
class EngagementView:
    """What verifier and client agreed on, as it was said last; empty before."""

    said: dict[str, Any] = field("Engagement")


@view
class SeenView:
    """A site or a drawn farm that was audited."""

    number: int = field("Number")
    site: str = field("Site", help="Empty for a farm of the sample.")
    farm: str = field("Farm", help="Code of a drawn farm; empty for a site.")
    way: str = field("How")
    on: date = field("Day")
    by: str = field("By")
    seen: str = field("What was seen")


def engagement_of(audit: Audit) -> dict[str, Any]:
    """Return the engagement as it was said last; empty before."""
    entry = last(audit, EntryKind.ENGAGEMENT)
    return data_of(entry) if entry else {}


def record_engagement(audit: Audit, said: Mapping[str, Any], *, actor: Actor) -> AuditEntry:
    """Keep what was agreed and planned; what is not known yet may be left out and stands against the opinion.

    Raises:
        ProblemsError: a part that is said cannot be read; RefusedError as ``add_entry``.
    """
    filled = {name: value for name, value in said.items() if value not in ("", None, [], ())}
    _, unread = read_part(Engagement, filled)
    wrong = [(name, words) for name, words in unread if name in filled or name not in infos(Engagement)]
    if wrong:
        place = "engagement"
        raise ProblemsError(
            [
                Problem(Place(place, column=name), words, "Complete or correct it.", CITE, code=f"no_{name}")
                for name, words in wrong
            ]
        )
    return add_entry(audit, EntryKind.ENGAGEMENT, filled, actor=actor, about=str(filled.get("engaged_by", "")))


def log_visit(audit: Audit, said: Mapping[str, Any], farm: str = "", *, actor: Actor) -> AuditEntry:
    """Log that a site of the party or a drawn farm was audited; of a farm the last line counts.

    Args:
        audit: the audit.
        said: how, on which day, by whom and what was seen; for a site also its name.
        farm: code of a drawn farm; empty for a site.
        actor: who logs it.

    Raises:
        ProblemsError: a part is missing, the day is to come, or the farm is not drawn; RefusedError as ``add_entry``.
    """
    found, unread = read_part(SeenPlace, {**said, "site": said.get("site") or farm})
    problems = [
        Problem(Place("visit", column=name), words, "Say it.", CITE, code=f"no_{name}") for name, words in unread
    ]
    if found is not None and found.way is Way.EXEMPT:
        cause = "An exempted farm is decided under the farm sample."
        problems.append(Problem(Place("visit", column="way"), cause, "Borrow its audit there.", CITE, code="exempt"))
    if found is not None and found.on > today():
        cause = f"The day {found.on} is to come."
        problems.append(Problem(Place("visit", column="on"), cause, "Log what was seen.", CITE, code="day_to_come"))
    if farm and farm not in drawn_farms(audit):
        cause = f"Farm {farm} is not in the sample."
        problems.append(Problem(Place("visit", column="farm"), cause, "Choose a drawn farm.", CITE, code="not_drawn"))
    if problems:
        raise ProblemsError(problems)
    data = {**write(found), "farm": farm} | ({"site": ""} if farm else {})
    return add_entry(audit, EntryKind.VISIT, data, actor=actor, about=farm or found.site)


def visit_view(entry: AuditEntry) -> SeenView:
    """Return a line of the visit log."""
    said = data_of(entry)
    return SeenView(number=entry.number, **{**said, "on": date.fromisoformat(said["on"])})


def seen_in(audit: Audit) -> list[SeenView]:
    """Return the visit log, in the order in which it was written."""
    return [visit_view(entry) for entry in entries(audit, EntryKind.VISIT)]


def farms_drawn(audit: Audit) -> dict[str, str]:
    """Return the names of the drawn farms, by code."""
    drawn = drawn_farms(audit)
    named = names_of(drawn)
    return {farm: named.get(farm, farm) for farm in drawn}


def work_of(audit: Audit) -> dict[str, Any]:
    """Return what the papers of an audit say, as a statement carries it."""
    return {
        "lines": lines_answered(audit),
        **_seen(audit),
        **period_part(records_behind(audit)),
        "differences": _open_differences(audit),
    }


def lines_answered(audit: Audit) -> list[dict[str, str]]:
    """Return the answered lines of the work program: those that people marked, and those that recomputation settled."""
    marks, recomputed = marks_of(audit), last(audit, EntryKind.RESULT)
    rows = []
    for item in items_of(audit)[0]:
        made = marks.get(item.line)
        row = {"line": item.line, "cite": item.cite}
        if made is not None and made.said["state"] in (Mark.DONE, Mark.NOT_NEEDED):
            answer = Answer.DONE if made.said["state"] == Mark.DONE else Answer.NOT_NEEDED
            day, why = timezone.localdate(made.at).isoformat(), made.said["note"]
            reason = {"reason": why} if answer is Answer.NOT_NEEDED and why else {}
            rows.append({**row, "answer": str(answer), "by": made.actor, "on": day, **reason})
        elif recomputed is not None and item.state is State.SETTLED and item.kind != TASK:
            day, by = timezone.localdate(recomputed.at).isoformat(), str(recomputed.actor or "recomputation")
            rows.append({**row, "answer": str(Answer.RECOMPUTED), "by": by, "on": day})
    return rows


class OpenLines(NamedTuple):
    """How many lines of a section of the work program are open, and the first of them; empty where none is."""

    kind: str
    open: int
    whole: int
    first: str


def lines_open(audit: Audit) -> list[OpenLines]:
    """Return by section of the work program what is not answered yet, counted as the statement counts."""
    answered = {row["line"] for row in lines_answered(audit)}
    found = []
    for kind, of_kind in groupby(
        sorted(items_of(audit)[0], key=lambda one: KINDS.index(one.kind)), lambda one: one.kind
    ):
        lines = [item.line for item in of_kind]
        left = [line for line in lines if line not in answered]
        found.append(OpenLines(kind, len(left), len(lines), left[0] if left else ""))
    return found


def _seen(audit: Audit) -> dict[str, list[dict[str, Any]]]:
    log = [data_of(entry) for entry in entries(audit, EntryKind.VISIT)]
    sites = [{name: row[name] for name in infos(SeenPlace)} for row in log if not row["farm"]]
    farms = []
    if drawn_farms(audit):
        sample = sample_of(audit)
        visited = {row["farm"]: row for row in log if row["farm"]}
        for farm, row in zip(sample["sample"], farm_rows(sample), strict=True):
            seen = visited.get(farm)
            if seen is not None:
                farms.append({"farm": row["farm"], "way": seen["way"], "on": seen["on"], "by": seen["by"]})
            elif row["way"]:
                farms.append(row)
    return {"sites": sites, "farms": farms}


def records_behind(audit: Audit) -> list[dict[str, Any]]:
    """Return the records behind the verified quantities, in their envelopes where the party signed them.

    Of a farm they are its signed reports of the harvest year, the last version of each; of others the statements of
    the closed periods that touch the covered days.
    """
    return _reports(audit) if audit.role == AuditRole.FARM else _periods(audit)


def _periods(audit: Audit) -> list[dict[str, Any]]:
    party = audit.audited.handle
    with SqlStore(Actor(None, "audit")).reading() as facts:
        closings = [
            one
            for one in facts.many(Closing, party)
            if one.start <= audit.covered_last and one.end >= audit.covered_first
        ]
        made = [period_document(facts, party, one.start) for one in closings]
    kept = SignedDocument.objects.filter(organisation=audit.audited, kind=PERIOD).order_by("id")
    signed: dict[str, dict[str, Any]] = {row.number: json.loads(row.text) for row in kept}
    return [signed.get(str(document["number"]), document) for document in made]


def _reports(audit: Audit) -> list[dict[str, Any]]:
    rows = ReportVersion.objects.filter(book__organisation=audit.audited, harvest_year=audit.harvest_year)
    latest = {row.crop: row for row in rows.order_by("number") if row.signature}
    return [{"document": json.loads(row.document), "signature": row.signature} for _, row in sorted(latest.items())]


def _open_differences(audit: Audit) -> int:
    """Return how many differences of the last recomputation of each package no finding deals with."""
    latest = {data_of(entry)["what"]: data_of(entry) for entry in entries(audit, EntryKind.RESULT)}
    found = [one for result in latest.values() for one in result["differences"]]
    return len(open_of(map(told, found), findings_of(audit)))
