from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ContractDeliveryView")


@_attrs_define
class ContractDeliveryView:
    """A contract about deliveries, as it stands. Amounts are decimal text in ``unit``.

    Attributes:
        contract (str):
        partner (str):
        role (str):
        form (str):
        unit (str):
        agreed_amount (str):
        delivered_amount (str): Less what came back.
        left_amount (str):
        beyond_amount (str):
        first (datetime.date | None):
        last (datetime.date | None):
        early_amount (str):
        late_amount (str):
        ci_min_g_per_bu (None | str):
        ci_max_g_per_bu (None | str):
        outside_amount (str):
        premium_per_bu (str):
        premium_per_point (str):
        point_g_per_bu (str):
        premium_base_ci_g_per_bu (str):
        premium_floor (None | str):
        premium_cap (None | str):
        overdue (bool):
    """

    contract: str
    partner: str
    role: str
    form: str
    unit: str
    agreed_amount: str
    delivered_amount: str
    left_amount: str
    beyond_amount: str
    first: datetime.date | None
    last: datetime.date | None
    early_amount: str
    late_amount: str
    ci_min_g_per_bu: None | str
    ci_max_g_per_bu: None | str
    outside_amount: str
    premium_per_bu: str
    premium_per_point: str
    point_g_per_bu: str
    premium_base_ci_g_per_bu: str
    premium_floor: None | str
    premium_cap: None | str
    overdue: bool

    def to_dict(self) -> dict[str, Any]:
        contract = self.contract

        partner = self.partner

        role = self.role

        form = self.form

        unit = self.unit

        agreed_amount = self.agreed_amount

        delivered_amount = self.delivered_amount

        left_amount = self.left_amount

        beyond_amount = self.beyond_amount

        first: None | str
        if isinstance(self.first, datetime.date):
            first = self.first.isoformat()
        else:
            first = self.first

        last: None | str
        if isinstance(self.last, datetime.date):
            last = self.last.isoformat()
        else:
            last = self.last

        early_amount = self.early_amount

        late_amount = self.late_amount

        ci_min_g_per_bu: None | str
        ci_min_g_per_bu = self.ci_min_g_per_bu

        ci_max_g_per_bu: None | str
        ci_max_g_per_bu = self.ci_max_g_per_bu

        outside_amount = self.outside_amount

        premium_per_bu = self.premium_per_bu

        premium_per_point = self.premium_per_point

        point_g_per_bu = self.point_g_per_bu

        premium_base_ci_g_per_bu = self.premium_base_ci_g_per_bu

        premium_floor: None | str
        premium_floor = self.premium_floor

        premium_cap: None | str
        premium_cap = self.premium_cap

        overdue = self.overdue

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "contract": contract,
                "partner": partner,
                "role": role,
                "form": form,
                "unit": unit,
                "agreed_amount": agreed_amount,
                "delivered_amount": delivered_amount,
                "left_amount": left_amount,
                "beyond_amount": beyond_amount,
                "first": first,
                "last": last,
                "early_amount": early_amount,
                "late_amount": late_amount,
                "ci_min_g_per_bu": ci_min_g_per_bu,
                "ci_max_g_per_bu": ci_max_g_per_bu,
                "outside_amount": outside_amount,
                "premium_per_bu": premium_per_bu,
                "premium_per_point": premium_per_point,
                "point_g_per_bu": point_g_per_bu,
                "premium_base_ci_g_per_bu": premium_base_ci_g_per_bu,
                "premium_floor": premium_floor,
                "premium_cap": premium_cap,
                "overdue": overdue,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        contract = d.pop("contract")

        partner = d.pop("partner")

        role = d.pop("role")

        form = d.pop("form")

        unit = d.pop("unit")

        agreed_amount = d.pop("agreed_amount")

        delivered_amount = d.pop("delivered_amount")

        left_amount = d.pop("left_amount")

        beyond_amount = d.pop("beyond_amount")

        def _parse_first(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                first_type_0 = datetime.date.fromisoformat(data)

                return first_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        first = _parse_first(d.pop("first"))

        def _parse_last(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_type_0 = datetime.date.fromisoformat(data)

                return last_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        last = _parse_last(d.pop("last"))

        early_amount = d.pop("early_amount")

        late_amount = d.pop("late_amount")

        def _parse_ci_min_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        ci_min_g_per_bu = _parse_ci_min_g_per_bu(d.pop("ci_min_g_per_bu"))

        def _parse_ci_max_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        ci_max_g_per_bu = _parse_ci_max_g_per_bu(d.pop("ci_max_g_per_bu"))

        outside_amount = d.pop("outside_amount")

        premium_per_bu = d.pop("premium_per_bu")

        premium_per_point = d.pop("premium_per_point")

        point_g_per_bu = d.pop("point_g_per_bu")

        premium_base_ci_g_per_bu = d.pop("premium_base_ci_g_per_bu")

        def _parse_premium_floor(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        premium_floor = _parse_premium_floor(d.pop("premium_floor"))

        def _parse_premium_cap(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        premium_cap = _parse_premium_cap(d.pop("premium_cap"))

        overdue = d.pop("overdue")

        contract_delivery_view = cls(
            contract=contract,
            partner=partner,
            role=role,
            form=form,
            unit=unit,
            agreed_amount=agreed_amount,
            delivered_amount=delivered_amount,
            left_amount=left_amount,
            beyond_amount=beyond_amount,
            first=first,
            last=last,
            early_amount=early_amount,
            late_amount=late_amount,
            ci_min_g_per_bu=ci_min_g_per_bu,
            ci_max_g_per_bu=ci_max_g_per_bu,
            outside_amount=outside_amount,
            premium_per_bu=premium_per_bu,
            premium_per_point=premium_per_point,
            point_g_per_bu=point_g_per_bu,
            premium_base_ci_g_per_bu=premium_base_ci_g_per_bu,
            premium_floor=premium_floor,
            premium_cap=premium_cap,
            overdue=overdue,
        )

        return contract_delivery_view
