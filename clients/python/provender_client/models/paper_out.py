from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.paper_out_document import PaperOutDocument


T = TypeVar("T", bound="PaperOut")


@_attrs_define
class PaperOut:
    """A paper of the organization; ``signature`` is null while none was brought.

    Attributes:
        document (PaperOutDocument):
        signature (None | str):
    """

    document: PaperOutDocument
    signature: None | str

    def to_dict(self) -> dict[str, Any]:
        document = self.document.to_dict()

        signature: None | str
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
        from ..models.paper_out_document import PaperOutDocument  # noqa: PLC0415

        d = dict(src_dict)
        document = PaperOutDocument.from_dict(d.pop("document"))

        def _parse_signature(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        signature = _parse_signature(d.pop("signature"))

        paper_out = cls(
            document=document,
            signature=signature,
        )

        return paper_out
