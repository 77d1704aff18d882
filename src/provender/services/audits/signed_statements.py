"""The verification statement of an audit as it is kept: the draft, what stands against it, facts found later."""

from typing import Any

from provender.audit.statement.statement import VerificationStatement, check_statement
from provender.database.models import Audit, EntryKind
from provender.database.store.audits import data_of, entries, findings_of, last
from provender.problem import Problem, ProblemsError
from provender.services.audits.audits import check_verifier, today


def draft_of(audit: Audit) -> VerificationStatement | None:
    """Return the draft as it was saved last, with the findings as they stand today; None before."""
    entry = last(audit, EntryKind.DRAFT)
    return VerificationStatement.read({**data_of(entry), "findings": public_findings(audit)}) if entry else None


def public_findings(audit: Audit) -> list[dict[str, str]]:
    """Return the findings as a statement tells them."""
    return [one.public() for one in findings_of(audit)]


def against_signing(audit: Audit, draft: VerificationStatement) -> list[Problem]:
    """Return what stands against signing: gaps, days, sample, opinion, accreditation, independence."""
    found = check_statement(draft)
    try:
        check_verifier(audit.verifier, audit.audited, today())
    except ProblemsError as refused:
        known = {one.cause for one in found}
        found += [one for one in refused.problems if one.cause not in known]
    return found


def later_of(audit: Audit) -> list[dict[str, Any]]:
    """Return the facts found later, each with the number of its entry."""
    return [{**data_of(one)["document"], "number": one.number} for one in entries(audit, EntryKind.ADDENDUM)]
