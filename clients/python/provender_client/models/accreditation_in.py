from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.forum_place import ForumPlace
    from ..models.suspension import Suspension


T = TypeVar("T", bound="AccreditationIn")


@_attrs_define
class AccreditationIn:
    """What a verifier shows of its accreditation to ISO 14065 (2100.041).

    Attributes:
        standard (str): Such as ISO 14065:2020.
        body (str): One line of text.
        number (str): One line of text.
        first (datetime.date):
        last (datetime.date):
        memberships (list[ForumPlace]):
        scope (str | Unset): In the words of the certificate. Default: ''.
        suspended (list[Suspension] | Unset):
    """

    standard: str
    body: str
    number: str
    first: datetime.date
    last: datetime.date
    memberships: list[ForumPlace]
    scope: str | Unset = ""
    suspended: list[Suspension] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        standard = self.standard

        body = self.body

        number = self.number

        first = self.first.isoformat()

        last = self.last.isoformat()

        memberships = []
        for memberships_item_data in self.memberships:
            memberships_item = memberships_item_data.to_dict()
            memberships.append(memberships_item)

        scope = self.scope

        suspended: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.suspended, Unset):
            suspended = []
            for suspended_item_data in self.suspended:
                suspended_item = suspended_item_data.to_dict()
                suspended.append(suspended_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "standard": standard,
                "body": body,
                "number": number,
                "first": first,
                "last": last,
                "memberships": memberships,
            }
        )
        if scope is not UNSET:
            field_dict["scope"] = scope
        if suspended is not UNSET:
            field_dict["suspended"] = suspended

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.forum_place import ForumPlace  # noqa: PLC0415
        from ..models.suspension import Suspension  # noqa: PLC0415

        d = dict(src_dict)
        standard = d.pop("standard")

        body = d.pop("body")

        number = d.pop("number")

        first = datetime.date.fromisoformat(d.pop("first"))

        last = datetime.date.fromisoformat(d.pop("last"))

        memberships = []
        _memberships = d.pop("memberships")
        for memberships_item_data in _memberships:
            memberships_item = ForumPlace.from_dict(memberships_item_data)

            memberships.append(memberships_item)

        scope = d.pop("scope", UNSET)

        _suspended = d.pop("suspended", UNSET)
        suspended: list[Suspension] | Unset = UNSET
        if _suspended is not UNSET:
            suspended = []
            for suspended_item_data in _suspended:
                suspended_item = Suspension.from_dict(suspended_item_data)

                suspended.append(suspended_item)

        accreditation_in = cls(
            standard=standard,
            body=body,
            number=number,
            first=first,
            last=last,
            memberships=memberships,
            scope=scope,
            suspended=suspended,
        )

        return accreditation_in
