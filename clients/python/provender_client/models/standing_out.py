from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.audit_step import AuditStep


T = TypeVar("T", bound="StandingOut")


@_attrs_define
class StandingOut:
    """How an audit stands for its verifier.

    Attributes:
        steps (list[AuditStep]):
        days_left (int): Until the day agreed for the statement; negative after it.
        access_until (datetime.date | None): Null where the party does not let the verifier in today.
    """

    steps: list[AuditStep]
    days_left: int
    access_until: datetime.date | None

    def to_dict(self) -> dict[str, Any]:
        steps = []
        for steps_item_data in self.steps:
            steps_item = steps_item_data.to_dict()
            steps.append(steps_item)

        days_left = self.days_left

        access_until: None | str
        if isinstance(self.access_until, datetime.date):
            access_until = self.access_until.isoformat()
        else:
            access_until = self.access_until

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "steps": steps,
                "days_left": days_left,
                "access_until": access_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.audit_step import AuditStep  # noqa: PLC0415

        d = dict(src_dict)
        steps = []
        _steps = d.pop("steps")
        for steps_item_data in _steps:
            steps_item = AuditStep.from_dict(steps_item_data)

            steps.append(steps_item)

        days_left = d.pop("days_left")

        def _parse_access_until(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                access_until_type_0 = datetime.date.fromisoformat(data)

                return access_until_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        access_until = _parse_access_until(d.pop("access_until"))

        standing_out = cls(
            steps=steps,
            days_left=days_left,
            access_until=access_until,
        )

        return standing_out
