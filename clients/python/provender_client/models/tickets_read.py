from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.load_left_out import LoadLeftOut
    from ..models.one_problem import OneProblem
    from ..models.ticket_out import TicketOut
    from ..models.tickets_read_map_type_0 import TicketsReadMapType0


T = TypeVar("T", bound="TicketsRead")


@_attrs_define
class TicketsRead:
    """What a file says: its columns, whether somebody confirmed them, and a page of its tickets; nothing is entered.

    Attributes:
        map_ (None | TicketsReadMapType0): What the columns mean; null where none are found.
        confirmed (bool):
        tickets (list[TicketOut]):
        next_ (int | None):
        left_out (list[LoadLeftOut]):
        leave_out (str):
        problems (list[OneProblem]):
    """

    map_: None | TicketsReadMapType0
    confirmed: bool
    tickets: list[TicketOut]
    next_: int | None
    left_out: list[LoadLeftOut]
    leave_out: str
    problems: list[OneProblem]

    def to_dict(self) -> dict[str, Any]:
        from ..models.tickets_read_map_type_0 import TicketsReadMapType0  # noqa: PLC0415

        map_: dict[str, Any] | None
        if isinstance(self.map_, TicketsReadMapType0):
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

        left_out = []
        for left_out_item_data in self.left_out:
            left_out_item = left_out_item_data.to_dict()
            left_out.append(left_out_item)

        leave_out = self.leave_out

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
                "left_out": left_out,
                "leave_out": leave_out,
                "problems": problems,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.load_left_out import LoadLeftOut  # noqa: PLC0415
        from ..models.one_problem import OneProblem  # noqa: PLC0415
        from ..models.ticket_out import TicketOut  # noqa: PLC0415
        from ..models.tickets_read_map_type_0 import TicketsReadMapType0  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_map_(data: object) -> None | TicketsReadMapType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                map_type_0 = TicketsReadMapType0.from_dict(data)

                return map_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TicketsReadMapType0, data)

        map_ = _parse_map_(d.pop("map"))

        confirmed = d.pop("confirmed")

        tickets = []
        _tickets = d.pop("tickets")
        for tickets_item_data in _tickets:
            tickets_item = TicketOut.from_dict(tickets_item_data)

            tickets.append(tickets_item)

        def _parse_next_(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        next_ = _parse_next_(d.pop("next"))

        left_out = []
        _left_out = d.pop("left_out")
        for left_out_item_data in _left_out:
            left_out_item = LoadLeftOut.from_dict(left_out_item_data)

            left_out.append(left_out_item)

        leave_out = d.pop("leave_out")

        problems = []
        _problems = d.pop("problems")
        for problems_item_data in _problems:
            problems_item = OneProblem.from_dict(problems_item_data)

            problems.append(problems_item)

        tickets_read = cls(
            map_=map_,
            confirmed=confirmed,
            tickets=tickets,
            next_=next_,
            left_out=left_out,
            leave_out=leave_out,
            problems=problems,
        )

        return tickets_read
