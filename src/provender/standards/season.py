"""What the records say of one crop on one unit, from the end of the crop before it to its own end.

Every property notes which kinds of record it rests on. A list of passes or of applications comes with every
reason why it may lack one: what is not known to be whole shows nothing (interpretation 2). What a machine put on,
sowed, ended or cut proves a pass that can have done it (2100.051(c)(2)): one of another kind on the same day does not
do. What comes by air, by hand or in irrigation water needs none. A row that does not say how may have been done by any
of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from provender.catalog.materials import GAS_N_PCT
from provender.catalog.places import STATE_BY_FIPS, is_placed_in_words
from provender.catalog.tables import INJECTING, SEEDING, SPREADING, TILLING, lookup_name
from provender.records.book import FarmRows, reads_records
from provender.records.kind import Record
from provender.records.kinds.cover import CoverCrop
from provender.records.kinds.farm import Control, Farm, Producer, Unit
from provender.records.kinds.nutrients import BudgetSource, ExpertOpinion, NutrientApplication, NutrientBudget, SoilTest
from provender.records.kinds.season import Declaration, Operation, Planting
from provender.rule.crops import Crop
from provender.rule.law import RuleVersion
from provender.rule.law import Season as DaysOfYear
from provender.standards import evidence
from provender.standards.standard import OTHER, WHOLE, Against, DeclaredList, Finding, Missing, Shown, blanks
from provender.standards.stir import IntervalStir
from provender.standards.unit import Application, Cover, ImpliedHarvest, Pass, RowOfCrop, Stand, Work, crops_of_unit

PROOFS_OF_CONTROL: Final = ("form", "contract", "machine_file", "map", "photograph", "usda_record")
"""Evidence that can show what was done before the producer had control."""

PLANTED: Final = Work("planted", SEEDING, in_soil=True)
_SPREAD: Final = Work("spread", SPREADING)
_SPRAYED: Final = Work("sprayed", ("spraying",))
_INJECTED: Final = Work("put into the ground", INJECTING)
CUT_OFF: Final = Work("cut and taken off", ("hay", "harvest", "mowing", "residue"))
_ANYHOW: Final = Work("put on", (*INJECTING, *SPREADING))

PUT_ON: Final[Mapping[str | None, tuple[Work, ...]]] = {
    "injected": (_INJECTED,),
    **dict.fromkeys(("starter_band", "in_furrow"), (Work("put into the ground at planting", SEEDING, in_soil=True),)),
    **dict.fromkeys(("broadcast", "topdress"), (_SPREAD,)),
    "broadcast_incorporated": (_SPREAD, Work("worked in", TILLING)),
    **dict.fromkeys(("banded", "sidedress"), (_ANYHOW,)),
    **dict.fromkeys(("foliar", "with_herbicide"), (_SPRAYED,)),
    **dict.fromkeys(("fertigation", "aerial", "by_hand"), ()),
}
"""By method of a nutrient application."""
DRILLED: Final = ("drilled", "precision")
SOWN: Final[Mapping[str | None, tuple[Work, ...]]] = {
    **dict.fromkeys(DRILLED, (Work("drilled", SEEDING, in_soil=True),)),
    "broadcast": (Work("seeded", (*SEEDING, *SPREADING)),),
    "interseeded": (Work("seeded", (*SEEDING, *SPREADING, "row_cultivation")),),
    "broadcast_incorporated": (Work("seeded and worked in", (*SEEDING, *TILLING, "rolling", "residue"), in_soil=True),),
    **dict.fromkeys(("aerial", "by_hand"), ()),
}
"""By method of seeding a cover crop."""
_SEEDED: Final = Work("seeded, without a method", SEEDING)
ENDED: Final[Mapping[str | None, tuple[Work, ...]]] = {
    "herbicide": (Work("sprayed", ("spraying",)),),
    "roller_crimper": (Work("rolled", ("rolling",)),),
    "mowing": (Work("mowed", ("mowing", "residue", "hay")),),
    "tillage": (Work("tilled", (*TILLING, *SEEDING), in_soil=True),),
    "mechanical_harvest": (CUT_OFF,),
    "grazing": (Work("grazed", ("grazing",)),),
    "burning": (Work("burned", ("burning",)),),
}
"""By how a cover crop was ended; winter needs no pass, and one that does not say is asked how it ended."""


UNIT_LIES: Final = "The records show the unit, where it lies and its acres."
BUSHELS: Final = "The records show the bushels harvested from the unit."
"""What the records of each section must show alike: ``Season.where_unit_lies`` and ``bushels_known`` look for it."""


class ImpliedPass(NamedTuple):
    """A record of something that takes a pass over the ground."""

    row: Planting | Cover | Application
    day: date | None
    work: Work
    reason: str  # the code where none is recorded


class Answer(NamedTuple):
    """An answer of the declaration that counts (interpretation 2)."""

    value: bool | None
    row: str  # key of the declaration; empty where there is none


class Season:
    """One closed crop interval of one unit, with the records of its farm."""

    def __init__(self, rows: FarmRows, unit_id: str, number: int, law: RuleVersion) -> None:
        self.rows, self.unit_id, self.law = rows, unit_id, law
        self._number = number
        self._crops = crops_of_unit(rows, unit_id)

    # The unit, the crop, and what came before it.

    @reads_records
    def unit(self) -> Unit:
        """Return the row of the unit."""
        return self.rows.of_unit(Unit, self.unit_id)[0]

    def state_of(self, unit_id: str) -> str:
        """Return the State of a unit's county, or the farm's where the unit names no county; empty where unknown."""
        county = self.rows.of_unit(Unit, unit_id)[0].county_fips
        if county is None:
            return next((farm.state for farm in self.rows[Farm]), None) or ""
        return STATE_BY_FIPS.get(county[:2], "")

    def window(self, name: str) -> DaysOfYear:
        """Return a window of the rule as the unit's State sets it."""
        return self.law.window(name, self.state_of(self.unit_id))

    @property
    def acres(self) -> int | None:
        return self.unit.acres

    def beyond_unit(self, rows: Iterable[Record], column: str) -> Iterator[Missing]:
        """Yield the rows with more acres than the unit has, beyond what two measures of one field may differ."""
        share = WHOLE + self.law.boundary_difference_pct_max
        for row in rows:
            acres: int | None = getattr(row, column)
            if acres is not None and self.acres is not None and acres * WHOLE > self.acres * share:
                yield Missing(row.kind_name, column, row.id, "more_acres_than_unit")

    @reads_records
    def harvest(self) -> Stand:
        """Return the crop."""
        return self._crops.stands[self._number]

    @property
    def crop(self) -> Crop:
        return Crop(self.harvest.crop)

    @reads_records
    def closes_on(self) -> date:
        """Return the last day of the crop, which closes the interval; without one nothing is judged."""
        return self.harvest.last_day or date.max

    @reads_records
    def crop_before(self) -> Stand | None:
        """Return the crop whose end starts the interval, a stand that was given up included."""
        return self._crops.stands[self._number - 1] if self._number else None

    @reads_records
    def starts_on(self) -> date | None:
        """Return the first day on which the crop before ended, which starts the interval (interpretation 9)."""
        return self.crop_before.first_day if self.crop_before else None

    @reads_records
    def failed_stands(self) -> tuple[Stand, ...]:
        """Return the stands of this season that were given up and replanted, the latest first (interpretation 66)."""
        led = self._crops.leads_to
        return tuple(self._crops.stands[at] for at in range(self._number - 1, -1, -1) if led[at] == self._number)

    @reads_records
    def season_before(self) -> Stand | None:
        """Return the crop before the first stand of this season."""
        first = self._number - len(self.failed_stands)
        return self._crops.stands[first - 1] if first else None

    def rows_of_crop(self, kind: type[RowOfCrop]) -> tuple[RowOfCrop, ...]:
        """Return the rows of a kind that name this crop or a failed stand of its season."""
        return self._crops.rows_of_crop(kind, self._number)

    # Passes and plantings.

    @reads_records
    def passes(self) -> tuple[Pass, ...]:
        """Return the operations of the interval."""
        return self._crops.passes_of(self._number)

    @reads_records
    def season_passes(self) -> tuple[Pass, ...]:
        """Return the operations of the interval and of the failed stands before it."""
        stands = (self._number, *(stand.number for stand in self.failed_stands))
        return tuple(one for number in sorted(stands) for one in self._crops.passes_of(number))

    @reads_records
    def undated_passes(self) -> tuple[Pass, ...]:
        """Return the operations of the unit without a day: each may lie in any interval."""
        return tuple(one for one in self._crops.passes if one.day is None)

    @reads_records
    def plantings(self) -> tuple[Planting, ...]:
        """Return the plantings of the crop."""
        return self.rows_of_crop(Planting)

    @reads_records
    def first_planting(self) -> date | None:
        """Return the first planting, if the days of all are known."""
        days = [row.planted_on for row in self.plantings]
        return None if None in days else min(filter(None, days), default=None)

    @reads_records
    def last_planting(self) -> date | None:
        """Return the last planting, if the days of all are known."""
        days = [row.planted_on for row in self.plantings]
        return None if None in days else max(filter(None, days), default=None)

    @reads_records
    def all_passes(self) -> DeclaredList:
        """Return the operations of the interval, with every reason why one may be missing.

        The reasons come from the declaration, from the start of the interval (``_lacks_start``: the crop before,
        control, days that contradict one another, ``CropsOfUnit.against_end``), from its borders and the planting,
        from passes without a day or over too many acres, and from records that take a pass (``implied_passes``).
        """
        return self._listed("operation", self.passes, "all_operations_listed", self._lacks_passes())

    def _listed(self, kind: str, rows: tuple[Any, ...], question: str, lacks: Iterable[Missing]) -> DeclaredList:
        """Return rows as the list that the declaration says is whole, with every reason why one may be missing."""
        answer = self.answer(question)
        said = [] if answer.value else [Missing("declaration", question, answer.row, "not_declared")]
        return DeclaredList(kind, rows, answer.row if answer.value else "", (*said, *self._lacks_start(), *lacks))

    def _lacks_passes(self) -> Iterator[Missing]:
        """Yield why the list of passes may lack one.

        No crop grows without being planted and harvested, and what other records prove takes a pass (2100.051(c)(2)).
        """
        yield from self.borders_missing()
        if not self._is_grown_here():
            yield Missing("planting", "planted_on", self.harvest.harvest_id, "not_planted_in_interval")
        for one in self.undated_passes:
            yield Missing("operation", "day", one.id, "pass_without_day")
        if not self.passes:
            yield Missing("operation", reason="no_pass")
        yield from (*self.beyond_unit(self.passes, "treated_acres"), *self.beyond_unit(self.plantings, "acres"))
        is_sown, most = any(one.sows and one.group for one in self.passes), self.law.implied_pass_days
        near = (one.work for one, days in self.implied_passes if days is not None and days <= most)
        if not is_sown and PLANTED not in near:
            yield Missing("operation", reason="no_seeding_pass")
        alone = (one for one, days in self.implied_passes if days is None or days > most)
        yield from dict.fromkeys(Missing("operation", "", one.row.id, one.reason) for one in alone)
        for row in () if self.is_manured or self.has_organic else self.admitted("manure_applied"):
            yield Missing("operation", "", row.id, "manure_not_listed")
        planted = self.first_planting
        before_crop = [one for one in self.season_passes if one.day and (planted is None or one.day < planted)]
        for row in () if any(map(CUT_OFF.fits, before_crop)) else self.admitted("cover_harvested"):
            yield Missing("operation", "", row.id, "cut_without_pass")
        first, days = self.harvest.first_day, timedelta(days=self.law.implied_pass_days)
        if first and any(one.is_harvest and one.day and one.day < first - days for one in self.passes):
            yield Missing("harvest", reason="another_crop_harvested")

    @reads_records
    def implied_passes(self) -> tuple[tuple[ImpliedPass, int | None], ...]:
        """Return the records of something that takes a pass, and the days to the nearest of the unit that may be it.

        A planting without a day is said where the borders of the crop are judged; a gas goes into the ground whether or
        not its row says so.
        """
        days = ((row, row.planted_on) for row in self.plantings)
        found = [ImpliedPass(row, day, PLANTED, "planting_without_pass") for row, day in days if day]
        for cover in self.covers:
            works = [(cover.seeded_on, work) for work in SOWN.get(cover.method, (_SEEDED,))]
            works += [(cover.terminated_on, work) for work in ENDED.get(cover.termination_method, ())]
            found += (ImpliedPass(cover, day, work, "cover_without_pass") for day, work in works)
        for one in self.applications:
            is_gas = one.listed is not None and one.listed.n_pct > GAS_N_PCT
            is_into_ground = is_gas and one.method != "fertigation"
            for work in (_INJECTED,) if is_into_ground else PUT_ON.get(one.method, (_ANYHOW,)):
                found.append(ImpliedPass(one, one.day, work, "nutrients_without_pass"))
        return tuple((one, self._days_to_pass(one)) for one in found)

    def _days_to_pass(self, proven: ImpliedPass) -> int | None:
        day, days = proven.day, [one.day for one in self._crops.passes if proven.work.fits(one)]
        return min((abs((other - day).days) for other in days if other and day), default=None)

    @reads_records
    def harvest_pass(self) -> Pass | None:
        """Return the combine's pass that the crop entry proves, where no pass of the interval harvests."""
        if not self.passes or any(one.is_harvest for one in self.passes):
            return None
        of, key, day = self.rows.farm_id, self.harvest.entries[-1].id, self.harvest.last_day
        name = "Forage harvester" if self.harvest.use == "silage" else "Combine harvest"
        row = Operation(farm_id=of, operation_id=key, unit_id=self.unit_id, day=day, operation=name, known_by="implied")
        return ImpliedHarvest(self.rows, row)

    @reads_records
    def stir(self) -> IntervalStir:
        """Return the STIR of the passes on record, and of the harvest where only its entry is."""
        return IntervalStir(self.passes if self.harvest_pass is None else (*self.passes, self.harvest_pass))

    def _is_grown_here(self) -> bool:
        """Tell whether the crop was planted in its interval; asked where the crop before is of its kind.

        Two entries of one harvest would otherwise make an interval of the second, with nothing in it but the combine.
        A crop planted into a failed stand is planted once before and once after that stand was given up.
        """
        planted = self.last_planting if self.failed_stands else self.first_planting
        is_replanted = planted is not None and self.starts_on is not None and planted >= self.starts_on
        is_same_crop = self.crop_before is not None and self.crop_before.crop == self.harvest.crop
        first = self.harvest.first_day
        is_late = self.last_planting is not None and first is not None and self.last_planting >= first
        return (is_replanted or not is_same_crop) and not is_late

    def borders_missing(self) -> Iterator[Missing]:
        """Yield why the days between which the interval lies are not sure."""
        if self.starts_on is None:
            yield Missing("harvest", "", self.harvest.harvest_id, "crop_before_unknown")
        for entry, (first, last) in self._crops.entries:
            if first is None or last is None or first > last:
                yield Missing("harvest", "last_day", entry.id, "days_out_of_order")

    def _lacks_start(self) -> Iterator[Missing]:
        """Yield why the start of the interval is not sure: a stand given up without its record, days before control."""
        before = self.crop_before
        if before is not None and before.crop == OTHER:
            papers = ([*evidence.sound(self.rows, entry.evidence)] for entry in before.entries)
            if not all(any(one.what != OTHER for one in of_entry) for of_entry in papers):
                yield Missing("harvest", "crop", before.harvest_id, "crop_before_not_named")
        if before is not None and before.is_given_up:
            if before.termination_record is None:
                yield Missing("harvest", "termination_record", before.harvest_id, "termination_not_recorded")
            if not self._was_planted(before):
                yield Missing("planting", "planted_on", before.harvest_id, "stand_not_planted")
        yield from self.control_missing()
        yield from self.contradicted_borders

    @reads_records
    def contradicted_borders(self) -> tuple[Missing, ...]:
        """Return the rows whose days contradict the end of this crop or of one before it (interpretation 81)."""
        first = self._number - len(self.failed_stands)
        ends = range(max(first - 1, 0), self._number + 1)
        return tuple(dict.fromkeys(one for at in ends for one in self._crops.against_end(at, self.law)))

    def _was_planted(self, stand: Stand) -> bool:
        """Tell whether a stand that was given up had been planted; before the first crop of the unit nobody asks.

        A planting, or a seeding pass that was neither a cover's nor another planting's, lies in its time. Otherwise a
        line *given up* would wipe out what was done before.
        """
        before = self._crops.stands[stand.number - 1] if stand.number else None
        begun, over = before.first_day if before else None, stand.first_day
        if begun is None or over is None:
            return True
        led, entries = self._crops.leads_to, self._crops.by_entry
        plantings = [row for row in self.rows[Planting] if row.harvest_id in entries]
        own = [row.planted_on for row in plantings if led[entries[row.harvest_id]] == led[stand.number]]
        if any(begun <= day <= over for day in own if day is not None):
            return True
        covers = [row for row in self.rows.of_unit(CoverCrop, self.unit_id) if row.harvest_id in entries]
        others = [row.planted_on for row in plantings] + [row.seeded_on for row in covers]
        near = self.law.implied_pass_days
        sown = [one.day for one in self._crops.passes if one.sows and one.day is not None and begun <= one.day <= over]
        return any(all(day is None or abs((one - day).days) > near for day in others) for one in sown)

    # What the producer says, and since when.

    @reads_records
    def declarations(self) -> tuple[Declaration, ...]:
        """Return the declarations of the crop, the latest first; one without a day may be the latest."""
        rows = self.rows_of_crop(Declaration)
        return tuple(sorted(rows, key=lambda row: row.made_on or date.max, reverse=True))

    def answer(self, name: str) -> Answer:
        """Return what the declarations answer to a question, as far as it counts (interpretation 2).

        One made before the interval closed cannot speak for what followed: its *no* and its *all listed* do not count,
        its *yes* to something that must not happen always does. Of several the latest answers, and two of one day that
        differ answer nothing.
        """
        is_list = name.startswith("all_")
        if not is_list and (admitted := self.admitted(name)):
            return Answer(value=True, row=admitted[0].id)
        if not self.declarations:
            return Answer(None, "")
        row = self.declarations[0]
        is_in_time = row.made_on is not None and row.made_on >= self.closes_on
        said = {getattr(one, name) for one in self.declarations if one.made_on == row.made_on} - {None}
        return Answer(said.pop() if is_in_time and len(said) == 1 else None, row.id)

    def admitted(self, name: str) -> tuple[Declaration, ...]:
        return tuple(row for row in self.declarations if getattr(row, name))

    def answered_no(self, name: str, reason: str = "said_yes") -> Iterator[Finding]:
        """Show by the declaration that something did not happen; a missing row shows nothing."""
        answer = self.answer(name)
        for row in self.admitted(name):
            yield Against("declaration", row.id, reason)
        if answer.value is None:
            yield Missing("declaration", name, answer.row, "not_answered")
        elif answer.value is False:
            yield Shown("declaration", answer.row)

    def control_missing(self) -> Iterator[Missing]:
        """Yield what is missing for days of the interval on which no producer of the farm had control (68).

        They may lie before control began, between two times of it, or after it ended. The predecessor's statement,
        machine logs or imagery can say what was done then; a control record names such a file, made when control began
        or little before. Single passes, logged or not, are no list of all of them.
        """
        if not self.rows[Control]:
            return
        producers = {row.producer_id for row in self.rows[Producer] if row.operational_control}
        of_unit, a_day = self.rows.of_unit(Control, self.unit_id), timedelta(days=1)
        rows = sorted((row for row in of_unit if row.producer_id in producers), key=lambda row: row.since)
        if not rows or self.starts_on is None or self.harvest.first_day is None:
            return
        over, held = self.harvest.first_day + a_day, self.starts_on  # control is known up to ``held``
        for row in rows:
            spoken = max(row.since - timedelta(days=self.law.control_statement_days), held)
            if row.since > held and not any(day >= spoken for day in self._control_shown(rows)):
                yield Missing("control", "evidence", row.id, "control_not_shown")
            if row.until is not None and row.until < row.since:
                yield Missing("control", "until", row.id, "control_out_of_order")
            held = max(held, over if row.until is None else row.until + a_day)
        if held < over:
            yield Missing("control", "until", rows[-1].id, "control_ended")
        for row in of_unit:
            if row not in rows and row.basis != "owner" and any(_overlap(row, one, self.starts_on) for one in rows):
                yield Missing("control", "until", row.id, "control_held_twice")

    def _control_shown(self, rows: Iterable[Control]) -> Iterator[date]:
        """Yield the days of which evidence of days before control is; a file without one is of its row's."""
        for row in rows:
            for one in evidence.sound(self.rows, row.evidence):
                if one.unit_id in (None, self.unit_id) and one.what in PROOFS_OF_CONTROL:
                    yield one.taken_on or row.since

    # Cover crops and nutrients.

    @reads_records
    def covers(self) -> tuple[Cover, ...]:
        """Return the cover crops before this crop (interpretation 15)."""
        return self._crops.covers_of(self._number)

    @reads_records
    def cover_first(self) -> date | None:
        """Return the first known seeding of a cover."""
        return min(filter(None, (cover.seeded_on for cover in self.covers)), default=None)

    @reads_records
    def covers_ended(self) -> tuple[date, ...]:
        """Return the known terminations of covers."""
        return tuple(cover.terminated_on for cover in self.covers if cover.terminated_on is not None)

    @reads_records
    def applications(self) -> tuple[Application, ...]:
        """Return the nutrient applications for this crop, by day; by the crop they name where they have none."""
        return self._crops.applications_of(self._number, self.law)

    @reads_records
    def may_be_synthetic(self) -> tuple[Application, ...]:
        """Return the applications that are or may be synthetic N; of ``Nitrogen.synthetic`` it is sure."""
        return tuple(one for one in self.applications if one.synthetic is not False)

    @reads_records
    def lost_applications(self) -> tuple[NutrientApplication, ...]:
        """Return the applications of the unit without a day and without a crop."""
        return tuple(row for row in self._crops.applied.get(None, ()) if row.day is None)

    @reads_records
    def all_applications(self) -> DeclaredList:
        """Return the applications for this crop, with every reason why one may be missing.

        The reasons come from the declaration, from the start of the interval as with ``all_passes``, from days and
        named crops that differ (``CropsOfUnit.misplaced_applications``) or lack, and from manure that no record shows.
        """
        lost = (Missing("nutrient_application", "day", row.id, "belongs_to_no_crop") for row in self.lost_applications)
        admitted = () if self.has_organic else self.admitted("manure_applied")
        manure = (Missing("nutrient_application", "", row.id, "manure_not_listed") for row in admitted)
        lacks = (*self.applications_misplaced(), *lost, *manure)
        return self._listed("nutrient_application", self.applications, "all_nutrients_listed", lacks)

    @reads_records
    def on_standing_cover(self) -> tuple[Application, ...]:
        """Return what went on a cover of this crop while the crop before still stood (interpretations 15, 23)."""
        since, until = self.cover_first, self.starts_on
        if since is None or until is None or since >= until:
            return ()
        others = (of for of in self._crops.applied if of != self._number)  # every other crop of the unit, or none
        found = (one for of in others for one in self._crops.applications_of(of, self.law))
        return tuple(one for one in found if one.day is not None and since <= one.day <= until)

    def applications_misplaced(self) -> Iterator[Missing]:
        """Yield the applications of which day or named crop, and not both, are of this crop (interpretation 86)."""
        for row, crops in self._crops.misplaced_applications:
            if self._number in crops:
                yield Missing("nutrient_application", "harvest_id", row.id, "day_and_crop_differ")

    @reads_records
    def is_manured(self) -> bool:
        """Tell whether an application or a pass says that manure went on."""
        is_spread = any("manure" in lookup_name(one.operation) for one in self.passes)
        return is_spread or any(one.source == "manure" for one in self.applications)

    @property
    def has_organic(self) -> bool:
        """Tell whether an application may be the manure that the producer admits, whatever the farm calls it."""
        return any(one.source not in ("", "starter") for one in self.applications)

    @reads_records
    def budget(self) -> NutrientBudget | None:
        """Return the first budget made for the crop; one without a day may be the first."""
        rows = self.rows_of_crop(NutrientBudget)
        return min(rows, key=lambda row: (row.made_on or date.min, row.budget_id), default=None)

    @reads_records
    def sources(self) -> Mapping[str, BudgetSource]:
        """Return the rows of the budget by source."""
        rows = self.rows.naming(BudgetSource, "budget_id", self.budget.budget_id) if self.budget else ()
        return {row.source: row for row in rows}

    @reads_records
    def soil_test(self) -> SoilTest | None:
        """Return the soil test that the budget names, where it is of this unit."""
        wanted = self.budget.soil_test_id if self.budget else None
        rows = self.rows.of_unit(SoilTest, self.unit_id)
        return next((row for row in rows if row.soil_test_id == wanted), None)

    @reads_records
    def opinion(self) -> ExpertOpinion | None:
        """Return the expert's opinion that the budget names."""
        wanted = self.budget.opinion_id if self.budget else None
        return next((row for row in self.rows[ExpertOpinion] if row.opinion_id == wanted), None)

    # What the records of all three sections ask alike.

    def where_unit_lies(self) -> Iterator[Finding]:
        """Show that the records say how large the unit is and where it lies."""
        unit = self.unit
        missing: list[Finding] = [*blanks(unit, "acres", "county_fips")]
        if not unit.boundary and not is_placed_in_words(unit.fsa_field, unit.legal_description):
            missing.append(Missing("unit", "boundary", unit.id, "not_placed"))
        yield from missing or [Shown("unit", unit.id, unit.acres, unit="acres")]

    def bushels_known(self) -> Iterator[Finding]:
        """Show the bushels harvested from the unit."""
        if self.harvest.bushels is not None:
            yield Shown("harvest", self.harvest.harvest_id, self.harvest.bushels, unit="bu")
        else:
            yield from (Missing("harvest", "bushels", one.id) for one in self.harvest.entries if one.bushels is None)


def _overlap(one: Control, other: Control, since: date) -> bool:
    """Tell whether two times of control share a day from one on."""
    ends = [row.until for row in (one, other) if row.until is not None]
    return all(max(one.since, other.since, since) <= end for end in ends)
