from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.draft_out_document import DraftOutDocument
    from ..models.need_out import NeedOut


T = TypeVar("T", bound="DraftOut")


@_attrs_define
class DraftOut:
    """The statement as it is to be signed today, and what stands against that.

    Attributes:
        document (DraftOutDocument):
        against (list[NeedOut]):
    """

    document: DraftOutDocument
    against: list[NeedOut]

    def to_dict(self) -> dict[str, Any]:
        document = self.document.to_dict()

        against = []
        for against_item_data in self.against:
            against_item = against_item_data.to_dict()
            against.append(against_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "document": document,
                "against": against,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.draft_out_document import DraftOutDocument  # noqa: PLC0415
        from ..models.need_out import NeedOut  # noqa: PLC0415

        d = dict(src_dict)
        document = DraftOutDocument.from_dict(d.pop("document"))

        against = []
        _against = d.pop("against")
        for against_item_data in _against:
            against_item = NeedOut.from_dict(against_item_data)

            against.append(against_item)

        draft_out = cls(
            document=document,
            against=against,
        )

        return draft_out
