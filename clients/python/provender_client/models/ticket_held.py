from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="TicketHeld")


@_attrs_define
class TicketHeld:
    """A ticket that settlements name: bushels they applied, and net bushels of the grain book, null for no ticket.

    Attributes:
        ticket (str):
        settlements (list[str]):
        applied_bu (str):
        net_bu (None | str):
        agrees (bool):
    """

    ticket: str
    settlements: list[str]
    applied_bu: str
    net_bu: None | str
    agrees: bool

    def to_dict(self) -> dict[str, Any]:
        ticket = self.ticket

        settlements = self.settlements

        applied_bu = self.applied_bu

        net_bu: None | str
        net_bu = self.net_bu

        agrees = self.agrees

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "ticket": ticket,
                "settlements": settlements,
                "applied_bu": applied_bu,
                "net_bu": net_bu,
                "agrees": agrees,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        ticket = d.pop("ticket")

        settlements = cast(list[str], d.pop("settlements"))

        applied_bu = d.pop("applied_bu")

        def _parse_net_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        net_bu = _parse_net_bu(d.pop("net_bu"))

        agrees = d.pop("agrees")

        ticket_held = cls(
            ticket=ticket,
            settlements=settlements,
            applied_bu=applied_bu,
            net_bu=net_bu,
            agrees=agrees,
        )

        return ticket_held
