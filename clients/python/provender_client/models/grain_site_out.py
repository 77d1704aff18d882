from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="GrainSiteOut")


@_attrs_define
class GrainSiteOut:
    """Grain and claims at one site, in ``unit``.

    ``grain`` is null without an entry up to today, and ``covered`` where claims lie without a grain book.

        Attributes:
            site (str):
            form (str):
            unit (str):
            grain (None | str):
            claims (str):
            covered (bool | None):
            entries (int):
    """

    site: str
    form: str
    unit: str
    grain: None | str
    claims: str
    covered: bool | None
    entries: int

    def to_dict(self) -> dict[str, Any]:
        site = self.site

        form = self.form

        unit = self.unit

        grain: None | str
        grain = self.grain

        claims = self.claims

        covered: bool | None
        covered = self.covered

        entries = self.entries

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "site": site,
                "form": form,
                "unit": unit,
                "grain": grain,
                "claims": claims,
                "covered": covered,
                "entries": entries,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        site = d.pop("site")

        form = d.pop("form")

        unit = d.pop("unit")

        def _parse_grain(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        grain = _parse_grain(d.pop("grain"))

        claims = d.pop("claims")

        def _parse_covered(data: object) -> bool | None:
            if data is None:
                return data
            return cast(bool | None, data)

        covered = _parse_covered(d.pop("covered"))

        entries = d.pop("entries")

        grain_site_out = cls(
            site=site,
            form=form,
            unit=unit,
            grain=grain,
            claims=claims,
            covered=covered,
            entries=entries,
        )

        return grain_site_out
