from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="EventChoice")


@_attrs_define
class EventChoice:
    """Something that may be chosen today, and how the pages call it.

    Attributes:
        value (str):
        said (str):
    """

    value: str
    said: str

    def to_dict(self) -> dict[str, Any]:
        value = self.value

        said = self.said

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "value": value,
                "said": said,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        value = d.pop("value")

        said = d.pop("said")

        event_choice = cls(
            value=value,
            said=said,
        )

        return event_choice
