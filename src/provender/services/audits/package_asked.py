"""Asking for a package of an audit: what may be asked for, what may be absent, and the visit that taking it is."""

from collections.abc import Iterable

from provender.audit.package.layout import Part
from provender.audit.package.write import Allowance
from provender.database.actor import Actor
from provender.database.models import Audit, AuditEntry, Organisation
from provender.database.store.audit_draw import drawn_farms
from provender.database.store.audits import open_to
from provender.services.audits.audits import today
from provender.services.audits.package_order import ENTITY, WHOLE
from provender.services.audits.packages import Wanted, ask, choices
from provender.services.audits.visits import record_visit
from provender.services.refused import refusal

MAY_BE_ABSENT = (
    Part.EVIDENCE,
    Part.REPORTS,
    Part.DOCUMENTS,
    Part.STATEMENTS,
    Part.KEYS,
)


def ask_for_package(
    audit: Audit,
    what: str,
    view: str,
    *,
    verify: bool,
    absent: Iterable[Part] = (),
    reason: str = "",
    actor: Actor,
) -> AuditEntry:
    """Ask for a package and start the process that makes it; a line in the log of everybody whose records it takes.

    Args:
        audit: the audit.
        what: one of ``choices``.
        view: where it was asked for, as the logs say it.
        verify: recompute it here; without, it is taken away.
        absent: parts that may be absent.
        reason: why they may; the verifier decides this, never the audited party.
        actor: who asks.

    Raises:
        ProblemsError: this cannot be asked for today; something may be absent without a reason; errors of ``ask``.
        PermissionDenied: the party does not let the verifier in today.
    """
    if what not in dict(choices(audit, today())):
        known = ", ".join(name for name, _ in choices(audit, today()))
        raise refusal("no_such_package", f"There is no package {what!r}.", f"Choose from {known}.", column="what")
    parts = list(dict.fromkeys(absent))
    if parts and not reason.strip():
        remedy = "Say why these may be absent; it stands in the package."
        raise refusal("no_reason", "Something may be absent without a reason.", remedy, column="reason")
    record_visits(audit, what, view, actor=actor)
    allowances = tuple(Allowance(one, "", reason.strip()) for one in parts)
    return ask(audit, Wanted(what, allowances, today(), verify), actor=actor)


def record_visits(audit: Audit, what: str, view: str, *, actor: Actor) -> None:
    """Leave a line in the log of everybody whose records are taken.

    Raises:
        PermissionDenied: one of them does not let the verifier in today.
    """
    farms = list(open_to(audit.verifier, drawn_farms(audit), today())) if what == WHOLE else [what]
    parties = [audit.audited] if what in (ENTITY, WHOLE) else []
    record_visit(audit, [*parties, *Organisation.objects.filter(handle__in=farms)], view, actor=actor)
