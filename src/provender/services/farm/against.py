"""Why a practice is not met, in sentences for every door: what the records show instead, and by which rows."""

from collections.abc import Mapping, Sequence
from typing import Any


def why_against(practice: Mapping[str, Any]) -> str:
    """Return the first reason why a practice is not met, with the rows that it rests on and their days."""
    return next(iter(reasons_against(practice)), "")


def reasons_against(practice: Mapping[str, Any]) -> list[str]:
    """Return each reason why a practice is not met, with the rows that it rests on."""
    wrong = [each for each in practice["findings"] if each["verdict"] is False]
    rows = [[row["words"] for row in practice["rows_against"] if row["says"] == each["says"]] for each in wrong]
    told = (
        f"{each['against']} {resting_on(of)}".strip() for each, of in zip(wrong, rows, strict=True) if each["against"]
    )
    return list(dict.fromkeys(told)) if practice["against"] else []


def resting_on(rows: Sequence[str]) -> str:
    """Return the sentence that names the first row behind a verdict; the page of the field links to the others."""
    if not rows:
        return ""
    first, more = rows[0], len(rows) - 1
    return f"It rests on {first} (and {more} more)." if more else f"It rests on {first}."
