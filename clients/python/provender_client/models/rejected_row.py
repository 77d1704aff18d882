from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.rejected_row_cells import RejectedRowCells


T = TypeVar("T", bound="RejectedRow")


@_attrs_define
class RejectedRow:
    """A row that stays out, why, and its cells by heading.

    Attributes:
        path (str):
        row (int):
        kind (str):
        place (str):
        why (str):
        cells (RejectedRowCells):
        entries (list[str]): Where several fit, one is to be written.
    """

    path: str
    row: int
    kind: str
    place: str
    why: str
    cells: RejectedRowCells
    entries: list[str]

    def to_dict(self) -> dict[str, Any]:
        path = self.path

        row = self.row

        kind = self.kind

        place = self.place

        why = self.why

        cells = self.cells.to_dict()

        entries = self.entries

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "path": path,
                "row": row,
                "kind": kind,
                "place": place,
                "why": why,
                "cells": cells,
                "entries": entries,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.rejected_row_cells import RejectedRowCells  # noqa: PLC0415

        d = dict(src_dict)
        path = d.pop("path")

        row = d.pop("row")

        kind = d.pop("kind")

        place = d.pop("place")

        why = d.pop("why")

        cells = RejectedRowCells.from_dict(d.pop("cells"))

        entries = cast(list[str], d.pop("entries"))

        rejected_row = cls(
            path=path,
            row=row,
            kind=kind,
            place=place,
            why=why,
            cells=cells,
            entries=entries,
        )

        return rejected_row
