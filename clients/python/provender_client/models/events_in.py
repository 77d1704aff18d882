from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.accept_event import AcceptEvent
    from ..models.assign_event import AssignEvent
    from ..models.close_event import CloseEvent
    from ..models.close_site_event import CloseSiteEvent
    from ..models.contract_event import ContractEvent
    from ..models.convert_event import ConvertEvent
    from ..models.correct_event import CorrectEvent
    from ..models.crush_event import CrushEvent
    from ..models.document_event import DocumentEvent
    from ..models.entity_event import EntityEvent
    from ..models.loss_event import LossEvent
    from ..models.measurement_event import MeasurementEvent
    from ..models.move_event import MoveEvent
    from ..models.notice_event import NoticeEvent
    from ..models.opening_event import OpeningEvent
    from ..models.period_event import PeriodEvent
    from ..models.process_event import ProcessEvent
    from ..models.purchase_event import PurchaseEvent
    from ..models.purchase_pending_event import PurchasePendingEvent
    from ..models.receipt_event import ReceiptEvent
    from ..models.reinstate_event import ReinstateEvent
    from ..models.reject_event import RejectEvent
    from ..models.release_event import ReleaseEvent
    from ..models.report_event import ReportEvent
    from ..models.retire_event import RetireEvent
    from ..models.return_event import ReturnEvent
    from ..models.sale_event import SaleEvent
    from ..models.settle_event import SettleEvent
    from ..models.share_event import ShareEvent
    from ..models.shipment_event import ShipmentEvent
    from ..models.slip_event import SlipEvent
    from ..models.statement_event import StatementEvent
    from ..models.storage_event import StorageEvent
    from ..models.suspend_event import SuspendEvent
    from ..models.true_up_event import TrueUpEvent
    from ..models.withdraw_event import WithdrawEvent
    from ..models.yield_event import YieldEvent


T = TypeVar("T", bound="EventsIn")


@_attrs_define
class EventsIn:
    """Several events, in order, in one transaction: the first refusal takes back all of them.

    Attributes:
        events (list[AcceptEvent | AssignEvent | CloseEvent | CloseSiteEvent | ContractEvent | ConvertEvent |
            CorrectEvent | CrushEvent | DocumentEvent | EntityEvent | LossEvent | MeasurementEvent | MoveEvent | NoticeEvent
            | OpeningEvent | PeriodEvent | ProcessEvent | PurchaseEvent | PurchasePendingEvent | ReceiptEvent |
            ReinstateEvent | RejectEvent | ReleaseEvent | ReportEvent | RetireEvent | ReturnEvent | SaleEvent | SettleEvent
            | ShareEvent | ShipmentEvent | SlipEvent | StatementEvent | StorageEvent | SuspendEvent | TrueUpEvent |
            WithdrawEvent | YieldEvent]):
    """

    events: list[
        AcceptEvent
        | AssignEvent
        | CloseEvent
        | CloseSiteEvent
        | ContractEvent
        | ConvertEvent
        | CorrectEvent
        | CrushEvent
        | DocumentEvent
        | EntityEvent
        | LossEvent
        | MeasurementEvent
        | MoveEvent
        | NoticeEvent
        | OpeningEvent
        | PeriodEvent
        | ProcessEvent
        | PurchaseEvent
        | PurchasePendingEvent
        | ReceiptEvent
        | ReinstateEvent
        | RejectEvent
        | ReleaseEvent
        | ReportEvent
        | RetireEvent
        | ReturnEvent
        | SaleEvent
        | SettleEvent
        | ShareEvent
        | ShipmentEvent
        | SlipEvent
        | StatementEvent
        | StorageEvent
        | SuspendEvent
        | TrueUpEvent
        | WithdrawEvent
        | YieldEvent
    ]

    def to_dict(self) -> dict[str, Any]:
        from ..models.accept_event import AcceptEvent  # noqa: PLC0415
        from ..models.assign_event import AssignEvent  # noqa: PLC0415
        from ..models.close_site_event import CloseSiteEvent  # noqa: PLC0415
        from ..models.contract_event import ContractEvent  # noqa: PLC0415
        from ..models.convert_event import ConvertEvent  # noqa: PLC0415
        from ..models.correct_event import CorrectEvent  # noqa: PLC0415
        from ..models.crush_event import CrushEvent  # noqa: PLC0415
        from ..models.document_event import DocumentEvent  # noqa: PLC0415
        from ..models.entity_event import EntityEvent  # noqa: PLC0415
        from ..models.loss_event import LossEvent  # noqa: PLC0415
        from ..models.measurement_event import MeasurementEvent  # noqa: PLC0415
        from ..models.move_event import MoveEvent  # noqa: PLC0415
        from ..models.notice_event import NoticeEvent  # noqa: PLC0415
        from ..models.opening_event import OpeningEvent  # noqa: PLC0415
        from ..models.period_event import PeriodEvent  # noqa: PLC0415
        from ..models.process_event import ProcessEvent  # noqa: PLC0415
        from ..models.purchase_event import PurchaseEvent  # noqa: PLC0415
        from ..models.purchase_pending_event import PurchasePendingEvent  # noqa: PLC0415
        from ..models.receipt_event import ReceiptEvent  # noqa: PLC0415
        from ..models.reinstate_event import ReinstateEvent  # noqa: PLC0415
        from ..models.reject_event import RejectEvent  # noqa: PLC0415
        from ..models.release_event import ReleaseEvent  # noqa: PLC0415
        from ..models.report_event import ReportEvent  # noqa: PLC0415
        from ..models.retire_event import RetireEvent  # noqa: PLC0415
        from ..models.return_event import ReturnEvent  # noqa: PLC0415
        from ..models.sale_event import SaleEvent  # noqa: PLC0415
        from ..models.settle_event import SettleEvent  # noqa: PLC0415
        from ..models.share_event import ShareEvent  # noqa: PLC0415
        from ..models.shipment_event import ShipmentEvent  # noqa: PLC0415
        from ..models.slip_event import SlipEvent  # noqa: PLC0415
        from ..models.statement_event import StatementEvent  # noqa: PLC0415
        from ..models.storage_event import StorageEvent  # noqa: PLC0415
        from ..models.suspend_event import SuspendEvent  # noqa: PLC0415
        from ..models.true_up_event import TrueUpEvent  # noqa: PLC0415
        from ..models.withdraw_event import WithdrawEvent  # noqa: PLC0415
        from ..models.yield_event import YieldEvent  # noqa: PLC0415

        events = []
        for events_item_data in self.events:
            events_item: dict[str, Any]
            if isinstance(events_item_data, EntityEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, CloseSiteEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ContractEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, StatementEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, PeriodEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ReportEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, SuspendEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ReinstateEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, WithdrawEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, NoticeEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ShareEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, SlipEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, PurchaseEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, PurchasePendingEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, AssignEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, StorageEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, OpeningEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, DocumentEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ReceiptEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ShipmentEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, MeasurementEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, SaleEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, AcceptEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, RejectEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, MoveEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, YieldEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ProcessEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, CrushEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ConvertEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, TrueUpEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ReleaseEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, LossEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, RetireEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, ReturnEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, CorrectEvent):
                events_item = events_item_data.to_dict()
            elif isinstance(events_item_data, SettleEvent):
                events_item = events_item_data.to_dict()
            else:
                events_item = events_item_data.to_dict()

            events.append(events_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "events": events,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.accept_event import AcceptEvent  # noqa: PLC0415
        from ..models.assign_event import AssignEvent  # noqa: PLC0415
        from ..models.close_event import CloseEvent  # noqa: PLC0415
        from ..models.close_site_event import CloseSiteEvent  # noqa: PLC0415
        from ..models.contract_event import ContractEvent  # noqa: PLC0415
        from ..models.convert_event import ConvertEvent  # noqa: PLC0415
        from ..models.correct_event import CorrectEvent  # noqa: PLC0415
        from ..models.crush_event import CrushEvent  # noqa: PLC0415
        from ..models.document_event import DocumentEvent  # noqa: PLC0415
        from ..models.entity_event import EntityEvent  # noqa: PLC0415
        from ..models.loss_event import LossEvent  # noqa: PLC0415
        from ..models.measurement_event import MeasurementEvent  # noqa: PLC0415
        from ..models.move_event import MoveEvent  # noqa: PLC0415
        from ..models.notice_event import NoticeEvent  # noqa: PLC0415
        from ..models.opening_event import OpeningEvent  # noqa: PLC0415
        from ..models.period_event import PeriodEvent  # noqa: PLC0415
        from ..models.process_event import ProcessEvent  # noqa: PLC0415
        from ..models.purchase_event import PurchaseEvent  # noqa: PLC0415
        from ..models.purchase_pending_event import PurchasePendingEvent  # noqa: PLC0415
        from ..models.receipt_event import ReceiptEvent  # noqa: PLC0415
        from ..models.reinstate_event import ReinstateEvent  # noqa: PLC0415
        from ..models.reject_event import RejectEvent  # noqa: PLC0415
        from ..models.release_event import ReleaseEvent  # noqa: PLC0415
        from ..models.report_event import ReportEvent  # noqa: PLC0415
        from ..models.retire_event import RetireEvent  # noqa: PLC0415
        from ..models.return_event import ReturnEvent  # noqa: PLC0415
        from ..models.sale_event import SaleEvent  # noqa: PLC0415
        from ..models.settle_event import SettleEvent  # noqa: PLC0415
        from ..models.share_event import ShareEvent  # noqa: PLC0415
        from ..models.shipment_event import ShipmentEvent  # noqa: PLC0415
        from ..models.slip_event import SlipEvent  # noqa: PLC0415
        from ..models.statement_event import StatementEvent  # noqa: PLC0415
        from ..models.storage_event import StorageEvent  # noqa: PLC0415
        from ..models.suspend_event import SuspendEvent  # noqa: PLC0415
        from ..models.true_up_event import TrueUpEvent  # noqa: PLC0415
        from ..models.withdraw_event import WithdrawEvent  # noqa: PLC0415
        from ..models.yield_event import YieldEvent  # noqa: PLC0415

        d = dict(src_dict)
        events = []
        _events = d.pop("events")
        for events_item_data in _events:

            def _parse_events_item(
                data: object,
            ) -> (
                AcceptEvent
                | AssignEvent
                | CloseEvent
                | CloseSiteEvent
                | ContractEvent
                | ConvertEvent
                | CorrectEvent
                | CrushEvent
                | DocumentEvent
                | EntityEvent
                | LossEvent
                | MeasurementEvent
                | MoveEvent
                | NoticeEvent
                | OpeningEvent
                | PeriodEvent
                | ProcessEvent
                | PurchaseEvent
                | PurchasePendingEvent
                | ReceiptEvent
                | ReinstateEvent
                | RejectEvent
                | ReleaseEvent
                | ReportEvent
                | RetireEvent
                | ReturnEvent
                | SaleEvent
                | SettleEvent
                | ShareEvent
                | ShipmentEvent
                | SlipEvent
                | StatementEvent
                | StorageEvent
                | SuspendEvent
                | TrueUpEvent
                | WithdrawEvent
                | YieldEvent
            ):
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_0 = EntityEvent.from_dict(data)

                    return events_item_type_0
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_1 = CloseSiteEvent.from_dict(data)

                    return events_item_type_1
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_2 = ContractEvent.from_dict(data)

                    return events_item_type_2
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_3 = StatementEvent.from_dict(data)

                    return events_item_type_3
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_4 = PeriodEvent.from_dict(data)

                    return events_item_type_4
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_5 = ReportEvent.from_dict(data)

                    return events_item_type_5
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_6 = SuspendEvent.from_dict(data)

                    return events_item_type_6
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_7 = ReinstateEvent.from_dict(data)

                    return events_item_type_7
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_8 = WithdrawEvent.from_dict(data)

                    return events_item_type_8
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_9 = NoticeEvent.from_dict(data)

                    return events_item_type_9
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_10 = ShareEvent.from_dict(data)

                    return events_item_type_10
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_11 = SlipEvent.from_dict(data)

                    return events_item_type_11
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_12 = PurchaseEvent.from_dict(data)

                    return events_item_type_12
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_13 = PurchasePendingEvent.from_dict(data)

                    return events_item_type_13
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_14 = AssignEvent.from_dict(data)

                    return events_item_type_14
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_15 = StorageEvent.from_dict(data)

                    return events_item_type_15
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_16 = OpeningEvent.from_dict(data)

                    return events_item_type_16
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_17 = DocumentEvent.from_dict(data)

                    return events_item_type_17
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_18 = ReceiptEvent.from_dict(data)

                    return events_item_type_18
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_19 = ShipmentEvent.from_dict(data)

                    return events_item_type_19
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_20 = MeasurementEvent.from_dict(data)

                    return events_item_type_20
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_21 = SaleEvent.from_dict(data)

                    return events_item_type_21
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_22 = AcceptEvent.from_dict(data)

                    return events_item_type_22
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_23 = RejectEvent.from_dict(data)

                    return events_item_type_23
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_24 = MoveEvent.from_dict(data)

                    return events_item_type_24
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_25 = YieldEvent.from_dict(data)

                    return events_item_type_25
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_26 = ProcessEvent.from_dict(data)

                    return events_item_type_26
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_27 = CrushEvent.from_dict(data)

                    return events_item_type_27
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_28 = ConvertEvent.from_dict(data)

                    return events_item_type_28
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_29 = TrueUpEvent.from_dict(data)

                    return events_item_type_29
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_30 = ReleaseEvent.from_dict(data)

                    return events_item_type_30
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_31 = LossEvent.from_dict(data)

                    return events_item_type_31
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_32 = RetireEvent.from_dict(data)

                    return events_item_type_32
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_33 = ReturnEvent.from_dict(data)

                    return events_item_type_33
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_34 = CorrectEvent.from_dict(data)

                    return events_item_type_34
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    events_item_type_35 = SettleEvent.from_dict(data)

                    return events_item_type_35
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                if not isinstance(data, dict):
                    raise TypeError()
                events_item_type_36 = CloseEvent.from_dict(data)

                return events_item_type_36

            events_item = _parse_events_item(events_item_data)

            events.append(events_item)

        events_in = cls(
            events=events,
        )

        return events_in
