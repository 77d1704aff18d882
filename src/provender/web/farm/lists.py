"""Lists of a farm's pages: empty years, what growing crops ask for, what was sown beside its passes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from provender.problem import listed
from provender.records.kind import KINDS
from provender.services.accounts.access import Access
from provender.services.farm.book import FarmBook, called
from provender.services.farm.field_says import EmptyYear
from provender.services.farm.growing import PHOTOGRAPH, Ask, GrowingAsked, Grows, When
from provender.services.farm.sown import RowNamed, SowingQuestion
from provender.services.farm.verdicts import photographs_of
from provender.services.steps import NextStep
from provender.web.farm.forms import CROP_ENTRY, UNIT, YEAR


def at_field(kind: str, column: str) -> str:
    """Return what leads an address of a row to the very field that a gap names."""
    return f"#id_{column}" if column in KINDS[kind].fields else ""


# Years of a field without a crop as pages show them: each with the form that adds a crop of that year.


class EmptyLink(NamedTuple):
    """One such year: its field, what is said of it, and where its crop is added."""

    unit: str
    year: int
    words: str
    href: str


def empty_links(access: Access, years: Iterable[EmptyYear], back: str) -> list[EmptyLink]:
    """Return the years with the form that adds a crop, which comes back to a page."""
    found = list(years)
    form = reverse("farm_row", args=(access.organisation.handle, CROP_ENTRY)) if found else ""
    return [
        EmptyLink(one.unit_id, one.year, one.words,
                  f"{form}?{urlencode({UNIT: one.unit_id, YEAR: one.year, 'next': back})}")
        for one in found
    ]  # fmt: skip


# What growing crops ask for, as lists of pages show it: each thing with the row or the upload where it is done.

NAMED: Final = 3
"""Fields that a sentence names; the others are counted."""


def growing_list(farm: FarmBook, asked: GrowingAsked, where: Callable[..., str]) -> dict[str, Any]:
    """Return the section of crops that are not harvested yet; empty where they ask for nothing.

    Args:
        farm: the book.
        asked: what its growing crops ask for.
        where: returns the address of a page of this organization by its name.
    """
    crops, unsaid = asked
    if not crops and not unsaid:
        return {}
    back = where("farm_todo")
    photographed = set(_photographed(farm))
    soon = [_item(one, ask, where, back, photographed) for one in crops for ask in one.asks]
    things, open_to = [*_wrong(crops, where), *soon], list(_unsaid(unsaid, where, back))
    return {"things": things, "later": _later(crops), "unsaid": open_to, "many": asked.needs.things}


def _photographed(farm: FarmBook) -> Iterator[str]:
    """Yield the cover crops of whose field the book has a photograph that was taken since they were seeded."""
    taken = [(unit, day.isoformat()) for unit, day, _ in photographs_of(farm)]
    for key, row in farm.of(KINDS["cover_crop"]).items():
        seeded = str(row.get("seeded_on") or "")
        if any(unit == row.get("unit_id") and day >= seeded for unit, day in taken):
            yield key


def _item(one: Grows, ask: Ask, where: Callable[..., str], back: str, photographed: set[str]) -> dict[str, Any]:
    """Return one thing: a photograph is taken first where the field has none, and then named in its row."""
    if ask.lack["column"] == PHOTOGRAPH and ask.row not in photographed:
        href = f"{where('farm_evidence')}?{urlencode({'unit_id': one.unit, 'next': back})}"
    else:
        asked = {"row": ask.row} if ask.row else dict(ask.given)
        kind, column = ask.lack["kind"], ask.lack["column"]
        href = f"{where('farm_row', kind)}?{urlencode({**asked, 'next': back})}{at_field(kind, column)}"
    chip = "Missing"
    if ask.time.when is When.BY:
        chip = f"Due by {ask.time.day}" if ask.time.day else ask.time.until
    return {
        "href": href, "words": ask.words, "unit": one.unit, "name": one.name, "why": ask.why,
        "kind": ask.lack["label"] if ask.lack["says"] else "", "cite": ask.lack["cite"],
        "chip": chip, "mark": "not-shown", "icon": "question", "until": ask.time.until if ask.time.day else "",
    }  # fmt: skip


def _wrong(crops: Sequence[Grows], where: Callable[..., str]) -> list[dict[str, Any]]:
    return [
        {
            "href": f"{where('farm_crop')}?{urlencode({'crop': one.entry})}#{practice}",
            "words": f"Correct the record, or stop claiming {label.lower()}", "unit": one.unit, "name": one.name,
            "why": why, "kind": "", "cite": "", "chip": "Your records say otherwise", "mark": "not-met",
            "icon": "cross", "until": "",
        }
        for one in crops for practice, label, why in one.wrong
    ]  # fmt: skip


def _later(crops: Sequence[Grows]) -> list[tuple[str, list[str], list[str]]]:
    """Return what comes later by the step with which it comes: the records by name, and the fields."""
    found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for one in crops:
        for ask in one.later:
            records, units = found.setdefault(ask.time.until, ({}, {}))
            records[ask.name] = None
            units[one.unit] = None
    return [(until, list(records), list(units)) for until, (records, units) in found.items()]


def _unsaid(
    unsaid: Mapping[str, Mapping[str, str]], where: Callable[..., str], back: str
) -> Iterator[tuple[str, NextStep]]:
    """Yield each crop of which nothing is said, with the page of claims, which opens at its first field."""
    for name, units in unsaid.items():
        asked = [("crop", entry) for entry in units.values()]
        words = f"Say what {name.lower()} claims on {listed(units, NAMED)}"
        step = NextStep("farm_claims", words, "Nothing is said of it yet.")
        yield f"{where('farm_claims')}?{urlencode([*asked[:NAMED], ('next', back)])}#asked", step


# What was sown and its passes where they do not fit together, as a list of a page: each with its rows and its form.


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
