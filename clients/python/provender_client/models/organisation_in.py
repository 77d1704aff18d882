from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.organisation_in_roles_item import OrganisationInRolesItem
from ..types import UNSET, Unset

T = TypeVar("T", bound="OrganisationIn")


@_attrs_define
class OrganisationIn:
    """Name, place and roles as they are to stand.

    Attributes:
        name (str): One line of text.
        roles (list[OrganisationInRolesItem]):
        county (str | Unset):  Default: ''.
        state (str | Unset): Two letters. Default: ''.
    """

    name: str
    roles: list[OrganisationInRolesItem]
    county: str | Unset = ""
    state: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        roles = []
        for roles_item_data in self.roles:
            roles_item = roles_item_data.value
            roles.append(roles_item)

        county = self.county

        state = self.state

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "roles": roles,
            }
        )
        if county is not UNSET:
            field_dict["county"] = county
        if state is not UNSET:
            field_dict["state"] = state

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        roles = []
        _roles = d.pop("roles")
        for roles_item_data in _roles:
            roles_item = OrganisationInRolesItem(roles_item_data)

            roles.append(roles_item)

        county = d.pop("county", UNSET)

        state = d.pop("state", UNSET)

        organisation_in = cls(
            name=name,
            roles=roles,
            county=county,
            state=state,
        )

        return organisation_in
