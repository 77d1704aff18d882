from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="FailureIn")


@_attrs_define
class FailureIn:
    """A drawn farm that failed; ``more`` farms are added, null for as many as its stratum drew (interpretation 56).

    Attributes:
        farm (str): Code of a drawn farm.
        reason (str):
        more (int | None | Unset):
    """

    farm: str
    reason: str
    more: int | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        farm = self.farm

        reason = self.reason

        more: int | None | Unset
        if isinstance(self.more, Unset):
            more = UNSET
        else:
            more = self.more

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "farm": farm,
                "reason": reason,
            }
        )
        if more is not UNSET:
            field_dict["more"] = more

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        farm = d.pop("farm")

        reason = d.pop("reason")

        def _parse_more(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        more = _parse_more(d.pop("more", UNSET))

        failure_in = cls(
            farm=farm,
            reason=reason,
            more=more,
        )

        return failure_in
