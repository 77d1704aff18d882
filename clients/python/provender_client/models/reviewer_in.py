from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.area import Area
from ..models.reviewer_kind import ReviewerKind

T = TypeVar("T", bound="ReviewerIn")


@_attrs_define
class ReviewerIn:
    """Whom to let look, at which areas, what for and until when.

    Attributes:
        label (str): One line of text.
        kind (ReviewerKind): For whom a reviewer looks.
        areas (list[Area]):
        purpose (str):
        last_day (datetime.date):
    """

    label: str
    kind: ReviewerKind
    areas: list[Area]
    purpose: str
    last_day: datetime.date

    def to_dict(self) -> dict[str, Any]:
        label = self.label

        kind = self.kind.value

        areas = []
        for areas_item_data in self.areas:
            areas_item = areas_item_data.value
            areas.append(areas_item)

        purpose = self.purpose

        last_day = self.last_day.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "label": label,
                "kind": kind,
                "areas": areas,
                "purpose": purpose,
                "last_day": last_day,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        label = d.pop("label")

        kind = ReviewerKind(d.pop("kind"))

        areas = []
        _areas = d.pop("areas")
        for areas_item_data in _areas:
            areas_item = Area(areas_item_data)

            areas.append(areas_item)

        purpose = d.pop("purpose")

        last_day = datetime.date.fromisoformat(d.pop("last_day"))

        reviewer_in = cls(
            label=label,
            kind=kind,
            areas=areas,
            purpose=purpose,
            last_day=last_day,
        )

        return reviewer_in
