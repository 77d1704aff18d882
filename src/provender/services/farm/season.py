"""The season of a farm as plain data: every crop interval with its events and STIR as it builds up."""

from typing import Any, Final

from provender.report.season import seasons
from provender.services.farm.book import FarmBook
from provender.services.farm.verdicts import cached_result

WHAT: Final = "season 2"


def seasons_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return every crop interval of the book with its events, computed once per version."""
    found: list[dict[str, Any]] = cached_result(farm, WHAT, seasons)
    return found
