from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.one_problem import OneProblem
    from ..models.settlements_read_map_type_0 import SettlementsReadMapType0
    from ..models.ticket_held import TicketHeld


T = TypeVar("T", bound="SettlementsRead")


@_attrs_define
class SettlementsRead:
    """What a file of settlements says against the grain book; ``tickets`` is empty until its columns are confirmed.

    Attributes:
        map_ (None | SettlementsReadMapType0): What the columns mean; null where none are found.
        confirmed (bool):
        tickets (list[TicketHeld]):
        next_ (int | None):
        problems (list[OneProblem]):
    """

    map_: None | SettlementsReadMapType0
    confirmed: bool
    tickets: list[TicketHeld]
    next_: int | None
    problems: list[OneProblem]

    def to_dict(self) -> dict[str, Any]:
        from ..models.settlements_read_map_type_0 import SettlementsReadMapType0  # noqa: PLC0415

        map_: dict[str, Any] | None
        if isinstance(self.map_, SettlementsReadMapType0):
            map_ = self.map_.to_dict()
        else:
            map_ = self.map_

        confirmed = self.confirmed

        tickets = []
        for tickets_item_data in self.tickets:
            tickets_item = tickets_item_data.to_dict()
            tickets.append(tickets_item)

        next_: int | None
        next_ = self.next_

        problems = []
        for problems_item_data in self.problems:
            problems_item = problems_item_data.to_dict()
            problems.append(problems_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "map": map_,
                "confirmed": confirmed,
                "tickets": tickets,
                "next": next_,
                "problems": problems,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.one_problem import OneProblem  # noqa: PLC0415
        from ..models.settlements_read_map_type_0 import SettlementsReadMapType0  # noqa: PLC0415
        from ..models.ticket_held import TicketHeld  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_map_(data: object) -> None | SettlementsReadMapType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                map_type_0 = SettlementsReadMapType0.from_dict(data)

                return map_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SettlementsReadMapType0, data)

        map_ = _parse_map_(d.pop("map"))

        confirmed = d.pop("confirmed")

        tickets = []
        _tickets = d.pop("tickets")
        for tickets_item_data in _tickets:
            tickets_item = TicketHeld.from_dict(tickets_item_data)

            tickets.append(tickets_item)

        def _parse_next_(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        next_ = _parse_next_(d.pop("next"))

        problems = []
        _problems = d.pop("problems")
        for problems_item_data in _problems:
            problems_item = OneProblem.from_dict(problems_item_data)

            problems.append(problems_item)

        settlements_read = cls(
            map_=map_,
            confirmed=confirmed,
            tickets=tickets,
            next_=next_,
            problems=problems,
        )

        return settlements_read
