from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.forum import Forum
from ..types import UNSET, Unset

T = TypeVar("T", bound="ForumPlace")


@_attrs_define
class ForumPlace:
    """The accreditation body's place in a forum; ``source`` says where it was looked up, and when.

    Attributes:
        forum (Forum): Whose members may accredit.
        first (datetime.date):
        source (str):
        last (datetime.date | None | Unset):
    """

    forum: Forum
    first: datetime.date
    source: str
    last: datetime.date | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        forum = self.forum.value

        first = self.first.isoformat()

        source = self.source

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
                "forum": forum,
                "first": first,
                "source": source,
            }
        )
        if last is not UNSET:
            field_dict["last"] = last

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        forum = Forum(d.pop("forum"))

        first = datetime.date.fromisoformat(d.pop("first"))

        source = d.pop("source")

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

        forum_place = cls(
            forum=forum,
            first=first,
            source=source,
            last=last,
        )

        return forum_place
