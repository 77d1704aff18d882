from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.edit_in_row_type_0 import EditInRowType0


T = TypeVar("T", bound="EditIn")


@_attrs_define
class EditIn:
    """A row to put into the book, or to take out of it where ``row`` is null. Putting a key again corrects the row.

    Attributes:
        kind (str):
        row (EditInRowType0 | None): Texts by column.
        key (str | Unset): Only to take a row out. Default: ''.
    """

    kind: str
    row: EditInRowType0 | None
    key: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        from ..models.edit_in_row_type_0 import EditInRowType0  # noqa: PLC0415

        kind = self.kind

        row: dict[str, Any] | None
        if isinstance(self.row, EditInRowType0):
            row = self.row.to_dict()
        else:
            row = self.row

        key = self.key

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "row": row,
            }
        )
        if key is not UNSET:
            field_dict["key"] = key

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.edit_in_row_type_0 import EditInRowType0  # noqa: PLC0415

        d = dict(src_dict)
        kind = d.pop("kind")

        def _parse_row(data: object) -> EditInRowType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                row_type_0 = EditInRowType0.from_dict(data)

                return row_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(EditInRowType0 | None, data)

        row = _parse_row(d.pop("row"))

        key = d.pop("key", UNSET)

        edit_in = cls(
            kind=kind,
            row=row,
            key=key,
        )

        return edit_in
