from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SitesIn")


@_attrs_define
class SitesIn:
    """Sites to add; one that is there already stays.

    Attributes:
        sites (list[str] | Unset):
    """

    sites: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        sites: list[str] | Unset = UNSET
        if not isinstance(self.sites, Unset):
            sites = self.sites

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if sites is not UNSET:
            field_dict["sites"] = sites

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        sites = cast(list[str], d.pop("sites", UNSET))

        sites_in = cls(
            sites=sites,
        )

        return sites_in
