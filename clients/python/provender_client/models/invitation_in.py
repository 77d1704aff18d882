from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.right import Right
from ..types import UNSET, Unset

T = TypeVar("T", bound="InvitationIn")


@_attrs_define
class InvitationIn:
    """Whom to invite and with what right; ``firm`` is the code of a consultant's own firm.

    Attributes:
        label (str): One line of text.
        right (Right): What a member may do. Each right holds those before it.
        firm (str | Unset): Code of an organization here. Default: ''.
    """

    label: str
    right: Right
    firm: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        label = self.label

        right = self.right.value

        firm = self.firm

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "label": label,
                "right": right,
            }
        )
        if firm is not UNSET:
            field_dict["firm"] = firm

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        label = d.pop("label")

        right = Right(d.pop("right"))

        firm = d.pop("firm", UNSET)

        invitation_in = cls(
            label=label,
            right=right,
            firm=firm,
        )

        return invitation_in
