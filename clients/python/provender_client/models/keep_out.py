from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="KeepOut")


@_attrs_define
class KeepOut:
    """A movement whose documents are kept; ``until`` is null while its claims are in stock.

    Attributes:
        day (datetime.date):
        movement (str):
        type_ (str):
        until (datetime.date | None):
        may_go (bool):
    """

    day: datetime.date
    movement: str
    type_: str
    until: datetime.date | None
    may_go: bool

    def to_dict(self) -> dict[str, Any]:
        day = self.day.isoformat()

        movement = self.movement

        type_ = self.type_

        until: None | str
        if isinstance(self.until, datetime.date):
            until = self.until.isoformat()
        else:
            until = self.until

        may_go = self.may_go

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "day": day,
                "movement": movement,
                "type": type_,
                "until": until,
                "may_go": may_go,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        day = datetime.date.fromisoformat(d.pop("day"))

        movement = d.pop("movement")

        type_ = d.pop("type")

        def _parse_until(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                until_type_0 = datetime.date.fromisoformat(data)

                return until_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        until = _parse_until(d.pop("until"))

        may_go = d.pop("may_go")

        keep_out = cls(
            day=day,
            movement=movement,
            type_=type_,
            until=until,
            may_go=may_go,
        )

        return keep_out
