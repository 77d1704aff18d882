from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.document_in_document import DocumentInDocument


T = TypeVar("T", bound="DocumentIn")


@_attrs_define
class DocumentIn:
    """A signed document from a party without an account here.

    Attributes:
        document (DocumentInDocument):
        site (str | Unset):  Default: ''.
        accept (bool | Unset):  Default: True.
    """

    document: DocumentInDocument
    site: str | Unset = ""
    accept: bool | Unset = True

    def to_dict(self) -> dict[str, Any]:
        document = self.document.to_dict()

        site = self.site

        accept = self.accept

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "document": document,
            }
        )
        if site is not UNSET:
            field_dict["site"] = site
        if accept is not UNSET:
            field_dict["accept"] = accept

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.document_in_document import DocumentInDocument  # noqa: PLC0415

        d = dict(src_dict)
        document = DocumentInDocument.from_dict(d.pop("document"))

        site = d.pop("site", UNSET)

        accept = d.pop("accept", UNSET)

        document_in = cls(
            document=document,
            site=site,
            accept=accept,
        )

        return document_in
