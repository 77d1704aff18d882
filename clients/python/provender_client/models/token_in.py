from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.scope import Scope

T = TypeVar("T", bound="TokenIn")


@_attrs_define
class TokenIn:
    """What a token is for, what it may do, and its last day.

    Attributes:
        name (str):
        scopes (list[Scope]):
        expires_on (datetime.date):
    """

    name: str
    scopes: list[Scope]
    expires_on: datetime.date

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        scopes = []
        for scopes_item_data in self.scopes:
            scopes_item = scopes_item_data.value
            scopes.append(scopes_item)

        expires_on = self.expires_on.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "scopes": scopes,
                "expires_on": expires_on,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        scopes = []
        _scopes = d.pop("scopes")
        for scopes_item_data in _scopes:
            scopes_item = Scope(scopes_item_data)

            scopes.append(scopes_item)

        expires_on = datetime.date.fromisoformat(d.pop("expires_on"))

        token_in = cls(
            name=name,
            scopes=scopes,
            expires_on=expires_on,
        )

        return token_in
