from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.paper_in_document import PaperInDocument


T = TypeVar("T", bound="PaperIn")


@_attrs_define
class PaperIn:
    """A paper signed on the organization's own machine: of a sale, a period or a year, a notice or a consent.

    Attributes:
        document (PaperInDocument):
        signature (str):
    """

    document: PaperInDocument
    signature: str

    def to_dict(self) -> dict[str, Any]:
        document = self.document.to_dict()

        signature = self.signature

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "document": document,
                "signature": signature,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.paper_in_document import PaperInDocument  # noqa: PLC0415

        d = dict(src_dict)
        document = PaperInDocument.from_dict(d.pop("document"))

        signature = d.pop("signature")

        paper_in = cls(
            document=document,
            signature=signature,
        )

        return paper_in
