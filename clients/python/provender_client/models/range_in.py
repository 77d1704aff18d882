from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="RangeIn")


@_attrs_define
class RangeIn:
    """Serials of an origin, named by someone who wants exactly these.

    Attributes:
        origin (str): Whose serials. Example: 3f9ac2d1.
        start (str): The first serial. Example: 0.
        stop (str): The serial after the last. Example: 500.
        pounds (None | str | Unset): Of a product, how much they carry, where that is less than they would support; 0
            for all of it.
    """

    origin: str
    start: str
    stop: str
    pounds: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        origin = self.origin

        start = self.start

        stop = self.stop

        pounds: None | str | Unset
        if isinstance(self.pounds, Unset):
            pounds = UNSET
        else:
            pounds = self.pounds

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "origin": origin,
                "start": start,
                "stop": stop,
            }
        )
        if pounds is not UNSET:
            field_dict["pounds"] = pounds

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        origin = d.pop("origin")

        start = d.pop("start")

        stop = d.pop("stop")

        def _parse_pounds(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pounds = _parse_pounds(d.pop("pounds", UNSET))

        range_in = cls(
            origin=origin,
            start=start,
            stop=stop,
            pounds=pounds,
        )

        return range_in
