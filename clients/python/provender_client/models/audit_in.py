from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.role import Role

T = TypeVar("T", bound="AuditIn")


@_attrs_define
class AuditIn:
    """An audit to open: of whom, in which role, over which days.

    Attributes:
        audited (str): The party's code.
        role (Role): In which role a party is audited.
        number (str): One line of text.
        harvest_year (int):
        covered_first (datetime.date):
        covered_last (datetime.date):
        due_on (datetime.date):
    """

    audited: str
    role: Role
    number: str
    harvest_year: int
    covered_first: datetime.date
    covered_last: datetime.date
    due_on: datetime.date

    def to_dict(self) -> dict[str, Any]:
        audited = self.audited

        role = self.role.value

        number = self.number

        harvest_year = self.harvest_year

        covered_first = self.covered_first.isoformat()

        covered_last = self.covered_last.isoformat()

        due_on = self.due_on.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "audited": audited,
                "role": role,
                "number": number,
                "harvest_year": harvest_year,
                "covered_first": covered_first,
                "covered_last": covered_last,
                "due_on": due_on,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        audited = d.pop("audited")

        role = Role(d.pop("role"))

        number = d.pop("number")

        harvest_year = d.pop("harvest_year")

        covered_first = datetime.date.fromisoformat(d.pop("covered_first"))

        covered_last = datetime.date.fromisoformat(d.pop("covered_last"))

        due_on = datetime.date.fromisoformat(d.pop("due_on"))

        audit_in = cls(
            audited=audited,
            role=role,
            number=number,
            harvest_year=harvest_year,
            covered_first=covered_first,
            covered_last=covered_last,
            due_on=due_on,
        )

        return audit_in
