from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.load_left_out import LoadLeftOut
    from ..models.one_problem import OneProblem


T = TypeVar("T", bound="TicketsEntered")


@_attrs_define
class TicketsEntered:
    """What became of the tickets of a file: each stands or falls by itself.

    Attributes:
        entered (int):
        known (int):
        refused (list[OneProblem]):
        doubts (list[OneProblem]):
        left_out (list[LoadLeftOut]):
    """

    entered: int
    known: int
    refused: list[OneProblem]
    doubts: list[OneProblem]
    left_out: list[LoadLeftOut]

    def to_dict(self) -> dict[str, Any]:
        entered = self.entered

        known = self.known

        refused = []
        for refused_item_data in self.refused:
            refused_item = refused_item_data.to_dict()
            refused.append(refused_item)

        doubts = []
        for doubts_item_data in self.doubts:
            doubts_item = doubts_item_data.to_dict()
            doubts.append(doubts_item)

        left_out = []
        for left_out_item_data in self.left_out:
            left_out_item = left_out_item_data.to_dict()
            left_out.append(left_out_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "entered": entered,
                "known": known,
                "refused": refused,
                "doubts": doubts,
                "left_out": left_out,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.load_left_out import LoadLeftOut  # noqa: PLC0415
        from ..models.one_problem import OneProblem  # noqa: PLC0415

        d = dict(src_dict)
        entered = d.pop("entered")

        known = d.pop("known")

        refused = []
        _refused = d.pop("refused")
        for refused_item_data in _refused:
            refused_item = OneProblem.from_dict(refused_item_data)

            refused.append(refused_item)

        doubts = []
        _doubts = d.pop("doubts")
        for doubts_item_data in _doubts:
            doubts_item = OneProblem.from_dict(doubts_item_data)

            doubts.append(doubts_item)

        left_out = []
        _left_out = d.pop("left_out")
        for left_out_item_data in _left_out:
            left_out_item = LoadLeftOut.from_dict(left_out_item_data)

            left_out.append(left_out_item)

        tickets_entered = cls(
            entered=entered,
            known=known,
            refused=refused,
            doubts=doubts,
            left_out=left_out,
        )

        return tickets_entered
