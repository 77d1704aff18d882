from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ResponseIn")


@_attrs_define
class ResponseIn:
    """What the audited party answers, and where it shows.

    Attributes:
        text (str):
        evidence (str | Unset):  Default: ''.
    """

    text: str
    evidence: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        text = self.text

        evidence = self.evidence

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "text": text,
            }
        )
        if evidence is not UNSET:
            field_dict["evidence"] = evidence

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        text = d.pop("text")

        evidence = d.pop("evidence", UNSET)

        response_in = cls(
            text=text,
            evidence=evidence,
        )

        return response_in
