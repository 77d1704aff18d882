from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.closed_site_view import ClosedSiteView


T = TypeVar("T", bound="EntityOut")


@_attrs_define
class EntityOut:
    """What the book says of the organization.

    Attributes:
        entity (str):
        name (str):
        roles (list[str]):
        sites (list[str]):
        closed_sites (list[ClosedSiteView]):
    """

    entity: str
    name: str
    roles: list[str]
    sites: list[str]
    closed_sites: list[ClosedSiteView]

    def to_dict(self) -> dict[str, Any]:
        entity = self.entity

        name = self.name

        roles = self.roles

        sites = self.sites

        closed_sites = []
        for closed_sites_item_data in self.closed_sites:
            closed_sites_item = closed_sites_item_data.to_dict()
            closed_sites.append(closed_sites_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "entity": entity,
                "name": name,
                "roles": roles,
                "sites": sites,
                "closed_sites": closed_sites,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.closed_site_view import ClosedSiteView  # noqa: PLC0415

        d = dict(src_dict)
        entity = d.pop("entity")

        name = d.pop("name")

        roles = cast(list[str], d.pop("roles"))

        sites = cast(list[str], d.pop("sites"))

        closed_sites = []
        _closed_sites = d.pop("closed_sites")
        for closed_sites_item_data in _closed_sites:
            closed_sites_item = ClosedSiteView.from_dict(closed_sites_item_data)

            closed_sites.append(closed_sites_item)

        entity_out = cls(
            entity=entity,
            name=name,
            roles=roles,
            sites=sites,
            closed_sites=closed_sites,
        )

        return entity_out
