from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="FillChosen")


@_attrs_define
class FillChosen:
    """A text for the blank cells of a column in the rows of this import; an empty one is taken back.

    Attributes:
        kind (str):
        column (str):
        text (str):
    """

    kind: str
    column: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        column = self.column

        text = self.text

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "column": column,
                "text": text,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = d.pop("kind")

        column = d.pop("column")

        text = d.pop("text")

        fill_chosen = cls(
            kind=kind,
            column=column,
            text=text,
        )

        return fill_chosen
