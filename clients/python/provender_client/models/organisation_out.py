from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="OrganisationOut")


@_attrs_define
class OrganisationOut:
    """An organization.

    Attributes:
        code (str):
        name (str):
        county (str):
        state (str):
        roles (list[str]):
    """

    code: str
    name: str
    county: str
    state: str
    roles: list[str]

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        name = self.name

        county = self.county

        state = self.state

        roles = self.roles

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "name": name,
                "county": county,
                "state": state,
                "roles": roles,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        code = d.pop("code")

        name = d.pop("name")

        county = d.pop("county")

        state = d.pop("state")

        roles = cast(list[str], d.pop("roles"))

        organisation_out = cls(
            code=code,
            name=name,
            county=county,
            state=state,
            roles=roles,
        )

        return organisation_out
