from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.rejected_chosen_cells import RejectedChosenCells


T = TypeVar("T", bound="RejectedChosen")


@_attrs_define
class RejectedChosen:
    """A rejected row: its cells corrected by heading, or, with ``drop``, not to count.

    Attributes:
        path (str):
        row (int):
        cells (RejectedChosenCells | Unset):
        drop (bool | Unset):  Default: False.
    """

    path: str
    row: int
    cells: RejectedChosenCells | Unset = UNSET
    drop: bool | Unset = False

    def to_dict(self) -> dict[str, Any]:
        path = self.path

        row = self.row

        cells: dict[str, Any] | Unset = UNSET
        if not isinstance(self.cells, Unset):
            cells = self.cells.to_dict()

        drop = self.drop

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "path": path,
                "row": row,
            }
        )
        if cells is not UNSET:
            field_dict["cells"] = cells
        if drop is not UNSET:
            field_dict["drop"] = drop

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.rejected_chosen_cells import RejectedChosenCells  # noqa: PLC0415

        d = dict(src_dict)
        path = d.pop("path")

        row = d.pop("row")

        _cells = d.pop("cells", UNSET)
        cells: RejectedChosenCells | Unset
        if isinstance(_cells, Unset):
            cells = UNSET
        else:
            cells = RejectedChosenCells.from_dict(_cells)

        drop = d.pop("drop", UNSET)

        rejected_chosen = cls(
            path=path,
            row=row,
            cells=cells,
            drop=drop,
        )

        return rejected_chosen
