from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.edit_in import EditIn


T = TypeVar("T", bound="ChangeIn")


@_attrs_define
class ChangeIn:
    """One change: all its edits are written or none.

    Attributes:
        reason (str): One line of text.
        after (int): The version you have seen.
        edits (list[EditIn]):
        looked (bool | Unset): Second plantings, covers, budgets and entries of a crop and year are meant, and names
            that no list has are right as they are typed. Default: False.
    """

    reason: str
    after: int
    edits: list[EditIn]
    looked: bool | Unset = False

    def to_dict(self) -> dict[str, Any]:
        reason = self.reason

        after = self.after

        edits = []
        for edits_item_data in self.edits:
            edits_item = edits_item_data.to_dict()
            edits.append(edits_item)

        looked = self.looked

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "reason": reason,
                "after": after,
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
        reason = d.pop("reason")

        after = d.pop("after")

        edits = []
        _edits = d.pop("edits")
        for edits_item_data in _edits:
            edits_item = EditIn.from_dict(edits_item_data)

            edits.append(edits_item)

        looked = d.pop("looked", UNSET)

        change_in = cls(
            reason=reason,
            after=after,
            edits=edits,
            looked=looked,
        )

        return change_in
