from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="DocumentLineIn")


@_attrs_define
class DocumentLineIn:
    """One line of a transfer document from outside.

    Attributes:
        crop (str): The crop behind the claim. Example: corn.
        harvest_year (int): Year of harvest; 0 where the document does not say. Example: 2025.
        ci (str):  Example: 29150.37.
        form (str): The crop or the product sold. Example: corn.
        bushels (str): Crop, or crop used for the product. Example: 1000.
        pounds (None | str | Unset): Of the product; 0 for the crop.
        origin (None | str | Unset): Blinded id, empty on a document without serials.
        start (None | str | Unset): First serial; 0 on a document without serials.
        rate (None | str | Unset): The supplier's yield; 0 takes pounds over bushels.
    """

    crop: str
    harvest_year: int
    ci: str
    form: str
    bushels: str
    pounds: None | str | Unset = UNSET
    origin: None | str | Unset = UNSET
    start: None | str | Unset = UNSET
    rate: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        harvest_year = self.harvest_year

        ci = self.ci

        form = self.form

        bushels = self.bushels

        pounds: None | str | Unset
        if isinstance(self.pounds, Unset):
            pounds = UNSET
        else:
            pounds = self.pounds

        origin: None | str | Unset
        if isinstance(self.origin, Unset):
            origin = UNSET
        else:
            origin = self.origin

        start: None | str | Unset
        if isinstance(self.start, Unset):
            start = UNSET
        else:
            start = self.start

        rate: None | str | Unset
        if isinstance(self.rate, Unset):
            rate = UNSET
        else:
            rate = self.rate

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "ci": ci,
                "form": form,
                "bushels": bushels,
            }
        )
        if pounds is not UNSET:
            field_dict["pounds"] = pounds
        if origin is not UNSET:
            field_dict["origin"] = origin
        if start is not UNSET:
            field_dict["start"] = start
        if rate is not UNSET:
            field_dict["rate"] = rate

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        ci = d.pop("ci")

        form = d.pop("form")

        bushels = d.pop("bushels")

        def _parse_pounds(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pounds = _parse_pounds(d.pop("pounds", UNSET))

        def _parse_origin(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        origin = _parse_origin(d.pop("origin", UNSET))

        def _parse_start(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        start = _parse_start(d.pop("start", UNSET))

        def _parse_rate(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        rate = _parse_rate(d.pop("rate", UNSET))

        document_line_in = cls(
            crop=crop,
            harvest_year=harvest_year,
            ci=ci,
            form=form,
            bushels=bushels,
            pounds=pounds,
            origin=origin,
            start=start,
            rate=rate,
        )

        return document_line_in
