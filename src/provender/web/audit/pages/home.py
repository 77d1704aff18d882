"""One audit at a glance: what is done, what comes next, by when."""

from datetime import date
from typing import NamedTuple

from django.http import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.audit.findings.log import Finding, Stage
from provender.audit.statement.statement import Role as AuditRole
from provender.database.models import Audit, EntryKind
from provender.database.store.audit_draw import drawn_farms
from provender.database.store.audits import data_of, entries, findings_of, last, open_grant, statement_of
from provender.services.audits.audits import today
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.door import audit_led
from provender.web.audit.package_progress import standings_of
from provender.web.audit.pages.audits import rhythm_of, state_cell


class AuditStep(NamedTuple):
    """One step of an audit.

    Attributes:
        label: its name.
        href: its page.
        words: how it stands.
        chip: class of its mark, with icon.
        icon: icon of the mark.
        done: whether nothing is left to do; None where nothing was begun.
    """

    label: str
    href: str
    words: str
    chip: str
    icon: str = ""
    done: bool | None = None


def _step(audit: Audit, view: str, label: str, words: str, *, done: bool | None) -> AuditStep:
    """Build a step; ``done`` None means that nothing was begun."""
    chip, icon = {True: ("met", "check"), False: ("not-shown", "question"), None: ("plain", "")}[done]
    return AuditStep(label, reverse(view, args=(audit.verifier.handle, audit.handle)), words, chip, icon, done)


def steps_of(audit: Audit, day: date) -> list[AuditStep]:
    """Return the steps of an audit in their order."""
    found = []
    if audit.role == AuditRole.FIRST_POINT:
        frozen, drawn = last(audit, EntryKind.POPULATION), drawn_farms(audit)
        words = f"farms drawn: {len(drawn)}" if drawn else "farms frozen, seed open" if frozen else "to begin"
        found.append(_step(audit, "audit_sample", "Farm sample", words, done=bool(drawn) if frozen else None))
    marked = entries(audit, EntryKind.TASK)
    done = len({data_of(one)["line"] for one in marked})
    words = f"{done} line{'s'[: done != 1]} answered" if done else "to begin"
    found.append(_step(audit, "audit_work", "Work programme", words, done=False if done else None))
    result = last(audit, EntryKind.RESULT)
    asked = last(audit, EntryKind.ASKED)
    words = _result_words(audit) if result else "asked for" if asked else "to begin"
    clean = data_of(result)["clean"] if result else False if asked else None
    found.append(_step(audit, "audit_package", "Packages and recomputation", words, done=clean))
    findings = findings_of(audit)
    left = [one for one in findings if one.stage is not Stage.RESOLVED]
    found.append(
        _step(audit, "audit_findings", "Findings", _finding_words(findings, day), done=not left if findings else None)
    )
    signed, draft = statement_of(audit), last(audit, EntryKind.DRAFT)
    words = f"signed, {signed['document']['opinion']}" if signed else "drafted, to be signed" if draft else "to begin"
    found.append(_step(audit, "audit_statement", "Statement", words, done=bool(signed) if signed or draft else None))
    return found


def _result_words(audit: Audit) -> str:
    result = last(audit, EntryKind.RESULT)
    differences = data_of(result)["differences"] if result else []
    if not differences:
        return "nothing differs in the last one"
    return f"{len(differences)} difference{'s'[: len(differences) != 1]} in the last one"


def _finding_words(findings: list[Finding], day: date) -> str:
    if not findings:
        return "none"
    left = [one for one in findings if one.stage is not Stage.RESOLVED]
    late = [one for one in left if one.overdue(day)]
    return f"{len(left)} of {len(findings)} open" + (f", {len(late)} overdue" if late else "")


@require_GET
@of_organisation("read")
def audit(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Show how an audit stands; what was recomputed meanwhile is entered."""
    found = audit_led(access, audit)
    standings_of(found)
    day = today()
    grant = open_grant(found.verifier, found.audited, day)
    rhythm = rhythm_of(found.audited, day)
    context = {
        "audit": found,
        "steps": steps_of(found, day),
        "state": state_cell(found, day),
        "grant": grant,
        "rhythm": rhythm,
        "days_left": (found.due_on - day).days,
        "entries": found.entries.select_related("actor").order_by("-number")[:8],
    }
    return render(request, "audit/home.html", context)
