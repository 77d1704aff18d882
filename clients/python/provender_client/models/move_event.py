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


T = TypeVar("T", bound="MoveEvent")


@_attrs_define
class MoveEvent:
    """Moves grain, claims or both from one site of an entity to another, or grain from bin to bin of a site.

    Grain has a ticket where it leaves and one where it comes; claims move by their amount or by the lots named. Both
    stand together or not at all, and title does not change (interpretation 49).

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            crop (str): The crop behind the claims.
            entity (str): Whose sites.
            to_site (str): Where it goes.
            type_ (Literal['move']):
            actor (None | str | Unset): Who entered it.
            form (None | str | Unset): The crop itself (left out) or a product.
            bushels (None | str | Unset): How much, for a crop.
            pounds (None | str | Unset): How much, for a product.
            harvest_year (int | None | Unset): Only this year; 0 for any.
            site (None | str | Unset): Only from this site of the giver; empty for any.
            lots (list[RangeIn] | None | Unset): Exactly these serials, in this order; the policy is not asked.
            ci_min (None | str | Unset): Nothing below this carbon intensity.
            ci_max (None | str | Unset): Nothing above it; empty for any.
            out_ticket (None | str | Unset): Of the first site; empty where only claims move.
            out_amount (None | str | Unset): Net, by the first scale.
            in_ticket (None | str | Unset): Of the second site; empty where it has the same number.
            in_amount (None | str | Unset): Net, by the second scale; empty where it was not weighed again.
            in_day (datetime.date | None | Unset): Where that is a later one: the claims move on it too.
            from_bin (None | str | Unset): Where it is known.
            to_bin (None | str | Unset): Where it is known.
            reason (None | str | Unset): Asked where two good scales would differ less.
    """

    id: str
    day: datetime.date
    crop: str
    entity: str
    to_site: str
    type_: Literal["move"]
    actor: None | str | Unset = UNSET
    form: None | str | Unset = UNSET
    bushels: None | str | Unset = UNSET
    pounds: None | str | Unset = UNSET
    harvest_year: int | None | Unset = UNSET
    site: None | str | Unset = UNSET
    lots: list[RangeIn] | None | Unset = UNSET
    ci_min: None | str | Unset = UNSET
    ci_max: None | str | Unset = UNSET
    out_ticket: None | str | Unset = UNSET
    out_amount: None | str | Unset = UNSET
    in_ticket: None | str | Unset = UNSET
    in_amount: None | str | Unset = UNSET
    in_day: datetime.date | None | Unset = UNSET
    from_bin: None | str | Unset = UNSET
    to_bin: None | str | Unset = UNSET
    reason: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        crop = self.crop

        entity = self.entity

        to_site = self.to_site

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

        out_ticket: None | str | Unset
        if isinstance(self.out_ticket, Unset):
            out_ticket = UNSET
        else:
            out_ticket = self.out_ticket

        out_amount: None | str | Unset
        if isinstance(self.out_amount, Unset):
            out_amount = UNSET
        else:
            out_amount = self.out_amount

        in_ticket: None | str | Unset
        if isinstance(self.in_ticket, Unset):
            in_ticket = UNSET
        else:
            in_ticket = self.in_ticket

        in_amount: None | str | Unset
        if isinstance(self.in_amount, Unset):
            in_amount = UNSET
        else:
            in_amount = self.in_amount

        in_day: None | str | Unset
        if isinstance(self.in_day, Unset):
            in_day = UNSET
        elif isinstance(self.in_day, datetime.date):
            in_day = self.in_day.isoformat()
        else:
            in_day = self.in_day

        from_bin: None | str | Unset
        if isinstance(self.from_bin, Unset):
            from_bin = UNSET
        else:
            from_bin = self.from_bin

        to_bin: None | str | Unset
        if isinstance(self.to_bin, Unset):
            to_bin = UNSET
        else:
            to_bin = self.to_bin

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "crop": crop,
                "entity": entity,
                "to_site": to_site,
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
        if out_ticket is not UNSET:
            field_dict["out_ticket"] = out_ticket
        if out_amount is not UNSET:
            field_dict["out_amount"] = out_amount
        if in_ticket is not UNSET:
            field_dict["in_ticket"] = in_ticket
        if in_amount is not UNSET:
            field_dict["in_amount"] = in_amount
        if in_day is not UNSET:
            field_dict["in_day"] = in_day
        if from_bin is not UNSET:
            field_dict["from_bin"] = from_bin
        if to_bin is not UNSET:
            field_dict["to_bin"] = to_bin
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.range_in import RangeIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        crop = d.pop("crop")

        entity = d.pop("entity")

        to_site = d.pop("to_site")

        type_ = cast(Literal["move"], d.pop("type"))
        if type_ != "move":
            raise ValueError(f"type must match const 'move', got '{type_}'")

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

        def _parse_out_ticket(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        out_ticket = _parse_out_ticket(d.pop("out_ticket", UNSET))

        def _parse_out_amount(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        out_amount = _parse_out_amount(d.pop("out_amount", UNSET))

        def _parse_in_ticket(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        in_ticket = _parse_in_ticket(d.pop("in_ticket", UNSET))

        def _parse_in_amount(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        in_amount = _parse_in_amount(d.pop("in_amount", UNSET))

        def _parse_in_day(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                in_day_type_0 = datetime.date.fromisoformat(data)

                return in_day_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        in_day = _parse_in_day(d.pop("in_day", UNSET))

        def _parse_from_bin(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        from_bin = _parse_from_bin(d.pop("from_bin", UNSET))

        def _parse_to_bin(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        to_bin = _parse_to_bin(d.pop("to_bin", UNSET))

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        move_event = cls(
            id=id,
            day=day,
            crop=crop,
            entity=entity,
            to_site=to_site,
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
            out_ticket=out_ticket,
            out_amount=out_amount,
            in_ticket=in_ticket,
            in_amount=in_amount,
            in_day=in_day,
            from_bin=from_bin,
            to_bin=to_bin,
            reason=reason,
        )

        return move_event
