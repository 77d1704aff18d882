from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.severity import Severity

if TYPE_CHECKING:
    from ..models.finding_whole_events_item import FindingWholeEventsItem


T = TypeVar("T", bound="FindingWhole")


@_attrs_define
class FindingWhole:
    """A finding with everything that was said, the first event first.

    Attributes:
        number (str):
        severity (Severity): How much a finding weighs, heaviest first.
        cite (str): Such as 2100.034(d).
        subject (str):
        text (str):
        owner (str):
        due (datetime.date):
        overdue (bool):
        stage (str):
        response (str):
        resolution (str):
        effect_bushels (str):
        effect_g_co2e (str):
        bearing (str): Empty before the verifier judged it.
        events (list[FindingWholeEventsItem]):
    """

    number: str
    severity: Severity
    cite: str
    subject: str
    text: str
    owner: str
    due: datetime.date
    overdue: bool
    stage: str
    response: str
    resolution: str
    effect_bushels: str
    effect_g_co2e: str
    bearing: str
    events: list[FindingWholeEventsItem]

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        severity = self.severity.value

        cite = self.cite

        subject = self.subject

        text = self.text

        owner = self.owner

        due = self.due.isoformat()

        overdue = self.overdue

        stage = self.stage

        response = self.response

        resolution = self.resolution

        effect_bushels = self.effect_bushels

        effect_g_co2e = self.effect_g_co2e

        bearing = self.bearing

        events = []
        for events_item_data in self.events:
            events_item = events_item_data.to_dict()
            events.append(events_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "severity": severity,
                "cite": cite,
                "subject": subject,
                "text": text,
                "owner": owner,
                "due": due,
                "overdue": overdue,
                "stage": stage,
                "response": response,
                "resolution": resolution,
                "effect_bushels": effect_bushels,
                "effect_g_co2e": effect_g_co2e,
                "bearing": bearing,
                "events": events,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.finding_whole_events_item import FindingWholeEventsItem  # noqa: PLC0415

        d = dict(src_dict)
        number = d.pop("number")

        severity = Severity(d.pop("severity"))

        cite = d.pop("cite")

        subject = d.pop("subject")

        text = d.pop("text")

        owner = d.pop("owner")

        due = datetime.date.fromisoformat(d.pop("due"))

        overdue = d.pop("overdue")

        stage = d.pop("stage")

        response = d.pop("response")

        resolution = d.pop("resolution")

        effect_bushels = d.pop("effect_bushels")

        effect_g_co2e = d.pop("effect_g_co2e")

        bearing = d.pop("bearing")

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = FindingWholeEventsItem.from_dict(events_item_data)

            events.append(events_item)

        finding_whole = cls(
            number=number,
            severity=severity,
            cite=cite,
            subject=subject,
            text=text,
            owner=owner,
            due=due,
            overdue=overdue,
            stage=stage,
            response=response,
            resolution=resolution,
            effect_bushels=effect_bushels,
            effect_g_co2e=effect_g_co2e,
            bearing=bearing,
            events=events,
        )

        return finding_whole
