from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.event_asked_event import EventAskedEvent
    from ..models.event_field import EventField


T = TypeVar("T", bound="EventAsked")


@_attrs_define
class EventAsked:
    """What a kind of event asks for. ``event`` is its beginning: the type, a fresh id, and who enters it.

    Attributes:
        means (str):
        event (EventAskedEvent):
        fields (list[EventField]):
    """

    means: str
    event: EventAskedEvent
    fields: list[EventField]

    def to_dict(self) -> dict[str, Any]:
        means = self.means

        event = self.event.to_dict()

        fields = []
        for fields_item_data in self.fields:
            fields_item = fields_item_data.to_dict()
            fields.append(fields_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "means": means,
                "event": event,
                "fields": fields,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_asked_event import EventAskedEvent  # noqa: PLC0415
        from ..models.event_field import EventField  # noqa: PLC0415

        d = dict(src_dict)
        means = d.pop("means")

        event = EventAskedEvent.from_dict(d.pop("event"))

        fields = []
        _fields = d.pop("fields")
        for fields_item_data in _fields:
            fields_item = EventField.from_dict(fields_item_data)

            fields.append(fields_item)

        event_asked = cls(
            means=means,
            event=event,
            fields=fields,
        )

        return event_asked
