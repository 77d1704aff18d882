from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="KindOut")


@_attrs_define
class KindOut:
    """A kind of record; ``schema`` of its rows is at ``/records/kinds/{kind}``.

    Attributes:
        name (str):
        label (str):
        help_ (str):
        cite (str):
        rows (int):
    """

    name: str
    label: str
    help_: str
    cite: str
    rows: int

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        label = self.label

        help_ = self.help_

        cite = self.cite

        rows = self.rows

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "label": label,
                "help": help_,
                "cite": cite,
                "rows": rows,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        label = d.pop("label")

        help_ = d.pop("help")

        cite = d.pop("cite")

        rows = d.pop("rows")

        kind_out = cls(
            name=name,
            label=label,
            help_=help_,
            cite=cite,
            rows=rows,
        )

        return kind_out
