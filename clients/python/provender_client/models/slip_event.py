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

from ..types import UNSET, Unset

T = TypeVar("T", bound="SlipEvent")


@_attrs_define
class SlipEvent:
    """A sale slip that the farm signs: it assigns serials to one buyer. Without ``spans`` the lowest free ones.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        giver (str): The farm, or the landowner for a share.
        taker (str):
        origin (str): Whose serials.
        type_ (Literal['slip']):
        actor (None | str | Unset): Who entered it.
        bushels (None | str | Unset): How many, lowest free serials first.
        spans (list[list[str]] | None | Unset): Exactly these serials instead. Example: [['0', '500']].
        returned (None | str | Unset): The earlier slip by which these serials went to a house whose book is elsewhere,
            when it gave them back: the farm says so under its signature, since this book did not see it.
    """

    id: str
    day: datetime.date
    giver: str
    taker: str
    origin: str
    type_: Literal["slip"]
    actor: None | str | Unset = UNSET
    bushels: None | str | Unset = UNSET
    spans: list[list[str]] | None | Unset = UNSET
    returned: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        origin = self.origin

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        bushels: None | str | Unset
        if isinstance(self.bushels, Unset):
            bushels = UNSET
        else:
            bushels = self.bushels

        spans: list[list[str]] | None | Unset
        if isinstance(self.spans, Unset):
            spans = UNSET
        elif isinstance(self.spans, list):
            spans = []
            for spans_type_0_item_data in self.spans:
                spans_type_0_item = []
                for spans_type_0_item_item_data in spans_type_0_item_data:
                    spans_type_0_item_item: str
                    spans_type_0_item_item = spans_type_0_item_item_data
                    spans_type_0_item.append(spans_type_0_item_item)

                spans.append(spans_type_0_item)

        else:
            spans = self.spans

        returned: None | str | Unset
        if isinstance(self.returned, Unset):
            returned = UNSET
        else:
            returned = self.returned

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "giver": giver,
                "taker": taker,
                "origin": origin,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if bushels is not UNSET:
            field_dict["bushels"] = bushels
        if spans is not UNSET:
            field_dict["spans"] = spans
        if returned is not UNSET:
            field_dict["returned"] = returned

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        origin = d.pop("origin")

        type_ = cast(Literal["slip"], d.pop("type"))
        if type_ != "slip":
            raise ValueError(f"type must match const 'slip', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_bushels(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        bushels = _parse_bushels(d.pop("bushels", UNSET))

        def _parse_spans(data: object) -> list[list[str]] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                spans_type_0 = []
                _spans_type_0 = data
                for spans_type_0_item_data in _spans_type_0:
                    spans_type_0_item = []
                    _spans_type_0_item = spans_type_0_item_data
                    for spans_type_0_item_item_data in _spans_type_0_item:

                        def _parse_spans_type_0_item_item(data: object) -> str:
                            return cast(str, data)

                        spans_type_0_item_item = _parse_spans_type_0_item_item(spans_type_0_item_item_data)

                        spans_type_0_item.append(spans_type_0_item_item)

                    spans_type_0.append(spans_type_0_item)

                return spans_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[list[str]] | None | Unset, data)

        spans = _parse_spans(d.pop("spans", UNSET))

        def _parse_returned(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        returned = _parse_returned(d.pop("returned", UNSET))

        slip_event = cls(
            id=id,
            day=day,
            giver=giver,
            taker=taker,
            origin=origin,
            type_=type_,
            actor=actor,
            bushels=bushels,
            spans=spans,
            returned=returned,
        )

        return slip_event
