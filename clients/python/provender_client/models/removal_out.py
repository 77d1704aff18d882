from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.fallen_verdict import FallenVerdict
    from ..models.intensity_change import IntensityChange
    from ..models.orphans import Orphans
    from ..models.signed_report_change import SignedReportChange


T = TypeVar("T", bound="RemovalOut")


@_attrs_define
class RemovalOut:
    """What goes with a row: verdicts, carbon intensities and signed reports that change, rows that name it.

    Attributes:
        verdicts (list[FallenVerdict]):
        intensities (list[IntensityChange]):
        reports (list[SignedReportChange]):
        orphans (list[Orphans]):
    """

    verdicts: list[FallenVerdict]
    intensities: list[IntensityChange]
    reports: list[SignedReportChange]
    orphans: list[Orphans]

    def to_dict(self) -> dict[str, Any]:
        verdicts = []
        for verdicts_item_data in self.verdicts:
            verdicts_item = verdicts_item_data.to_dict()
            verdicts.append(verdicts_item)

        intensities = []
        for intensities_item_data in self.intensities:
            intensities_item = intensities_item_data.to_dict()
            intensities.append(intensities_item)

        reports = []
        for reports_item_data in self.reports:
            reports_item = reports_item_data.to_dict()
            reports.append(reports_item)

        orphans = []
        for orphans_item_data in self.orphans:
            orphans_item = orphans_item_data.to_dict()
            orphans.append(orphans_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "verdicts": verdicts,
                "intensities": intensities,
                "reports": reports,
                "orphans": orphans,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.fallen_verdict import FallenVerdict  # noqa: PLC0415
        from ..models.intensity_change import IntensityChange  # noqa: PLC0415
        from ..models.orphans import Orphans  # noqa: PLC0415
        from ..models.signed_report_change import SignedReportChange  # noqa: PLC0415

        d = dict(src_dict)
        verdicts = []
        _verdicts = d.pop("verdicts")
        for verdicts_item_data in _verdicts:
            verdicts_item = FallenVerdict.from_dict(verdicts_item_data)

            verdicts.append(verdicts_item)

        intensities = []
        _intensities = d.pop("intensities")
        for intensities_item_data in _intensities:
            intensities_item = IntensityChange.from_dict(intensities_item_data)

            intensities.append(intensities_item)

        reports = []
        _reports = d.pop("reports")
        for reports_item_data in _reports:
            reports_item = SignedReportChange.from_dict(reports_item_data)

            reports.append(reports_item)

        orphans = []
        _orphans = d.pop("orphans")
        for orphans_item_data in _orphans:
            orphans_item = Orphans.from_dict(orphans_item_data)

            orphans.append(orphans_item)

        removal_out = cls(
            verdicts=verdicts,
            intensities=intensities,
            reports=reports,
            orphans=orphans,
        )

        return removal_out
