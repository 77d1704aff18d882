from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.package_state import PackageState

if TYPE_CHECKING:
    from ..models.package_out_made_type_0 import PackageOutMadeType0
    from ..models.package_out_problems_item import PackageOutProblemsItem
    from ..models.progress_out import ProgressOut


T = TypeVar("T", bound="PackageOut")


@_attrs_define
class PackageOut:
    """A package that was asked for; ``result`` is the number of its result once it is recomputed.

    Attributes:
        number (int):
        what (str):
        recompute (bool):
        asked_at (str):
        asked_by (str):
        state (PackageState): How a package stands that was asked for.
        progress (None | ProgressOut):
        made (None | PackageOutMadeType0):
        result (int | None):
        problems (list[PackageOutProblemsItem]):
        downloadable (bool):
    """

    number: int
    what: str
    recompute: bool
    asked_at: str
    asked_by: str
    state: PackageState
    progress: None | ProgressOut
    made: None | PackageOutMadeType0
    result: int | None
    problems: list[PackageOutProblemsItem]
    downloadable: bool

    def to_dict(self) -> dict[str, Any]:
        from ..models.package_out_made_type_0 import PackageOutMadeType0  # noqa: PLC0415
        from ..models.progress_out import ProgressOut  # noqa: PLC0415

        number = self.number

        what = self.what

        recompute = self.recompute

        asked_at = self.asked_at

        asked_by = self.asked_by

        state = self.state.value

        progress: dict[str, Any] | None
        if isinstance(self.progress, ProgressOut):
            progress = self.progress.to_dict()
        else:
            progress = self.progress

        made: dict[str, Any] | None
        if isinstance(self.made, PackageOutMadeType0):
            made = self.made.to_dict()
        else:
            made = self.made

        result: int | None
        result = self.result

        problems = []
        for problems_item_data in self.problems:
            problems_item = problems_item_data.to_dict()
            problems.append(problems_item)

        downloadable = self.downloadable

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "what": what,
                "recompute": recompute,
                "asked_at": asked_at,
                "asked_by": asked_by,
                "state": state,
                "progress": progress,
                "made": made,
                "result": result,
                "problems": problems,
                "downloadable": downloadable,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.package_out_made_type_0 import PackageOutMadeType0  # noqa: PLC0415
        from ..models.package_out_problems_item import PackageOutProblemsItem  # noqa: PLC0415
        from ..models.progress_out import ProgressOut  # noqa: PLC0415

        d = dict(src_dict)
        number = d.pop("number")

        what = d.pop("what")

        recompute = d.pop("recompute")

        asked_at = d.pop("asked_at")

        asked_by = d.pop("asked_by")

        state = PackageState(d.pop("state"))

        def _parse_progress(data: object) -> None | ProgressOut:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                progress_type_0 = ProgressOut.from_dict(data)

                return progress_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ProgressOut, data)

        progress = _parse_progress(d.pop("progress"))

        def _parse_made(data: object) -> None | PackageOutMadeType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                made_type_0 = PackageOutMadeType0.from_dict(data)

                return made_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PackageOutMadeType0, data)

        made = _parse_made(d.pop("made"))

        def _parse_result(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        result = _parse_result(d.pop("result"))

        problems = []
        _problems = d.pop("problems")
        for problems_item_data in _problems:
            problems_item = PackageOutProblemsItem.from_dict(problems_item_data)

            problems.append(problems_item)

        downloadable = d.pop("downloadable")

        package_out = cls(
            number=number,
            what=what,
            recompute=recompute,
            asked_at=asked_at,
            asked_by=asked_by,
            state=state,
            progress=progress,
            made=made,
            result=result,
            problems=problems,
            downloadable=downloadable,
        )

        return package_out
