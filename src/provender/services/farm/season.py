"""The season of a farm as plain data: every crop interval with its events and STIR as it builds up."""

from datetime import date
from typing import Any, Final

from provender.records import KINDS
from provender.report.season import pictures, seasons
from provender.services.farm.book import FarmBook
from provender.services.farm.verdicts import cached_result

WHAT: Final = "season 4"
PICTURES: Final = "season pictures 1"


def seasons_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return every crop interval of the book with its events, computed once per version."""
    found: list[dict[str, Any]] = cached_result(farm, WHAT, seasons)
    return found


def pictures_of(farm: FarmBook) -> dict[str, dict[str, str]]:
    """Return the two pictures of each crop, drawn once per version: a list of fields needs none of them."""
    found: dict[str, dict[str, str]] = cached_result(farm, PICTURES, pictures)
    return found


def photographs_of(farm: FarmBook) -> list[tuple[str, date, str]]:
    """Return unit, day and key of each photograph of the book that says both."""
    rows = farm.of(KINDS["evidence"]).items()
    found = [(str(row.get("unit_id") or ""), str(row.get("taken_on") or ""), key) for key, row in rows
             if row.get("what") == "photograph"]  # fmt: skip
    return [(unit, date.fromisoformat(day[:10]), key) for unit, day, key in found if unit and _is_day(day)]


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
