from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.row_out_texts_by_column import RowOutTextsByColumn


T = TypeVar("T", bound="RowOut")


@_attrs_define
class RowOut:
    """One row: its key in its kind, and its columns as texts.

    Attributes:
        key (str):
        row (RowOutTextsByColumn):
    """

    key: str
    row: RowOutTextsByColumn

    def to_dict(self) -> dict[str, Any]:
        key = self.key

        row = self.row.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "key": key,
                "row": row,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.row_out_texts_by_column import RowOutTextsByColumn  # noqa: PLC0415

        d = dict(src_dict)
        key = d.pop("key")

        row = RowOutTextsByColumn.from_dict(d.pop("row"))

        row_out = cls(
            key=key,
            row=row,
        )

        return row_out
