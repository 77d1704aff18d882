from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.row_chosen_row import RowChosenRow


T = TypeVar("T", bound="RowChosen")


@_attrs_define
class RowChosen:
    """A row of the import completed or corrected: texts of the columns that change; its key stays.

    Attributes:
        kind (str):
        key (str):
        row (RowChosenRow):
    """

    kind: str
    key: str
    row: RowChosenRow

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        key = self.key

        row = self.row.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "key": key,
                "row": row,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.row_chosen_row import RowChosenRow  # noqa: PLC0415

        d = dict(src_dict)
        kind = d.pop("kind")

        key = d.pop("key")

        row = RowChosenRow.from_dict(d.pop("row"))

        row_chosen = cls(
            kind=kind,
            key=key,
            row=row,
        )

        return row_chosen
