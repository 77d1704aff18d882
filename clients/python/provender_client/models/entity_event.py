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

from ..models.entity_event_roles_item import EntityEventRolesItem
from ..types import UNSET, Unset

T = TypeVar("T", bound="EntityEvent")


@_attrs_define
class EntityEvent:
    """Registers an entity, or states its name, roles and sites anew.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        entity (str): What events call it.
        name (str): For people.
        roles (list[EntityEventRolesItem]): What it does in the chain (2100.010).
        type_ (Literal['entity']):
        actor (None | str | Unset): Who entered it.
        sites (list[str] | None | Unset): Where it keeps crop or product; sites are only ever added. Example: ['North
            elevator'].
    """

    id: str
    day: datetime.date
    entity: str
    name: str
    roles: list[EntityEventRolesItem]
    type_: Literal["entity"]
    actor: None | str | Unset = UNSET
    sites: list[str] | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        name = self.name

        roles = []
        for roles_item_data in self.roles:
            roles_item = roles_item_data.value
            roles.append(roles_item)

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        sites: list[str] | None | Unset
        if isinstance(self.sites, Unset):
            sites = UNSET
        elif isinstance(self.sites, list):
            sites = self.sites

        else:
            sites = self.sites

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "name": name,
                "roles": roles,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if sites is not UNSET:
            field_dict["sites"] = sites

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        name = d.pop("name")

        roles = []
        _roles = d.pop("roles")
        for roles_item_data in _roles:
            roles_item = EntityEventRolesItem(roles_item_data)

            roles.append(roles_item)

        type_ = cast(Literal["entity"], d.pop("type"))
        if type_ != "entity":
            raise ValueError(f"type must match const 'entity', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_sites(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                sites_type_0 = cast(list[str], data)

                return sites_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        sites = _parse_sites(d.pop("sites", UNSET))

        entity_event = cls(
            id=id,
            day=day,
            entity=entity,
            name=name,
            roles=roles,
            type_=type_,
            actor=actor,
            sites=sites,
        )

        return entity_event
