from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="EventKind")


@_attrs_define
class EventKind:
    """A kind of event that the organization may enter.

    Attributes:
        kind (str):
        title (str):
        means (str):
    """

    kind: str
    title: str
    means: str

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        title = self.title

        means = self.means

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "title": title,
                "means": means,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = d.pop("kind")

        title = d.pop("title")

        means = d.pop("means")

        event_kind = cls(
            kind=kind,
            title=title,
            means=means,
        )

        return event_kind
