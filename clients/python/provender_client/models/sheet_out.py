from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.sheet_column import SheetColumn


T = TypeVar("T", bound="SheetOut")


@_attrs_define
class SheetOut:
    """A sheet whose columns somebody should look at; an empty ``kind`` is not known.

    Attributes:
        sheet (int):
        file (str):
        name (str):
        kind (str):
        confirmed (bool):
        lines (int):
        date_order (str):
        decimal (str):
        columns (list[SheetColumn]):
    """

    sheet: int
    file: str
    name: str
    kind: str
    confirmed: bool
    lines: int
    date_order: str
    decimal: str
    columns: list[SheetColumn]

    def to_dict(self) -> dict[str, Any]:
        sheet = self.sheet

        file = self.file

        name = self.name

        kind = self.kind

        confirmed = self.confirmed

        lines = self.lines

        date_order = self.date_order

        decimal = self.decimal

        columns = []
        for columns_item_data in self.columns:
            columns_item = columns_item_data.to_dict()
            columns.append(columns_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "sheet": sheet,
                "file": file,
                "name": name,
                "kind": kind,
                "confirmed": confirmed,
                "lines": lines,
                "date_order": date_order,
                "decimal": decimal,
                "columns": columns,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.sheet_column import SheetColumn  # noqa: PLC0415

        d = dict(src_dict)
        sheet = d.pop("sheet")

        file = d.pop("file")

        name = d.pop("name")

        kind = d.pop("kind")

        confirmed = d.pop("confirmed")

        lines = d.pop("lines")

        date_order = d.pop("date_order")

        decimal = d.pop("decimal")

        columns = []
        _columns = d.pop("columns")
        for columns_item_data in _columns:
            columns_item = SheetColumn.from_dict(columns_item_data)

            columns.append(columns_item)

        sheet_out = cls(
            sheet=sheet,
            file=file,
            name=name,
            kind=kind,
            confirmed=confirmed,
            lines=lines,
            date_order=date_order,
            decimal=decimal,
            columns=columns,
        )

        return sheet_out
