from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.book_out_rows import BookOutRows


T = TypeVar("T", bound="BookOut")


@_attrs_define
class BookOut:
    """A record book and its head.

    Attributes:
        book (str):
        version (int):
        hash_ (str):
        rows (BookOutRows): By kind of record.
    """

    book: str
    version: int
    hash_: str
    rows: BookOutRows

    def to_dict(self) -> dict[str, Any]:
        book = self.book

        version = self.version

        hash_ = self.hash_

        rows = self.rows.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "book": book,
                "version": version,
                "hash": hash_,
                "rows": rows,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.book_out_rows import BookOutRows  # noqa: PLC0415

        d = dict(src_dict)
        book = d.pop("book")

        version = d.pop("version")

        hash_ = d.pop("hash")

        rows = BookOutRows.from_dict(d.pop("rows"))

        book_out = cls(
            book=book,
            version=version,
            hash_=hash_,
            rows=rows,
        )

        return book_out
