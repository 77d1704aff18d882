from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.event_offered_its_beginning import EventOfferedItsBeginning


T = TypeVar("T", bound="EventOffered")


@_attrs_define
class EventOffered:
    """An event that may be entered next: what it does, its type, and the fields that are known.

    Attributes:
        what (str):
        event (EventOfferedItsBeginning):
    """

    what: str
    event: EventOfferedItsBeginning

    def to_dict(self) -> dict[str, Any]:
        what = self.what

        event = self.event.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "what": what,
                "event": event,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_offered_its_beginning import EventOfferedItsBeginning  # noqa: PLC0415

        d = dict(src_dict)
        what = d.pop("what")

        event = EventOfferedItsBeginning.from_dict(d.pop("event"))

        event_offered = cls(
            what=what,
            event=event,
        )

        return event_offered
