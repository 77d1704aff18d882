from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.opened_in_document import OpenedInDocument


T = TypeVar("T", bound="OpenedIn")


@_attrs_define
class OpenedIn:
    """A document to look at.

    Attributes:
        document (OpenedInDocument):
    """

    document: OpenedInDocument

    def to_dict(self) -> dict[str, Any]:
        document = self.document.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "document": document,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.opened_in_document import OpenedInDocument  # noqa: PLC0415

        d = dict(src_dict)
        document = OpenedInDocument.from_dict(d.pop("document"))

        opened_in = cls(
            document=document,
        )

        return opened_in
