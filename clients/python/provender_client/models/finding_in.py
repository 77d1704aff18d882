from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.bearing import Bearing
from ..models.severity import Severity
from ..types import UNSET, Unset

T = TypeVar("T", bound="FindingIn")


@_attrs_define
class FindingIn:
    """A finding to raise.

    Attributes:
        severity (Severity): How much a finding weighs, heaviest first.
        cite (str): Such as 2100.034(d).
        subject (str): One line of text.
        text (str):
        owner (str): One line of text.
        due (datetime.date):
        effect_bushels (str | Unset): Bushels or grams, if known. Default: ''.
        effect_g_co2e (str | Unset): Bushels or grams, if known. Default: ''.
        bearing (Bearing | None | Unset):
    """

    severity: Severity
    cite: str
    subject: str
    text: str
    owner: str
    due: datetime.date
    effect_bushels: str | Unset = ""
    effect_g_co2e: str | Unset = ""
    bearing: Bearing | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        severity = self.severity.value

        cite = self.cite

        subject = self.subject

        text = self.text

        owner = self.owner

        due = self.due.isoformat()

        effect_bushels = self.effect_bushels

        effect_g_co2e = self.effect_g_co2e

        bearing: None | str | Unset
        if isinstance(self.bearing, Unset):
            bearing = UNSET
        elif isinstance(self.bearing, Bearing):
            bearing = self.bearing.value
        else:
            bearing = self.bearing

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "severity": severity,
                "cite": cite,
                "subject": subject,
                "text": text,
                "owner": owner,
                "due": due,
            }
        )
        if effect_bushels is not UNSET:
            field_dict["effect_bushels"] = effect_bushels
        if effect_g_co2e is not UNSET:
            field_dict["effect_g_co2e"] = effect_g_co2e
        if bearing is not UNSET:
            field_dict["bearing"] = bearing

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        severity = Severity(d.pop("severity"))

        cite = d.pop("cite")

        subject = d.pop("subject")

        text = d.pop("text")

        owner = d.pop("owner")

        due = datetime.date.fromisoformat(d.pop("due"))

        effect_bushels = d.pop("effect_bushels", UNSET)

        effect_g_co2e = d.pop("effect_g_co2e", UNSET)

        def _parse_bearing(data: object) -> Bearing | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                bearing_type_0 = Bearing(data)

                return bearing_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Bearing | None | Unset, data)

        bearing = _parse_bearing(d.pop("bearing", UNSET))

        finding_in = cls(
            severity=severity,
            cite=cite,
            subject=subject,
            text=text,
            owner=owner,
            due=due,
            effect_bushels=effect_bushels,
            effect_g_co2e=effect_g_co2e,
            bearing=bearing,
        )

        return finding_in
