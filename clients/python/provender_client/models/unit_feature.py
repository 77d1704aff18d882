from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.unit_facts import UnitFacts
    from ..models.unit_feature_geometry_type_0 import UnitFeatureGeometryType0


T = TypeVar("T", bound="UnitFeature")


@_attrs_define
class UnitFeature:
    """A management unit as a GeoJSON feature; ``geometry`` is null while no boundary is in the book.

    Attributes:
        properties (UnitFacts): What is known of a unit beside its boundary: acres as the book says and as measured, the
            county by its FIPS.
        geometry (None | UnitFeatureGeometryType0):
        type_ (Literal['Feature'] | Unset):  Default: 'Feature'.
    """

    properties: UnitFacts
    geometry: None | UnitFeatureGeometryType0
    type_: Literal["Feature"] | Unset = "Feature"

    def to_dict(self) -> dict[str, Any]:
        from ..models.unit_feature_geometry_type_0 import UnitFeatureGeometryType0  # noqa: PLC0415

        properties = self.properties.to_dict()

        geometry: dict[str, Any] | None
        if isinstance(self.geometry, UnitFeatureGeometryType0):
            geometry = self.geometry.to_dict()
        else:
            geometry = self.geometry

        type_ = self.type_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "properties": properties,
                "geometry": geometry,
            }
        )
        if type_ is not UNSET:
            field_dict["type"] = type_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.unit_facts import UnitFacts  # noqa: PLC0415
        from ..models.unit_feature_geometry_type_0 import UnitFeatureGeometryType0  # noqa: PLC0415

        d = dict(src_dict)
        properties = UnitFacts.from_dict(d.pop("properties"))

        def _parse_geometry(data: object) -> None | UnitFeatureGeometryType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                geometry_type_0 = UnitFeatureGeometryType0.from_dict(data)

                return geometry_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UnitFeatureGeometryType0, data)

        geometry = _parse_geometry(d.pop("geometry"))

        type_ = cast(Literal["Feature"] | Unset, d.pop("type", UNSET))
        if type_ != "Feature" and not isinstance(type_, Unset):
            raise ValueError(f"type must match const 'Feature', got '{type_}'")

        unit_feature = cls(
            properties=properties,
            geometry=geometry,
            type_=type_,
        )

        return unit_feature
