from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SeedIn")


@_attrs_define
class SeedIn:
    """The secret behind the verifier's own commitment; empty where the server made its part of the seed.

    ``size`` asks for more farms than the minimum; ``without_party`` records that the party does not open its part.

        Attributes:
            seed (str | Unset):  Default: ''.
            without_party (bool | Unset):  Default: False.
            size (int | None | Unset):
    """

    seed: str | Unset = ""
    without_party: bool | Unset = False
    size: int | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        seed = self.seed

        without_party = self.without_party

        size: int | None | Unset
        if isinstance(self.size, Unset):
            size = UNSET
        else:
            size = self.size

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if seed is not UNSET:
            field_dict["seed"] = seed
        if without_party is not UNSET:
            field_dict["without_party"] = without_party
        if size is not UNSET:
            field_dict["size"] = size

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        seed = d.pop("seed", UNSET)

        without_party = d.pop("without_party", UNSET)

        def _parse_size(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        size = _parse_size(d.pop("size", UNSET))

        seed_in = cls(
            seed=seed,
            without_party=without_party,
            size=size,
        )

        return seed_in
