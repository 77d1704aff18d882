from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.growing_practice_how_it_stands_so_far import (
    GrowingPracticeHowItStandsSoFar,
)

T = TypeVar("T", bound="GrowingPractice")


@_attrs_define
class GrowingPractice:
    """How a practice of a growing crop stands, as far as its records go; no verdict before it is harvested.

    Attributes:
        practice (str):
        label (str):
        standing (GrowingPracticeHowItStandsSoFar):
        against (str): Empty where they do not.
    """

    practice: str
    label: str
    standing: GrowingPracticeHowItStandsSoFar
    against: str

    def to_dict(self) -> dict[str, Any]:
        practice = self.practice

        label = self.label

        standing = self.standing.value

        against = self.against

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "practice": practice,
                "label": label,
                "standing": standing,
                "against": against,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        practice = d.pop("practice")

        label = d.pop("label")

        standing = GrowingPracticeHowItStandsSoFar(d.pop("standing"))

        against = d.pop("against")

        growing_practice = cls(
            practice=practice,
            label=label,
            standing=standing,
            against=against,
        )

        return growing_practice
