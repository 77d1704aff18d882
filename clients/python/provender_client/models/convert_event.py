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
    from ..models.coproduct_in import CoproductIn


T = TypeVar("T", bound="ConvertEvent")


@_attrs_define
class ConvertEvent:
    """States one batch of a plant: crop in, products out, meters. A day's, where the plant keeps them so.

    What was measured is never refused. What claims exceed the sum of the batches by is told with the answer.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): At most a period after the first.
            entity (str): Whose plant.
            made_of (str): What goes in.
            output (str): What comes out with the claim.
            campaign (str): The run, as its yield names it.
            number (str): The plant's own number of the batch; a void one may come again.
            put_in (str): All that was put in, conventional too, in the unit of the input.
            made (str): All that came out, in pounds.
            type_ (Literal['convert']):
            actor (None | str | Unset): Who entered it.
            start_day (datetime.date | None | Unset): The last day without it.
            meter_before (None | str | Unset): Of the output, where it has one.
            meter_after (None | str | Unset): Its reading at the end.
            site (None | str | Unset): Which plant.
            coproducts (list[CoproductIn] | None | Unset): What else came out, listed without a claim.
            void (bool | None | Unset): Takes the record with this number back.
    """

    id: str
    day: datetime.date
    entity: str
    made_of: str
    output: str
    campaign: str
    number: str
    put_in: str
    made: str
    type_: Literal["convert"]
    actor: None | str | Unset = UNSET
    start_day: datetime.date | None | Unset = UNSET
    meter_before: None | str | Unset = UNSET
    meter_after: None | str | Unset = UNSET
    site: None | str | Unset = UNSET
    coproducts: list[CoproductIn] | None | Unset = UNSET
    void: bool | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        made_of = self.made_of

        output = self.output

        campaign = self.campaign

        number = self.number

        put_in = self.put_in

        made = self.made

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        start_day: None | str | Unset
        if isinstance(self.start_day, Unset):
            start_day = UNSET
        elif isinstance(self.start_day, datetime.date):
            start_day = self.start_day.isoformat()
        else:
            start_day = self.start_day

        meter_before: None | str | Unset
        if isinstance(self.meter_before, Unset):
            meter_before = UNSET
        else:
            meter_before = self.meter_before

        meter_after: None | str | Unset
        if isinstance(self.meter_after, Unset):
            meter_after = UNSET
        else:
            meter_after = self.meter_after

        site: None | str | Unset
        if isinstance(self.site, Unset):
            site = UNSET
        else:
            site = self.site

        coproducts: list[dict[str, Any]] | None | Unset
        if isinstance(self.coproducts, Unset):
            coproducts = UNSET
        elif isinstance(self.coproducts, list):
            coproducts = []
            for coproducts_type_0_item_data in self.coproducts:
                coproducts_type_0_item = coproducts_type_0_item_data.to_dict()
                coproducts.append(coproducts_type_0_item)

        else:
            coproducts = self.coproducts

        void: bool | None | Unset
        if isinstance(self.void, Unset):
            void = UNSET
        else:
            void = self.void

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "made_of": made_of,
                "output": output,
                "campaign": campaign,
                "number": number,
                "put_in": put_in,
                "made": made,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if start_day is not UNSET:
            field_dict["start_day"] = start_day
        if meter_before is not UNSET:
            field_dict["meter_before"] = meter_before
        if meter_after is not UNSET:
            field_dict["meter_after"] = meter_after
        if site is not UNSET:
            field_dict["site"] = site
        if coproducts is not UNSET:
            field_dict["coproducts"] = coproducts
        if void is not UNSET:
            field_dict["void"] = void

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.coproduct_in import CoproductIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        made_of = d.pop("made_of")

        output = d.pop("output")

        campaign = d.pop("campaign")

        number = d.pop("number")

        put_in = d.pop("put_in")

        made = d.pop("made")

        type_ = cast(Literal["convert"], d.pop("type"))
        if type_ != "convert":
            raise ValueError(f"type must match const 'convert', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_start_day(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                start_day_type_0 = datetime.date.fromisoformat(data)

                return start_day_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        start_day = _parse_start_day(d.pop("start_day", UNSET))

        def _parse_meter_before(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        meter_before = _parse_meter_before(d.pop("meter_before", UNSET))

        def _parse_meter_after(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        meter_after = _parse_meter_after(d.pop("meter_after", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

        def _parse_coproducts(data: object) -> list[CoproductIn] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                coproducts_type_0 = []
                _coproducts_type_0 = data
                for coproducts_type_0_item_data in _coproducts_type_0:
                    coproducts_type_0_item = CoproductIn.from_dict(coproducts_type_0_item_data)

                    coproducts_type_0.append(coproducts_type_0_item)

                return coproducts_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[CoproductIn] | None | Unset, data)

        coproducts = _parse_coproducts(d.pop("coproducts", UNSET))

        def _parse_void(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        void = _parse_void(d.pop("void", UNSET))

        convert_event = cls(
            id=id,
            day=day,
            entity=entity,
            made_of=made_of,
            output=output,
            campaign=campaign,
            number=number,
            put_in=put_in,
            made=made,
            type_=type_,
            actor=actor,
            start_day=start_day,
            meter_before=meter_before,
            meter_after=meter_after,
            site=site,
            coproducts=coproducts,
            void=void,
        )

        return convert_event
