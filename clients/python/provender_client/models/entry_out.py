from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.entry_out_what_it_says import EntryOutWhatItSays


T = TypeVar("T", bound="EntryOut")


@_attrs_define
class EntryOut:
    """Something that happened in an audit.

    Attributes:
        number (int):
        kind (str):
        at (str):
        said (EntryOutWhatItSays):
    """

    number: int
    kind: str
    at: str
    said: EntryOutWhatItSays

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        kind = self.kind

        at = self.at

        said = self.said.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "kind": kind,
                "at": at,
                "said": said,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.entry_out_what_it_says import EntryOutWhatItSays  # noqa: PLC0415

        d = dict(src_dict)
        number = d.pop("number")

        kind = d.pop("kind")

        at = d.pop("at")

        said = EntryOutWhatItSays.from_dict(d.pop("said"))

        entry_out = cls(
            number=number,
            kind=kind,
            at=at,
            said=said,
        )

        return entry_out
