from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.growing_ask_when import GrowingAskWhen

if TYPE_CHECKING:
    from ..models.growing_ask_known_of_a_new_row import GrowingAskKnownOfANewRow


T = TypeVar("T", bound="GrowingAsk")


@_attrs_define
class GrowingAsk:
    """One record that a growing crop asks for: the row that lacks it, or what is known of a new one.

    Attributes:
        kind (str):
        column (str): Empty for a whole row.
        row (str): The key of the row that lacks it; empty for a new one.
        given (GrowingAskKnownOfANewRow): Texts by column.
        words (str):
        why (str):
        says (str):
        cite (str):
        when (GrowingAskWhen): Now, by a day or a step, or later.
        until (str): Before which step it is due, or with which it comes; empty where it is due now.
        day (datetime.date | None): Null where it is not known.
    """

    kind: str
    column: str
    row: str
    given: GrowingAskKnownOfANewRow
    words: str
    why: str
    says: str
    cite: str
    when: GrowingAskWhen
    until: str
    day: datetime.date | None

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        column = self.column

        row = self.row

        given = self.given.to_dict()

        words = self.words

        why = self.why

        says = self.says

        cite = self.cite

        when = self.when.value

        until = self.until

        day: None | str
        if isinstance(self.day, datetime.date):
            day = self.day.isoformat()
        else:
            day = self.day

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "column": column,
                "row": row,
                "given": given,
                "words": words,
                "why": why,
                "says": says,
                "cite": cite,
                "when": when,
                "until": until,
                "day": day,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.growing_ask_known_of_a_new_row import GrowingAskKnownOfANewRow  # noqa: PLC0415

        d = dict(src_dict)
        kind = d.pop("kind")

        column = d.pop("column")

        row = d.pop("row")

        given = GrowingAskKnownOfANewRow.from_dict(d.pop("given"))

        words = d.pop("words")

        why = d.pop("why")

        says = d.pop("says")

        cite = d.pop("cite")

        when = GrowingAskWhen(d.pop("when"))

        until = d.pop("until")

        def _parse_day(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                day_type_0 = datetime.date.fromisoformat(data)

                return day_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        day = _parse_day(d.pop("day"))

        growing_ask = cls(
            kind=kind,
            column=column,
            row=row,
            given=given,
            words=words,
            why=why,
            says=says,
            cite=cite,
            when=when,
            until=until,
            day=day,
        )

        return growing_ask
