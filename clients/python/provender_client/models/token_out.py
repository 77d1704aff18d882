from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.token_state import TokenState

T = TypeVar("T", bound="TokenOut")


@_attrs_define
class TokenOut:
    """A token, without its secret. ``state`` says whether it opens anything today, and if not, why.

    Attributes:
        id (int):
        name (str):
        hint (str):
        scopes (list[str]):
        expires_on (str):
        revoked (bool):
        state (TokenState): How a token stands today.
    """

    id: int
    name: str
    hint: str
    scopes: list[str]
    expires_on: str
    revoked: bool
    state: TokenState

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        hint = self.hint

        scopes = self.scopes

        expires_on = self.expires_on

        revoked = self.revoked

        state = self.state.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "name": name,
                "hint": hint,
                "scopes": scopes,
                "expires_on": expires_on,
                "revoked": revoked,
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        hint = d.pop("hint")

        scopes = cast(list[str], d.pop("scopes"))

        expires_on = d.pop("expires_on")

        revoked = d.pop("revoked")

        state = TokenState(d.pop("state"))

        token_out = cls(
            id=id,
            name=name,
            hint=hint,
            scopes=scopes,
            expires_on=expires_on,
            revoked=revoked,
            state=state,
        )

        return token_out
