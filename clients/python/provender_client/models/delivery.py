from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.lot_out import LotOut


T = TypeVar("T", bound="Delivery")


@_attrs_define
class Delivery:
    """A lot on its way to the organization; ``sale`` is what an acceptance names.

    Attributes:
        sale (str):
        seller (str):
        day (datetime.date):
        lot (LotOut): A lot: serials of one origin, half open. Amounts are decimal text; ``amount`` is in ``unit``, bu
            or lb.
    """

    sale: str
    seller: str
    day: datetime.date
    lot: LotOut

    def to_dict(self) -> dict[str, Any]:
        sale = self.sale

        seller = self.seller

        day = self.day.isoformat()

        lot = self.lot.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "sale": sale,
                "seller": seller,
                "day": day,
                "lot": lot,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.lot_out import LotOut  # noqa: PLC0415

        d = dict(src_dict)
        sale = d.pop("sale")

        seller = d.pop("seller")

        day = datetime.date.fromisoformat(d.pop("day"))

        lot = LotOut.from_dict(d.pop("lot"))

        delivery = cls(
            sale=sale,
            seller=seller,
            day=day,
            lot=lot,
        )

        return delivery
