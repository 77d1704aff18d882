from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="SheetColumn")


@_attrs_define
class SheetColumn:
    """A column of a sheet, what it is taken for, and its first cells; an empty ``field`` is left out.

    Attributes:
        column (int):
        heading (str):
        field (str):
        unit (str):
        samples (list[str]):
    """

    column: int
    heading: str
    field: str
    unit: str
    samples: list[str]

    def to_dict(self) -> dict[str, Any]:
        column = self.column

        heading = self.heading

        field = self.field

        unit = self.unit

        samples = self.samples

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "column": column,
                "heading": heading,
                "field": field,
                "unit": unit,
                "samples": samples,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        column = d.pop("column")

        heading = d.pop("heading")

        field = d.pop("field")

        unit = d.pop("unit")

        samples = cast(list[str], d.pop("samples"))

        sheet_column = cls(
            column=column,
            heading=heading,
            field=field,
            unit=unit,
            samples=samples,
        )

        return sheet_column
