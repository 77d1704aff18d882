from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ClosedSiteView")


@_attrs_define
class ClosedSiteView:
    """A site at which nothing may lie from a day on.

    Attributes:
        site (str):
        closed (datetime.date):
        event (str):
    """

    site: str
    closed: datetime.date
    event: str

    def to_dict(self) -> dict[str, Any]:
        site = self.site

        closed = self.closed.isoformat()

        event = self.event

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "site": site,
                "closed": closed,
                "event": event,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        site = d.pop("site")

        closed = datetime.date.fromisoformat(d.pop("closed"))

        event = d.pop("event")

        closed_site_view = cls(
            site=site,
            closed=closed,
            event=event,
        )

        return closed_site_view
