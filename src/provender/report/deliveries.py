"""To whom the report was given: every buyer of reduced-CI crop, the day of delivery where one is on file (2100.031(c)).

Who the buyers are follows from the sales; a signed slip writes its own. A scale ticket names where a load was weighed,
not that its crop was bought as reduced-CI crop, and makes nobody a buyer. One delivery serves all sales of the crop to
the same buyer. It is asked for and never blocks anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from provender.days import says
from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook
from provender.records.harvest_years import with_year

CITE: Final = "2100.031(c)"
WITH_CI: Final = "sold_with_ci"
SOLD: Final = (WITH_CI, "sold_without_claim")


@dataclass(frozen=True, slots=True)
class Delivery:
    """A buyer of one crop and harvest year, and the report's way to them."""

    farm: str  # whose report
    crop: str  # whose report
    harvest_year: int  # whose report
    buyer: str  # as the first sale spells it
    sale_id: str  # that sale, the earliest; no day where it names none
    sold_on: date | None  # that sale, the earliest; no day where it names none
    given_on: date | None = None  # the first delivery on file; None while there is none
    how: str | None = None  # the first delivery on file; None while there is none
    too_early: date | None = None  # the day of one that cannot be: there was no report before the harvest

    @property
    def words(self) -> str:
        """Say what is to be done."""
        bought = f", who bought on {self.sold_on}" if self.sold_on else ""
        return f"Give the signed report on {self.crop} {self.harvest_year} to {self.buyer}{bought}, and record the day."


def _first_days(book: RecordBook) -> dict[tuple[str, str, int], date]:
    """Return the first day of each harvest, by farm, crop and year: no report of it was there before."""
    found: dict[tuple[str, str, int], date] = {}
    for row in with_year(book["harvest"], book["planting"]).iter_rows(named=True):
        first = row["first_day"] or row["last_day"]
        if first is not None:
            key = row["farm_id"], str(row["crop"]), row["harvest_year"]
            found[key] = min(first, found.get(key, first))
    return found


def deliveries(book: RecordBook) -> tuple[Delivery, ...]:
    """Return every buyer of reduced-CI crop with the first delivery of the report to them, by farm, year and sale."""
    sales = sorted(book["sale"].iter_rows(named=True), key=lambda row: (row["day"] or date.max, row["sale_id"]))
    found: dict[tuple[str, str, int, str], Delivery] = {}
    buyer_of = {}
    for row in sales:
        if row["disposition"] == WITH_CI and says(name := (row["buyer"] or "").strip()):
            key = row["farm_id"], str(row["crop"]), row["harvest_year"], " ".join(name.split()).casefold()
            buyer_of[row["farm_id"], row["sale_id"]] = key
            found.setdefault(key, Delivery(*key[:3], name, row["sale_id"], row["day"]))
    cut = _first_days(book)
    for row in sorted(book["report_delivery"].iter_rows(named=True), key=lambda row: row["day"] or date.max):
        to = buyer_of.get((row["farm_id"], row["sale_id"]))
        if to is None or row["day"] is None or found[to].given_on is not None:
            continue
        least = cut.get(to[:3]) or found[to].sold_on
        if least is not None and row["day"] < least:
            found[to] = replace(found[to], too_early=row["day"])
        else:
            found[to] = replace(found[to], given_on=row["day"], how=row["how"])
    return tuple(sorted(found.values(), key=lambda one: (one.farm, one.harvest_year, one.crop, one.sale_id)))


def delivery_notes(book: RecordBook) -> Iterator[Problem]:
    """Yield a reminder for each buyer without a delivery; a note, which holds nothing up."""
    for one in deliveries(book):
        if one.given_on is None:
            cause = f"No delivery of the report on {one.crop} {one.harvest_year} to {one.buyer} is on file."
            if one.too_early:
                cause = f"The delivery to {one.buyer} is dated {one.too_early}, before the {one.crop} of "
                cause += f"{one.harvest_year} was harvested: no report was there to be given."
            place = Place("report_delivery.csv")
            yield Problem(place, cause, one.words, CITE, Weight.NOTE, code="report_not_delivered")
