"""What happened to one row of a farm's book, change by change."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from provender.database.models import Change
from provender.records import Kind
from provender.services.farm.book import FARM, FarmBook, texts_of


@dataclass(frozen=True, slots=True)
class RowChange:
    """One change of one row.

    Attributes:
        change: in which it happened.
        reason: why, in the words of whoever made it.
        before: the texts of the row; empty where it was not there.
        after: the texts of the row; empty where it was taken out.
    """

    change: Change
    reason: str
    before: dict[str, str]
    after: dict[str, str]

    @property
    def columns(self) -> list[str]:
        """Return the columns that it changed, but for the farm's own; all it had, where the row was taken out."""
        names = self.after or self.before
        return [name for name in names if name != FARM and self.after.get(name, "") != self.before.get(name, "")]


def history_of(farm: FarmBook, kind: Kind, key: str) -> Iterator[RowChange]:
    """Yield every change that touched a row, the first one first."""
    before: dict[str, str] = {}
    for change in Change.objects.filter(book=farm.book).select_related("actor").order_by("number"):
        said = json.loads(change.text)
        for edit in said["edits"]:
            if (edit["kind"], edit["key"]) != (kind.name, key):
                continue
            after = {} if edit["row"] is None else texts_of(kind, edit["row"])
            yield RowChange(change, said["reason"], before, after)
            before = after
