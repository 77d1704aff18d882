from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.evidence_out_row import EvidenceOutRow


T = TypeVar("T", bound="EvidenceOut")


@_attrs_define
class EvidenceOut:
    """A row of evidence; ``file`` is the code of its stored file, empty where none is stored here.

    Attributes:
        key (str):
        row (EvidenceOutRow):
        file (str):
    """

    key: str
    row: EvidenceOutRow
    file: str

    def to_dict(self) -> dict[str, Any]:
        key = self.key

        row = self.row.to_dict()

        file = self.file

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "key": key,
                "row": row,
                "file": file,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.evidence_out_row import EvidenceOutRow  # noqa: PLC0415

        d = dict(src_dict)
        key = d.pop("key")

        row = EvidenceOutRow.from_dict(d.pop("row"))

        file = d.pop("file")

        evidence_out = cls(
            key=key,
            row=row,
            file=file,
        )

        return evidence_out
