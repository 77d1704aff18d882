from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.entry_chosen_ending import EntryChosenEnding
from ..types import UNSET, Unset

T = TypeVar("T", bound="EntryChosen")


@_attrs_define
class EntryChosen:
    """A crop entry that rows need and the book has not, by the name that a question gives; no ending takes it back.

    Attributes:
        name (str):
        crop (str | Unset):  Default: ''.
        ending (EntryChosenEnding | Unset):  Default: EntryChosenEnding.NOT_YET.
        day (str | Unset): On which it ended, where it has. Default: ''.
    """

    name: str
    crop: str | Unset = ""
    ending: EntryChosenEnding | Unset = EntryChosenEnding.NOT_YET
    day: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        crop = self.crop

        ending: str | Unset = UNSET
        if not isinstance(self.ending, Unset):
            ending = self.ending.value

        day = self.day

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if crop is not UNSET:
            field_dict["crop"] = crop
        if ending is not UNSET:
            field_dict["ending"] = ending
        if day is not UNSET:
            field_dict["day"] = day

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        crop = d.pop("crop", UNSET)

        _ending = d.pop("ending", UNSET)
        ending: EntryChosenEnding | Unset
        if isinstance(_ending, Unset):
            ending = UNSET
        else:
            ending = EntryChosenEnding(_ending)

        day = d.pop("day", UNSET)

        entry_chosen = cls(
            name=name,
            crop=crop,
            ending=ending,
            day=day,
        )

        return entry_chosen
