from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.severity import Severity

T = TypeVar("T", bound="FindingOut")


@_attrs_define
class FindingOut:
    """A finding as it stands.

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
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
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

        finding_out = cls(
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
        )

        return finding_out
