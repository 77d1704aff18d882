from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="LoadLeftOut")


@_attrs_define
class LoadLeftOut:
    """A load of a file that is not taken; ``bushels`` are null where the file does not say them.

    Attributes:
        row (int):
        ticket (str):
        crop (str):
        bushels (None | str):
        column (str): As the file calls it; empty where it is of none.
        cause (str):
        remedy (str):
    """

    row: int
    ticket: str
    crop: str
    bushels: None | str
    column: str
    cause: str
    remedy: str

    def to_dict(self) -> dict[str, Any]:
        row = self.row

        ticket = self.ticket

        crop = self.crop

        bushels: None | str
        bushels = self.bushels

        column = self.column

        cause = self.cause

        remedy = self.remedy

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "row": row,
                "ticket": ticket,
                "crop": crop,
                "bushels": bushels,
                "column": column,
                "cause": cause,
                "remedy": remedy,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        row = d.pop("row")

        ticket = d.pop("ticket")

        crop = d.pop("crop")

        def _parse_bushels(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        bushels = _parse_bushels(d.pop("bushels"))

        column = d.pop("column")

        cause = d.pop("cause")

        remedy = d.pop("remedy")

        load_left_out = cls(
            row=row,
            ticket=ticket,
            crop=crop,
            bushels=bushels,
            column=column,
            cause=cause,
            remedy=remedy,
        )

        return load_left_out
