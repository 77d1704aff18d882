from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CameInSumView")


@_attrs_define
class CameInSumView:
    """What came in of a crop or product in all, or from one supplier; its mean is weighted by bushels of crop.

    Attributes:
        form (str):
        supplier (str): Empty for all suppliers together.
        name (str):
        entries (int):
        bushels (str): Of crop, in whatever form it came.
        mean_ci_g_per_bu (str): Weighted by bushels of crop, rounded half to even.
        lowest_ci_g_per_bu (str):
        highest_ci_g_per_bu (str):
    """

    form: str
    supplier: str
    name: str
    entries: int
    bushels: str
    mean_ci_g_per_bu: str
    lowest_ci_g_per_bu: str
    highest_ci_g_per_bu: str

    def to_dict(self) -> dict[str, Any]:
        form = self.form

        supplier = self.supplier

        name = self.name

        entries = self.entries

        bushels = self.bushels

        mean_ci_g_per_bu = self.mean_ci_g_per_bu

        lowest_ci_g_per_bu = self.lowest_ci_g_per_bu

        highest_ci_g_per_bu = self.highest_ci_g_per_bu

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "form": form,
                "supplier": supplier,
                "name": name,
                "entries": entries,
                "bushels": bushels,
                "mean_ci_g_per_bu": mean_ci_g_per_bu,
                "lowest_ci_g_per_bu": lowest_ci_g_per_bu,
                "highest_ci_g_per_bu": highest_ci_g_per_bu,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        form = d.pop("form")

        supplier = d.pop("supplier")

        name = d.pop("name")

        entries = d.pop("entries")

        bushels = d.pop("bushels")

        mean_ci_g_per_bu = d.pop("mean_ci_g_per_bu")

        lowest_ci_g_per_bu = d.pop("lowest_ci_g_per_bu")

        highest_ci_g_per_bu = d.pop("highest_ci_g_per_bu")

        came_in_sum_view = cls(
            form=form,
            supplier=supplier,
            name=name,
            entries=entries,
            bushels=bushels,
            mean_ci_g_per_bu=mean_ci_g_per_bu,
            lowest_ci_g_per_bu=lowest_ci_g_per_bu,
            highest_ci_g_per_bu=highest_ci_g_per_bu,
        )

        return came_in_sum_view
