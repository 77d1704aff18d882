from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="IntensityChange")


@_attrs_define
class IntensityChange:
    """The farm's carbon intensity of a crop before and after, both of one source.

    None where it is not shown.

        Attributes:
            crop (str):
            before (None | str): g CO2e/bu
            after (None | str): g CO2e/bu
            source (str): Of both figures: the calculator's runs, or the open model.
            default (str): Of the same source, named; empty where it is not at hand.
            outdated (str): Of the calculator's runs that no longer fit the records and must be made anew; empty where they
                fit.
    """

    crop: str
    before: None | str
    after: None | str
    source: str
    default: str
    outdated: str

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        before: None | str
        before = self.before

        after: None | str
        after = self.after

        source = self.source

        default = self.default

        outdated = self.outdated

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "before": before,
                "after": after,
                "source": source,
                "default": default,
                "outdated": outdated,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop")

        def _parse_before(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        before = _parse_before(d.pop("before"))

        def _parse_after(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        after = _parse_after(d.pop("after"))

        source = d.pop("source")

        default = d.pop("default")

        outdated = d.pop("outdated")

        intensity_change = cls(
            crop=crop,
            before=before,
            after=after,
            source=source,
            default=default,
            outdated=outdated,
        )

        return intensity_change
