from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.edit_in import EditIn


T = TypeVar("T", bound="EditsIn")


@_attrs_define
class EditsIn:
    """The edits of one change, before anybody writes them.

    Attributes:
        edits (list[EditIn]):
        looked (bool | Unset): Second plantings, covers, budgets and entries of a crop and year are meant, and names
            that no list has are right as they are typed. Default: False.
    """

    edits: list[EditIn]
    looked: bool | Unset = False

    def to_dict(self) -> dict[str, Any]:
        edits = []
        for edits_item_data in self.edits:
            edits_item = edits_item_data.to_dict()
            edits.append(edits_item)

        looked = self.looked

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "edits": edits,
            }
        )
        if looked is not UNSET:
            field_dict["looked"] = looked

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.edit_in import EditIn  # noqa: PLC0415

        d = dict(src_dict)
        edits = []
        _edits = d.pop("edits")
        for edits_item_data in _edits:
            edits_item = EditIn.from_dict(edits_item_data)

            edits.append(edits_item)

        looked = d.pop("looked", UNSET)

        edits_in = cls(
            edits=edits,
            looked=looked,
        )

        return edits_in
