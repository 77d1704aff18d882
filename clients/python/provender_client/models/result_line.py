from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ResultLine")


@_attrs_define
class ResultLine:
    """A recomputation at a glance; ``clean`` where every number recomputes and nothing is missing.

    Attributes:
        number (int):
        at (str):
        what (str):
        subject (str):
        mark (str):
        clean (bool):
        differences (int):
    """

    number: int
    at: str
    what: str
    subject: str
    mark: str
    clean: bool
    differences: int

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        at = self.at

        what = self.what

        subject = self.subject

        mark = self.mark

        clean = self.clean

        differences = self.differences

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "at": at,
                "what": what,
                "subject": subject,
                "mark": mark,
                "clean": clean,
                "differences": differences,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        at = d.pop("at")

        what = d.pop("what")

        subject = d.pop("subject")

        mark = d.pop("mark")

        clean = d.pop("clean")

        differences = d.pop("differences")

        result_line = cls(
            number=number,
            at=at,
            what=what,
            subject=subject,
            mark=mark,
            clean=clean,
            differences=differences,
        )

        return result_line
