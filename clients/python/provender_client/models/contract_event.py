from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..models.contract_event_role import ContractEventRole
from ..types import UNSET, Unset

T = TypeVar("T", bound="ContractEvent")


@_attrs_define
class ContractEvent:
    """States a contract with a supplier, recipient, subcontractor or service provider (2100.032(a)(2), (3)).

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        entity (str): Whose contract it is.
        counterparty (str): The other party.
        role (ContractEventRole): What the counterparty is to the entity.
        number (str): The contract's number; a later event with the same number replaces it.
        start_day (datetime.date): First day.
        type_ (Literal['contract']):
        actor (None | str | Unset): Who entered it.
        end_day (datetime.date | None | Unset): Last day; left out while it runs.
        signing_key (None | str | Unset): The counterparty's pinned public key.
        form (None | str | Unset): The crop or product. A later event that says no amount leaves what was agreed of
            deliveries.
        amount (None | str | Unset): How much, in the unit of the form.
        first_delivery (datetime.date | None | Unset):
        last_delivery (datetime.date | None | Unset):
        ci_min (None | str | Unset): Sales under it take nothing below.
        ci_max (None | str | Unset): Sales under it take nothing above.
        premium_per_bu (None | str | Unset): Beside the price, for settlement lines; it may be left out.
        premium_per_point (None | str | Unset): For each point below the base, in parts of a point too; beside the
            premium above.
        point_g_per_bu (None | str | Unset): Needed with a premium per point.
        premium_base_ci (None | str | Unset): The carbon intensity from which points are counted.
        premium_floor (None | str | Unset): Also above the base; 0 where it is left out.
        premium_cap (None | str | Unset):
    """

    id: str
    day: datetime.date
    entity: str
    counterparty: str
    role: ContractEventRole
    number: str
    start_day: datetime.date
    type_: Literal["contract"]
    actor: None | str | Unset = UNSET
    end_day: datetime.date | None | Unset = UNSET
    signing_key: None | str | Unset = UNSET
    form: None | str | Unset = UNSET
    amount: None | str | Unset = UNSET
    first_delivery: datetime.date | None | Unset = UNSET
    last_delivery: datetime.date | None | Unset = UNSET
    ci_min: None | str | Unset = UNSET
    ci_max: None | str | Unset = UNSET
    premium_per_bu: None | str | Unset = UNSET
    premium_per_point: None | str | Unset = UNSET
    point_g_per_bu: None | str | Unset = UNSET
    premium_base_ci: None | str | Unset = UNSET
    premium_floor: None | str | Unset = UNSET
    premium_cap: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        counterparty = self.counterparty

        role = self.role.value

        number = self.number

        start_day = self.start_day.isoformat()

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        end_day: None | str | Unset
        if isinstance(self.end_day, Unset):
            end_day = UNSET
        elif isinstance(self.end_day, datetime.date):
            end_day = self.end_day.isoformat()
        else:
            end_day = self.end_day

        signing_key: None | str | Unset
        if isinstance(self.signing_key, Unset):
            signing_key = UNSET
        else:
            signing_key = self.signing_key

        form: None | str | Unset
        if isinstance(self.form, Unset):
            form = UNSET
        else:
            form = self.form

        amount: None | str | Unset
        if isinstance(self.amount, Unset):
            amount = UNSET
        else:
            amount = self.amount

        first_delivery: None | str | Unset
        if isinstance(self.first_delivery, Unset):
            first_delivery = UNSET
        elif isinstance(self.first_delivery, datetime.date):
            first_delivery = self.first_delivery.isoformat()
        else:
            first_delivery = self.first_delivery

        last_delivery: None | str | Unset
        if isinstance(self.last_delivery, Unset):
            last_delivery = UNSET
        elif isinstance(self.last_delivery, datetime.date):
            last_delivery = self.last_delivery.isoformat()
        else:
            last_delivery = self.last_delivery

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

        premium_per_bu: None | str | Unset
        if isinstance(self.premium_per_bu, Unset):
            premium_per_bu = UNSET
        else:
            premium_per_bu = self.premium_per_bu

        premium_per_point: None | str | Unset
        if isinstance(self.premium_per_point, Unset):
            premium_per_point = UNSET
        else:
            premium_per_point = self.premium_per_point

        point_g_per_bu: None | str | Unset
        if isinstance(self.point_g_per_bu, Unset):
            point_g_per_bu = UNSET
        else:
            point_g_per_bu = self.point_g_per_bu

        premium_base_ci: None | str | Unset
        if isinstance(self.premium_base_ci, Unset):
            premium_base_ci = UNSET
        else:
            premium_base_ci = self.premium_base_ci

        premium_floor: None | str | Unset
        if isinstance(self.premium_floor, Unset):
            premium_floor = UNSET
        else:
            premium_floor = self.premium_floor

        premium_cap: None | str | Unset
        if isinstance(self.premium_cap, Unset):
            premium_cap = UNSET
        else:
            premium_cap = self.premium_cap

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "counterparty": counterparty,
                "role": role,
                "number": number,
                "start_day": start_day,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if end_day is not UNSET:
            field_dict["end_day"] = end_day
        if signing_key is not UNSET:
            field_dict["signing_key"] = signing_key
        if form is not UNSET:
            field_dict["form"] = form
        if amount is not UNSET:
            field_dict["amount"] = amount
        if first_delivery is not UNSET:
            field_dict["first_delivery"] = first_delivery
        if last_delivery is not UNSET:
            field_dict["last_delivery"] = last_delivery
        if ci_min is not UNSET:
            field_dict["ci_min"] = ci_min
        if ci_max is not UNSET:
            field_dict["ci_max"] = ci_max
        if premium_per_bu is not UNSET:
            field_dict["premium_per_bu"] = premium_per_bu
        if premium_per_point is not UNSET:
            field_dict["premium_per_point"] = premium_per_point
        if point_g_per_bu is not UNSET:
            field_dict["point_g_per_bu"] = point_g_per_bu
        if premium_base_ci is not UNSET:
            field_dict["premium_base_ci"] = premium_base_ci
        if premium_floor is not UNSET:
            field_dict["premium_floor"] = premium_floor
        if premium_cap is not UNSET:
            field_dict["premium_cap"] = premium_cap

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        counterparty = d.pop("counterparty")

        role = ContractEventRole(d.pop("role"))

        number = d.pop("number")

        start_day = datetime.date.fromisoformat(d.pop("start_day"))

        type_ = cast(Literal["contract"], d.pop("type"))
        if type_ != "contract":
            raise ValueError(f"type must match const 'contract', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_end_day(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_day_type_0 = datetime.date.fromisoformat(data)

                return end_day_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        end_day = _parse_end_day(d.pop("end_day", UNSET))

        def _parse_signing_key(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        signing_key = _parse_signing_key(d.pop("signing_key", UNSET))

        def _parse_form(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        form = _parse_form(d.pop("form", UNSET))

        def _parse_amount(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        amount = _parse_amount(d.pop("amount", UNSET))

        def _parse_first_delivery(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                first_delivery_type_0 = datetime.date.fromisoformat(data)

                return first_delivery_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        first_delivery = _parse_first_delivery(d.pop("first_delivery", UNSET))

        def _parse_last_delivery(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_delivery_type_0 = datetime.date.fromisoformat(data)

                return last_delivery_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        last_delivery = _parse_last_delivery(d.pop("last_delivery", UNSET))

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

        def _parse_premium_per_bu(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        premium_per_bu = _parse_premium_per_bu(d.pop("premium_per_bu", UNSET))

        def _parse_premium_per_point(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        premium_per_point = _parse_premium_per_point(d.pop("premium_per_point", UNSET))

        def _parse_point_g_per_bu(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        point_g_per_bu = _parse_point_g_per_bu(d.pop("point_g_per_bu", UNSET))

        def _parse_premium_base_ci(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        premium_base_ci = _parse_premium_base_ci(d.pop("premium_base_ci", UNSET))

        def _parse_premium_floor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        premium_floor = _parse_premium_floor(d.pop("premium_floor", UNSET))

        def _parse_premium_cap(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        premium_cap = _parse_premium_cap(d.pop("premium_cap", UNSET))

        contract_event = cls(
            id=id,
            day=day,
            entity=entity,
            counterparty=counterparty,
            role=role,
            number=number,
            start_day=start_day,
            type_=type_,
            actor=actor,
            end_day=end_day,
            signing_key=signing_key,
            form=form,
            amount=amount,
            first_delivery=first_delivery,
            last_delivery=last_delivery,
            ci_min=ci_min,
            ci_max=ci_max,
            premium_per_bu=premium_per_bu,
            premium_per_point=premium_per_point,
            point_g_per_bu=point_g_per_bu,
            premium_base_ci=premium_base_ci,
            premium_floor=premium_floor,
            premium_cap=premium_cap,
        )

        return contract_event
