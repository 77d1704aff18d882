"""The days of a verification in words: agreed, by the rule, covered. Every page asks here, so that no two differ.

Three days are easily taken for one another: the one that verifier and party agreed for the statement, the last one that
the rule leaves for it, and the last one that a statement covers. Each has one name, and none goes without it.
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from django.utils.formats import date_format

from provender.audit.programme.items import Role as AuditRole
from provender.database.models import Audit
from provender.database.store.audits import statement_of
from provender.services.audits.standing import CycleView, days_past_rule
from provender.services.steps import counted


def day_said(day: date) -> str:
    """Return a day as pages write it."""
    return date_format(day, "DATE_FORMAT")


def agreed_said(audit: Audit, day: date) -> str:
    """Say which day is agreed for the statement of an audit, and how far off it is while the statement is not out."""
    agreed, left = day_said(audit.due_on), (audit.due_on - day).days
    if statement_of(audit) is not None:
        return agreed
    if left == 0:
        return f"{agreed}, today"
    apart = counted(abs(left), "day")
    return f"{agreed}, {apart} from now" if left > 0 else f"{agreed}, {apart} ago"


def agreed_sentence(audit: Audit, day: date, cycle: CycleView) -> str:
    """Say the same as a sentence, for a list of what is to be done, with the last day that the rule leaves."""
    agreed = day_said(audit.due_on)
    said = f"The statement was agreed for {agreed}." if audit.due_on < day else f"The statement is agreed for {agreed}."
    if cycle.due_on is None or audit.role == AuditRole.FARM:
        return said
    return " ".join([said, f"The rule's last day for it is {day_said(cycle.due_on)}."])


def late_said(audit: Audit, cycle: CycleView) -> str:
    """Say how many days the agreed day lies after the last one that the rule leaves; nothing where it does not."""
    late = days_past_rule(audit, cycle)
    if not late or cycle.due_on is None:
        return ""
    return f"{counted(late, 'day')} after the rule's last day, {day_said(cycle.due_on)}"


def rule_said(cycle: CycleView) -> str:
    """Say the last day that the rule leaves for the next statement; nothing where none is needed."""
    return f"{day_said(cycle.due_on)} at the latest ({cycle.cite})" if cycle.due_on else ""


def covered_said(first: date, last: date) -> str:
    """Say which days a statement or an audit covers, both included."""
    return f"from {day_said(first)} to {day_said(last)}"


def uncovered_said(spans: Iterable[tuple[date, date]]) -> str:
    """Say which days no statement covers."""
    return "; ".join(covered_said(*span) for span in spans)


class YearlyDays(NamedTuple):
    """The days of a party's yearly rhythm in words, wherever it reads them; empty where there is nothing to say."""

    rule: str
    uncovered: str


def yearly_said(cycle: CycleView) -> YearlyDays:
    """Return the last day for the next statement and the days that none covers, in words."""
    return YearlyDays(rule_said(cycle), uncovered_said(cycle.uncovered))


def agreed_ending(verifier: str) -> str:
    """Say what ends with the day that is agreed for the statement of an audit, which is none before it is signed."""
    return f"Audit by {verifier}: statement agreed for"


def covered_ending(party: str, *, contracted: bool) -> str:
    """Say what ends with the last day of a party's verification, one's own without a name.

    Before the first statement there is only an audit that was contracted: claims go on under it, and it covers nothing.
    """
    if contracted and party:
        return f"Audit that {party} contracted, no statement yet: last day that it carries claims"
    if contracted:
        return "Your contracted audit, no statement yet: last day that it carries claims"
    return f"Statement of {party}: last day that it covers" if party else "Your statement: last day that it covers"


class AuditDays(NamedTuple):
    """The days of an audit in words, as both sides read them; empty where there is nothing to say."""

    covers: str
    agreed: str
    late: str
    rule: str
    uncovered: str


def days_of(audit: Audit, cycle: CycleView, day: date) -> AuditDays:
    """Return the days of an audit in words, as they stand on a day."""
    return AuditDays(
        covered_said(audit.covered_first, audit.covered_last),
        agreed_said(audit, day),
        late_said(audit, cycle),
        rule_said(cycle),
        uncovered_said(cycle.uncovered),
    )
