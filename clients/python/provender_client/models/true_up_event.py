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

T = TypeVar("T", bound="TrueUpEvent")


@_attrs_define
class TrueUpEvent:
    """Brings the claims of a campaign from its provisional to its final yield.

    Claims still in stock take the final yield. What was sold at a provisional yield that proved too high is taken out
    of those in stock too, the latest first; what they cannot bear is reported as a shortfall. What an owner bought of
    the campaign stays at its supplier's yield (interpretation 41).

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            entity (str): Who owns the claims.
            made_of (str): What went in.
            output (str): What came out.
            campaign (str): The run.
            type_ (Literal['true_up']):
            actor (None | str | Unset): Who entered it.
            plant (None | str | Unset): Who crushed; the owner itself unless it was toll crushing.
            site (None | str | Unset): Which plant.
    """

    id: str
    day: datetime.date
    entity: str
    made_of: str
    output: str
    campaign: str
    type_: Literal["true_up"]
    actor: None | str | Unset = UNSET
    plant: None | str | Unset = UNSET
    site: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        made_of = self.made_of

        output = self.output

        campaign = self.campaign

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        plant: None | str | Unset
        if isinstance(self.plant, Unset):
            plant = UNSET
        else:
            plant = self.plant

        site: None | str | Unset
        if isinstance(self.site, Unset):
            site = UNSET
        else:
            site = self.site

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "made_of": made_of,
                "output": output,
                "campaign": campaign,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if plant is not UNSET:
            field_dict["plant"] = plant
        if site is not UNSET:
            field_dict["site"] = site

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        made_of = d.pop("made_of")

        output = d.pop("output")

        campaign = d.pop("campaign")

        type_ = cast(Literal["true_up"], d.pop("type"))
        if type_ != "true_up":
            raise ValueError(f"type must match const 'true_up', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_plant(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        plant = _parse_plant(d.pop("plant", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

        true_up_event = cls(
            id=id,
            day=day,
            entity=entity,
            made_of=made_of,
            output=output,
            campaign=campaign,
            type_=type_,
            actor=actor,
            plant=plant,
            site=site,
        )

        return true_up_event
