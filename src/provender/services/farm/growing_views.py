"""What the API and the command line show of crops that are not harvested yet: how they stand, what they ask for."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from provender.plain import field, view
from provender.practices.explain import Standing
from provender.services.farm.book import FarmBook
from provender.services.farm.growing import growing_of
from provender.services.farm.growing_asks import Ask, Grows, When, growing_asked


@view
class GrowingAsk:
    """One record that a growing crop asks for: the row that lacks it, or what is known of a new one."""

    kind: str = field("Kind of record")
    column: str = field("Column", help="Empty for a whole row.")
    row: str = field("Row", help="The key of the row that lacks it; empty for a new one.")
    given: Mapping[str, str] = field("Known of a new row", help="Texts by column.")
    words: str = field("What to do")
    why: str = field("Why")
    says: str = field("What it shows")
    cite: str = field("Paragraph")
    when: When = field("When", help="Now, by a day or a step, or later.")
    until: str = field("Step", help="Before which step it is due, or with which it comes; empty where it is due now.")
    day: date | None = field("Last day", help="Null where it is not known.")


@view
class GrowingPractice:
    """How a practice of a growing crop stands, as far as its records go; no verdict before it is harvested."""

    practice: str = field("Practice")
    label: str = field("Practice in words")
    standing: Standing = field("How it stands so far")
    against: str = field("What the records say against a claim", help="Empty where they do not.")


@view
class GrowingCrop:
    """A crop in the ground, or planned, with what it asks for; no report waits for any of it."""

    harvest_id: str = field("Crop entry")
    unit_id: str = field("Field")
    crop: str = field("Crop")
    harvest_year: int | None = field("Year of its harvest", help="Null where nothing recorded says it.")
    practices: tuple[GrowingPractice, ...] = field("Practices that it may claim")
    asks: tuple[GrowingAsk, ...] = field("Asked for now or by a day", help="The soonest first.")
    later: tuple[GrowingAsk, ...] = field("What comes later")
    unsaid: bool = field("Nothing is said of what it claims")


def growing_views(farm: FarmBook) -> list[GrowingCrop]:
    """Return every crop that is not harvested yet, with what it asks for, as To do lists it."""
    asked = growing_asked(farm)
    asking = {one.entry: one for one in asked.crops}
    unsaid = {entry for units in asked.unsaid.values() for entry in units.values()}
    return [_crop(one, asking.get(one["harvest_id"]), unsaid) for one in growing_of(farm)]


def _crop(one: Mapping[str, Any], grows: Grows | None, unsaid: set[str]) -> GrowingCrop:
    against = {practice: why for practice, _, why in grows.wrong} if grows else {}
    return GrowingCrop(
        harvest_id=one["harvest_id"], unit_id=one["unit_id"], crop=one["crop"], harvest_year=one["harvest_year"],
        practices=tuple(
            GrowingPractice(
                practice=each["name"], label=each["label"], standing=Standing(each["standing"]),
                against=against.get(each["name"], ""),
            )
            for each in one["practices"] if each["claimable"]
        ),
        asks=_asks(grows.asks if grows else ()), later=_asks(grows.later if grows else ()),
        unsaid=one["harvest_id"] in unsaid,
    )  # fmt: skip


def _asks(asks: Iterable[Ask]) -> tuple[GrowingAsk, ...]:
    return tuple(
        GrowingAsk(
            kind=ask.record["kind"], column=ask.record["column"], row=ask.row, given=ask.given, words=ask.words,
            why=ask.why, says=ask.says, cite=ask.cite, when=ask.time.when, until=ask.time.until, day=ask.time.day,
        )
        for ask in asks
    )  # fmt: skip
