from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.slip_out_document import SlipOutDocument


T = TypeVar("T", bound="SlipOut")


@_attrs_define
class SlipOut:
    """A signed slip by its code, and the document with its detached signature.

    Attributes:
        code (str):
        document (SlipOutDocument):
        signature (str):
    """

    code: str
    document: SlipOutDocument
    signature: str

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        document = self.document.to_dict()

        signature = self.signature

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "document": document,
                "signature": signature,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.slip_out_document import SlipOutDocument  # noqa: PLC0415

        d = dict(src_dict)
        code = d.pop("code")

        document = SlipOutDocument.from_dict(d.pop("document"))

        signature = d.pop("signature")

        slip_out = cls(
            code=code,
            document=document,
            signature=signature,
        )

        return slip_out
