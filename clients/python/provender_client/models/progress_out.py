from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ProgressOut")


@_attrs_define
class ProgressOut:
    """How far the work is; ``step`` is empty while it waits for a turn.

    Attributes:
        step (str):
        done (int):
        whole (int):
    """

    step: str
    done: int
    whole: int

    def to_dict(self) -> dict[str, Any]:
        step = self.step

        done = self.done

        whole = self.whole

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "step": step,
                "done": done,
                "whole": whole,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        step = d.pop("step")

        done = d.pop("done")

        whole = d.pop("whole")

        progress_out = cls(
            step=step,
            done=done,
            whole=whole,
        )

        return progress_out
