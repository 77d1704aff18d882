"""Lists of a farm's pages: empty years, what growing crops ask for, what was sown beside its passes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from provender.problem import listed
from provender.records.kind import KINDS
from provender.services.accounts.access import Access
from provender.services.farm.book import FarmBook, called
from provender.services.farm.field_says import EmptyYear
from provender.services.farm.growing import PHOTOGRAPH, GrowingAsk, GrowingCrop, GrowingPractice, When, needs_of
from provender.services.farm.sown import SowingQuestion
from provender.services.farm.verdicts import photographs_of
from provender.services.steps import NextStep
from provender.web.farm.forms import CROP_ENTRY, UNIT, YEAR


def crop_address(farm: str, harvest_id: str) -> str:
    return f"{page_address('farm_crop', farm)}?{urlencode({'crop': harvest_id})}"


@lru_cache(maxsize=2_000)
def page_address(page: str, farm: str, *about: object) -> str:
    """Return the address of a page of a farm: tens of things lie behind a few, and each takes Django long to make."""
    return reverse(page, args=(farm, *about))


def form_address(farm: str, kind: str, asked: Mapping[str, str], back: str = "", column: str = "") -> str:
    """Return the address of the form of a row.

    Args:
        farm: its organization's code.
        kind: of record.
        asked: ``row`` for one that stands, else what a new one begins with.
        back: the page to return to once it is saved; empty for the list of its kind.
        column: the very field at which it opens; empty for none.
    """
    query = urlencode({**asked, **({"next": back} if back else {})})
    field = f"#id_{column}" if column in KINDS[kind].fields else ""
    return f"{page_address('farm_row', farm, kind)}?{query}{field}"


# Years of a field without a crop as pages show them: each with the form that adds a crop of that year.


class EmptyLink(NamedTuple):
    """One such year: its field, what is said of it, and where its crop is added."""

    unit: str
    year: int
    words: str
    href: str


def empty_links(access: Access, years: Iterable[EmptyYear], back: str) -> list[EmptyLink]:
    """Return the years with the form that adds a crop, which comes back to a page."""
    farm = access.organisation.handle
    return [
        EmptyLink(one.unit_id, one.year, one.words,
                  form_address(farm, CROP_ENTRY, {UNIT: one.unit_id, YEAR: str(one.year)}, back))
        for one in years
    ]  # fmt: skip


# What growing crops ask for, as lists of pages show it: each thing with the row or the upload where it is done.

NAMED: Final = 3
"""Fields that a sentence names; the others are counted."""


def growing_list(farm: FarmBook, crops: Sequence[GrowingCrop], back: str) -> dict[str, Any]:
    """Return the section of crops that are not harvested yet; empty where they ask for nothing."""
    if not any(one.asks or one.later or one.wrong or one.unsaid for one in crops):
        return {}
    handle, photographed = farm.farm_id, set(_photographed(farm))
    in_order = sorted(crops, key=lambda one: (one.name, one.unit_id))
    wrong = [_wrong(handle, one, each) for one in in_order for each in one.wrong]
    soon = [_item(handle, one, ask, back, photographed) for one in in_order for ask in one.asks]
    unsaid = list(_unsaid(handle, crops, back))
    return {"things": [*wrong, *soon], "later": _later(in_order), "unsaid": unsaid, "many": needs_of(crops).things}


def _photographed(farm: FarmBook) -> Iterator[str]:
    """Yield the cover crops of whose field the book has a photograph that was taken since they were seeded."""
    taken = [(unit, day.isoformat()) for unit, day, _ in photographs_of(farm)]
    for key, row in farm.of(KINDS["cover_crop"]).items():
        seeded = str(row.get("seeded_on") or "")
        if any(unit == row.get("unit_id") and day >= seeded for unit, day in taken):
            yield key


def _item(farm: str, one: GrowingCrop, ask: GrowingAsk, back: str, photographed: set[str]) -> dict[str, Any]:
    """Return one thing: a photograph is taken first where the field has none, and then named in its row."""
    if ask.column == PHOTOGRAPH and ask.row not in photographed:
        href = f"{page_address('farm_evidence', farm)}?{urlencode({'unit_id': one.unit_id, 'next': back})}"
    else:
        href = form_address(farm, ask.kind, {"row": ask.row} if ask.row else ask.given, back, ask.column)
    chip = "Missing"
    if ask.when is When.BY:
        chip = f"Due by {ask.day}" if ask.day else ask.until
    return {
        "href": href, "words": ask.words, "unit": one.unit_id, "name": one.name, "why": ask.why, "kind": ask.of,
        "cite": ask.cite, "chip": chip, "mark": "not-shown", "icon": "question", "until": ask.until if ask.day else "",
    }  # fmt: skip


def _wrong(farm: str, one: GrowingCrop, claim: GrowingPractice) -> dict[str, Any]:
    return {
        "href": f"{crop_address(farm, one.harvest_id)}#{claim.practice}",
        "words": f"Correct the record, or stop claiming {claim.label.lower()}", "unit": one.unit_id, "name": one.name,
        "why": claim.against, "chip": "Your records say otherwise", "mark": "not-met", "icon": "cross",
    }  # fmt: skip


def _later(crops: Sequence[GrowingCrop]) -> list[tuple[str, list[str], list[str]]]:
    """Return what comes later by the step with which it comes: the records by name, and the fields."""
    found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for one in crops:
        for ask in one.later:
            records, units = found.setdefault(ask.until, ({}, {}))
            records[ask.name] = None
            units[one.unit_id] = None
    return [(until, list(records), list(units)) for until, (records, units) in found.items()]


def _unsaid(farm: str, crops: Sequence[GrowingCrop], back: str) -> Iterator[tuple[str, NextStep]]:
    """Yield each crop of which nothing is said, with the page of claims, which opens at its first field."""
    for name in dict.fromkeys(one.name for one in crops if one.unsaid):
        entries = {one.unit_id: one.harvest_id for one in crops if one.unsaid and one.name == name}
        asked = [("crop", entry) for entry in entries.values()]
        words = f"Say what {name.lower()} claims on {listed(entries, NAMED)}"
        step = NextStep("farm_claims", words, "Nothing is said of it yet.")
        yield f"{page_address('farm_claims', farm)}?{urlencode([*asked[:NAMED], ('next', back)])}#asked", step


# What was sown and its passes where they do not fit together, as a list of a page: each with its rows and its form.


def form_of(farm: str, asked: SowingQuestion, back: str, key: str = "") -> str:
    """Return the form where a question is answered: of the row that is missing, else of the other one than ``key``.

    Args:
        farm: its organization's code.
        asked: the question.
        back: the page to return to once it is saved; empty for none.
        key: the row that somebody has just looked at.
    """
    if asked.adds is not None:
        kind, known = asked.adds
        return form_address(farm, kind, known, back)
    rows = [one for one in (asked.sower, asked.record) if one is not None and one.key != key]
    return form_address(farm, rows[0].kind, {"row": rows[0].key}, back)


def sowing_list(farm: str, questions: Iterable[SowingQuestion], back: str) -> list[dict[str, Any]]:
    return [
        {
            "href": form_of(farm, one, back), "words": one.words, "unit": one.unit_id, "why": one.cause,
            "remedy": one.remedy,
            "rows": [
                {"href": form_address(farm, row.kind, {"row": row.key}, back), "kind": KINDS[row.kind].label,
                 "called": called(KINDS[row.kind], row.key)}
                for row in (one.record, one.sower) if row is not None
            ],
        }
        for one in questions
    ]  # fmt: skip
