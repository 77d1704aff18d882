from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.one_problem import OneProblem


T = TypeVar("T", bound="ProblemDocument")


@_attrs_define
class ProblemDocument:
    """RFC 9457.

    Attributes:
        type_ (str):
        title (str):
        status (int):
        detail (str):
        problems (list[OneProblem] | Unset):
    """

    type_: str
    title: str
    status: int
    detail: str
    problems: list[OneProblem] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        title = self.title

        status = self.status

        detail = self.detail

        problems: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.problems, Unset):
            problems = []
            for problems_item_data in self.problems:
                problems_item = problems_item_data.to_dict()
                problems.append(problems_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type_,
                "title": title,
                "status": status,
                "detail": detail,
            }
        )
        if problems is not UNSET:
            field_dict["problems"] = problems

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.one_problem import OneProblem  # noqa: PLC0415

        d = dict(src_dict)
        type_ = d.pop("type")

        title = d.pop("title")

        status = d.pop("status")

        detail = d.pop("detail")

        _problems = d.pop("problems", UNSET)
        problems: list[OneProblem] | Unset = UNSET
        if _problems is not UNSET:
            problems = []
            for problems_item_data in _problems:
                problems_item = OneProblem.from_dict(problems_item_data)

                problems.append(problems_item)

        problem_document = cls(
            type_=type_,
            title=title,
            status=status,
            detail=detail,
            problems=problems,
        )

        return problem_document
