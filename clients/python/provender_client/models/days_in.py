from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="DaysIn")


@_attrs_define
class DaysIn:
    """Which days: to the end of ``on``, without it today, from ``since`` or the first day of the period; or a month.

    Attributes:
        on (datetime.date | None | Unset):
        since (datetime.date | None | Unset):
        month (str | Unset): Such as 2026-02, instead of the days. Default: ''.
    """

    on: datetime.date | None | Unset = UNSET
    since: datetime.date | None | Unset = UNSET
    month: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        on: None | str | Unset
        if isinstance(self.on, Unset):
            on = UNSET
        elif isinstance(self.on, datetime.date):
            on = self.on.isoformat()
        else:
            on = self.on

        since: None | str | Unset
        if isinstance(self.since, Unset):
            since = UNSET
        elif isinstance(self.since, datetime.date):
            since = self.since.isoformat()
        else:
            since = self.since

        month = self.month

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if on is not UNSET:
            field_dict["on"] = on
        if since is not UNSET:
            field_dict["since"] = since
        if month is not UNSET:
            field_dict["month"] = month

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

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

        def _parse_since(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                since_type_0 = datetime.date.fromisoformat(data)

                return since_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        since = _parse_since(d.pop("since", UNSET))

        month = d.pop("month", UNSET)

        days_in = cls(
            on=on,
            since=since,
            month=month,
        )

        return days_in
