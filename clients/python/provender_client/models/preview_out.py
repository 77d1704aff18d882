from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.lot_out import LotOut
    from ..models.preview_out_facts import PreviewOutFacts


T = TypeVar("T", bound="PreviewOut")


@_attrs_define
class PreviewOut:
    """What an event would do: the book's answer, and the lots it would take.

    Attributes:
        message (str):
        facts (PreviewOutFacts):
        lots (list[LotOut]):
    """

    message: str
    facts: PreviewOutFacts
    lots: list[LotOut]

    def to_dict(self) -> dict[str, Any]:
        message = self.message

        facts = self.facts.to_dict()

        lots = []
        for lots_item_data in self.lots:
            lots_item = lots_item_data.to_dict()
            lots.append(lots_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message": message,
                "facts": facts,
                "lots": lots,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.lot_out import LotOut  # noqa: PLC0415
        from ..models.preview_out_facts import PreviewOutFacts  # noqa: PLC0415

        d = dict(src_dict)
        message = d.pop("message")

        facts = PreviewOutFacts.from_dict(d.pop("facts"))

        lots = []
        _lots = d.pop("lots")
        for lots_item_data in _lots:
            lots_item = LotOut.from_dict(lots_item_data)

            lots.append(lots_item)

        preview_out = cls(
            message=message,
            facts=facts,
            lots=lots,
        )

        return preview_out
