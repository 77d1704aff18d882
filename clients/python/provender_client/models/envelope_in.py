from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.envelope_in_document import EnvelopeInDocument


T = TypeVar("T", bound="EnvelopeIn")


@_attrs_define
class EnvelopeIn:
    """A document signed on the verifier's own machine, as ``provender audit statement sign`` or ``add`` writes it.

    Attributes:
        document (EnvelopeInDocument):
        signature (str):
    """

    document: EnvelopeInDocument
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
        from ..models.envelope_in_document import EnvelopeInDocument  # noqa: PLC0415

        d = dict(src_dict)
        document = EnvelopeInDocument.from_dict(d.pop("document"))

        signature = d.pop("signature")

        envelope_in = cls(
            document=document,
            signature=signature,
        )

        return envelope_in
