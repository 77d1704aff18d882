from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.event_offered import EventOffered
    from ..models.lot_out import LotOut
    from ..models.movement_whole_what_was_entered import MovementWholeWhatWasEntered
    from ..models.report_change import ReportChange


T = TypeVar("T", bound="MovementWhole")


@_attrs_define
class MovementWhole:
    """One movement: the event as it was entered, the lots as it left them, and what may be entered about it next.

    ``changes`` names the organization's serials where the event changed the report behind them.

        Attributes:
            event (MovementWholeWhatWasEntered):
            corrected_by (str): Empty while it stands.
            answered_by (str): What the buyer of a sale entered about it, for whoever may open it; empty until then.
            answer (str): The type of that entry: accept or reject.
            lots (list[LotOut]):
            lots_answered (list[str]): By lot; empty where the buyer answered none.
            changes (list[ReportChange]):
            next_events (list[EventOffered]):
    """

    event: MovementWholeWhatWasEntered
    corrected_by: str
    answered_by: str
    answer: str
    lots: list[LotOut]
    lots_answered: list[str]
    changes: list[ReportChange]
    next_events: list[EventOffered]

    def to_dict(self) -> dict[str, Any]:
        event = self.event.to_dict()

        corrected_by = self.corrected_by

        answered_by = self.answered_by

        answer = self.answer

        lots = []
        for lots_item_data in self.lots:
            lots_item = lots_item_data.to_dict()
            lots.append(lots_item)

        lots_answered = self.lots_answered

        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        next_events = []
        for next_events_item_data in self.next_events:
            next_events_item = next_events_item_data.to_dict()
            next_events.append(next_events_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "event": event,
                "corrected_by": corrected_by,
                "answered_by": answered_by,
                "answer": answer,
                "lots": lots,
                "lots_answered": lots_answered,
                "changes": changes,
                "next_events": next_events,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_offered import EventOffered  # noqa: PLC0415
        from ..models.lot_out import LotOut  # noqa: PLC0415
        from ..models.movement_whole_what_was_entered import MovementWholeWhatWasEntered  # noqa: PLC0415
        from ..models.report_change import ReportChange  # noqa: PLC0415

        d = dict(src_dict)
        event = MovementWholeWhatWasEntered.from_dict(d.pop("event"))

        corrected_by = d.pop("corrected_by")

        answered_by = d.pop("answered_by")

        answer = d.pop("answer")

        lots = []
        _lots = d.pop("lots")
        for lots_item_data in _lots:
            lots_item = LotOut.from_dict(lots_item_data)

            lots.append(lots_item)

        lots_answered = cast(list[str], d.pop("lots_answered"))

        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = ReportChange.from_dict(changes_item_data)

            changes.append(changes_item)

        next_events = []
        _next_events = d.pop("next_events")
        for next_events_item_data in _next_events:
            next_events_item = EventOffered.from_dict(next_events_item_data)

            next_events.append(next_events_item)

        movement_whole = cls(
            event=event,
            corrected_by=corrected_by,
            answered_by=answered_by,
            answer=answer,
            lots=lots,
            lots_answered=lots_answered,
            changes=changes,
            next_events=next_events,
        )

        return movement_whole
