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


T = TypeVar("T", bound="EventIn")


@_attrs_define
class EventIn:
    """One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts and days are text.

    Attributes:
        event (AcceptEvent | AssignEvent | CloseEvent | CloseSiteEvent | ContractEvent | ConvertEvent | CorrectEvent |
            CrushEvent | DocumentEvent | EntityEvent | LossEvent | MeasurementEvent | MoveEvent | NoticeEvent | OpeningEvent
            | PeriodEvent | ProcessEvent | PurchaseEvent | PurchasePendingEvent | ReceiptEvent | ReinstateEvent |
            RejectEvent | ReleaseEvent | ReportEvent | RetireEvent | ReturnEvent | SaleEvent | SettleEvent | ShareEvent |
            ShipmentEvent | SlipEvent | StatementEvent | StorageEvent | SuspendEvent | TrueUpEvent | WithdrawEvent |
            YieldEvent):
    """

    event: (
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
    )

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

        event: dict[str, Any]
        if isinstance(self.event, EntityEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, CloseSiteEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ContractEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, StatementEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, PeriodEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ReportEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, SuspendEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ReinstateEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, WithdrawEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, NoticeEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ShareEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, SlipEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, PurchaseEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, PurchasePendingEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, AssignEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, StorageEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, OpeningEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, DocumentEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ReceiptEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ShipmentEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, MeasurementEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, SaleEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, AcceptEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, RejectEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, MoveEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, YieldEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ProcessEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, CrushEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ConvertEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, TrueUpEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ReleaseEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, LossEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, RetireEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, ReturnEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, CorrectEvent):
            event = self.event.to_dict()
        elif isinstance(self.event, SettleEvent):
            event = self.event.to_dict()
        else:
            event = self.event.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "event": event,
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

        def _parse_event(
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
                event_type_0 = EntityEvent.from_dict(data)

                return event_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_1 = CloseSiteEvent.from_dict(data)

                return event_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_2 = ContractEvent.from_dict(data)

                return event_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_3 = StatementEvent.from_dict(data)

                return event_type_3
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_4 = PeriodEvent.from_dict(data)

                return event_type_4
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_5 = ReportEvent.from_dict(data)

                return event_type_5
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_6 = SuspendEvent.from_dict(data)

                return event_type_6
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_7 = ReinstateEvent.from_dict(data)

                return event_type_7
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_8 = WithdrawEvent.from_dict(data)

                return event_type_8
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_9 = NoticeEvent.from_dict(data)

                return event_type_9
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_10 = ShareEvent.from_dict(data)

                return event_type_10
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_11 = SlipEvent.from_dict(data)

                return event_type_11
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_12 = PurchaseEvent.from_dict(data)

                return event_type_12
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_13 = PurchasePendingEvent.from_dict(data)

                return event_type_13
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_14 = AssignEvent.from_dict(data)

                return event_type_14
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_15 = StorageEvent.from_dict(data)

                return event_type_15
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_16 = OpeningEvent.from_dict(data)

                return event_type_16
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_17 = DocumentEvent.from_dict(data)

                return event_type_17
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_18 = ReceiptEvent.from_dict(data)

                return event_type_18
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_19 = ShipmentEvent.from_dict(data)

                return event_type_19
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_20 = MeasurementEvent.from_dict(data)

                return event_type_20
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_21 = SaleEvent.from_dict(data)

                return event_type_21
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_22 = AcceptEvent.from_dict(data)

                return event_type_22
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_23 = RejectEvent.from_dict(data)

                return event_type_23
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_24 = MoveEvent.from_dict(data)

                return event_type_24
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_25 = YieldEvent.from_dict(data)

                return event_type_25
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_26 = ProcessEvent.from_dict(data)

                return event_type_26
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_27 = CrushEvent.from_dict(data)

                return event_type_27
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_28 = ConvertEvent.from_dict(data)

                return event_type_28
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_29 = TrueUpEvent.from_dict(data)

                return event_type_29
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_30 = ReleaseEvent.from_dict(data)

                return event_type_30
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_31 = LossEvent.from_dict(data)

                return event_type_31
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_32 = RetireEvent.from_dict(data)

                return event_type_32
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_33 = ReturnEvent.from_dict(data)

                return event_type_33
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_34 = CorrectEvent.from_dict(data)

                return event_type_34
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                event_type_35 = SettleEvent.from_dict(data)

                return event_type_35
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            event_type_36 = CloseEvent.from_dict(data)

            return event_type_36

        event = _parse_event(d.pop("event"))

        event_in = cls(
            event=event,
        )

        return event_in
