"""What doors show of a farm's reports: where each stands, and its signed versions."""

from collections.abc import Mapping
from typing import Final

from provender.database.models import ReportVersion
from provender.plain import field, view
from provender.services.reports.drafts import DraftState
from provender.services.reports.signed import document_of

_FLAGS_HELP: Final = "Three flags, each apart: calculator final, records complete, rule current."


@view
class ReportView:
    """Where the report of a crop and harvest year stands. Amounts are decimal text; null is not shown."""

    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    state: str = field("State")
    total_bushels: str | None = field("Bushels")
    farm_ci_g_per_bu: str | None = field("Farm CI", unit="g CO2e/bu")
    signed_versions: int = field("Signed versions")
    blocked_by: int = field("Things that block it", help="Beside naming the text, where that must be named.")
    official: Mapping[str, bool] = field("Official", help=_FLAGS_HELP)
    rule_state: str = field("State of the rule", help="Empty where the text is shown to be the rule in force.")


@view
class VersionView:
    """A signed version of a report; reports of the first format say nothing of ``official`` and the rule's state."""

    number: int = field("Version")
    document_hash: str = field("Document")
    at: str = field("Signed (UTC)")
    official: Mapping[str, bool] = field("Official", help=_FLAGS_HELP)
    rule_state: str = field("State of the rule", help="Empty where the text is shown to be the rule in force.")
    signed_under: str = field("Signed under", help="The text that the signer named.")


def report_view(standing: DraftState) -> ReportView:
    """Return where a report stands."""
    return ReportView(
        crop=standing.crop, harvest_year=standing.harvest_year, state=standing.state,
        total_bushels=standing.total_bushels, farm_ci_g_per_bu=standing.farm_ci_g_per_bu,
        signed_versions=standing.versions, blocked_by=standing.refused, official=standing.official,
        rule_state=standing.rule_state,
    )  # fmt: skip


def version_view(version: ReportVersion) -> VersionView:
    """Return a signed version of a report."""
    document = document_of(version)
    rule = document["rule"]
    return VersionView(
        number=version.number, document_hash=version.document_hash, at=version.at.isoformat(),
        official=document["official"], rule_state=rule["state"],
        signed_under=rule["signed_under"],
    )  # fmt: skip
