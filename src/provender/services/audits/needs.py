"""What a favorable opinion still needs, for whoever answers it: where that is done, and which farms are meant.

The sentences themselves go into signed statements, so they count drawn farms and name none; only the verifier's own
page says which farm stands at which place.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from provender.audit.statement.engagement import Engagement
from provender.database.models import Audit
from provender.plain import infos
from provender.services.audits.engagement import farms_drawn, work_of
from provender.services.audits.statement import needs_of
from provender.services.audits.verifier import Doubt


class AnsweredIn(StrEnum):
    """Where something that is missing is answered."""

    ENGAGEMENT = "Engagement"
    SAMPLE = "Farm sample"
    WORK = "Work program"
    PACKAGES = "Packages and recomputation"
    FINDINGS = "Findings"
    STATEMENT = "Statement"
    ACCREDITATION = "Accreditation"


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a favorable opinion still needs.

    Attributes:
        doubt: what is missing, and what to do.
        where: where it is answered; None where only the audited party can.
        part: the field there, empty for the whole.
        farms: the drawn farms that are meant, each with its place in the sample; empty where it is not about farms.
    """

    doubt: Doubt
    where: AnsweredIn | None
    part: str = ""
    farms: tuple[str, ...] = ()


FARMS_LEFT: Final = "farm_not_audited"
_BY_CODE: Final = {
    AnsweredIn.ENGAGEMENT: (
        "retention_too_short", "no_competence", "reviewer_took_part", "unknown_paragraph", "assertion_not_tested",
        "no_site_seen", "farm_not_drawn", FARMS_LEFT, "work_before_engagement", "days_of_work_do_not_fit",
    ),
    AnsweredIn.SAMPLE: ("no_sample", "sample_too_small", "no_borrowed_audit"),
    AnsweredIn.WORK: ("other_programme", "line_without_reason", "line_unanswered"),
    AnsweredIn.PACKAGES: ("not_recomputed",),
    AnsweredIn.FINDINGS: (
        "difference_open", "no_bearing", "misstatement_unmeasured", "material_misstatement", "opinion_against_findings",
    ),
    AnsweredIn.STATEMENT: ("incomplete", "other_crop", "other_crop_verified", "not_reviewed", "no_materiality"),
    AnsweredIn.ACCREDITATION: (
        "no_scope_of_accreditation", "no_certificate", "other_standard", "body_not_member", "membership_to_confirm",
        "not_accredited_on_day", "suspended_on_day", "accreditation",
    ),
}  # fmt: skip
WHERE: Final = {code: where for where, codes in _BY_CODE.items() for code in codes}
_ENGAGED: Final = {f"no_{name}": name for name in infos(Engagement)}


def needs_to_answer(audit: Audit) -> list[Need]:
    """Return what a favorable opinion still needs today, each with where it is answered."""
    return [_need(audit, doubt) for doubt in needs_of(audit)]


def _need(audit: Audit, doubt: Doubt) -> Need:
    if doubt.code in _ENGAGED:
        return Need(doubt, AnsweredIn.ENGAGEMENT, _ENGAGED[doubt.code])
    farms = _farms_left(audit) if doubt.code == FARMS_LEFT else ()
    return Need(doubt, WHERE.get(doubt.code), farms=farms)


def _farms_left(audit: Audit) -> tuple[str, ...]:
    """Return the drawn farms that are neither audited nor exempted, each behind its place in the sample."""
    seen = {row["farm"] for row in work_of(audit)["farms"]}
    named = enumerate(farms_drawn(audit).values(), start=1)
    return tuple(f"{place}: {name}" for place, name in named if place not in seen)
