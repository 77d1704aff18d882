from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SignedReportChange")


@_attrs_define
class SignedReportChange:
    """A signed report that the records would overtake, or that would say again what was signed.

    Attributes:
        report (str): Crop and harvest year.
        version (int): The one in force.
        after (str):
    """

    report: str
    version: int
    after: str

    def to_dict(self) -> dict[str, Any]:
        report = self.report

        version = self.version

        after = self.after

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "report": report,
                "version": version,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        report = d.pop("report")

        version = d.pop("version")

        after = d.pop("after")

        signed_report_change = cls(
            report=report,
            version=version,
            after=after,
        )

        return signed_report_change
