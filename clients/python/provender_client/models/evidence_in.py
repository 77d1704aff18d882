from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="EvidenceIn")


@_attrs_define
class EvidenceIn:
    """A stored file to take in: what it is, which unit it is about, and the record it is for by kind and key.

    Attributes:
        file (str):
        what (str): A word of the column `what` of kind `evidence`.
        unit_id (str | Unset):  Default: ''.
        taken_on (datetime.date | None | Unset):
        note (str | Unset):  Default: ''.
        kind (str | Unset):  Default: ''.
        key (str | Unset):  Default: ''.
    """

    file: str
    what: str
    unit_id: str | Unset = ""
    taken_on: datetime.date | None | Unset = UNSET
    note: str | Unset = ""
    kind: str | Unset = ""
    key: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        file = self.file

        what = self.what

        unit_id = self.unit_id

        taken_on: None | str | Unset
        if isinstance(self.taken_on, Unset):
            taken_on = UNSET
        elif isinstance(self.taken_on, datetime.date):
            taken_on = self.taken_on.isoformat()
        else:
            taken_on = self.taken_on

        note = self.note

        kind = self.kind

        key = self.key

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "file": file,
                "what": what,
            }
        )
        if unit_id is not UNSET:
            field_dict["unit_id"] = unit_id
        if taken_on is not UNSET:
            field_dict["taken_on"] = taken_on
        if note is not UNSET:
            field_dict["note"] = note
        if kind is not UNSET:
            field_dict["kind"] = kind
        if key is not UNSET:
            field_dict["key"] = key

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        file = d.pop("file")

        what = d.pop("what")

        unit_id = d.pop("unit_id", UNSET)

        def _parse_taken_on(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                taken_on_type_0 = datetime.date.fromisoformat(data)

                return taken_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        taken_on = _parse_taken_on(d.pop("taken_on", UNSET))

        note = d.pop("note", UNSET)

        kind = d.pop("kind", UNSET)

        key = d.pop("key", UNSET)

        evidence_in = cls(
            file=file,
            what=what,
            unit_id=unit_id,
            taken_on=taken_on,
            note=note,
            kind=kind,
            key=key,
        )

        return evidence_in
