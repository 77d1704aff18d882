from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PracticeExtent")


@_attrs_define
class PracticeExtent:
    """How much stands under a practice. An amount is null where a crop on a unit lacks it: the total is not known.

    Attributes:
        crops_on_units (int): Those that meet the standard; a unit counts once a crop.
        records_open (int): Those of them whose record requirements are not all met.
        not_shown (int): In no total: the records do not show the practice, nor do ticks leave it out.
        acres (None | str): Seeded in cover crops; else of the units.
        without_acres (int): Those whose acres are not recorded.
        bushels (None | str): Harvested from the units.
        without_bushels (int): Those whose bushels are not recorded.
    """

    crops_on_units: int
    records_open: int
    not_shown: int
    acres: None | str
    without_acres: int
    bushels: None | str
    without_bushels: int

    def to_dict(self) -> dict[str, Any]:
        crops_on_units = self.crops_on_units

        records_open = self.records_open

        not_shown = self.not_shown

        acres: None | str
        acres = self.acres

        without_acres = self.without_acres

        bushels: None | str
        bushels = self.bushels

        without_bushels = self.without_bushels

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crops_on_units": crops_on_units,
                "records_open": records_open,
                "not_shown": not_shown,
                "acres": acres,
                "without_acres": without_acres,
                "bushels": bushels,
                "without_bushels": without_bushels,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crops_on_units = d.pop("crops_on_units")

        records_open = d.pop("records_open")

        not_shown = d.pop("not_shown")

        def _parse_acres(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        acres = _parse_acres(d.pop("acres"))

        without_acres = d.pop("without_acres")

        def _parse_bushels(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        bushels = _parse_bushels(d.pop("bushels"))

        without_bushels = d.pop("without_bushels")

        practice_extent = cls(
            crops_on_units=crops_on_units,
            records_open=records_open,
            not_shown=not_shown,
            acres=acres,
            without_acres=without_acres,
            bushels=bushels,
            without_bushels=without_bushels,
        )

        return practice_extent
