from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.role import Role

if TYPE_CHECKING:
    from ..models.rhythm_out import RhythmOut


T = TypeVar("T", bound="PartyOut")


@_attrs_define
class PartyOut:
    """A party that lets the verifier in today; farms have no yearly rhythm of their own.

    Attributes:
        party (str):
        name (str):
        roles (list[Role]):
        access_until (datetime.date):
        rhythm (None | RhythmOut):
    """

    party: str
    name: str
    roles: list[Role]
    access_until: datetime.date
    rhythm: None | RhythmOut

    def to_dict(self) -> dict[str, Any]:
        from ..models.rhythm_out import RhythmOut  # noqa: PLC0415

        party = self.party

        name = self.name

        roles = []
        for roles_item_data in self.roles:
            roles_item = roles_item_data.value
            roles.append(roles_item)

        access_until = self.access_until.isoformat()

        rhythm: dict[str, Any] | None
        if isinstance(self.rhythm, RhythmOut):
            rhythm = self.rhythm.to_dict()
        else:
            rhythm = self.rhythm

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "party": party,
                "name": name,
                "roles": roles,
                "access_until": access_until,
                "rhythm": rhythm,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.rhythm_out import RhythmOut  # noqa: PLC0415

        d = dict(src_dict)
        party = d.pop("party")

        name = d.pop("name")

        roles = []
        _roles = d.pop("roles")
        for roles_item_data in _roles:
            roles_item = Role(roles_item_data)

            roles.append(roles_item)

        access_until = datetime.date.fromisoformat(d.pop("access_until"))

        def _parse_rhythm(data: object) -> None | RhythmOut:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                rhythm_type_0 = RhythmOut.from_dict(data)

                return rhythm_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RhythmOut, data)

        rhythm = _parse_rhythm(d.pop("rhythm"))

        party_out = cls(
            party=party,
            name=name,
            roles=roles,
            access_until=access_until,
            rhythm=rhythm,
        )

        return party_out
