from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.result_out_checks_item import ResultOutChecksItem
    from ..models.result_out_made import ResultOutMade
    from ..models.result_out_not_shown_item import ResultOutNotShownItem
    from ..models.result_out_places_item import ResultOutPlacesItem
    from ..models.result_out_problems_item import ResultOutProblemsItem


T = TypeVar("T", bound="ResultOut")


@_attrs_define
class ResultOut:
    """What a recomputation found: its checks, where to look first (most at stake first), what is not shown.

    Attributes:
        number (int):
        at (str):
        what (str):
        subject (str):
        mark (str):
        clean (bool):
        differences (int):
        made (ResultOutMade):
        problems (list[ResultOutProblemsItem]):
        checks (list[ResultOutChecksItem]):
        places (list[ResultOutPlacesItem]):
        not_shown (list[ResultOutNotShownItem]):
    """

    number: int
    at: str
    what: str
    subject: str
    mark: str
    clean: bool
    differences: int
    made: ResultOutMade
    problems: list[ResultOutProblemsItem]
    checks: list[ResultOutChecksItem]
    places: list[ResultOutPlacesItem]
    not_shown: list[ResultOutNotShownItem]

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        at = self.at

        what = self.what

        subject = self.subject

        mark = self.mark

        clean = self.clean

        differences = self.differences

        made = self.made.to_dict()

        problems = []
        for problems_item_data in self.problems:
            problems_item = problems_item_data.to_dict()
            problems.append(problems_item)

        checks = []
        for checks_item_data in self.checks:
            checks_item = checks_item_data.to_dict()
            checks.append(checks_item)

        places = []
        for places_item_data in self.places:
            places_item = places_item_data.to_dict()
            places.append(places_item)

        not_shown = []
        for not_shown_item_data in self.not_shown:
            not_shown_item = not_shown_item_data.to_dict()
            not_shown.append(not_shown_item)

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
                "made": made,
                "problems": problems,
                "checks": checks,
                "places": places,
                "not_shown": not_shown,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.result_out_checks_item import ResultOutChecksItem  # noqa: PLC0415
        from ..models.result_out_made import ResultOutMade  # noqa: PLC0415
        from ..models.result_out_not_shown_item import ResultOutNotShownItem  # noqa: PLC0415
        from ..models.result_out_places_item import ResultOutPlacesItem  # noqa: PLC0415
        from ..models.result_out_problems_item import ResultOutProblemsItem  # noqa: PLC0415

        d = dict(src_dict)
        number = d.pop("number")

        at = d.pop("at")

        what = d.pop("what")

        subject = d.pop("subject")

        mark = d.pop("mark")

        clean = d.pop("clean")

        differences = d.pop("differences")

        made = ResultOutMade.from_dict(d.pop("made"))

        problems = []
        _problems = d.pop("problems")
        for problems_item_data in _problems:
            problems_item = ResultOutProblemsItem.from_dict(problems_item_data)

            problems.append(problems_item)

        checks = []
        _checks = d.pop("checks")
        for checks_item_data in _checks:
            checks_item = ResultOutChecksItem.from_dict(checks_item_data)

            checks.append(checks_item)

        places = []
        _places = d.pop("places")
        for places_item_data in _places:
            places_item = ResultOutPlacesItem.from_dict(places_item_data)

            places.append(places_item)

        not_shown = []
        _not_shown = d.pop("not_shown")
        for not_shown_item_data in _not_shown:
            not_shown_item = ResultOutNotShownItem.from_dict(not_shown_item_data)

            not_shown.append(not_shown_item)

        result_out = cls(
            number=number,
            at=at,
            what=what,
            subject=subject,
            mark=mark,
            clean=clean,
            differences=differences,
            made=made,
            problems=problems,
            checks=checks,
            places=places,
            not_shown=not_shown,
        )

        return result_out
