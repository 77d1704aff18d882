from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SerialsOut")


@_attrs_define
class SerialsOut:
    """The serials of a signed report, bushels as decimal text.

    Of those ``issued`` the farm still ``held`` some; of these some are ``assigned`` by slips that are not bought yet,
    and the others are ``free`` to be sold.

        Attributes:
            issued (str):
            held (str):
            assigned (str):
            free (str):
    """

    issued: str
    held: str
    assigned: str
    free: str

    def to_dict(self) -> dict[str, Any]:
        issued = self.issued

        held = self.held

        assigned = self.assigned

        free = self.free

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "issued": issued,
                "held": held,
                "assigned": assigned,
                "free": free,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        issued = d.pop("issued")

        held = d.pop("held")

        assigned = d.pop("assigned")

        free = d.pop("free")

        serials_out = cls(
            issued=issued,
            held=held,
            assigned=assigned,
            free=free,
        )

        return serials_out
