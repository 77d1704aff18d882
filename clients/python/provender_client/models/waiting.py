from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.delivery import Delivery
    from ..models.pending_purchase import PendingPurchase
    from ..models.slip_waiting import SlipWaiting


T = TypeVar("T", bound="Waiting")


@_attrs_define
class Waiting:
    """What waits for the organization, at most 200 of each kind, the oldest first.

    Attributes:
        deliveries (list[Delivery]):
        slips (list[SlipWaiting]):
        pending (list[PendingPurchase]):
    """

    deliveries: list[Delivery]
    slips: list[SlipWaiting]
    pending: list[PendingPurchase]

    def to_dict(self) -> dict[str, Any]:
        deliveries = []
        for deliveries_item_data in self.deliveries:
            deliveries_item = deliveries_item_data.to_dict()
            deliveries.append(deliveries_item)

        slips = []
        for slips_item_data in self.slips:
            slips_item = slips_item_data.to_dict()
            slips.append(slips_item)

        pending = []
        for pending_item_data in self.pending:
            pending_item = pending_item_data.to_dict()
            pending.append(pending_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "deliveries": deliveries,
                "slips": slips,
                "pending": pending,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delivery import Delivery  # noqa: PLC0415
        from ..models.pending_purchase import PendingPurchase  # noqa: PLC0415
        from ..models.slip_waiting import SlipWaiting  # noqa: PLC0415

        d = dict(src_dict)
        deliveries = []
        _deliveries = d.pop("deliveries")
        for deliveries_item_data in _deliveries:
            deliveries_item = Delivery.from_dict(deliveries_item_data)

            deliveries.append(deliveries_item)

        slips = []
        _slips = d.pop("slips")
        for slips_item_data in _slips:
            slips_item = SlipWaiting.from_dict(slips_item_data)

            slips.append(slips_item)

        pending = []
        _pending = d.pop("pending")
        for pending_item_data in _pending:
            pending_item = PendingPurchase.from_dict(pending_item_data)

            pending.append(pending_item)

        waiting = cls(
            deliveries=deliveries,
            slips=slips,
            pending=pending,
        )

        return waiting
