"""One management unit: its crops in order, its passes and applications, and in which crop's interval each lies.

A crop interval runs from the end of one cash crop through the end of the next (2100.002, interpretation 9). Entries of
one crop and harvest are one harvest, and the records of a stand that failed stay with the crop that was harvested at
last, while the interval restarts where the stand was given up (interpretation 66).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import cached_property
from typing import Final, Generic, NamedTuple, TypeVar

from provender.catalog.materials import Species, find_grade, find_species, names_synthetic_n, organic_source
from provender.catalog.tables import DRIVEN_OVER, SEEDING, find_operation
from provender.exact import sum_of_known
from provender.records.book import ENDINGS, TERMINATED, FarmRows, R, both_days, grouped, harvests, reads_records
from provender.records.kinds.cover import CoverCrop, CoverSpecies
from provender.records.kinds.nutrients import InSeasonTest, NutrientApplication, NutrientBudget
from provender.records.kinds.quantification import FEEDSTOCKS, ScaleTicket
from provender.records.kinds.season import Declaration, Harvest, Operation, OperationTool, Planting
from provender.rule.law import RuleVersion
from provender.standards.evidence import Grade, grade, sound
from provender.standards.standard import WHOLE, Missing

PRESSING: Final = ("compression", "none")
"""Tools that loosen, lift and mix nothing, on however much of the surface."""
TRACE_METHODS: Final = ("foliar", "with_herbicide")
"""How small amounts of nitrogen ride along with something else (interpretation 21)."""
WHOLLY_OFF: Final = 10**9
"""The difference where a product has nothing of a nutrient that was typed."""
_ROUNDING: Final = 1000
"""Thousandths of a pound by which typed and computed pounds may differ."""
OVER_STANDING_CROP: Final = ("interseeded", "broadcast", "aerial", "by_hand")
"""Methods of seeding a cover that leave a standing crop whole."""
LOGS_OF_HARVEST: Final = ("machine_file", "ticket")
"""Evidence of a crop entry that is made while it is harvested, or later."""
RowOfCrop = TypeVar("RowOfCrop", CoverCrop, Declaration, InSeasonTest, NutrientBudget, Planting)
"""Kinds whose rows name a crop."""
UNNAMED: Final = "unnamed"
"""Nitrogen said not to be synthetic, of a product that no list and no word of its name places."""


class _Seen(Generic[R]):
    """A row with what follows from it; its columns are those of the row, and it equals itself alone."""

    def __init__(self, rows: FarmRows, row: R) -> None:
        vars(self).update(vars(row), rows=rows, row=row)

    rows: FarmRows
    row: R
    __eq__, __hash__ = object.__eq__, object.__hash__


class Pass(_Seen[Operation], Operation):
    """A field operation as the list and its evidence bear it out."""

    def __init__(self, rows: FarmRows, row: Operation) -> None:
        """Look it up in the operations list; a pass that is not listed may have done anything."""
        super().__init__(rows, row)
        self.listed = find_operation(row.operation)
        self.group = self.listed.op_group if self.listed else ""
        self.is_harvest = self.group == "harvest"
        self.sows = self.listed is None or self.group in SEEDING
        self.works_ground = self.listed is None or not self.listed.is_traffic

    @property
    def tools(self) -> tuple[OperationTool, ...]:
        """Return the recorded tools of its implement, from front to back."""
        tools = self.rows.naming(OperationTool, "operation_id", self.id)
        return tuple(sorted(tools, key=lambda tool: tool.tool_no))

    @reads_records
    def graded(self) -> Grade:
        """Return how it is known by its evidence (interpretation 62)."""
        return grade(self.rows, self.row)

    @property
    def known_by(self) -> str | None:
        """Return how it is known, no stronger than its evidence."""
        return self.graded.known_by

    @property
    def full_width(self) -> bool | None:
        """Tell whether it disturbs the full width: what the farm admits, else the list's flag, else the farm's own.

        Where a tool of an implement that is not listed works the whole surface, the farm's *no* is void
        (interpretation 12).
        """
        said: bool | None = self.row.full_width
        if not said and self.listed is not None:
            return self.listed.full_width
        working = (tool for tool in self.tools if tool.tillage_type not in PRESSING)
        is_void = said is False and any((tool.surface_pct or 0) >= WHOLE for tool in working)
        return None if is_void else said

    @property
    def primary_inversion(self) -> bool | None:
        """Tell whether it inverts the soil: what the farm admits, else the list's flag, else the farm's own."""
        said: bool | None = self.row.primary_inversion
        return said if said or self.listed is None else self.listed.primary_inversion


class Work(NamedTuple):
    """What must have been done in the field, and by which groups of the operations list."""

    what: str  # a record says
    groups: tuple[str, ...]
    in_soil: bool = False  # only by tools that reach into the soil: a broadcast seeder drills nothing

    def fits(self, one: Pass) -> bool:
        """Tell whether a pass may have done it: the list says so, or does not know the pass."""
        if one.listed is None:
            return True
        return one.group in self.groups and not (self.in_soil and one.listed.published_stir <= DRIVEN_OVER)


class Cover(_Seen[CoverCrop], CoverCrop):
    """A cover crop before a production crop."""

    @property
    def mix(self) -> tuple[CoverSpecies, ...]:
        return self.rows.naming(CoverSpecies, "cover_id", self.id)

    @property
    def species(self) -> tuple[Species | None, ...]:
        """Return what the catalogue knows of each row of the mix, in the same order."""
        return tuple(find_species(row.species) for row in self.mix)


class Application(_Seen[NutrientApplication], NutrientApplication):
    """A nutrient application; whether it is a trace is decided among those of its crop (``CropsOfUnit``)."""

    trace: bool = False  # nitrogen that rides along in a small amount (interpretation 21)
    names_crop: bool = False  # whether it names the crop that it belongs to by its day

    def __init__(self, rows: FarmRows, row: NutrientApplication) -> None:
        """Look its product up in the fertilizer list: of several that the name can mean, what they share is known."""
        super().__init__(rows, row)
        self.listed = find_grade(row.product)
        self.n = self.pounds("n")

    def pounds(self, nutrient: str) -> int | None:
        """Return thousandths of a pound per acre of ``n``, ``p2o5`` or ``k2o``: typed, else ``given``."""
        typed: int | None = getattr(self.row, f"{nutrient}_lb_per_ac")
        return self.given(nutrient) if typed is None else typed

    def given(self, nutrient: str) -> int | None:
        """Return what grade and rate give of a nutrient; None where either is unknown."""
        return self.listed.pounds(nutrient, self.row.rate, self.row.rate_unit) if self.listed else None

    def difference_from_product(self, nutrient: str) -> int:
        """Return by how much typed pounds differ from what product and rate give, in thousandths of a percent."""
        typed, given = getattr(self.row, f"{nutrient}_lb_per_ac"), self.given(nutrient)
        off = 0 if typed is None or given is None else abs(typed - given)
        if off <= _ROUNDING:
            return 0
        return off * WHOLE // given if given else WHOLLY_OFF

    @property
    def is_denied_synthetic(self) -> bool:
        """Tell whether the row denies what the fertilizer list, or the product's name, says of its nitrogen."""
        is_made = self.listed.product_synthetic_n if self.listed else None
        if is_made is None and names_synthetic_n(self.row.product):
            is_made = True
        carries = (self.listed is not None and self.listed.n_pct > 0) or (self.row.n_lb_per_ac or 0) > 0
        return carries and None not in (is_made, self.row.synthetic_n) and is_made != self.row.synthetic_n

    @cached_property
    def carries_synthetic_n(self) -> bool | None:
        """Tell whether it carries synthetic N; None where the record does not say.

        Zero pounds of a product whose grade holds N contradict each other, unless none of it was applied.
        """
        product = self.listed
        made: bool | None = product.product_synthetic_n if product else self.row.synthetic_n
        if self.n != 0 or made is False:
            return made
        is_graded = product is not None and product.n_pct > 0 and self.row.rate != 0
        return None if is_graded else False

    @property
    def synthetic(self) -> bool | None:
        """Tell whether it is synthetic N and more than a trace; 2100.053(c)(2) asks ``carries_synthetic_n`` instead."""
        return False if self.trace else self.carries_synthetic_n

    @property
    def source(self) -> str:
        """Return which source of nutrients it is beside commercial fertilizer; empty for any other."""
        if self.row.method in ("starter_band", "in_furrow"):
            return "starter" if self.synthetic and (self.n or 0) > 0 else ""
        if self.listed is not None and self.listed.product_synthetic_n is not None:
            return ""
        said_organic = self.row.synthetic_n is False and (self.row.n_lb_per_ac or 0) > 0
        return organic_source(self.row.product) or (UNNAMED if said_organic else "")


class Stand:
    """One crop of a unit: the entries of one harvest joined, or one that was given up."""

    def __init__(self, rows: FarmRows, number: int, entries: list[Harvest], harvest_year: int | None) -> None:
        """Join the entries; silage beside grain has no bushels of grain."""
        self.rows, self.number, self.harvest_year = rows, number, harvest_year
        """``number`` is its place among the crops of the unit."""
        self.entries, self.harvest_ids = tuple(entries), tuple(entry.harvest_id for entry in entries)
        first = entries[0]
        self.harvest_id, self.termination_record = first.harvest_id, first.termination_record
        self.crop, self.use, self.ending = first.crop, first.use, first.ending
        self.is_given_up = self.ending == TERMINATED
        self.first_day = min(filter(None, (both_days(entry)[0] for entry in entries)), default=None)
        self.last_day = max(filter(None, (both_days(entry)[1] for entry in entries)), default=None)
        has_grain = any(entry.use != "silage" for entry in entries)
        self.bushels = sum_of_known(0 if has_grain and entry.use == "silage" else entry.bushels for entry in entries)
        """Of all entries; None where one is not recorded."""

    @property
    def planted_on(self) -> date | None:
        """Return the first planting that its first entry has on record."""
        return first_planting_of(self.rows, self.harvest_id)


class ImpliedHarvest(Pass):
    """The pass of the combine that a crop entry proves, at the list's value; it has no row of its own, nor tools."""

    tools = ()


def first_planting_of(rows: FarmRows, harvest_id: str) -> date | None:
    """Return the first planting on record of a crop entry."""
    return min(filter(None, (row.planted_on for row in rows.naming(Planting, "harvest_id", harvest_id))), default=None)


def days_wrong(rows: Iterable[R], column: str, is_wrong: Callable[[date], bool], reason: str) -> Iterator[Missing]:
    """Yield the rows of which the day in a column is known and cannot be true."""
    for row in rows:
        day: date | None = getattr(row, column)
        if day is not None and is_wrong(day):
            yield Missing(row.kind_name, column, row.id, reason)


class CropsOfUnit:
    """The crops of one unit in order, and what lies in the interval of each; a crop is named by its place."""

    def __init__(self, rows: FarmRows, unit_id: str) -> None:
        self.rows, self.unit_id = rows, unit_id

    @reads_records
    def entries(self) -> list[tuple[Harvest, tuple[date | None, date | None]]]:
        """Return the entries that end a crop with their first and last day, by day; those without a day last."""
        found = [(row, both_days(row)) for row in self.rows.of_unit(Harvest, self.unit_id) if row.ending in ENDINGS]
        return sorted(found, key=lambda entry: [(day is None, day or date.min) for day in entry[1]])

    @reads_records
    def stands(self) -> tuple[Stand, ...]:
        """Return the crops in order."""
        entries = (row for row, _ in self.entries)
        found = enumerate(harvests(entries, lambda entry: first_planting_of(self.rows, entry)))
        return tuple(Stand(self.rows, number, parts, year) for number, (parts, year) in found)

    @reads_records
    def leads_to(self) -> tuple[int, ...]:
        """Return per crop the one harvested at last: its own place, or for a stand that failed that of a later one.

        It failed where it was given up, with its record, and a feedstock crop was harvested in its place that year.
        """
        found = list(range(len(self.stands)))
        for at in reversed(found[:-1]):
            stand, later = self.stands[at], self.stands[at + 1]
            year = stand.first_day.year if stand.first_day and stand.is_given_up and stand.termination_record else None
            if year is not None and year == later.harvest_year and {stand.crop, later.crop} <= set(FEEDSTOCKS):
                found[at] = found[at + 1]
        return tuple(found)

    @reads_records
    def by_entry(self) -> dict[str, int]:
        """Return per crop entry the crop that it is a part of."""
        return {name: stand.number for stand in self.stands for name in stand.harvest_ids}

    @reads_records
    def _borders(self) -> dict[bool, list[tuple[date, int]]]:
        """Return the days that end the intervals, with the crop of each: of a harvest the last, else the first."""
        first = sorted((one.first_day, one.number) for one in self.stands if one.first_day is not None)
        last = sorted((one.last_day, one.number) for one in self.stands if one.last_day is not None)
        return {False: first, True: last}

    def of_day(self, day: date | None, *, at_harvest: bool = False) -> int | None:
        """Return the crop in whose interval a day lies; None after the last crop, or without a day.

        What is done on the first day of a harvest counts for the next crop, a harvest pass up to the last day for its
        own.
        """
        if day is None:
            return None
        ends, before = self._borders[at_harvest], bisect_left if at_harvest else bisect_right
        at = before(ends, day, key=lambda end: end[0])
        return ends[at][1] if at < len(ends) else None

    @reads_records
    def passes(self) -> tuple[Pass, ...]:
        """Return the operations of the unit."""
        return tuple(Pass(self.rows, row) for row in self.rows.of_unit(Operation, self.unit_id))

    @reads_records
    def _placed(self) -> dict[int | None, tuple[Pass, ...]]:
        return grouped((self.of_day(one.day, at_harvest=one.is_harvest), one) for one in self.passes)

    def passes_of(self, number: int | None) -> tuple[Pass, ...]:
        """Return the operations in the interval of a crop; of None those after the last crop, and without a day."""
        return self._placed.get(number, ())

    # What else says when a crop ended (interpretation 81).

    def against_end(self, number: int, law: RuleVersion) -> tuple[Missing, ...]:
        """Return a crop's entries and the rows with whose days their own cannot all be true; none where all can."""
        stand = self.stands[number]
        if stand.first_day is None or stand.last_day is None:
            return ()
        first, last, near = stand.first_day, stand.last_day, timedelta(days=law.implied_pass_days)
        found = [*self._against_what_follows(number, first)]
        if self.leads_to[number] == number:
            own = (row for name in stand.harvest_ids for row in self.rows.naming(Planting, "harvest_id", name))
            found += days_wrong(own, "planted_on", lambda day: day >= first, "planted_after_end")
            for column in ("seeded_on", "terminated_on"):
                found += days_wrong(self.covers_of(number), column, lambda day: day > last, "cover_after_end")
        if not stand.is_given_up:
            found += self._passes_elsewhere(stand, near)
            logs = (one for entry in stand.entries for one in sound(self.rows, entry.evidence))
            held = [one for one in logs if one.what in LOGS_OF_HARVEST]
            found += days_wrong(held, "taken_on", lambda day: day < first - near, "log_before_harvest")
            tickets = self.rows.of_unit(ScaleTicket, self.unit_id)
            weighed = [row for row in tickets if self._is_weighed_before(row, stand, first - near, law)]
            found += (Missing("scale_ticket", "day", row.id, "ticket_before_harvest") for row in weighed)
        ends = (Missing("harvest", "first_day", entry.id, "end_contradicted") for entry in stand.entries)
        return (*ends, *found) if found else ()

    def _against_what_follows(self, number: int, first: date) -> Iterator[Missing]:
        """Yield plantings and covers of the next crop that cannot lie before the end of this one.

        A cover may be sown over a standing crop (interpretation 15), not drilled into it, and none ends before it.
        """
        covers: Iterable[CoverCrop]
        if number + 1 < len(self.stands):
            after = self.leads_to[number + 1]
            plantings, covers = self.rows_of_crop(Planting, after), self.covers_of(after)
        else:
            open_ = {row.harvest_id for row in self.rows.of_unit(Harvest, self.unit_id) if row.ending == "not_yet"}
            plantings = tuple(row for row in self.rows[Planting] if row.harvest_id in open_)
            covers = [row for row in self.rows.of_unit(CoverCrop, self.unit_id) if row.harvest_id in open_]
        is_failed = self.leads_to[number] != number  # its plantings name it or the crop that was planted again
        if not is_failed or all(row.planted_on is not None and row.planted_on < first for row in plantings):
            yield from days_wrong(plantings, "planted_on", lambda day: day < first, "planted_before_start")
        if not is_failed:
            yield from days_wrong(covers, "terminated_on", lambda day: day < first, "cover_before_harvest")
            into_it = [cover for cover in covers if cover.method not in OVER_STANDING_CROP]
            yield from days_wrong(into_it, "seeded_on", lambda day: day < first, "cover_before_harvest")

    def _passes_elsewhere(self, stand: Stand, near: timedelta) -> Iterator[Missing]:
        """Yield the harvest passes about a stand where none lies near its days, nor near those of another crop."""
        cut = {one: one.day for one in self.passes if one.is_harvest and one.day is not None}

        def is_near(other: Stand, day: date) -> bool:
            begun, over = other.first_day, other.last_day
            return begun is not None and over is not None and begun - near <= day <= over + near

        if any(is_near(stand, day) for day in cut.values()):
            return
        after = stand.number + 1 if stand.number + 1 < len(self.stands) else None
        planted = None if after is None else self.stands[after].planted_on
        own = [one for one in self.passes_of(after) if planted is None or one.day is None or one.day < planted]
        for one in (*own, *self.passes_of(stand.number)):
            if one in cut and not any(is_near(other, cut[one]) for other in self.stands if other is not stand):
                yield Missing("operation", "day", one.id, "harvest_pass_elsewhere")

    def _is_weighed_before(self, ticket: ScaleTicket, stand: Stand, begun: date, law: RuleVersion) -> bool:
        """Tell whether a ticket shows grain of a harvest before it is said to have begun; older grain does not."""
        day, year = ticket.day, ticket.harvest_year
        if day is None or day >= begun or ticket.crop != stand.crop:
            return False
        if year == stand.harvest_year:
            return True
        planted = stand.planted_on
        is_fresh = year in (None, day.year) and (planted is None or planted <= day)
        earlier = (one.first_day for one in self.stands if one.crop == stand.crop)
        is_of_earlier = any(one is not None and one <= day + timedelta(days=law.implied_pass_days) for one in earlier)
        return is_fresh and not is_of_earlier and (begun - day).days <= law.harvest_apart_days

    def named_by(self, application: NutrientApplication) -> int | None:
        number = self.by_entry.get(application.harvest_id or "")
        return None if number is None else self.leads_to[number]

    def crop_of(self, application: NutrientApplication) -> int | None:
        """Return the crop harvested at last in whose time an application lies; by the name where it has no day."""
        if application.day is None:
            return self.named_by(application)
        by_day = self.of_day(application.day)
        return None if by_day is None else self.leads_to[by_day]

    @reads_records
    def misplaced_applications(self) -> tuple[tuple[NutrientApplication, frozenset[int | None]], ...]:
        """Return the applications whose day and named crop do not fit, with the crops of both (interpretation 86)."""
        found = []
        of_farm = self.rows.once("named_applications", lambda: grouped(
            (unit_id, (row, of)) for row in self.rows[NutrientApplication]
            for of in self.rows.naming(Harvest, "harvest_id", row.harvest_id) for unit_id in {row.unit_id, of.unit_id}
        ))  # fmt: skip
        for row, entry in of_farm.get(self.unit_id, ()):
            by_day = self.crop_of(row) if row.unit_id == self.unit_id else None
            is_of_unit = row.unit_id == entry.unit_id
            if not is_of_unit or (row.day is not None and self.named_by(row) != by_day):
                found.append((row, frozenset((by_day, self.named_by(row)))))
        return tuple(found)

    @reads_records
    def applied(self) -> dict[int | None, tuple[NutrientApplication, ...]]:
        """Return the applications by the crop for which each was; under None those for no crop."""
        return grouped((self.crop_of(row), row) for row in self.rows.of_unit(NutrientApplication, self.unit_id))

    def applications_of(self, number: int | None, law: RuleVersion) -> tuple[Application, ...]:
        """Return the applications for a crop, or for none, each with whether it is a trace (interpretation 21).

        It is small in its pass, where all that rides along on one day is one, and in its season.
        """
        found = tuple(Application(self.rows, row) for row in self.applied.get(number, ()))
        for one in found if number is not None else ():
            one.names_crop = self.named_by(one) == number
        most = law.trace_n_pass_lb_per_ac
        riding = (one for one in found if one.row.method in TRACE_METHODS and one.carries_synthetic_n is not False)
        days = grouped((one.day, one) for one in riding).values()
        light = (of for of in days if sum(most if one.n is None else one.n for one in of) < most)
        small = [one for of in light for one in of if one.carries_synthetic_n]
        if sum(one.n or 0 for one in small) < law.trace_n_season_lb_per_ac:
            for one in small:
                one.trace = True
        return found

    def rows_of_crop(self, kind: type[RowOfCrop], number: int) -> tuple[RowOfCrop, ...]:
        """Return the rows of a kind that name a crop, or a failed stand that leads to it."""
        names = {name for name, of in self.by_entry.items() if self.leads_to[of] == number}
        if len(names) == 1:
            return self.rows.naming(kind, "harvest_id", *names)
        return tuple(row for row in self.rows[kind] if row.harvest_id in names)

    def covers_of(self, number: int) -> tuple[Cover, ...]:
        """Return the cover crops before a crop; one that names a crop of another unit can earn nothing."""
        rows = self.rows_of_crop(CoverCrop, number)
        return tuple(Cover(self.rows, row) for row in rows if row.unit_id == self.unit_id)


def crops_of_unit(rows: FarmRows, unit_id: str) -> CropsOfUnit:
    """Return the crops of a unit, put in order once for the farm."""
    return rows.once(("crops_of_unit", unit_id), lambda: CropsOfUnit(rows, unit_id))
