from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.thing_out_state import ThingOutState

if TYPE_CHECKING:
    from ..models.thing_out_known_of_a_new_row import ThingOutKnownOfANewRow


T = TypeVar("T", bound="ThingOut")


@_attrs_define
class ThingOut:
    """One thing to do before a report can be signed, and where it is done.

    Attributes:
        words (str):
        why (str): What is missing, or what differs.
        unit_id (str): Empty for a thing of the whole farm.
        bushels (int): Whole bushels that wait for it.
        mark (ThingOutState):
        cite (str):
        page (str): Where it is done: farm_row (a row), farm_kind (rows), farm_evidence (an upload).
        kind (str):
        row (str): The row that lacks it; empty for a new one.
        given (ThingOutKnownOfANewRow):
        column (str): What the row lacks; empty where it is about all of it.
    """

    words: str
    why: str
    unit_id: str
    bushels: int
    mark: ThingOutState
    cite: str
    page: str
    kind: str
    row: str
    given: ThingOutKnownOfANewRow
    column: str

    def to_dict(self) -> dict[str, Any]:
        words = self.words

        why = self.why

        unit_id = self.unit_id

        bushels = self.bushels

        mark = self.mark.value

        cite = self.cite

        page = self.page

        kind = self.kind

        row = self.row

        given = self.given.to_dict()

        column = self.column

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "words": words,
                "why": why,
                "unit_id": unit_id,
                "bushels": bushels,
                "mark": mark,
                "cite": cite,
                "page": page,
                "kind": kind,
                "row": row,
                "given": given,
                "column": column,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.thing_out_known_of_a_new_row import ThingOutKnownOfANewRow  # noqa: PLC0415

        d = dict(src_dict)
        words = d.pop("words")

        why = d.pop("why")

        unit_id = d.pop("unit_id")

        bushels = d.pop("bushels")

        mark = ThingOutState(d.pop("mark"))

        cite = d.pop("cite")

        page = d.pop("page")

        kind = d.pop("kind")

        row = d.pop("row")

        given = ThingOutKnownOfANewRow.from_dict(d.pop("given"))

        column = d.pop("column")

        thing_out = cls(
            words=words,
            why=why,
            unit_id=unit_id,
            bushels=bushels,
            mark=mark,
            cite=cite,
            page=page,
            kind=kind,
            row=row,
            given=given,
            column=column,
        )

        return thing_out
