"""Books on disk, many farms at once: what each needs next, and what is due on one."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from provender.intensity.calculator import ARGONNE
from provender.intensity.distinct import unit_plan
from provender.intensity.quantify import quantify
from provender.practices.assess import Assessment, assess
from provender.practices.due import Due, due_records
from provender.practices.explain import IntervalVerdict
from provender.practices.to_do import ready, settled
from provender.problem import ProblemsError
from provender.records.folder import load_book
from provender.services.farm.money import Price


@dataclass(frozen=True, slots=True)
class FarmLine:
    """One farm's line.

    Attributes:
        book: its folder.
        farm: its identifier; empty where the book cannot be read.
        ready, units: crops with a practice whose records are met too, and all that are judged.
        gaps: different records that are missing.
        days: until the next record is due, below zero once it is late; None where none has a day.
        next: what to do.
        open_bushels: thousandths of a bushel of crops that are not ready.
        stake: dollars that those would earn at a price the user typed; None without one, or where it is not known.
        unclaimed: crops on which nothing is claimed.
    """

    book: str
    farm: str
    ready: int
    units: int
    gaps: int
    days: int | None
    next: str
    open_bushels: int
    stake: Decimal | None = None
    unclaimed: int = 0

    @property
    def done(self) -> bool:
        """Return whether no crop of a book that can be read waits for anything."""
        return bool(self.farm) and bool(self.units) and self.ready + self.unclaimed == self.units


def farm_line(book: Path, year: int | None, as_of: date, price: Price | None = None) -> FarmLine:
    """Judge a book and sum it up; one that cannot be read is a line that says so."""
    try:
        assessment = assess(load_book(book))
    except ProblemsError as refused:
        cause = "; ".join(problem.cause for problem in refused.problems)
        return FarmLine(book.name, "", 0, 0, 0, None, f"Cannot be read: {cause}", 0)
    chosen = [one for one in assessment.intervals if year in (None, one.harvest_year)]
    open_ones = [one for one in chosen if not settled(one)]
    unclaimed = sum(settled(one) and not ready(one) for one in chosen)
    done = len(chosen) - len(open_ones) - unclaimed
    missing = dict.fromkeys(name for one in open_ones for p in one.practices if p.asked for name in p.missing)
    dated = [one for one in due_records(assessment.book, as_of) if one.day is not None and not one.keeps]
    first = dated[0] if dated else None
    nothing = "No practice is claimed" if chosen and unclaimed == len(chosen) else "nothing"
    step = f"{first.whose}: {first.what}" if first else next(iter(missing), nothing)
    days = first.days_left(as_of) if first else None
    farm = ", ".join(assessment.book.farm_ids)
    bushels = _bushels(assessment, open_ones)
    stake = _stake(assessment, open_ones, price)
    return FarmLine(book.name, farm, done, len(chosen), len(missing), days, step, bushels, stake, unclaimed)


def _stake(assessment: Assessment, open_ones: list[IntervalVerdict], price: Price | None) -> Decimal | None:
    """Return the most that bushels would earn that wait, under practices that nothing but missing records keeps away.

    Points are estimates of the open model. None where a CI or bushels of them are not known.
    """
    if price is None:
        return None
    total = Decimal(0)
    for farm_id, crop, year in dict.fromkeys((one.farm_id, one.crop, one.harvest_year) for one in open_ones):
        waits = {one.unit_id for one in open_ones if (one.farm_id, one.crop, one.harvest_year) == (farm_id, crop, year)}
        crops = quantify(assessment, farm_id, crop, year, ARGONNE)
        for unit in crops.units:
            if unit.unit_id not in waits:
                continue
            reach = unit_plan(assessment, crops, unit).within_reach()
            earned = [value for option in reach if (value := price.of(option, unit.bushels)) is not None]
            if len(earned) < len(reach):
                return None
            total += max(earned)
    return total


def _bushels(assessment: Assessment, chosen: list[IntervalVerdict]) -> int:
    entries = {(one.farm_id, name) for one in chosen for name in one.harvest_ids}
    rows = assessment.book["harvest"].iter_rows(named=True)
    return sum(row["bushels"] or 0 for row in rows if (row["farm_id"], row["harvest_id"]) in entries)


def in_order(lines: list[FarmLine]) -> list[FarmLine]:
    """Return lines by what to do next: what cannot be read, what is late or due soon, what most bushels wait for."""

    def key(one: FarmLine) -> tuple[bool, bool, bool, int, int]:
        return bool(one.farm), one.done, one.days is None, one.days or 0, -one.open_bushels

    return sorted(lines, key=key)


def due_of(book: Path, unit: str, as_of: date) -> list[Due]:
    """Return what is due on a book's units, or on one of them."""
    return [one for one in due_records(load_book(book), as_of) if unit in ("", one.unit)]
