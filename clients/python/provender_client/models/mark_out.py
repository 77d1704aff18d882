from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.mark import Mark

T = TypeVar("T", bound="MarkOut")


@_attrs_define
class MarkOut:
    """The last mark of a line.

    Attributes:
        state (Mark): What became of a line.
        note (str):
        evidence (str): File, photograph or document number.
        by (str):
        at (str):
    """

    state: Mark
    note: str
    evidence: str
    by: str
    at: str

    def to_dict(self) -> dict[str, Any]:
        state = self.state.value

        note = self.note

        evidence = self.evidence

        by = self.by

        at = self.at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "state": state,
                "note": note,
                "evidence": evidence,
                "by": by,
                "at": at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        state = Mark(d.pop("state"))

        note = d.pop("note")

        evidence = d.pop("evidence")

        by = d.pop("by")

        at = d.pop("at")

        mark_out = cls(
            state=state,
            note=note,
            evidence=evidence,
            by=by,
            at=at,
        )

        return mark_out
