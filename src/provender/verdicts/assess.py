"""A book judged: every crop interval with its verdicts, ready for quantification, reports and pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeVar

from provender.catalog.materials import may_be_mined
from provender.catalog.tables import INTENSIVE
from provender.exact import show
from provender.problem import Place, Problem, Weight, listed
from provender.records.book import FarmRows, RecordBook, grouped, with_what_is_said
from provender.records.kind import KINDS, Record, seeded_after_harvest
from provender.records.kinds.cover import CoverCrop
from provender.records.kinds.farm import Unit
from provender.records.kinds.quantification import FEEDSTOCKS
from provender.records.kinds.season import Harvest
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import governing_version
from provender.standards import evidence, stir
from provender.standards.evidence import HOLDS, LOGGED, NEEDS, THIRD_PARTY, EvidenceRule, Fault, Link
from provender.standards.judge import IntervalJudged, judge
from provender.standards.nutrients import NUTRIENTS
from provender.standards.season import ImpliedPass
from provender.standards.standard import WHOLE
from provender.standards.supply import BELOW_LABEL, inhibitor_of
from provender.standards.unit import WHOLLY_OFF, Application, Pass, Stand, crops_of_unit
from provender.verdicts.words import MOST_NAMED, is_below_published, is_on_part

T = TypeVar("T")


@dataclass(frozen=True)
class Assessment:
    """All verdicts of a book."""

    book: RecordBook  # the records, as they were typed
    intervals: tuple[IntervalJudged, ...]  # by farm, unit and day
    # what several reports and pages ask of it, made once: whoever makes it names it
    kept: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Return those of the book, and what is told beside the verdicts."""
        farms = {farm_id: self.rows(farm_id) for farm_id in self.book.farms_named}
        return (*self.book.problems, *told(farms, self.intervals), *_claim_problems(self.book))

    def once(self, what: str, farm_id: str, make: Callable[[], T]) -> T:
        """Return what several reports and pages ask of a farm, made where it is not kept yet."""
        if (what, farm_id) not in self.kept:
            self.kept[what, farm_id] = make()
        made: T = self.kept[what, farm_id]
        return made

    def rows(self, farm_id: str) -> FarmRows:
        """Return the rows of a farm as verdicts read them: text that names nothing is blank, evidence is graded."""
        return self.once("rows", farm_id, lambda: FarmRows(with_what_is_said(self.book), farm_id))

    def of(self, farm_id: str, crop: Crop, harvest_year: int) -> tuple[IntervalJudged, ...]:
        return self.harvests.get((farm_id, crop, harvest_year), ())

    @cached_property
    def harvests(self) -> Mapping[tuple[str, Crop, int], tuple[IntervalJudged, ...]]:
        """Return the intervals grouped by farm, crop and harvest year, in that order."""
        keyed = (((one.farm_id, one.crop, one.harvest_year), one) for one in self.intervals)
        return dict(sorted(grouped(keyed).items()))

    def harvest_year(self, row: Mapping[str, Any]) -> int | None:
        """Return the harvest year of a row of ``harvest``: of the harvest it is a part of, else of its last day."""
        farm_id = row["farm_id"]
        known = self.once("harvest_year", farm_id, lambda: dict(_harvest_years(self.rows(farm_id))))
        day = row["last_day"] or row["first_day"]
        return known.get(row["harvest_id"]) or (day.year if day else None)


def _harvest_years(rows: FarmRows) -> Iterator[tuple[str, int | None]]:
    """Yield the year of every crop entry that ends a crop; that of a stand that failed is of the crop after it."""
    for unit in rows[Unit]:
        crops = crops_of_unit(rows, unit.unit_id)
        for entry, number in crops.by_entry.items():
            yield entry, crops.stands[crops.leads_to[number]].harvest_year


def assess(book: RecordBook) -> Assessment:
    farms: dict[str, FarmRows] = {}
    intervals = tuple(_with_claims(judge(book, farms), book))
    return Assessment(book, intervals, kept={("rows", farm_id): rows for farm_id, rows in farms.items()})


# Which practices a farm ticks for a field and crop (2100.012): what is not claimed is neither missing nor wrong.

NOTHING: Final = "none"
"""Ticked by whoever claims no practice."""
_ENTERED: Final = {"cover_crop": Practice.cover_crop, "inhibitor": Practice.nitrification_inhibitor}
"""Yes-or-no answers of a calculator run, and the practice that each claims."""

Entry = tuple[str, str]
"""Farm and crop entry."""


def _claim_words(text: str) -> list[str]:
    """Return what a crop entry writes as its claims, word by word as practices are called."""
    return [word for part in text.split(";") if (word := "_".join(part.casefold().replace("-", " ").split()))]


def ticked(text: str | None) -> frozenset[Practice] | None:
    """Return the practices that a crop entry claims; None where it does not say."""
    words = _claim_words(text or "")
    return frozenset(one for one in Practice if one in words) if words else None


def written(practices: Iterable[Practice]) -> str:
    """Return ticks as a crop entry says them, in the rule's order."""
    chosen = set(practices)
    return "; ".join(one for one in Practice if one in chosen) or NOTHING


def _claim_problems(book: RecordBook) -> Iterator[Problem]:
    """Tell each tick that names no practice, or one that the crop may not claim."""
    for row in book["harvest"]:
        if row["claims"] is None:
            continue
        may = claimable(Crop(row["crop"])) if row["crop"] in set(Crop) else ()
        for word in _claim_words(row["claims"]):
            if word == NOTHING or word in may:
                continue
            what = "its crop may not claim" if word in set(Practice) else "is no practice"
            cause = f"{row['harvest_id']} claims {word[:40]!r}, which {what}."
            place = Place("harvest", row=row["source_row"] or 0, column="claims")
            remedy = f"Claim of {', '.join(may) or 'no practice'}, or write {NOTHING}."
            yield Problem(place, cause, remedy, "2100.012", weight=Weight.CONFIRM, code="no_such_claim")


def _with_claims(intervals: Iterable[IntervalJudged], book: RecordBook) -> Iterator[IntervalJudged]:
    """Yield intervals whose practices say whether they are claimed."""
    named, ticks = _named_by_runs(book), _ticks_of(book)
    for one in intervals:
        by_run, by_tick = _of_interval(one, named), _of_interval(one, ticks)
        if by_run is None and by_tick is None:
            yield one
            continue
        runs, ticked_too = by_run or set(), by_tick or set()
        practices = (
            replace(
                each,
                claimed=each.practice in runs | ticked_too,
                ticked=by_tick is not None,
                named=each.practice in runs,
            )
            for each in one.practices
        )
        yield replace(one, practices=tuple(practices))


def _named_by_runs(book: RecordBook) -> dict[Entry, set[Practice]]:
    """Return what calculator runs name: a practice is claimed by entering it (2100.020(a))."""
    found: dict[Entry, set[Practice]] = {}
    for run in book["calculator_run"]:
        named = found.setdefault((run["farm_id"], run["harvest_id"]), set())
        named |= {Practice(run[name]) for name in ("tillage", "n_timing") if run[name] in set(Practice)}
        named |= {practice for name, practice in _ENTERED.items() if run[name]}
    return found


def _ticks_of(book: RecordBook) -> dict[Entry, set[Practice]]:
    """Return what is ticked; entries without a tick are left out."""
    entries = book.every(Harvest)
    return {(row.farm_id, row.harvest_id): set(ticks) for row in entries if (ticks := ticked(row.claims)) is not None}


def _of_interval(one: IntervalJudged, said: Mapping[Entry, set[Practice]]) -> set[Practice] | None:
    """Return what is said of a crop by any of its entries, or None where nothing is."""
    found = [said[one.farm_id, entry] for entry in one.harvest_ids if (one.farm_id, entry) in said]
    return set().union(*found) if found else None


# What is told beside the verdicts: doubts for the verifier, rows that contradict one another, evidence that fails.
#
# Nothing is judged here. Each problem names its row, what is wrong, what helps, and the paragraph.


def told(farms: Mapping[str, FarmRows], intervals: Sequence[IntervalJudged]) -> Iterator[Problem]:
    """Yield what is told of a judged book, kind by kind.

    Args:
        farms: the rows of each farm as verdicts read them.
        intervals: what was judged.
    """
    rows = farms.values()
    for of_farm in rows:
        yield from evidence_problems(of_farm)
    for of_farm in rows:
        yield from _not_covered(of_farm)
    for doubt in _DOUBTS:
        yield from (_doubt(doubt, one, count) for one in intervals if (count := doubt.rows_of(one)))
    for of_farm in rows:
        yield from _seeded_after_harvest(of_farm)
    for tell in (_without_pass, _against_product, _over_plan):
        for one in intervals:
            yield from tell(one)
    for of_farm in rows:
        yield from _during_harvest(of_farm)
    for of_farm in rows:
        yield from _shallow(of_farm)
    for of_farm in rows:
        yield from _known_by_word_alone(of_farm)


def place_of(row: Record, kind: str, column: str = "") -> Place:
    return Place(row.source_file or kind, row.source_sheet or "", row.source_row or 0, column)


# What a verifier may question (interpretations 10, 11, 13).


class Doubt(NamedTuple):
    """Something of a crop that goes to the verifier, however it is judged."""

    code: str
    rows_of: Callable[[IntervalJudged], int]  # how many rows it is about; nought where there is nothing to tell
    what: str
    remedy: str  # what follows from it
    cite: str
    is_of_whole: bool = False  # whether it is about the season, not about rows


def _intensive(one: IntervalJudged) -> int:
    count = sum(bool(each.full_width) and each.group in INTENSIVE for each in one.season.passes)
    return count if count >= one.rule.intensive_tillage_passes_flag else 0


def _tilled_stand(one: IntervalJudged) -> int:
    of_crop = {each.id for each in one.season.passes}
    before = (each for each in one.season.season_passes if each.id not in of_crop)
    return sum(bool(each.full_width or each.primary_inversion or each.group == "burning") for each in before)


def _after_planting(one: IntervalJudged) -> int:
    planted = one.season.last_planting
    if not one.season.covers or planted is None:
        return 0
    tilled = (each.day for each in one.season.season_passes if each.full_width)
    return sum(day is not None and day > planted for day in tilled)


def _early_share(one: IntervalJudged) -> int:
    need = one.nitrogen.need
    return int(need is not None and one.nitrogen.timing.before * WHOLE > need * one.rule.split_pre_emergence_pct_max)


def _not_at_planting(one: IntervalJudged) -> int:
    days, planted = [each.day for each in one.nitrogen.synthetic if each.day], one.season.first_planting
    return int(bool(days) and planted is not None and (min(days) - planted).days > one.rule.planting_grace_days_after)


_DOUBTS: Final = (
    Doubt("intensive_passes", _intensive, "intensive tillage", "Passes with plow, disk or chisel go to the verifier.",
          "2100.002"),
    Doubt("stand_tilled", _tilled_stand, "full-width tillage, inversion or fire before a stand that was given up",
          "The interval begins where the stand was given up; show the verifier its record.", "2100.002"),
    Doubt("part_field_passes", lambda one: sum(is_on_part(one.season, each) for each in one.season.passes),
          "a pass on part of the unit", "It counts in full, never averaged; you may split the unit where it ended, "
          "each part with its acres and bushels.", "2100.051(c)(1)"),
    Doubt("below_minimum_passes", lambda one: sum(map(is_below_published, one.season.passes)),
          "speed or depth below the published least", "The published value counts until evidence is added.",
          "2100.051(c)(3)"),
    Doubt("passes_after_planting", _after_planting, "full-width tillage after planting into a cover crop",
          "It counts for STIR and no-till; its residue goes to the verifier.", "2100.052(a)(7)"),
    Doubt("stir_recorded", lambda one: int(one.season.stir.recorded >= one.rule.stir_scale_max),
          "a STIR at the top of the scale or beyond it", "Check speed and depth of the passes: such a sum points to a "
          "typing error.", "2100.002", is_of_whole=True),
    Doubt("n_trace", lambda one: sum(each.trace for each in one.season.applications), "trace nitrogen",
          "Listed for the verifier: that it breaks neither all nor first is a reading, not the text.",
          "2100.053(b)(1)"),
    Doubt("n_not_at_planting", _not_at_planting, "no synthetic nitrogen by the time of planting",
          "Told to the verifier: the preamble has the first application of a split at planting.", "2100.053(d)(1)",
          is_of_whole=True),
    Doubt("n_early_share", _early_share, "more than a quarter of the nitrogen need before emergence",
          "Told to the verifier; the split is judged by what went on after it.", "2100.053(d)(1)", is_of_whole=True),
    Doubt("n_reduced_beyond_plan", lambda one: int(one.nitrogen.documented > one.nitrogen.left_out),
          "more nitrogen counted as left out than the plan still lacked", "Of a reduction only what the applications "
          "lack of the plan counts.", "2100.053(d)(1)", is_of_whole=True),
    Doubt("n_part_field", lambda one: sum(map(one.nitrogen.is_on_part, one.nitrogen.synthetic)),
          "nitrogen on part of the unit", "After emergence it counts as uncertain.", "2100.053(d)(1)"),
)  # fmt: skip


def _doubt(doubt: Doubt, one: IntervalJudged, count: int) -> Problem:
    where = "" if doubt.is_of_whole else f" in {count} row{'' if count == 1 else 's'}"
    cause = f"{one.unit_id}, {one.harvest_id}: {doubt.what}{where}."
    place = place_of(one.season.harvest.entries[0], "harvest")
    return Problem(place, cause, doubt.remedy, doubt.cite, Weight.NOTE, doubt.code)


# Crops without a verdict, passes between two crops, depths that do not count.


def _stands_by_unit(rows: FarmRows) -> Iterator[tuple[str, tuple[Stand, ...]]]:
    for unit in rows[Unit]:
        yield unit.unit_id, crops_of_unit(rows, unit.unit_id).stands


def stands_not_covered(rows: FarmRows) -> Iterator[tuple[str, Stand]]:
    """Yield the harvested feedstock crops that no version of the rule governs, or whose day is unknown, by unit."""
    for unit_id, stands in _stands_by_unit(rows):
        for stand in stands:
            is_feedstock = stand.crop in FEEDSTOCKS and not stand.is_given_up and stand.bushels is not None
            if is_feedstock and governing_version(stand.last_day) is None:
                yield unit_id, stand


def _not_covered(rows: FarmRows) -> Iterator[Problem]:
    """Tell of feedstock crops without a verdict: harvested before the rule, or on no known day."""
    for _, stand in stands_not_covered(rows):
        place = place_of(stand.entries[0], "harvest", "last_day")
        if stand.last_day is None:
            cause, remedy = f"Crop entry {stand.harvest_id} has no day of harvest.", "Fill in its last day."
            weight = Weight.ERROR
        else:
            cause = f"Crop entry {stand.harvest_id} was harvested on {stand.last_day}, before the rule was in force."
            remedy, weight = "It gets no verdict; it only starts the next interval.", Weight.NOTE
        yield Problem(place, cause, remedy, "2100.020", weight, "not_covered")


def _during_harvest(rows: FarmRows) -> Iterator[Problem]:
    """Tell of passes on the days of a harvest that took several: they count in the new interval (interpretation 9)."""
    for unit_id, stands in _stands_by_unit(rows):
        for before, stand in pairwise(stands):
            first, last = before.first_day, before.last_day
            if first is None or last is None or first == last:
                continue
            passes = crops_of_unit(rows, unit_id).passes_of(stand.number)
            days = (one.day for one in passes if not one.is_harvest)
            count = sum(day is not None and first <= day <= last for day in days)
            if count:
                lie = "1 pass lies" if count == 1 else f"{count} passes lie"
                cause = (
                    f"{unit_id}, {stand.harvest_id}: {lie} between the first and the last day of the harvest before."
                )
                remedy = "It counts for this crop; check its day if it was made before that harvest began."
                place = place_of(stand.entries[0], "harvest")
                yield Problem(place, cause, remedy, "2100.002", Weight.NOTE, "passes_during_harvest")


def shallow_passes(rows: FarmRows) -> Iterator[Pass]:
    """Yield the passes whose depth counts only with evidence, which they lack (interpretation 10)."""
    for unit in rows[Unit]:
        for one in crops_of_unit(rows, unit.unit_id).passes:
            if one.row.depth_in and stir.is_below_least(one, "depth_in"):
                yield one


def _shallow(rows: FarmRows) -> Iterator[Problem]:
    for one in shallow_passes(rows):
        least = one.listed.depth_in_min if one.listed else None
        cause = f"{one.id} on {one.unit_id}: {show(one.depth_in or 0)} in is shallower than {show(least or 0)} in, "
        cause += f"the least that is published for {one.operation!r}."
        remedy = "Correct the depth, or add evidence for it; until then the published depth counts."
        place = place_of(one.row, "operation", "depth_in")
        yield Problem(place, cause, remedy, "2100.051(c)(3)", Weight.NOTE, "shallow_pass")


# Rows that other rows, or the catalogue, contradict (2100.051(c)(2), 2100.053(a)(1), (e)(3)).


def _seeded_after_harvest(rows: FarmRows) -> Iterator[Problem]:
    entries = {row.harvest_id: row for row in rows[Harvest]}
    for cover in sorted(rows[CoverCrop], key=lambda row: str(row.cover_id)):
        entry = entries.get(cover.harvest_id)
        place = place_of(cover, "cover_crop")
        last = entry.last_day if entry else None
        if found := seeded_after_harvest(place, cover.cover_id, cover.seeded_on, cover.harvest_id, last):
            yield found


def _without_pass(one: IntervalJudged) -> Iterator[Problem]:
    implied = sorted(one.season.implied_passes, key=lambda pair: (pair[0].day is not None, pair[0].day, pair[0].row.id))
    for each, days_off in implied:
        if days_off is None or days_off > one.rule.implied_pass_days:
            cause, remedy = _pass_missing(one, each, days_off)
            place = place_of(each.row, each.row.kind_name)
            yield Problem(place, cause, remedy, "2100.051(c)(2)", Weight.CONFIRM, "pass_missing")


_CALLED: Final = {"planting": "planting", "cover_crop": "cover crop", "nutrient_application": "nutrient application"}


def _pass_missing(one: IntervalJudged, implied: ImpliedPass, days_off: int | None) -> tuple[str, str]:
    record = f"{one.unit_id}: {_CALLED[implied.row.kind_name]} {implied.row.id} says {implied.work.what}"
    if implied.day is None:
        cause = f"{record}, and names no day, so that nobody can tell which field operation was that pass."
        return cause, "Write the day and the method of this row."
    nearest = "none is recorded" if days_off is None else f"the nearest lies {days_off} days off"
    within = one.rule.implied_pass_days
    cause = f"{record} on {implied.day}, and no field operation within {within} days can be that pass ({nearest})."
    return cause, "Record the pass among the field operations, or correct the day or the method of this row."


def _against_product(one: IntervalJudged) -> Iterator[Problem]:
    for each in sorted(one.season.applications, key=lambda row: row.id):
        name = f"{one.unit_id}: application {each.id} of {each.product}"
        for cause, remedy, cite, code in _contradicted(one, each):
            place = place_of(each.row, "nutrient_application")
            yield Problem(place, f"{name}: {cause}", remedy, cite, Weight.CONFIRM, code)


def _contradicted(one: IntervalJudged, each: Application) -> Iterator[tuple[str, str, str, str]]:
    """Yield what contradicts an application: cause, remedy, paragraph and code."""
    off = max(each.difference_from_product(name) for name in NUTRIENTS)
    if off > one.rule.analysis_difference_pct_max:
        by = "" if off == WHOLLY_OFF else f" by {show(off)} %"
        cause = f"the pounds typed differ{by} from what the product's analysis gives at its rate."
        yield cause, "Correct the pounds, the rate or the product.", "2100.053(e)(3)", "off_analysis"
    if each.is_denied_synthetic:
        cause = "the row denies what the fertilizer list says of this product's nitrogen."
        remedy = "Leave the answer about synthetic N blank, or correct the product."
        yield cause, remedy, "2100.053(e)(4)", "synthetic_differs"
    elif _is_unlisted(each) and each.synthetic_n is False and may_be_mined(each.product):
        cause = "the row says that this nitrate is not synthetic, and the rule does not define the word."
        remedy = "Confirm that it was mined; answer yes about synthetic N if it was made."
        yield cause, remedy, "2100.053(b)(1)", "mined_nitrate"
    if inhibitor_of(one.season, each).reason == BELOW_LABEL:
        cause = f"{each.inhibitor} went on below the least rate of its label."
        remedy = "Correct the rate; a label with another least rate goes into inhibitor_acceptance.label_rate."
        yield cause, remedy, "2100.053(b)(1)", "under_label"


def _is_unlisted(one: Application) -> bool:
    return one.listed is None or one.listed.product_synthetic_n is None


def _over_plan(one: IntervalJudged) -> Iterator[Problem]:
    nitrogen, budget = one.nitrogen, one.season.budget
    over = [nutrient for nutrient in NUTRIENTS if nitrogen.is_over_plan(nutrient)]
    if nitrogen.is_over_sources and "n" not in over:
        over.insert(0, "n")
    if budget is None:
        return
    for nutrient in over:
        column = f"planned_{nutrient}_lb_per_ac"
        applied, planned = show(nitrogen.over_unit(nitrogen.for_crop, nutrient)), getattr(budget, column)
        plan = "says nothing of it" if planned is None else f"planned {show(planned)}"
        cause = f"{one.unit_id}, {one.harvest_id}: {applied} lb {nutrient.upper()}/ac went on and the budget {plan}."
        if nutrient == "n" and nitrogen.from_bags is not None:
            cause += f" Of its sources, commercial fertilizer and starter bring {show(nitrogen.from_bags)}."
        remedy = "Correct the applications or the budget: a plan that was not followed shows nothing."
        place = place_of(budget, "nutrient_budget", column)
        yield Problem(place, cause, remedy, "2100.053(a)(1)", Weight.CONFIRM, "over_plan")


# Words that are stronger than their evidence, and evidence that supports nothing (2100.030(d), interpretations 59, 62).

KEPT: Final = "2100.030(d)"


def _known_by_word_alone(rows: FarmRows) -> Iterator[Problem]:
    """Tell of rows whose word is stronger than their evidence: once for each kind and word."""
    for kind in HOLDS:
        weaker: dict[tuple[str, str], list[Record]] = {}
        for row in (row for row in rows[KINDS[kind].row] if row.known_by in LOGGED):
            shown = evidence.grade(rows, row).known_by
            if shown != row.known_by:
                weaker.setdefault((str(row.known_by), str(shown)), []).append(row)
        for (word, shown), of_word in weaker.items():
            yield _unheld(kind, word, shown, of_word)


def _unheld(kind: str, word: str, shown: str, rows: Sequence[Record]) -> Problem:
    needed = " or ".join(HOLDS[kind].papers if word == THIRD_PARTY else HOLDS[kind].logs).replace("_", " ")
    say = f"{'says' if len(rows) == 1 else 'say'} {word.replace('_', ' ')}"
    cause = f"{listed((row.id for row in rows), MOST_NAMED)} {say}, and no file that could hold it is linked"
    cause += f" (needed: {needed}, there and unchanged, of this unit and day)" if needed else ""
    cause += f": counted as {shown.replace('_', ' ')}."
    remedy = "Name the evidence that shows it, or write how it was typed."
    return Problem(place_of(rows[0], kind, "known_by"), cause, remedy, "2100.051(c)", Weight.NOTE, "known_by_not_held")


_FAULTS: Final[Mapping[Fault, str]] = {
    Fault.NOTHING: "{name} is the name of no evidence record",
    Fault.MISSING: "the file {file} of {name} is not there",
    Fault.UNHASHED: "no SHA-256 of the file {file} is on record, so nobody can tell whether it was changed",
    Fault.CHANGED: "the file {file} is not the one whose SHA-256 is on record: it was changed or exchanged",
    Fault.TWO_KINDS: "{name} is filed as {what}, and another row calls the same file something else",
    Fault.KIND: "{name} is filed as {what}, which cannot show it",
    Fault.UNIT: "{name} belongs to unit {unit}",
    Fault.SHARED: "{name} stands for several units: rows of several units name it or the same picture",
    Fault.UNDATED: "{name} has no day",
    Fault.DAY: "{name} is of {day}, a day on which it cannot have been made",
}
REMEDIES: Final[Mapping[Fault, str]] = {
    Fault.NOTHING: "Add the evidence record with its file, or correct the name.",
    Fault.MISSING: "Put the file back, or upload it again.",
    Fault.UNHASHED: "Record it with `provender evidence BOOK --record`, or upload the file.",
    Fault.CHANGED: "Put the original file back, or enter the new one as evidence of its own.",
    Fault.TWO_KINDS: "Correct what the two evidence records say the file is, or remove one of them.",
    Fault.KIND: "Name the evidence that shows it, or correct what the evidence record says it is.",
    Fault.UNIT: "Name the evidence of this unit.",
    Fault.SHARED: "Give each unit a picture of its own, and name the unit in its evidence record.",
    Fault.UNDATED: "Enter the day on which it was taken.",
    Fault.DAY: "Correct the day of the evidence or of the row, or name other evidence.",
}
"""What a message says of one piece of evidence, and what to do."""


def said_of(link: Link) -> str:
    """Return what is wrong with a piece of evidence that counts for nothing, without a full stop."""
    record = link.record
    if link.fault is None:
        return ""
    return _FAULTS[link.fault].format(
        name=link.name, file=record.file if record else "", what=str(record.what if record else "").replace("_", " "),
        unit=record.unit_id if record else "", day=record.taken_on if record else "",
    )  # fmt: skip


def evidence_problems(rows: FarmRows) -> Iterator[Problem]:
    """Yield a problem for each piece of evidence that cannot support the row that names it.

    A row that needs a file tells of every fault; any other row only of names without a sound file behind them.
    """
    for need in NEEDS:
        for row in rows[KINDS[need.kind].row]:
            found = list(evidence.judged_links(rows, row, need))
            if all(link.fault is not None for link in found):
                yield from (_fault(row, link, need) for link in found)
    needed = {(need.kind, need.column) for need in NEEDS}
    for kind in KINDS:
        if (kind, "evidence") in needed:
            continue
        any_need = EvidenceRule(kind, "evidence", (), KEPT, "evidence")
        for row in (row for row in rows[KINDS[kind].row] if row.evidence):
            faulty = (link for link in evidence.links(rows, row.evidence) if link.fault is not None)
            yield from (_fault(row, link, any_need) for link in faulty)


def _fault(row: Record, link: Link, need: EvidenceRule) -> Problem:
    needed = f"; needed is {need.what}" if need.whats else ""
    cause = f"{row.id}: {said_of(link)}{needed}."
    remedy = REMEDIES[link.fault] if link.fault else ""
    return Problem(place_of(row, need.kind, need.column), cause, remedy, need.cite, code=f"evidence_{link.fault}")
