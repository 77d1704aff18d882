from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ChoiceOut")


@_attrs_define
class ChoiceOut:
    """What can be asked for today.

    Attributes:
        what (str):
        label (str):
    """

    what: str
    label: str

    def to_dict(self) -> dict[str, Any]:
        what = self.what

        label = self.label

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "what": what,
                "label": label,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        what = d.pop("what")

        label = d.pop("label")

        choice_out = cls(
            what=what,
            label=label,
        )

        return choice_out
