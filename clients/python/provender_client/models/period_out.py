from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PeriodOut")


@_attrs_define
class PeriodOut:
    """A mass balance time period; ``standing`` says in words where it stands today.

    Attributes:
        start (datetime.date):
        end (datetime.date):
        policy (str):
        closed (datetime.date | None):
        standing (str):
    """

    start: datetime.date
    end: datetime.date
    policy: str
    closed: datetime.date | None
    standing: str

    def to_dict(self) -> dict[str, Any]:
        start = self.start.isoformat()

        end = self.end.isoformat()

        policy = self.policy

        closed: None | str
        if isinstance(self.closed, datetime.date):
            closed = self.closed.isoformat()
        else:
            closed = self.closed

        standing = self.standing

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "start": start,
                "end": end,
                "policy": policy,
                "closed": closed,
                "standing": standing,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        start = datetime.date.fromisoformat(d.pop("start"))

        end = datetime.date.fromisoformat(d.pop("end"))

        policy = d.pop("policy")

        def _parse_closed(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                closed_type_0 = datetime.date.fromisoformat(data)

                return closed_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        closed = _parse_closed(d.pop("closed"))

        standing = d.pop("standing")

        period_out = cls(
            start=start,
            end=end,
            policy=policy,
            closed=closed,
            standing=standing,
        )

        return period_out
