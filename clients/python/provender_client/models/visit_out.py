from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="VisitOut")


@_attrs_define
class VisitOut:
    """A stretch of days in which something can be seen, and the tasks that wait for it.

    Attributes:
        window (str):
        label (str):
        first (datetime.date):
        last (datetime.date):
        source (str):
        tasks (list[str]):
        when (str):
    """

    window: str
    label: str
    first: datetime.date
    last: datetime.date
    source: str
    tasks: list[str]
    when: str

    def to_dict(self) -> dict[str, Any]:
        window = self.window

        label = self.label

        first = self.first.isoformat()

        last = self.last.isoformat()

        source = self.source

        tasks = self.tasks

        when = self.when

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "window": window,
                "label": label,
                "first": first,
                "last": last,
                "source": source,
                "tasks": tasks,
                "when": when,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        window = d.pop("window")

        label = d.pop("label")

        first = datetime.date.fromisoformat(d.pop("first"))

        last = datetime.date.fromisoformat(d.pop("last"))

        source = d.pop("source")

        tasks = cast(list[str], d.pop("tasks"))

        when = d.pop("when")

        visit_out = cls(
            window=window,
            label=label,
            first=first,
            last=last,
            source=source,
            tasks=tasks,
            when=when,
        )

        return visit_out
