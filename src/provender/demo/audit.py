"""The verifier's audit of the elevator, begun: farms frozen and drawn, a line seen, a finding open, books asked for."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from provender.audit.findings.log import Severity
from provender.audit.programme.items import Role as AuditRole
from provender.audit.statement.accreditation import Accreditation, Forum, Membership
from provender.database.actor import Actor
from provender.database.models import Audit, Organisation
from provender.demo.chain import QUARTERS
from provender.demo.handles import COOP
from provender.services.audits.audits import Opening, open_audit, record_accreditation
from provender.services.audits.findings import raise_finding
from provender.services.audits.programme import Mark, items_of, mark_lines
from provender.services.audits.sample import commit_seed, freeze_farms

SCOPE: Final = "Carbon intensity of feedstocks; made up for the example."
YEAR: Final = timedelta(days=365)
DUE: Final = timedelta(days=60)
ANSWER: Final = timedelta(days=30)
SEEN: Final = "The manual of the documented system was read; it names both sites. Made up for the example."
MISSING: Final = "The scale at the north site has no certificate of this year on file. Made up for the example."


def begin_audit(organisations: Mapping[str, Organisation], verifier: str, today: date, *, actor: Actor) -> Audit:
    """Bring an audit of the elevator to where its verifier would go on working.

    Args:
        organisations: of the example, by code.
        verifier: the code of the verifier, whom the elevator and its farms let in.
        today: the day; the audit covers the quarters that ended before it.
        actor: the verifier's person.

    Raises:
        ProblemsError: the example does not allow it.
    """
    firm = organisations[verifier]
    member = Membership(Forum.SUCCESSOR, QUARTERS[0][0], None, "made up for the example")
    shown = Accreditation(
        firm.name,
        "ISO 14065:2020",
        "An accreditor (made up)",
        "EXAMPLE-1",
        today - YEAR,
        today + YEAR,
        (),
        (member,),
        SCOPE,
    )
    record_accreditation(firm, shown, actor=actor)
    ended = [end for _, end in QUARTERS if end < today] or [QUARTERS[-1][1]]
    opening = Opening(
        role=AuditRole.FIRST_POINT, number=f"PV-{COOP}-{ended[-1].year}", harvest_year=QUARTERS[0][0].year - 1,
        covered_first=QUARTERS[0][0], covered_last=ended[-1], due_on=max(today, ended[-1]) + DUE,
    )  # fmt: skip
    audit = open_audit(firm, organisations[COOP], opening, actor=actor)
    freeze_farms(audit, actor=actor)
    commit_seed(audit, "", None, actor=actor)
    items, _ = items_of(audit)
    mark_lines(audit, items[0], Mark.DONE, SEEN, actor=actor)
    said = {
        "severity": str(Severity.MINOR), "cite": "2100.032(a)", "subject": "Scale at north", "text": MISSING,
        "owner": str(audit.audited), "due": (today + ANSWER).isoformat(),
    }  # fmt: skip
    raise_finding(audit, said, actor=actor)
    return audit
