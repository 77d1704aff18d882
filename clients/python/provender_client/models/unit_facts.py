from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="UnitFacts")


@_attrs_define
class UnitFacts:
    """What is known of a unit beside its boundary: acres as the book says and as measured, the county by its FIPS.

    Attributes:
        unit_id (str):
        name (str):
        acres (str):
        measured_acres (str):
        county_fips (str):
    """

    unit_id: str
    name: str
    acres: str
    measured_acres: str
    county_fips: str

    def to_dict(self) -> dict[str, Any]:
        unit_id = self.unit_id

        name = self.name

        acres = self.acres

        measured_acres = self.measured_acres

        county_fips = self.county_fips

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "unit_id": unit_id,
                "name": name,
                "acres": acres,
                "measured_acres": measured_acres,
                "county_fips": county_fips,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        unit_id = d.pop("unit_id")

        name = d.pop("name")

        acres = d.pop("acres")

        measured_acres = d.pop("measured_acres")

        county_fips = d.pop("county_fips")

        unit_facts = cls(
            unit_id=unit_id,
            name=name,
            acres=acres,
            measured_acres=measured_acres,
            county_fips=county_fips,
        )

        return unit_facts
