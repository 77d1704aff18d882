from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="TicketFileIn")


@_attrs_define
class TicketFileIn:
    """A stored file of tickets to be entered.

    Attributes:
        file (str): As `/files` says.
        site (str | Unset): Where the file itself names none. Default: ''.
        leave_out (str | Unset): As the reading says it: the loads that are not taken were seen, and stay out. Default:
            ''.
    """

    file: str
    site: str | Unset = ""
    leave_out: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        file = self.file

        site = self.site

        leave_out = self.leave_out

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "file": file,
            }
        )
        if site is not UNSET:
            field_dict["site"] = site
        if leave_out is not UNSET:
            field_dict["leave_out"] = leave_out

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        file = d.pop("file")

        site = d.pop("site", UNSET)

        leave_out = d.pop("leave_out", UNSET)

        ticket_file_in = cls(
            file=file,
            site=site,
            leave_out=leave_out,
        )

        return ticket_file_in
