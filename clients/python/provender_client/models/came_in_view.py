from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CameInView")


@_attrs_define
class CameInView:
    """What one entry brought of one crop, year and carbon intensity, as it came in.

    Attributes:
        day (datetime.date):
        entry (str):
        type_ (str):
        supplier (str):
        name (str):
        form (str):
        crop (str):
        harvest_year (int):
        bushels (str): Of crop, in whatever form it came.
        ci_g_per_bu (str):
    """

    day: datetime.date
    entry: str
    type_: str
    supplier: str
    name: str
    form: str
    crop: str
    harvest_year: int
    bushels: str
    ci_g_per_bu: str

    def to_dict(self) -> dict[str, Any]:
        day = self.day.isoformat()

        entry = self.entry

        type_ = self.type_

        supplier = self.supplier

        name = self.name

        form = self.form

        crop = self.crop

        harvest_year = self.harvest_year

        bushels = self.bushels

        ci_g_per_bu = self.ci_g_per_bu

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "day": day,
                "entry": entry,
                "type": type_,
                "supplier": supplier,
                "name": name,
                "form": form,
                "crop": crop,
                "harvest_year": harvest_year,
                "bushels": bushels,
                "ci_g_per_bu": ci_g_per_bu,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        day = datetime.date.fromisoformat(d.pop("day"))

        entry = d.pop("entry")

        type_ = d.pop("type")

        supplier = d.pop("supplier")

        name = d.pop("name")

        form = d.pop("form")

        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        bushels = d.pop("bushels")

        ci_g_per_bu = d.pop("ci_g_per_bu")

        came_in_view = cls(
            day=day,
            entry=entry,
            type_=type_,
            supplier=supplier,
            name=name,
            form=form,
            crop=crop,
            harvest_year=harvest_year,
            bushels=bushels,
            ci_g_per_bu=ci_g_per_bu,
        )

        return came_in_view
