from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="DifferenceOut")


@_attrs_define
class DifferenceOut:
    """A claim that does not recompute, by its place in the result; bushels and grams are decimal text or null.

    Attributes:
        index (int):
        code (str):
        place (str):
        claimed (str):
        recomputed (str):
        cite (str):
        effect_bushels (None | str):
        effect_g_co2e (None | str):
        is_finding (bool):
    """

    index: int
    code: str
    place: str
    claimed: str
    recomputed: str
    cite: str
    effect_bushels: None | str
    effect_g_co2e: None | str
    is_finding: bool

    def to_dict(self) -> dict[str, Any]:
        index = self.index

        code = self.code

        place = self.place

        claimed = self.claimed

        recomputed = self.recomputed

        cite = self.cite

        effect_bushels: None | str
        effect_bushels = self.effect_bushels

        effect_g_co2e: None | str
        effect_g_co2e = self.effect_g_co2e

        is_finding = self.is_finding

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "index": index,
                "code": code,
                "place": place,
                "claimed": claimed,
                "recomputed": recomputed,
                "cite": cite,
                "effect_bushels": effect_bushels,
                "effect_g_co2e": effect_g_co2e,
                "is_finding": is_finding,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        index = d.pop("index")

        code = d.pop("code")

        place = d.pop("place")

        claimed = d.pop("claimed")

        recomputed = d.pop("recomputed")

        cite = d.pop("cite")

        def _parse_effect_bushels(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        effect_bushels = _parse_effect_bushels(d.pop("effect_bushels"))

        def _parse_effect_g_co2e(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        effect_g_co2e = _parse_effect_g_co2e(d.pop("effect_g_co2e"))

        is_finding = d.pop("is_finding")

        difference_out = cls(
            index=index,
            code=code,
            place=place,
            claimed=claimed,
            recomputed=recomputed,
            cite=cite,
            effect_bushels=effect_bushels,
            effect_g_co2e=effect_g_co2e,
            is_finding=is_finding,
        )

        return difference_out
