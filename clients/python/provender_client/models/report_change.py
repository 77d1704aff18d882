from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ReportChange")


@_attrs_define
class ReportChange:
    """Serials whose report was changed, and how.

    Attributes:
        origin (str):
        start_bu (str):
        stop_bu (str):
        said (str):
    """

    origin: str
    start_bu: str
    stop_bu: str
    said: str

    def to_dict(self) -> dict[str, Any]:
        origin = self.origin

        start_bu = self.start_bu

        stop_bu = self.stop_bu

        said = self.said

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "origin": origin,
                "start_bu": start_bu,
                "stop_bu": stop_bu,
                "said": said,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        origin = d.pop("origin")

        start_bu = d.pop("start_bu")

        stop_bu = d.pop("stop_bu")

        said = d.pop("said")

        report_change = cls(
            origin=origin,
            start_bu=start_bu,
            stop_bu=stop_bu,
            said=said,
        )

        return report_change
