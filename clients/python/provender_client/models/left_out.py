from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.serials_out import SerialsOut


T = TypeVar("T", bound="LeftOut")


@_attrs_define
class LeftOut:
    """Where the bushels of a report are, as decimal text; null is not known.

    ``left`` is what was harvested less what is ``gone`` by the sale records; ``unrecorded`` is how much more buyers
    hold by the serials than the sale records say. No serials are there while no report is signed.

        Attributes:
            crop (str):
            harvest_year (int):
            harvested (None | str):
            gone (None | str):
            left (None | str):
            unrecorded (str):
            serials (None | SerialsOut):
    """

    crop: str
    harvest_year: int
    harvested: None | str
    gone: None | str
    left: None | str
    unrecorded: str
    serials: None | SerialsOut

    def to_dict(self) -> dict[str, Any]:
        from ..models.serials_out import SerialsOut  # noqa: PLC0415

        crop = self.crop

        harvest_year = self.harvest_year

        harvested: None | str
        harvested = self.harvested

        gone: None | str
        gone = self.gone

        left: None | str
        left = self.left

        unrecorded = self.unrecorded

        serials: dict[str, Any] | None
        if isinstance(self.serials, SerialsOut):
            serials = self.serials.to_dict()
        else:
            serials = self.serials

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "harvested": harvested,
                "gone": gone,
                "left": left,
                "unrecorded": unrecorded,
                "serials": serials,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.serials_out import SerialsOut  # noqa: PLC0415

        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        def _parse_harvested(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        harvested = _parse_harvested(d.pop("harvested"))

        def _parse_gone(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        gone = _parse_gone(d.pop("gone"))

        def _parse_left(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        left = _parse_left(d.pop("left"))

        unrecorded = d.pop("unrecorded")

        def _parse_serials(data: object) -> None | SerialsOut:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                serials_type_0 = SerialsOut.from_dict(data)

                return serials_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SerialsOut, data)

        serials = _parse_serials(d.pop("serials"))

        left_out = cls(
            crop=crop,
            harvest_year=harvest_year,
            harvested=harvested,
            gone=gone,
            left=left,
            unrecorded=unrecorded,
            serials=serials,
        )

        return left_out
