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


T = TypeVar("T", bound="CrushEvent")


@_attrs_define
class CrushEvent:
    """States what a plant put in and got out in a campaign so far; a later one replaces it.

    What was measured is never refused. From then on claims are: beyond the crop put in, or beyond their share of the
    product made. What claims exceed already is told with the answer and in its facts.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            entity (str): Whose plant.
            made_of (str): What goes in.
            output (str): What comes out with the claim.
            campaign (str): The run, as its yield names it.
            crop_crushed (str): All that was put in, conventional too, in the unit of the input.
            product_made (str): All that came out, in pounds.
            type_ (Literal['crush']):
            actor (None | str | Unset): Who entered it.
            site (None | str | Unset): Which plant.
            coproducts (list[CoproductIn] | None | Unset): What else came out, listed without a claim.
    """

    id: str
    day: datetime.date
    entity: str
    made_of: str
    output: str
    campaign: str
    crop_crushed: str
    product_made: str
    type_: Literal["crush"]
    actor: None | str | Unset = UNSET
    site: None | str | Unset = UNSET
    coproducts: list[CoproductIn] | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        made_of = self.made_of

        output = self.output

        campaign = self.campaign

        crop_crushed = self.crop_crushed

        product_made = self.product_made

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

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

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "made_of": made_of,
                "output": output,
                "campaign": campaign,
                "crop_crushed": crop_crushed,
                "product_made": product_made,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if site is not UNSET:
            field_dict["site"] = site
        if coproducts is not UNSET:
            field_dict["coproducts"] = coproducts

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

        crop_crushed = d.pop("crop_crushed")

        product_made = d.pop("product_made")

        type_ = cast(Literal["crush"], d.pop("type"))
        if type_ != "crush":
            raise ValueError(f"type must match const 'crush', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

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

        crush_event = cls(
            id=id,
            day=day,
            entity=entity,
            made_of=made_of,
            output=output,
            campaign=campaign,
            crop_crushed=crop_crushed,
            product_made=product_made,
            type_=type_,
            actor=actor,
            site=site,
            coproducts=coproducts,
        )

        return crush_event
