"""Why a practice is not met, in sentences for every door: what the records show instead, and by which rows."""

from collections.abc import Mapping, Sequence
from typing import Any


def why_against(practice: Mapping[str, Any]) -> str:
    """Return in sentences why a practice is not met, and after each by which rows: what they are and their days."""
    return " ".join(reasons_against(practice))


def reasons_against(practice: Mapping[str, Any]) -> list[str]:
    """Return each reason why a practice is not met, with the rows that it rests on."""
    wrong = [each for each in practice["findings"] if each["verdict"] is False]
    rows = [[row["words"] for row in practice["rows_against"] if row["says"] == each["says"]] for each in wrong]
    told = (
        f"{each['against']} {resting_on(of)}".strip() for each, of in zip(wrong, rows, strict=True) if each["against"]
    )
    return list(dict.fromkeys(told)) if practice["against"] else []


def resting_on(rows: Sequence[str]) -> str:
    """Return the sentence that names the rows behind a verdict, or nothing where no single row is."""
    return f"It rests on {'; '.join(rows)}." if rows else ""
