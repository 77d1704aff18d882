from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.slip_in_document import SlipInDocument


T = TypeVar("T", bound="SlipIn")


@_attrs_define
class SlipIn:
    """A slip as it was drafted, signed on the producer's own machine: the file that `provender keys sign` writes.

    Attributes:
        document (SlipInDocument):
        signature (str):
        contract (str | Unset):  Default: ''.
    """

    document: SlipInDocument
    signature: str
    contract: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        document = self.document.to_dict()

        signature = self.signature

        contract = self.contract

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "document": document,
                "signature": signature,
            }
        )
        if contract is not UNSET:
            field_dict["contract"] = contract

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.slip_in_document import SlipInDocument  # noqa: PLC0415

        d = dict(src_dict)
        document = SlipInDocument.from_dict(d.pop("document"))

        signature = d.pop("signature")

        contract = d.pop("contract", UNSET)

        slip_in = cls(
            document=document,
            signature=signature,
            contract=contract,
        )

        return slip_in
