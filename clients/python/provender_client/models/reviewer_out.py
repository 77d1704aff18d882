from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.area import Area
from ..models.reviewer_kind import ReviewerKind

T = TypeVar("T", bound="ReviewerOut")


@_attrs_define
class ReviewerOut:
    """A reviewer's access to some areas until a last day, or until it was taken back; ``who`` opened its link.

    Attributes:
        id (int):
        label (str):
        kind (ReviewerKind): For whom a reviewer looks.
        who (str):
        areas (list[Area]):
        purpose (str):
        last_day (datetime.date):
        revoked (bool):
    """

    id: int
    label: str
    kind: ReviewerKind
    who: str
    areas: list[Area]
    purpose: str
    last_day: datetime.date
    revoked: bool

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        label = self.label

        kind = self.kind.value

        who = self.who

        areas = []
        for areas_item_data in self.areas:
            areas_item = areas_item_data.value
            areas.append(areas_item)

        purpose = self.purpose

        last_day = self.last_day.isoformat()

        revoked = self.revoked

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "label": label,
                "kind": kind,
                "who": who,
                "areas": areas,
                "purpose": purpose,
                "last_day": last_day,
                "revoked": revoked,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        label = d.pop("label")

        kind = ReviewerKind(d.pop("kind"))

        who = d.pop("who")

        areas = []
        _areas = d.pop("areas")
        for areas_item_data in _areas:
            areas_item = Area(areas_item_data)

            areas.append(areas_item)

        purpose = d.pop("purpose")

        last_day = datetime.date.fromisoformat(d.pop("last_day"))

        revoked = d.pop("revoked")

        reviewer_out = cls(
            id=id,
            label=label,
            kind=kind,
            who=who,
            areas=areas,
            purpose=purpose,
            last_day=last_day,
            revoked=revoked,
        )

        return reviewer_out
