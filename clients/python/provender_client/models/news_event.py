from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.news_kind import NewsKind

T = TypeVar("T", bound="NewsEvent")


@_attrs_define
class NewsEvent:
    """One thing that the organization is told; a webhook gets the same. ``about`` names the entry or finding.

    Attributes:
        id (str): The same whenever it is sent again.
        type_ (NewsKind): What somebody may want to be told of; the value is the type of event that a webhook gets.
        at (datetime.datetime):
        organization (str): Code of the organization told.
        about (str):
        says (str):
    """

    id: str
    type_: NewsKind
    at: datetime.datetime
    organization: str
    about: str
    says: str

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        type_ = self.type_.value

        at = self.at.isoformat()

        organization = self.organization

        about = self.about

        says = self.says

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "type": type_,
                "at": at,
                "organization": organization,
                "about": about,
                "says": says,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        type_ = NewsKind(d.pop("type"))

        at = datetime.datetime.fromisoformat(d.pop("at"))

        organization = d.pop("organization")

        about = d.pop("about")

        says = d.pop("says")

        news_event = cls(
            id=id,
            type_=type_,
            at=at,
            organization=organization,
            about=about,
            says=says,
        )

        return news_event
