from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.bearing import Bearing
from ..models.severity import Severity
from ..types import UNSET, Unset

T = TypeVar("T", bound="FindingChangeIn")


@_attrs_define
class FindingChangeIn:
    """Another weight, paragraph, owner or due date, with the reason; what is null stays.

    Attributes:
        text (str):
        severity (None | Severity | Unset):
        cite (None | str | Unset):
        owner (None | str | Unset):
        due (datetime.date | None | Unset):
        effect_bushels (str | Unset): Bushels or grams, if known. Default: ''.
        effect_g_co2e (str | Unset): Bushels or grams, if known. Default: ''.
        bearing (Bearing | None | Unset):
    """

    text: str
    severity: None | Severity | Unset = UNSET
    cite: None | str | Unset = UNSET
    owner: None | str | Unset = UNSET
    due: datetime.date | None | Unset = UNSET
    effect_bushels: str | Unset = ""
    effect_g_co2e: str | Unset = ""
    bearing: Bearing | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        text = self.text

        severity: None | str | Unset
        if isinstance(self.severity, Unset):
            severity = UNSET
        elif isinstance(self.severity, Severity):
            severity = self.severity.value
        else:
            severity = self.severity

        cite: None | str | Unset
        if isinstance(self.cite, Unset):
            cite = UNSET
        else:
            cite = self.cite

        owner: None | str | Unset
        if isinstance(self.owner, Unset):
            owner = UNSET
        else:
            owner = self.owner

        due: None | str | Unset
        if isinstance(self.due, Unset):
            due = UNSET
        elif isinstance(self.due, datetime.date):
            due = self.due.isoformat()
        else:
            due = self.due

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
                "text": text,
            }
        )
        if severity is not UNSET:
            field_dict["severity"] = severity
        if cite is not UNSET:
            field_dict["cite"] = cite
        if owner is not UNSET:
            field_dict["owner"] = owner
        if due is not UNSET:
            field_dict["due"] = due
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
        text = d.pop("text")

        def _parse_severity(data: object) -> None | Severity | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                severity_type_0 = Severity(data)

                return severity_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Severity | Unset, data)

        severity = _parse_severity(d.pop("severity", UNSET))

        def _parse_cite(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        cite = _parse_cite(d.pop("cite", UNSET))

        def _parse_owner(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        owner = _parse_owner(d.pop("owner", UNSET))

        def _parse_due(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                due_type_0 = datetime.date.fromisoformat(data)

                return due_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        due = _parse_due(d.pop("due", UNSET))

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

        finding_change_in = cls(
            text=text,
            severity=severity,
            cite=cite,
            owner=owner,
            due=due,
            effect_bushels=effect_bushels,
            effect_g_co2e=effect_g_co2e,
            bearing=bearing,
        )

        return finding_change_in
