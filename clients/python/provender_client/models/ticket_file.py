from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="TicketFile")


@_attrs_define
class TicketFile:
    """A stored file of tickets.

    Attributes:
        file (str): As `/files` says.
        site (str | Unset): Where the file itself names none. Default: ''.
    """

    file: str
    site: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        file = self.file

        site = self.site

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "file": file,
            }
        )
        if site is not UNSET:
            field_dict["site"] = site

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        file = d.pop("file")

        site = d.pop("site", UNSET)

        ticket_file = cls(
            file=file,
            site=site,
        )

        return ticket_file
