from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.later_out_document import LaterOutDocument


T = TypeVar("T", bound="LaterOut")


@_attrs_define
class LaterOut:
    """A fact found after the statement was signed, as it was signed.

    Attributes:
        number (int):
        document (LaterOutDocument):
        signature (str):
    """

    number: int
    document: LaterOutDocument
    signature: str

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        document = self.document.to_dict()

        signature = self.signature

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "document": document,
                "signature": signature,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.later_out_document import LaterOutDocument  # noqa: PLC0415

        d = dict(src_dict)
        number = d.pop("number")

        document = LaterOutDocument.from_dict(d.pop("document"))

        signature = d.pop("signature")

        later_out = cls(
            number=number,
            document=document,
            signature=signature,
        )

        return later_out
