from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.bearing import Bearing
from ..models.resolution import Resolution
from ..types import UNSET, Unset

T = TypeVar("T", bound="ResolutionIn")


@_attrs_define
class ResolutionIn:
    """How the verifier ends a finding.

    Attributes:
        resolution (Resolution): How a finding ended.
        text (str):
        effect_bushels (str | Unset): Bushels or grams, if known. Default: ''.
        effect_g_co2e (str | Unset): Bushels or grams, if known. Default: ''.
        bearing (Bearing | None | Unset):
    """

    resolution: Resolution
    text: str
    effect_bushels: str | Unset = ""
    effect_g_co2e: str | Unset = ""
    bearing: Bearing | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        resolution = self.resolution.value

        text = self.text

        effect_bushels = self.effect_bushels

        effect_g_co2e = self.effect_g_co2e

        bearing: None | str | Unset
        if isinstance(self.bearing, Unset):
            bearing = UNSET
        elif isinstance(self.bearing, Bearing):
            bearing = self.bearing.value
        else:
            bearing = self.bearing

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "resolution": resolution,
                "text": text,
            }
        )
        if effect_bushels is not UNSET:
            field_dict["effect_bushels"] = effect_bushels
        if effect_g_co2e is not UNSET:
            field_dict["effect_g_co2e"] = effect_g_co2e
        if bearing is not UNSET:
            field_dict["bearing"] = bearing

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        resolution = Resolution(d.pop("resolution"))

        text = d.pop("text")

        effect_bushels = d.pop("effect_bushels", UNSET)

        effect_g_co2e = d.pop("effect_g_co2e", UNSET)

        def _parse_bearing(data: object) -> Bearing | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                bearing_type_0 = Bearing(data)

                return bearing_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Bearing | None | Unset, data)

        bearing = _parse_bearing(d.pop("bearing", UNSET))

        resolution_in = cls(
            resolution=resolution,
            text=text,
            effect_bushels=effect_bushels,
            effect_g_co2e=effect_g_co2e,
            bearing=bearing,
        )

        return resolution_in
