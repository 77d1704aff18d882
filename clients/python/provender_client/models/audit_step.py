from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="AuditStep")


@_attrs_define
class AuditStep:
    """One step of an audit; ``done`` is null where nothing was begun.

    Attributes:
        step (str):
        stands (str):
        done (bool | None):
    """

    step: str
    stands: str
    done: bool | None

    def to_dict(self) -> dict[str, Any]:
        step = self.step

        stands = self.stands

        done: bool | None
        done = self.done

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "step": step,
                "stands": stands,
                "done": done,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        step = d.pop("step")

        stands = d.pop("stands")

        def _parse_done(data: object) -> bool | None:
            if data is None:
                return data
            return cast(bool | None, data)

        done = _parse_done(d.pop("done"))

        audit_step = cls(
            step=step,
            stands=stands,
            done=done,
        )

        return audit_step
