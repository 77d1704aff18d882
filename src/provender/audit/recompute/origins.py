"""Origin ids against the salts that open them: one farm, crop and year is one origin in every book (2100.031(c)).

An id is the hash of farm, crop and year with a salt that stands in the signed report. An id that is not of its salt
would let one harvest stand under two names.
"""

from collections.abc import Iterator
from typing import Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.custody_section import books
from provender.audit.package.farm_section import ReportFile
from provender.custody.events.report import ReportEvent
from provender.custody.model.origins import origin_id

CITE: Final = "2100.031(c)"
CITES: Final = (CITE, "2100.032(b)(1)")


def recompute(case: PackageContents) -> CheckResult:
    """Form the id of every reported origin anew, and hold books against it."""
    reports = [*(one for farm in case.farms for one in farm.reports), *case.held_reports]
    differences: list[Difference] = []
    told: list[str] = []
    first: dict[tuple[str, str, int], ReportFile] = {}
    for one in reports:
        differences += _of_salt(one, told)
        # Two origins of one harvest are told in ``across``; a book may know a later version by its salt.
        if one.key not in first or not first[one.key].document["edition"].get("salt"):
            first[one.key] = one
    differences += _in_books(case, first)
    return CheckResult("origin ids", CITES, len(reports), tuple(differences), tuple(told))


def _named(one: ReportFile) -> str:
    return str(one.document["edition"].get("origin_id") or "")


def _of(one: ReportFile, salt: str) -> str:
    try:
        return origin_id(*one.key, salt)
    except ValueError:
        return "nothing: the salt is too short to hide anything"


def _of_salt(one: ReportFile, told: list[str]) -> Iterator[Difference]:
    salt, named = str(one.document["edition"].get("salt") or ""), _named(one)
    if not named and not salt:
        if "signature" in one.envelope:
            told.append(f"{one.name}: it names no origin id; every book knows it by its readable name.")
    elif named != (again := _of(one, salt)):
        yield Difference("origin_not_of_salt", CITE, one.name, f"origin {named[:12]}", again[:60], one.bushels)


def _in_books(case: PackageContents, reports: dict[tuple[str, str, int], ReportFile]) -> Iterator[Difference]:
    """Yield reports that a book has under another origin than the farm's signed report gives."""
    for found in books(case).values():
        for event in found.requests:
            if not isinstance(event, ReportEvent):
                continue
            known = reports.get((event.entity, event.crop, event.harvest_year))
            mine = origin_id(event.entity, event.crop, event.harvest_year, event.salt)
            if known is not None and event.salt and mine != _named(known):
                place = f"book of {found.entity}, report of {event.entity}, {event.crop} {event.harvest_year}"
                words = (f"origin {mine[:12]}", f"origin {_named(known)[:12]} in {known.path}")
                yield Difference("origin_differs", "2100.032(b)(1)", place, *words, event.bushels)
