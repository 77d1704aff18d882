from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="KindChosen")


@_attrs_define
class KindChosen:
    """What the rows of a sheet are; null says that it holds no records.

    Attributes:
        sheet (int):
        kind (None | str):
    """

    sheet: int
    kind: None | str

    def to_dict(self) -> dict[str, Any]:
        sheet = self.sheet

        kind: None | str
        kind = self.kind

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "sheet": sheet,
                "kind": kind,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        sheet = d.pop("sheet")

        def _parse_kind(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        kind = _parse_kind(d.pop("kind"))

        kind_chosen = cls(
            sheet=sheet,
            kind=kind,
        )

        return kind_chosen
