from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.range_in import RangeIn


T = TypeVar("T", bound="ProcessEvent")


@_attrs_define
class ProcessEvent:
    """Turns claims on crop (or on a product) into claims on a product.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        crop (str): The crop behind the claims.
        entity (str): Who owns the claims.
        output (str): What they become.
        type_ (Literal['process']):
        actor (None | str | Unset): Who entered it.
        form (None | str | Unset): The crop itself (left out) or a product.
        bushels (None | str | Unset): How much, for a crop.
        pounds (None | str | Unset): How much, for a product.
        harvest_year (int | None | Unset): Only this year; 0 for any.
        site (None | str | Unset): The plant's site, where the crop lies.
        lots (list[RangeIn] | None | Unset): Exactly these serials, in this order; the policy is not asked.
        ci_min (None | str | Unset): Nothing below this carbon intensity.
        ci_max (None | str | Unset): Nothing above it; empty for any.
        plant (None | str | Unset): Who crushes; the owner itself unless it is toll crushing.
    """

    id: str
    day: datetime.date
    crop: str
    entity: str
    output: str
    type_: Literal["process"]
    actor: None | str | Unset = UNSET
    form: None | str | Unset = UNSET
    bushels: None | str | Unset = UNSET
    pounds: None | str | Unset = UNSET
    harvest_year: int | None | Unset = UNSET
    site: None | str | Unset = UNSET
    lots: list[RangeIn] | None | Unset = UNSET
    ci_min: None | str | Unset = UNSET
    ci_max: None | str | Unset = UNSET
    plant: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        crop = self.crop

        entity = self.entity

        output = self.output

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        form: None | str | Unset
        if isinstance(self.form, Unset):
            form = UNSET
        else:
            form = self.form

        bushels: None | str | Unset
        if isinstance(self.bushels, Unset):
            bushels = UNSET
        else:
            bushels = self.bushels

        pounds: None | str | Unset
        if isinstance(self.pounds, Unset):
            pounds = UNSET
        else:
            pounds = self.pounds

        harvest_year: int | None | Unset
        if isinstance(self.harvest_year, Unset):
            harvest_year = UNSET
        else:
            harvest_year = self.harvest_year

        site: None | str | Unset
        if isinstance(self.site, Unset):
            site = UNSET
        else:
            site = self.site

        lots: list[dict[str, Any]] | None | Unset
        if isinstance(self.lots, Unset):
            lots = UNSET
        elif isinstance(self.lots, list):
            lots = []
            for lots_type_0_item_data in self.lots:
                lots_type_0_item = lots_type_0_item_data.to_dict()
                lots.append(lots_type_0_item)

        else:
            lots = self.lots

        ci_min: None | str | Unset
        if isinstance(self.ci_min, Unset):
            ci_min = UNSET
        else:
            ci_min = self.ci_min

        ci_max: None | str | Unset
        if isinstance(self.ci_max, Unset):
            ci_max = UNSET
        else:
            ci_max = self.ci_max

        plant: None | str | Unset
        if isinstance(self.plant, Unset):
            plant = UNSET
        else:
            plant = self.plant

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "crop": crop,
                "entity": entity,
                "output": output,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if form is not UNSET:
            field_dict["form"] = form
        if bushels is not UNSET:
            field_dict["bushels"] = bushels
        if pounds is not UNSET:
            field_dict["pounds"] = pounds
        if harvest_year is not UNSET:
            field_dict["harvest_year"] = harvest_year
        if site is not UNSET:
            field_dict["site"] = site
        if lots is not UNSET:
            field_dict["lots"] = lots
        if ci_min is not UNSET:
            field_dict["ci_min"] = ci_min
        if ci_max is not UNSET:
            field_dict["ci_max"] = ci_max
        if plant is not UNSET:
            field_dict["plant"] = plant

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.range_in import RangeIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        crop = d.pop("crop")

        entity = d.pop("entity")

        output = d.pop("output")

        type_ = cast(Literal["process"], d.pop("type"))
        if type_ != "process":
            raise ValueError(f"type must match const 'process', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_form(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        form = _parse_form(d.pop("form", UNSET))

        def _parse_bushels(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        bushels = _parse_bushels(d.pop("bushels", UNSET))

        def _parse_pounds(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pounds = _parse_pounds(d.pop("pounds", UNSET))

        def _parse_harvest_year(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        harvest_year = _parse_harvest_year(d.pop("harvest_year", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

        def _parse_lots(data: object) -> list[RangeIn] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                lots_type_0 = []
                _lots_type_0 = data
                for lots_type_0_item_data in _lots_type_0:
                    lots_type_0_item = RangeIn.from_dict(lots_type_0_item_data)

                    lots_type_0.append(lots_type_0_item)

                return lots_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[RangeIn] | None | Unset, data)

        lots = _parse_lots(d.pop("lots", UNSET))

        def _parse_ci_min(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        ci_min = _parse_ci_min(d.pop("ci_min", UNSET))

        def _parse_ci_max(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        ci_max = _parse_ci_max(d.pop("ci_max", UNSET))

        def _parse_plant(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        plant = _parse_plant(d.pop("plant", UNSET))

        process_event = cls(
            id=id,
            day=day,
            crop=crop,
            entity=entity,
            output=output,
            type_=type_,
            actor=actor,
            form=form,
            bushels=bushels,
            pounds=pounds,
            harvest_year=harvest_year,
            site=site,
            lots=lots,
            ci_min=ci_min,
            ci_max=ci_max,
            plant=plant,
        )

        return process_event
