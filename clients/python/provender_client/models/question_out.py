from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="QuestionOut")


@_attrs_define
class QuestionOut:
    """Something that can be chosen: ``about`` names the part of ``POST .../choices`` that answers it.

    Attributes:
        about (str):
        subject (str):
        says (str):
    """

    about: str
    subject: str
    says: str

    def to_dict(self) -> dict[str, Any]:
        about = self.about

        subject = self.subject

        says = self.says

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "about": about,
                "subject": subject,
                "says": says,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        about = d.pop("about")

        subject = d.pop("subject")

        says = d.pop("says")

        question_out = cls(
            about=about,
            subject=subject,
            says=says,
        )

        return question_out
