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

from ..models.notice_event_reason import NoticeEventReason
from ..types import UNSET, Unset

T = TypeVar("T", bound="NoticeEvent")


@_attrs_define
class NoticeEvent:
    """A seller's notice that a report behind what it sold changed. ``day`` is the day it is received.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        giver (str): The seller, who sends it.
        taker (str): The buyer, whose book this is.
        number (str): The notice's number, unique for its sender.
        origin (str): Whose serials.
        reason (NoticeEventReason): What changed.
        spans (list[list[str]]): Which serials of those the seller gave. Example: [['0', '500']].
        type_ (Literal['notice']):
        actor (None | str | Unset): Who entered it.
        ci (None | str | Unset): The carbon intensity they have now, for `worse_ci`.
        report (None | str | Unset): Hash of the report's version that changed it, where there is one.
    """

    id: str
    day: datetime.date
    giver: str
    taker: str
    number: str
    origin: str
    reason: NoticeEventReason
    spans: list[list[str]]
    type_: Literal["notice"]
    actor: None | str | Unset = UNSET
    ci: None | str | Unset = UNSET
    report: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        number = self.number

        origin = self.origin

        reason = self.reason.value

        spans = []
        for spans_item_data in self.spans:
            spans_item = []
            for spans_item_item_data in spans_item_data:
                spans_item_item: str
                spans_item_item = spans_item_item_data
                spans_item.append(spans_item_item)

            spans.append(spans_item)

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        ci: None | str | Unset
        if isinstance(self.ci, Unset):
            ci = UNSET
        else:
            ci = self.ci

        report: None | str | Unset
        if isinstance(self.report, Unset):
            report = UNSET
        else:
            report = self.report

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "giver": giver,
                "taker": taker,
                "number": number,
                "origin": origin,
                "reason": reason,
                "spans": spans,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if ci is not UNSET:
            field_dict["ci"] = ci
        if report is not UNSET:
            field_dict["report"] = report

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        number = d.pop("number")

        origin = d.pop("origin")

        reason = NoticeEventReason(d.pop("reason"))

        spans = []
        _spans = d.pop("spans")
        for spans_item_data in _spans:
            spans_item = []
            _spans_item = spans_item_data
            for spans_item_item_data in _spans_item:

                def _parse_spans_item_item(data: object) -> str:
                    return cast(str, data)

                spans_item_item = _parse_spans_item_item(spans_item_item_data)

                spans_item.append(spans_item_item)

            spans.append(spans_item)

        type_ = cast(Literal["notice"], d.pop("type"))
        if type_ != "notice":
            raise ValueError(f"type must match const 'notice', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_ci(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        ci = _parse_ci(d.pop("ci", UNSET))

        def _parse_report(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        report = _parse_report(d.pop("report", UNSET))

        notice_event = cls(
            id=id,
            day=day,
            giver=giver,
            taker=taker,
            number=number,
            origin=origin,
            reason=reason,
            spans=spans,
            type_=type_,
            actor=actor,
            ci=ci,
            report=report,
        )

        return notice_event
