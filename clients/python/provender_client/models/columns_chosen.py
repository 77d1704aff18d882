from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.columns_chosen_date_order import ColumnsChosenDateOrder
from ..models.columns_chosen_decimal import ColumnsChosenDecimal
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.column_chosen import ColumnChosen


T = TypeVar("T", bound="ColumnsChosen")


@_attrs_define
class ColumnsChosen:
    """What the columns of a sheet are; one that is not named is left out. ``keep`` remembers it for the next file.

    Attributes:
        sheet (int):
        columns (list[ColumnChosen]):
        date_order (ColumnsChosenDateOrder | Unset):  Default: ColumnsChosenDateOrder.VALUE_0.
        decimal (ColumnsChosenDecimal | Unset):  Default: ColumnsChosenDecimal.VALUE_0.
        keep (bool | Unset):  Default: True.
    """

    sheet: int
    columns: list[ColumnChosen]
    date_order: ColumnsChosenDateOrder | Unset = ColumnsChosenDateOrder.VALUE_0
    decimal: ColumnsChosenDecimal | Unset = ColumnsChosenDecimal.VALUE_0
    keep: bool | Unset = True

    def to_dict(self) -> dict[str, Any]:
        sheet = self.sheet

        columns = []
        for columns_item_data in self.columns:
            columns_item = columns_item_data.to_dict()
            columns.append(columns_item)

        date_order: str | Unset = UNSET
        if not isinstance(self.date_order, Unset):
            date_order = self.date_order.value

        decimal: str | Unset = UNSET
        if not isinstance(self.decimal, Unset):
            decimal = self.decimal.value

        keep = self.keep

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "sheet": sheet,
                "columns": columns,
            }
        )
        if date_order is not UNSET:
            field_dict["date_order"] = date_order
        if decimal is not UNSET:
            field_dict["decimal"] = decimal
        if keep is not UNSET:
            field_dict["keep"] = keep

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.column_chosen import ColumnChosen  # noqa: PLC0415

        d = dict(src_dict)
        sheet = d.pop("sheet")

        columns = []
        _columns = d.pop("columns")
        for columns_item_data in _columns:
            columns_item = ColumnChosen.from_dict(columns_item_data)

            columns.append(columns_item)

        _date_order = d.pop("date_order", UNSET)
        date_order: ColumnsChosenDateOrder | Unset
        if isinstance(_date_order, Unset):
            date_order = UNSET
        else:
            date_order = ColumnsChosenDateOrder(_date_order)

        _decimal = d.pop("decimal", UNSET)
        decimal: ColumnsChosenDecimal | Unset
        if isinstance(_decimal, Unset):
            decimal = UNSET
        else:
            decimal = ColumnsChosenDecimal(_decimal)

        keep = d.pop("keep", UNSET)

        columns_chosen = cls(
            sheet=sheet,
            columns=columns,
            date_order=date_order,
            decimal=decimal,
            keep=keep,
        )

        return columns_chosen
