"""One management unit: its crops in order, its passes and applications, and in which crop's interval each lies.

A crop interval runs from the end of one cash crop through the end of the next (2100.002, interpretation 9). Entries of
one crop and harvest are one harvest, and the records of a stand that failed stay with the crop that was harvested at
last, while the interval restarts where the stand was given up (interpretation 66).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Final, Generic, NamedTuple, TypeVar

from provender.catalog.materials import GAS_N_PCT, Species, find_grade, find_species, names_synthetic_n, organic_source
from provender.catalog.materials import Grade as Product
from provender.catalog.tables import FieldOperation, find_operation
from provender.records.book import ENDINGS, TERMINATED, over_new_year_days
from provender.records.kinds.cover import CoverCrop, CoverSpecies
from provender.records.kinds.nutrients import InSeasonTest, NutrientApplication, NutrientBudget
from provender.records.kinds.quantification import ScaleTicket
from provender.records.kinds.season import Declaration, Harvest, Operation, OperationTool, Planting
from provender.rule.law import Crop, RuleVersion
from provender.standards.evidence import LOGGED, Grade, grade, sound
from provender.standards.standard import (
    WHOLE,
    FarmRows,
    Missing,
    R,
    earliest,
    grouped,
    latest,
    reads_records,
    sum_of_known,
)

FEEDSTOCKS: Final = tuple(str(crop) for crop in Crop)
SEEDING: Final = ("seeding", "planting")
"""Groups of the operations list that plant or drill."""
SPREADING: Final = ("spreading", "spraying")
DRIVEN_OVER: Final = 1_500
"""STIR of a pass that only drives over the ground, ten-thousandths: it drills, tills and mixes nothing."""
TILLING: Final = (
    "aeration", "bedding", "chisel", "disking", "field_cultivation", "harrowing", "plowing", "rotary_hoe",
    "rotary_tillage", "row_cultivation", "seedbed_finishing", "strip_tillage", "subsoiling", "undercutting",
    "vertical_tillage",
)  # fmt: skip
"""Groups that work soil through, and so bury or mix in what lies on it."""
INJECTING: Final = (
    *SEEDING, "injection", "strip_tillage", "row_cultivation", "field_cultivation", "chisel", "subsoiling",
    "undercutting", "plowing", "aeration",
)  # fmt: skip
"""Groups whose openers, knives or shanks can carry a fertilizer into the ground."""
INTENSIVE: Final = ("plowing", "disking", "chisel")
"""Groups of intensive tillage, where they work the full width (2100.002)."""
TRAFFIC: Final = ("spraying", "spreading", "harvest", "mowing", "irrigation", "burning", "growth")
"""Groups that only drive over the ground: they have no depth or width of disturbance."""
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
_POUNDS_PER_TON: Final = 2000
RowOfCrop = TypeVar("RowOfCrop", CoverCrop, Declaration, InSeasonTest, NutrientBudget, Planting)
"""Kinds whose rows name a crop."""
UNNAMED: Final = "unnamed"
"""Nitrogen said not to be synthetic, of a product that no list and no word of its name places."""
_LIQUID: Final = {"gal/ac": 1, "qt/ac": 4, "pt/ac": 8, "oz/ac": 128}
"""Rates by volume, and how many of each make a gallon."""


class _Seen(Generic[R]):
    """A row with what follows from it; its columns are those of the row, and it equals itself alone."""

    def __init__(self, rows: FarmRows, row: R) -> None:
        vars(self).update(vars(row), rows=rows, row=row)

    rows: FarmRows
    row: R
    __eq__, __hash__ = object.__eq__, object.__hash__


class Pass(_Seen[Operation], Operation):
    """A field operation as the list and its evidence bear it out."""

    @cached_property
    def listed(self) -> FieldOperation | None:
        """Return its row of the operations list."""
        return find_operation(self.row.operation)

    @property
    def group(self) -> str:
        """Return its group in the operations list; empty where it is not listed."""
        return self.listed.op_group if self.listed else ""

    @property
    def tools(self) -> tuple[OperationTool, ...]:
        """Return the recorded tools of its implement, from front to back."""
        tools = self.rows.naming(OperationTool, "operation_id", self.id)
        return tuple(sorted(tools, key=lambda tool: tool.tool_no))

    @reads_records
    def graded(self) -> Grade:
        """Return how it is known by its evidence (interpretation 62)."""
        return grade(self.rows, "operation", self.row)

    @property
    def known_by(self) -> str | None:
        """Return how it is known, no stronger than its evidence."""
        return self.graded.known_by

    @property
    def is_logged(self) -> bool:
        """Tell whether a machine's log or a third party's paper holds it."""
        return self.known_by in LOGGED

    @property
    def is_proven(self) -> bool:
        """Tell whether evidence bears out what was typed (interpretation 10)."""
        return self.graded.is_evidenced or self.is_logged

    @reads_records
    def full_width(self) -> bool | None:
        """Tell whether it disturbs the full width: what the farm admits, else the list's flag, else the farm's own.

        Where a tool of an implement that is not listed works the whole surface, the farm's *no* is void
        (interpretation 12).
        """
        said: bool | None = self.row.full_width
        if said or self.listed is None:
            working = (tool for tool in self.tools if tool.tillage_type not in PRESSING)
            is_void = said is False and any((tool.surface_pct or 0) >= WHOLE for tool in working)
            return None if is_void else said
        return self.listed.full_width

    @property
    def primary_inversion(self) -> bool | None:
        """Tell whether it inverts the soil: what the farm admits, else the list's flag, else the farm's own."""
        said: bool | None = self.row.primary_inversion
        return said if said or self.listed is None else self.listed.primary_inversion

    @property
    def sows(self) -> bool:
        """Tell whether it may have planted or drilled: the list says so, or does not know it."""
        return self.listed is None or self.group in SEEDING

    @property
    def works_ground(self) -> bool:
        """Tell whether it does more than drive over the ground, or may."""
        return self.group not in TRAFFIC

    @property
    def is_harvest(self) -> bool:
        """Tell whether it harvests."""
        return self.group == "harvest"


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
        """Return its rows of cover_species."""
        return self.rows.naming(CoverSpecies, "cover_id", self.id)

    @property
    def species(self) -> tuple[Species | None, ...]:
        """Return what the catalogue knows of each row of the mix, in the same order."""
        return tuple(find_species(row.species) for row in self.mix)


class Application(_Seen[NutrientApplication], NutrientApplication):
    """A nutrient application; whether it is a trace is decided among those of its crop (``CropsOfUnit``)."""

    trace: bool = False  # nitrogen that rides along in a small amount (interpretation 21)

    @cached_property
    def listed(self) -> Product | None:
        """Return what the fertilizer list knows of its product: of several that the name can mean, what they share."""
        return find_grade(self.row.product)

    @property
    def is_gas(self) -> bool:
        """Tell whether its product is a gas under pressure, which goes into the ground."""
        return self.listed is not None and self.listed.n_pct > GAS_N_PCT

    @cached_property
    def n(self) -> int | None:
        """Return thousandths of a pound of N per acre."""
        return self.pounds("n")

    def pounds(self, nutrient: str) -> int | None:
        """Return thousandths of a pound per acre of ``n``, ``p2o5`` or ``k2o``: typed, else ``given``."""
        typed: int | None = getattr(self.row, f"{nutrient}_lb_per_ac")
        return self.given(nutrient) if typed is None else typed

    def given(self, nutrient: str) -> int | None:
        """Return what grade and rate give of a nutrient, rounded half up; None where either is unknown.

        A product without the nutrient gives none of it, at whatever rate.
        """
        product, rate, unit = self.listed, self.row.rate, self.row.rate_unit
        if product is None:
            return None
        share: int | None = getattr(product, f"{nutrient}_pct")
        if share == 0:
            return 0
        if rate is None or unit is None:
            return None
        if unit in _LIQUID:
            if product.density_lb_per_gal is None:
                return None
            millionths = rate * product.density_lb_per_gal // _LIQUID[unit]
        else:
            millionths = rate * 1000 * (_POUNDS_PER_TON if unit == "ton/ac" else 1)
        return None if share is None else int(millionths * share + 50_000_000) // 100_000_000

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
    def carries(self) -> bool | None:
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
        """Tell whether it is synthetic N that every requirement speaks of: a trace or no N at all is not."""
        return False if self.trace else self.carries

    @property
    def source(self) -> str:
        """Return which source of nutrients it is beside commercial fertilizer; empty for any other."""
        if self.row.method in ("starter_band", "in_furrow"):
            return "starter" if self.synthetic and (self.n or 0) > 0 else ""
        if self.listed is not None and self.listed.product_synthetic_n is not None:
            return ""
        said_organic = self.row.synthetic_n is False and (self.row.n_lb_per_ac or 0) > 0
        return organic_source(self.row.product) or (UNNAMED if said_organic else "")


@dataclass(frozen=True, eq=False)
class Stand:
    """One crop of a unit: the entries of one harvest joined, or one that was given up."""

    number: int  # its place among the crops of the unit
    entries: tuple[Harvest, ...]  # rows of harvest, in order
    harvest_ids: tuple[str, ...]  # their names
    crop: str
    use: str | None  # as the first entry says it
    ending: str  # harvested or terminated
    first_day: date | None  # on which it ended
    last_day: date | None  # on which it ended
    bushels: int | None  # of all entries; None where one is not recorded
    termination_record: str | None  # replant or adjuster record of a crop that was given up
    harvest_year: int | None
    rows: FarmRows = field(repr=False)

    @property
    def harvest_id(self) -> str:
        """Return the name of its first entry."""
        return self.harvest_ids[0]

    @property
    def is_given_up(self) -> bool:
        """Tell whether it was terminated."""
        return self.ending == TERMINATED

    @property
    def planted_on(self) -> date | None:
        """Return the first planting that its first entry has on record."""
        return first_planting_of(self.rows, self.harvest_id)


class HarvestPass(Pass):
    """The pass of the combine that a crop entry proves, at the list's value; no row of its own is on record."""

    is_logged = False
    tools = ()

    def __init__(self, rows: FarmRows, stand: Stand) -> None:
        """Make the pass of a stand's last day; of all its columns it has only day, unit and name."""
        entry = stand.entries[-1]
        name = "Forage harvester" if stand.use == "silage" else "Combine harvest"
        row = Operation(
            farm_id=entry.farm_id, operation_id=entry.id, unit_id=entry.unit_id, day=stand.last_day, operation=name
        )
        super().__init__(rows, row)

    @property
    def known_by(self) -> str:
        """Return that nobody wrote it down."""
        return "implied"


def _stand(rows: FarmRows, number: int, entries: list[Harvest], year: int | None) -> Stand:
    """Join the entries of one harvest; silage beside grain has no bushels of grain."""
    first = entries[0]
    has_grain = any(entry.use != "silage" for entry in entries)
    bushels = sum_of_known(0 if has_grain and entry.use == "silage" else entry.bushels for entry in entries)
    return Stand(
        number,
        tuple(entries),
        tuple(entry.harvest_id for entry in entries),
        first.crop,
        first.use,
        first.ending,
        earliest(_days(entry)[0] for entry in entries),
        latest(_days(entry)[1] for entry in entries),
        bushels,
        first.termination_record,
        year,
        rows,
    )


def first_planting_of(rows: FarmRows, harvest_id: str) -> date | None:
    """Return the first planting on record of a crop entry."""
    return earliest(row.planted_on for row in rows.naming(Planting, "harvest_id", harvest_id))


def _days(entry: Harvest) -> tuple[date | None, date | None]:
    """Return first and last day of an entry; where one of the two is recorded, it is both."""
    return entry.first_day or entry.last_day, entry.last_day or entry.first_day


def _runs_over_new_year(first: date | None, last: date | None) -> bool:
    if first is None or last is None:
        return False
    return last.year == first.year + 1 and (last - first).days <= over_new_year_days()


def _harvests(rows: FarmRows, entries: list[Harvest]) -> Iterator[tuple[list[Harvest], int | None]]:
    """Yield the entries of each harvest with its year.

    A harvest that runs over New Year, in one entry or in several, is of the year in which it began. An entry planted
    after the one before was cut is a crop of its own.
    """
    parts: list[Harvest] = []
    year: int | None = None
    cut: date | None = None  # what was last cut before New Year
    until: date | None = None
    for entry in entries:
        first, last = _days(entry)
        own = first.year if first and _runs_over_new_year(first, last) else last.year if last else None
        before = _days(parts[-1])[0] if parts else None
        if parts and entry.crop == parts[-1].crop and TERMINATED not in (entry.ending, parts[-1].ending):
            turned = before if before and first and before.year != first.year else cut
            reached = latest((until, last))
            of_harvest = turned.year if turned and last and _runs_over_new_year(turned, reached) else own
            is_part = of_harvest is not None and of_harvest == year
            planted = first_planting_of(rows, entry.harvest_id) if is_part else None
            if planted is None or before is None or planted < before:
                cut, until = turned, reached
                if is_part:
                    parts.append(entry)
                    continue
                own = of_harvest
            else:
                cut, until = None, last
        else:
            cut, until = None, last
        if parts:
            yield parts, year
        parts, year = [entry], own
    if parts:
        yield parts, year


class CropsOfUnit:
    """The crops of one unit in order, and what lies in the interval of each; a crop is named by its place.

    Sentences of its codes stand in ``season.REASONS``; what it finds is among the reasons of ``Season.all_passes``.
    """

    def __init__(self, rows: FarmRows, unit_id: str) -> None:
        self.rows, self.unit_id = rows, unit_id

    @reads_records
    def _entries(self) -> list[Harvest]:
        """Return the entries that end a crop, by day; those without a day last."""
        found = [row for row in self.rows.of_unit(Harvest, self.unit_id) if row.ending in ENDINGS]
        return sorted(found, key=lambda row: tuple((day is None, day or date.min) for day in _days(row)))

    @reads_records
    def stands(self) -> tuple[Stand, ...]:
        """Return the crops in order."""
        found = enumerate(_harvests(self.rows, self._entries))
        return tuple(_stand(self.rows, number, entries, year) for number, (entries, year) in found)

    @reads_records
    def leads_to(self) -> tuple[int, ...]:
        """Return per crop the one harvested at last: its own place, or for a stand that failed that of a later one."""
        found = list(range(len(self.stands)))
        for at in reversed(found[:-1]):
            if _failed(self.stands[at], self.stands[at + 1]):
                found[at] = found[at + 1]
        return tuple(found)

    @reads_records
    def by_entry(self) -> dict[str, int]:
        """Return per crop entry the crop that it is a part of."""
        return {name: stand.number for stand in self.stands for name in stand.harvest_ids}

    @reads_records
    def out_of_order(self) -> tuple[Harvest, ...]:
        """Return the entries without a day, or with days in the wrong order: no border of the unit is sure then."""
        days = ((row, *_days(row)) for row in self._entries)
        return tuple(row for row, first, last in days if first is None or last is None or first > last)

    @reads_records
    def _borders(self) -> dict[bool, tuple[list[date], list[int]]]:
        """Return the days that end the intervals, with the crop of each: of a harvest the last, else the first."""
        found = {}
        for at_harvest in (False, True):
            days = ((one.last_day if at_harvest else one.first_day, one.number) for one in self.stands)
            ends = sorted((day, number) for day, number in days if day is not None)
            found[at_harvest] = [day for day, _ in ends], [number for _, number in ends]
        return found

    def of_day(self, day: date | None, *, at_harvest: bool = False) -> int | None:
        """Return the crop in whose interval a day lies; None after the last crop, or without a day.

        What is done on the first day of a harvest counts for the next crop, a harvest pass up to the last day for its
        own.
        """
        if day is None:
            return None
        days, numbers = self._borders[at_harvest]
        at = bisect_left(days, day) if at_harvest else bisect_right(days, day)
        return numbers[at] if at < len(numbers) else None

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
        near, first = timedelta(days=law.implied_pass_days), stand.first_day
        found = [*self._against_what_follows(number, first)]
        if self.leads_to[number] == number:
            own = (row for name in stand.harvest_ids for row in self.rows.naming(Planting, "harvest_id", name))
            found += (
                Missing("planting", "planted_on", row.id, "planted_after_end")
                for row in own
                if row.planted_on is not None and row.planted_on >= first
            )
            for cover in self.covers_of(number):
                for column, day in (("seeded_on", cover.seeded_on), ("terminated_on", cover.terminated_on)):
                    if day is not None and day > stand.last_day:
                        found.append(Missing("cover_crop", column, cover.id, "cover_after_end"))
        if not stand.is_given_up:
            found += self._against_harvest(stand, first - near, stand.last_day + near)
            tickets = self.rows.of_unit(ScaleTicket, self.unit_id)
            found += (
                Missing("scale_ticket", "day", row.id, "ticket_before_harvest")
                for row in tickets
                if self._is_weighed_before(row, stand, first - near, law)
            )
        ends = (Missing("harvest", "first_day", entry.id, "end_contradicted") for entry in stand.entries)
        return (*ends, *found) if found else ()

    def _against_what_follows(self, number: int, first: date) -> Iterator[Missing]:
        """Yield plantings and covers of the next crop that cannot lie before the end of this one.

        A cover may be sown over a standing crop (interpretation 15), not drilled into it, and none ends before it.
        """
        covers: tuple[CoverCrop, ...]
        if number + 1 < len(self.stands):
            after = self.leads_to[number + 1]
            plantings = self.rows_of_crop(Planting, after)
            covers = self.covers_of(after)
        else:
            open_ = {row.harvest_id for row in self.rows.of_unit(Harvest, self.unit_id) if row.ending == "not_yet"}
            plantings = tuple(row for row in self.rows[Planting] if row.harvest_id in open_)
            covers = tuple(row for row in self.rows.of_unit(CoverCrop, self.unit_id) if row.harvest_id in open_)
        days = [row.planted_on for row in plantings]
        is_failed = self.leads_to[number] != number  # its plantings name it or the crop that was planted again
        is_again = is_failed and any(day is None or day >= first for day in days)
        for row in plantings:
            if row.planted_on is not None and row.planted_on < first and not is_again:
                yield Missing("planting", "planted_on", row.id, "planted_before_start")
        for cover in () if is_failed else covers:
            if cover.terminated_on is not None and cover.terminated_on < first:
                yield Missing("cover_crop", "terminated_on", cover.id, "cover_before_harvest")
            if cover.seeded_on is not None and cover.seeded_on < first and cover.method not in OVER_STANDING_CROP:
                yield Missing("cover_crop", "seeded_on", cover.id, "cover_before_harvest")

    def _against_harvest(self, stand: Stand, begun: date, over: date) -> Iterator[Missing]:
        """Yield harvest passes and logs that are of other days than the entry's."""
        cut = {one: one.day for one in self.passes if one.is_harvest and one.day is not None}
        if not any(begun <= day <= over for day in cut.values()):
            after = stand.number + 1 if stand.number + 1 < len(self.stands) else None
            planted = None if after is None else self.stands[after].planted_on
            own = [one for one in self.passes_of(after) if planted is None or one.day is None or one.day < planted]
            own += self.passes_of(stand.number)
            days = [(other.first_day, other.last_day) for other in self.stands if other is not stand]
            near = over - (stand.last_day or over)
            for one in own:
                if one in cut and not any(a and b and a - near <= cut[one] <= b + near for a, b in days):
                    yield Missing("operation", "day", one.id, "harvest_pass_elsewhere")
        for entry in stand.entries:
            for log in sound(self.rows, entry.evidence):
                if log.what in LOGS_OF_HARVEST and log.taken_on is not None and log.taken_on < begun:
                    yield Missing("evidence", "taken_on", log.id, "log_before_harvest")

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
        """Return the crop of the unit that an application names."""
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
        entries = {row.harvest_id: row for row in self.rows[Harvest]}
        found = []
        for row in self.rows[NutrientApplication]:
            entry = entries.get(row.harvest_id or "")
            if entry is None or self.unit_id not in (row.unit_id, entry.unit_id):
                continue
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
        """Return the applications for a crop, or for none, each with whether it is a trace (interpretation 21)."""
        found = tuple(Application(self.rows, row) for row in self.applied.get(number, ()))
        _mark_traces(found, law)
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


def _failed(stand: Stand, later: Stand) -> bool:
    """Tell whether a stand was given up, with its record, and a feedstock crop harvested in its place that year."""
    return bool(
        stand.is_given_up
        and stand.termination_record is not None
        and {stand.crop, later.crop} <= set(FEEDSTOCKS)
        and stand.first_day is not None
        and stand.first_day.year == later.harvest_year
    )


def _mark_traces(applications: tuple[Application, ...], law: RuleVersion) -> None:
    """Mark what is a trace: small in its pass, where all that rides along on one day is one, and in its season."""
    by_day: dict[date | None, int] = {}
    riding = [one for one in applications if one.row.method in TRACE_METHODS]
    for one in riding:
        if one.carries is not False:
            pounds = law.trace_n_pass_lb_per_ac if one.n is None else one.n
            by_day[one.day] = by_day.get(one.day, 0) + pounds
    small = [one for one in riding if one.carries and by_day[one.day] < law.trace_n_pass_lb_per_ac]
    if sum(one.n or 0 for one in small) < law.trace_n_season_lb_per_ac:
        for one in small:
            one.trace = True
