from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.word_chosen_about import WordChosenAbout

T = TypeVar("T", bound="WordChosen")


@_attrs_define
class WordChosen:
    """What a name in the files means; an empty meaning takes it back.

    Attributes:
        about (WordChosenAbout):
        typed (str):
        means (str):
    """

    about: WordChosenAbout
    typed: str
    means: str

    def to_dict(self) -> dict[str, Any]:
        about = self.about.value

        typed = self.typed

        means = self.means

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "about": about,
                "typed": typed,
                "means": means,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        about = WordChosenAbout(d.pop("about"))

        typed = d.pop("typed")

        means = d.pop("means")

        word_chosen = cls(
            about=about,
            typed=typed,
            means=means,
        )

        return word_chosen
