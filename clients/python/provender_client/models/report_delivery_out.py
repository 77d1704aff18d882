from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ReportDeliveryOut")


@_attrs_define
class ReportDeliveryOut:
    """A buyer of reduced-CI crop, and the report's way to them.

    Attributes:
        crop (str):
        harvest_year (int):
        buyer (str):
        sale (str): The first to this buyer; a delivery names it.
        sold_on (datetime.date | None):
        given_on (datetime.date | None): None while no delivery is recorded.
        how (str):
    """

    crop: str
    harvest_year: int
    buyer: str
    sale: str
    sold_on: datetime.date | None
    given_on: datetime.date | None
    how: str

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        harvest_year = self.harvest_year

        buyer = self.buyer

        sale = self.sale

        sold_on: None | str
        if isinstance(self.sold_on, datetime.date):
            sold_on = self.sold_on.isoformat()
        else:
            sold_on = self.sold_on

        given_on: None | str
        if isinstance(self.given_on, datetime.date):
            given_on = self.given_on.isoformat()
        else:
            given_on = self.given_on

        how = self.how

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "buyer": buyer,
                "sale": sale,
                "sold_on": sold_on,
                "given_on": given_on,
                "how": how,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        buyer = d.pop("buyer")

        sale = d.pop("sale")

        def _parse_sold_on(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                sold_on_type_0 = datetime.date.fromisoformat(data)

                return sold_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        sold_on = _parse_sold_on(d.pop("sold_on"))

        def _parse_given_on(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                given_on_type_0 = datetime.date.fromisoformat(data)

                return given_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        given_on = _parse_given_on(d.pop("given_on"))

        how = d.pop("how")

        report_delivery_out = cls(
            crop=crop,
            harvest_year=harvest_year,
            buyer=buyer,
            sale=sale,
            sold_on=sold_on,
            given_on=given_on,
            how=how,
        )

        return report_delivery_out
