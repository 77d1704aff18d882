from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.growing_ask import GrowingAsk
    from ..models.growing_practice import GrowingPractice


T = TypeVar("T", bound="GrowingCropOut")


@_attrs_define
class GrowingCropOut:
    """A crop in the ground, or planned, with what it asks for; no report waits for any of it.

    Attributes:
        harvest_id (str):
        unit_id (str):
        crop (str):
        harvest_year (int | None): Null where nothing recorded says it.
        practices (list[GrowingPractice]):
        asks (list[GrowingAsk]): The soonest first.
        later (list[GrowingAsk]):
        unsaid (bool):
    """

    harvest_id: str
    unit_id: str
    crop: str
    harvest_year: int | None
    practices: list[GrowingPractice]
    asks: list[GrowingAsk]
    later: list[GrowingAsk]
    unsaid: bool

    def to_dict(self) -> dict[str, Any]:
        harvest_id = self.harvest_id

        unit_id = self.unit_id

        crop = self.crop

        harvest_year: int | None
        harvest_year = self.harvest_year

        practices = []
        for practices_item_data in self.practices:
            practices_item = practices_item_data.to_dict()
            practices.append(practices_item)

        asks = []
        for asks_item_data in self.asks:
            asks_item = asks_item_data.to_dict()
            asks.append(asks_item)

        later = []
        for later_item_data in self.later:
            later_item = later_item_data.to_dict()
            later.append(later_item)

        unsaid = self.unsaid

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "harvest_id": harvest_id,
                "unit_id": unit_id,
                "crop": crop,
                "harvest_year": harvest_year,
                "practices": practices,
                "asks": asks,
                "later": later,
                "unsaid": unsaid,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.growing_ask import GrowingAsk  # noqa: PLC0415
        from ..models.growing_practice import GrowingPractice  # noqa: PLC0415

        d = dict(src_dict)
        harvest_id = d.pop("harvest_id")

        unit_id = d.pop("unit_id")

        crop = d.pop("crop")

        def _parse_harvest_year(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        harvest_year = _parse_harvest_year(d.pop("harvest_year"))

        practices = []
        _practices = d.pop("practices")
        for practices_item_data in _practices:
            practices_item = GrowingPractice.from_dict(practices_item_data)

            practices.append(practices_item)

        asks = []
        _asks = d.pop("asks")
        for asks_item_data in _asks:
            asks_item = GrowingAsk.from_dict(asks_item_data)

            asks.append(asks_item)

        later = []
        _later = d.pop("later")
        for later_item_data in _later:
            later_item = GrowingAsk.from_dict(later_item_data)

            later.append(later_item)

        unsaid = d.pop("unsaid")

        growing_crop_out = cls(
            harvest_id=harvest_id,
            unit_id=unit_id,
            crop=crop,
            harvest_year=harvest_year,
            practices=practices,
            asks=asks,
            later=later,
            unsaid=unsaid,
        )

        return growing_crop_out
