"""What was sown and its passes where they do not fit together, as a list of a page: each with its rows and its form."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from provender.records import KINDS
from provender.services.farm.book import called
from provender.services.farm.sown import RowNamed, SowingQuestion


def form_of(asked: SowingQuestion, address: Callable[[str], str], back: str, key: str = "") -> str:
    """Return the form where a question is answered: of the row that is missing, else of the other one than ``key``.

    Args:
        asked: the question.
        address: returns that of the form of a kind of record.
        back: the page to return to once it is saved; empty for none.
        key: the row that somebody has just looked at.
    """
    if asked.adds is not None:
        kind, known = asked.adds
        return _at(address(kind), known, back)
    rows = [one for one in (asked.sower, asked.record) if one is not None and one.key != key]
    return _at(address(rows[0].kind), {"row": rows[0].key}, back)


def _at(address: str, asked: Mapping[str, str], back: str) -> str:
    return f"{address}?{urlencode({**asked, **({'next': back} if back else {})})}"


def sowing_list(questions: Iterable[SowingQuestion], address: Callable[[str], str], back: str) -> list[dict[str, Any]]:
    """Return the questions as the page shows them."""
    return [
        {
            "href": form_of(one, address, back), "words": one.words, "unit": one.unit_id,
            "why": one.cause, "remedy": one.remedy,
            "rows": [_row(row, address, back) for row in (one.record, one.sower) if row is not None],
        }
        for one in questions
    ]  # fmt: skip


def _row(row: RowNamed, address: Callable[[str], str], back: str) -> dict[str, str]:
    kind = KINDS[row.kind]
    return {"href": _at(address(row.kind), {"row": row.key}, back), "kind": kind.label, "called": called(kind, row.key)}
