from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.mark import Mark
from ..types import UNSET, Unset

T = TypeVar("T", bound="MarkIn")


@_attrs_define
class MarkIn:
    """What became of a line, what was seen, and where it shows.

    Attributes:
        state (Mark): What became of a line.
        note (str):
        evidence (str | Unset):  Default: ''.
    """

    state: Mark
    note: str
    evidence: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        state = self.state.value

        note = self.note

        evidence = self.evidence

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "state": state,
                "note": note,
            }
        )
        if evidence is not UNSET:
            field_dict["evidence"] = evidence

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        state = Mark(d.pop("state"))

        note = d.pop("note")

        evidence = d.pop("evidence", UNSET)

        mark_in = cls(
            state=state,
            note=note,
            evidence=evidence,
        )

        return mark_in
