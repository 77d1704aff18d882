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

from ..models.yield_event_basis_type_0 import YieldEventBasisType0
from ..types import UNSET, Unset

T = TypeVar("T", bound="YieldEvent")


@_attrs_define
class YieldEvent:
    """States a plant's yield: provisional while a campaign runs, final when it is measured.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        entity (str): Whose plant.
        made_of (str): What goes in.
        output (str): What comes out with the claim.
        campaign (str): The plant's name for the run.
        rate (str): The crushing yield.
        start_day (datetime.date): First day.
        end_day (datetime.date): Last day.
        type_ (Literal['yield']):
        actor (None | str | Unset): Who entered it.
        basis (None | Unset | YieldEventBasisType0): An estimate or the result.
        site (None | str | Unset): Which plant.
        evidence (None | str | Unset): SHA-256 of the file that shows it, where product of a bushel is beyond what is
            plausible for its form.
    """

    id: str
    day: datetime.date
    entity: str
    made_of: str
    output: str
    campaign: str
    rate: str
    start_day: datetime.date
    end_day: datetime.date
    type_: Literal["yield"]
    actor: None | str | Unset = UNSET
    basis: None | Unset | YieldEventBasisType0 = UNSET
    site: None | str | Unset = UNSET
    evidence: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        made_of = self.made_of

        output = self.output

        campaign = self.campaign

        rate = self.rate

        start_day = self.start_day.isoformat()

        end_day = self.end_day.isoformat()

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        basis: None | str | Unset
        if isinstance(self.basis, Unset):
            basis = UNSET
        elif isinstance(self.basis, YieldEventBasisType0):
            basis = self.basis.value
        else:
            basis = self.basis

        site: None | str | Unset
        if isinstance(self.site, Unset):
            site = UNSET
        else:
            site = self.site

        evidence: None | str | Unset
        if isinstance(self.evidence, Unset):
            evidence = UNSET
        else:
            evidence = self.evidence

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "made_of": made_of,
                "output": output,
                "campaign": campaign,
                "rate": rate,
                "start_day": start_day,
                "end_day": end_day,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if basis is not UNSET:
            field_dict["basis"] = basis
        if site is not UNSET:
            field_dict["site"] = site
        if evidence is not UNSET:
            field_dict["evidence"] = evidence

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

        rate = d.pop("rate")

        start_day = datetime.date.fromisoformat(d.pop("start_day"))

        end_day = datetime.date.fromisoformat(d.pop("end_day"))

        type_ = cast(Literal["yield"], d.pop("type"))
        if type_ != "yield":
            raise ValueError(f"type must match const 'yield', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_basis(data: object) -> None | Unset | YieldEventBasisType0:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                basis_type_0 = YieldEventBasisType0(data)

                return basis_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Unset | YieldEventBasisType0, data)

        basis = _parse_basis(d.pop("basis", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

        def _parse_evidence(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        evidence = _parse_evidence(d.pop("evidence", UNSET))

        yield_event = cls(
            id=id,
            day=day,
            entity=entity,
            made_of=made_of,
            output=output,
            campaign=campaign,
            rate=rate,
            start_day=start_day,
            end_day=end_day,
            type_=type_,
            actor=actor,
            basis=basis,
            site=site,
            evidence=evidence,
        )

        return yield_event
