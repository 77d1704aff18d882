from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AuditOut")


@_attrs_define
class AuditOut:
    """An audit, as both sides see it.

    Attributes:
        role (str):
        number (str):
        harvest_year (int):
        covered_first (datetime.date):
        covered_last (datetime.date):
        due_on (datetime.date):
        audit (str):
        verifier (str):
        audited (str):
        state (str): As lists on pages say it.
        findings_open (int):
        statement_signed (bool):
        verifier_key (str): Fingerprint of the key under which the verifier signs now.
    """

    role: str
    number: str
    harvest_year: int
    covered_first: datetime.date
    covered_last: datetime.date
    due_on: datetime.date
    audit: str
    verifier: str
    audited: str
    state: str
    findings_open: int
    statement_signed: bool
    verifier_key: str

    def to_dict(self) -> dict[str, Any]:
        role = self.role

        number = self.number

        harvest_year = self.harvest_year

        covered_first = self.covered_first.isoformat()

        covered_last = self.covered_last.isoformat()

        due_on = self.due_on.isoformat()

        audit = self.audit

        verifier = self.verifier

        audited = self.audited

        state = self.state

        findings_open = self.findings_open

        statement_signed = self.statement_signed

        verifier_key = self.verifier_key

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "role": role,
                "number": number,
                "harvest_year": harvest_year,
                "covered_first": covered_first,
                "covered_last": covered_last,
                "due_on": due_on,
                "audit": audit,
                "verifier": verifier,
                "audited": audited,
                "state": state,
                "findings_open": findings_open,
                "statement_signed": statement_signed,
                "verifier_key": verifier_key,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        role = d.pop("role")

        number = d.pop("number")

        harvest_year = d.pop("harvest_year")

        covered_first = datetime.date.fromisoformat(d.pop("covered_first"))

        covered_last = datetime.date.fromisoformat(d.pop("covered_last"))

        due_on = datetime.date.fromisoformat(d.pop("due_on"))

        audit = d.pop("audit")

        verifier = d.pop("verifier")

        audited = d.pop("audited")

        state = d.pop("state")

        findings_open = d.pop("findings_open")

        statement_signed = d.pop("statement_signed")

        verifier_key = d.pop("verifier_key")

        audit_out = cls(
            role=role,
            number=number,
            harvest_year=harvest_year,
            covered_first=covered_first,
            covered_last=covered_last,
            due_on=due_on,
            audit=audit,
            verifier=verifier,
            audited=audited,
            state=state,
            findings_open=findings_open,
            statement_signed=statement_signed,
            verifier_key=verifier_key,
        )

        return audit_out
