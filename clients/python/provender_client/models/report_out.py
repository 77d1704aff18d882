from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.report_out_official import ReportOutOfficial


T = TypeVar("T", bound="ReportOut")


@_attrs_define
class ReportOut:
    """Where the report of a crop and harvest year stands. Amounts are decimal text; null is not shown.

    Attributes:
        crop (str):
        harvest_year (int):
        state (str):
        total_bushels (None | str):
        farm_ci_g_per_bu (None | str):
        signed_versions (int):
        blocked_by (int): Beside naming the text, where that must be named.
        official (ReportOutOfficial): Three flags, each apart: calculator final, records complete, rule current.
        rule_state (str): Empty where the text is shown to be the rule in force.
    """

    crop: str
    harvest_year: int
    state: str
    total_bushels: None | str
    farm_ci_g_per_bu: None | str
    signed_versions: int
    blocked_by: int
    official: ReportOutOfficial
    rule_state: str

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        harvest_year = self.harvest_year

        state = self.state

        total_bushels: None | str
        total_bushels = self.total_bushels

        farm_ci_g_per_bu: None | str
        farm_ci_g_per_bu = self.farm_ci_g_per_bu

        signed_versions = self.signed_versions

        blocked_by = self.blocked_by

        official = self.official.to_dict()

        rule_state = self.rule_state

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "state": state,
                "total_bushels": total_bushels,
                "farm_ci_g_per_bu": farm_ci_g_per_bu,
                "signed_versions": signed_versions,
                "blocked_by": blocked_by,
                "official": official,
                "rule_state": rule_state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.report_out_official import ReportOutOfficial  # noqa: PLC0415

        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        state = d.pop("state")

        def _parse_total_bushels(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        total_bushels = _parse_total_bushels(d.pop("total_bushels"))

        def _parse_farm_ci_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        farm_ci_g_per_bu = _parse_farm_ci_g_per_bu(d.pop("farm_ci_g_per_bu"))

        signed_versions = d.pop("signed_versions")

        blocked_by = d.pop("blocked_by")

        official = ReportOutOfficial.from_dict(d.pop("official"))

        rule_state = d.pop("rule_state")

        report_out = cls(
            crop=crop,
            harvest_year=harvest_year,
            state=state,
            total_bushels=total_bushels,
            farm_ci_g_per_bu=farm_ci_g_per_bu,
            signed_versions=signed_versions,
            blocked_by=blocked_by,
            official=official,
            rule_state=rule_state,
        )

        return report_out
