from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ColumnChosen")


@_attrs_define
class ColumnChosen:
    """What a column is, by its number; the unit may be left out where the field's own is meant.

    Attributes:
        column (int):
        field (str):
        unit (str | Unset):  Default: ''.
    """

    column: int
    field: str
    unit: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        column = self.column

        field = self.field

        unit = self.unit

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "column": column,
                "field": field,
            }
        )
        if unit is not UNSET:
            field_dict["unit"] = unit

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        column = d.pop("column")

        field = d.pop("field")

        unit = d.pop("unit", UNSET)

        column_chosen = cls(
            column=column,
            field=field,
            unit=unit,
        )

        return column_chosen
