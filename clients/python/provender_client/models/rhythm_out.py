from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.alert import Alert
from ..models.role import Role

T = TypeVar("T", bound="RhythmOut")


@_attrs_define
class RhythmOut:
    """Where a party stands in the yearly rhythm of audits; ``uncovered`` are first and last days without statement.

    Attributes:
        role (Role): In which role a party is audited.
        alert (Alert): How an entity stands, worst last.
        due_on (datetime.date | None):
        last_statement (str):
        uncovered (list[list[datetime.date]]):
        cite (str):
    """

    role: Role
    alert: Alert
    due_on: datetime.date | None
    last_statement: str
    uncovered: list[list[datetime.date]]
    cite: str

    def to_dict(self) -> dict[str, Any]:
        role = self.role.value

        alert = self.alert.value

        due_on: None | str
        if isinstance(self.due_on, datetime.date):
            due_on = self.due_on.isoformat()
        else:
            due_on = self.due_on

        last_statement = self.last_statement

        uncovered = []
        for uncovered_item_data in self.uncovered:
            uncovered_item = []
            for uncovered_item_item_data in uncovered_item_data:
                uncovered_item_item: str
                if isinstance(uncovered_item_item_data, datetime.date):
                    uncovered_item_item = uncovered_item_item_data.isoformat()

                uncovered_item.append(uncovered_item_item)

            uncovered.append(uncovered_item)

        cite = self.cite

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "role": role,
                "alert": alert,
                "due_on": due_on,
                "last_statement": last_statement,
                "uncovered": uncovered,
                "cite": cite,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        role = Role(d.pop("role"))

        alert = Alert(d.pop("alert"))

        def _parse_due_on(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                due_on_type_0 = datetime.date.fromisoformat(data)

                return due_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        due_on = _parse_due_on(d.pop("due_on"))

        last_statement = d.pop("last_statement")

        uncovered = []
        _uncovered = d.pop("uncovered")
        for uncovered_item_data in _uncovered:
            uncovered_item = []
            _uncovered_item = uncovered_item_data
            for uncovered_item_item_data in _uncovered_item:

                def _parse_uncovered_item_item(data: object) -> datetime.date:
                    if not isinstance(data, str):
                        raise TypeError()
                    uncovered_item_item_type_0 = datetime.date.fromisoformat(data)

                    return uncovered_item_item_type_0

                uncovered_item_item = _parse_uncovered_item_item(uncovered_item_item_data)

                uncovered_item.append(uncovered_item_item)

            uncovered.append(uncovered_item)

        cite = d.pop("cite")

        rhythm_out = cls(
            role=role,
            alert=alert,
            due_on=due_on,
            last_statement=last_statement,
            uncovered=uncovered,
            cite=cite,
        )

        return rhythm_out
