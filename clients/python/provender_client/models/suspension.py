from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="Suspension")


@_attrs_define
class Suspension:
    """Days on which the accreditation was suspended; ``last`` is null while that lasts.

    Attributes:
        first (datetime.date):
        last (datetime.date | None | Unset):
    """

    first: datetime.date
    last: datetime.date | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        first = self.first.isoformat()

        last: None | str | Unset
        if isinstance(self.last, Unset):
            last = UNSET
        elif isinstance(self.last, datetime.date):
            last = self.last.isoformat()
        else:
            last = self.last

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "first": first,
            }
        )
        if last is not UNSET:
            field_dict["last"] = last

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        first = datetime.date.fromisoformat(d.pop("first"))

        def _parse_last(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_type_0 = datetime.date.fromisoformat(data)

                return last_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        last = _parse_last(d.pop("last", UNSET))

        suspension = cls(
            first=first,
            last=last,
        )

        return suspension
