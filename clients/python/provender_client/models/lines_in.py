from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="LinesIn")


@_attrs_define
class LinesIn:
    """Of which days, and by which confirmed column map of settlements, the latest first; without one by our own.

    Attributes:
        since (datetime.date | Unset):  Default: datetime.date.fromisoformat('0001-01-01').
        on (datetime.date | None | Unset):
        map_ (int | None | Unset): Its place in /custody/maps?target=settlement.
    """

    since: datetime.date | Unset = datetime.date.fromisoformat("0001-01-01")
    on: datetime.date | None | Unset = UNSET
    map_: int | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        since: str | Unset = UNSET
        if not isinstance(self.since, Unset):
            since = self.since.isoformat()

        on: None | str | Unset
        if isinstance(self.on, Unset):
            on = UNSET
        elif isinstance(self.on, datetime.date):
            on = self.on.isoformat()
        else:
            on = self.on

        map_: int | None | Unset
        if isinstance(self.map_, Unset):
            map_ = UNSET
        else:
            map_ = self.map_

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if since is not UNSET:
            field_dict["since"] = since
        if on is not UNSET:
            field_dict["on"] = on
        if map_ is not UNSET:
            field_dict["map"] = map_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        _since = d.pop("since", UNSET)
        since: datetime.date | Unset
        if isinstance(_since, Unset):
            since = UNSET
        else:
            since = datetime.date.fromisoformat(_since)

        def _parse_on(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                on_type_0 = datetime.date.fromisoformat(data)

                return on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        on = _parse_on(d.pop("on", UNSET))

        def _parse_map_(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        map_ = _parse_map_(d.pop("map", UNSET))

        lines_in = cls(
            since=since,
            on=on,
            map_=map_,
        )

        return lines_in
