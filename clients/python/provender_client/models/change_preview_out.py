from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.removal_out import RemovalOut


T = TypeVar("T", bound="ChangePreviewOut")


@_attrs_define
class ChangePreviewOut:
    """What a change would do if it were written now; nothing is written.

    Attributes:
        version (int): Of the book, as it was looked at: what a change names as `after`.
        asks_first (bool): Whether a page would ask before it saves: something shown or signed today would say something
            else.
        would_change (RemovalOut): What goes with a row: verdicts, carbon intensities and signed reports that change,
            rows that name it.
    """

    version: int
    asks_first: bool
    would_change: RemovalOut

    def to_dict(self) -> dict[str, Any]:
        version = self.version

        asks_first = self.asks_first

        would_change = self.would_change.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "version": version,
                "asks_first": asks_first,
                "would_change": would_change,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.removal_out import RemovalOut  # noqa: PLC0415

        d = dict(src_dict)
        version = d.pop("version")

        asks_first = d.pop("asks_first")

        would_change = RemovalOut.from_dict(d.pop("would_change"))

        change_preview_out = cls(
            version=version,
            asks_first=asks_first,
            would_change=would_change,
        )

        return change_preview_out
