from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.signed_in_document import SignedInDocument


T = TypeVar("T", bound="SignedIn")


@_attrs_define
class SignedIn:
    """A report signed on the producer's own machine: the file that `provender keys sign` writes.

    Attributes:
        document (SignedInDocument):
        signature (str):
    """

    document: SignedInDocument
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
        from ..models.signed_in_document import SignedInDocument  # noqa: PLC0415

        d = dict(src_dict)
        document = SignedInDocument.from_dict(d.pop("document"))

        signature = d.pop("signature")

        signed_in = cls(
            document=document,
            signature=signature,
        )

        return signed_in
