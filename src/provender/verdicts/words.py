"""What findings say to people, made of their data alone: kinds and columns by their headings, codes by their sentences.

The sentence of a code stands beside the requirements of its section; nothing here reads a sentence back.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from provender.catalog.tables import TYPE_LABELS, FieldOperation
from provender.exact import SCALE, STIR_SCALE, show
from provender.problem import listed
from provender.records.book import FarmRows
from provender.records.field import ColumnKind
from provender.records.kind import KINDS, Record
from provender.standards import cover_crop, nutrients, tillage
from provender.standards.judge import IntervalJudged, PracticeJudged, RequirementJudged
from provender.standards.season import Season
from provender.standards.standard import Against, Finding, Missing, Part, Shown, Verdict, of_practice
from provender.standards.stir import NO_DISTURBANCE, PassStir, is_below_least
from provender.standards.unit import Pass

REASONS: Final[Mapping[str, str]] = {
    **tillage.REASONS,
    **cover_crop.REASONS,
    **nutrients.REASONS,
    "other_is_no_answer": "Other is no answer: name what it was.",
    "row_unreadable": "A row could not be read in full, so nobody can tell what it says.",
    # The lists of passes and applications, the declaration, control, where the unit lies.
    "another_crop_harvested": "A harvest pass is dated well before this crop was harvested and belongs to no crop.",
    "belongs_to_no_crop": "It has no date and names no crop, so it may belong to this one.",
    "control_ended": "Control ended before this crop was harvested, and nothing shows who had it afterwards.",
    "control_out_of_order": "Control is said to have ended before it began.",
    "control_held_twice": "Somebody who is no producer of the farm had control of this unit on the same days.",
    "control_not_shown": "Nothing shows what was done before the producer had control: add the predecessor's "
    "statement, machine logs or imagery.",
    "cover_without_pass": "No pass is recorded that can have seeded or ended this cover crop.",
    "cover_after_end": "The cover crop's day lies after the end of the crop that it is said to come before.",
    "cover_before_harvest": "The cover crop's day lies before the harvest that it follows.",
    "crop_before_unknown": "The end of the crop before is not recorded; the interval starts with it.",
    "day_and_crop_differ": "The day does not lie in the season of the crop entry that is named: correct one of them.",
    "cut_without_pass": "The declaration says that the cover crop was harvested, and no pass is recorded that cut it.",
    "days_out_of_order": "Every crop of the unit needs its days, in order.",
    "list_not_complete": "Nobody says that the list is complete.",
    "end_contradicted": "This day and those of other records of the crop cannot all be true.",
    "harvest_pass_elsewhere": "This harvest pass and the days of the crop entry lie apart.",
    "crop_before_not_named": "Other names no crop: name the crop whose end begins this interval, or the paper on it.",
    "log_before_harvest": "It is of a day before the harvest that it is named for.",
    "manure_not_listed": "The declaration says that manure went on, and no record shows it.",
    "more_acres_than_unit": "More acres than the unit has.",
    "no_pass": "No pass is recorded at all.",
    "no_seeding_pass": "No planting or seeding pass is recorded.",
    "not_answered": "No declaration made after harvest answers it.",
    "not_declared": "No declaration made after harvest says so.",
    "not_placed": "A boundary, an FSA farm, tract and field, or a legal description says where the unit is.",
    "nutrients_without_pass": "No pass is recorded that can have put these nutrients on.",
    "pass_without_day": "A pass without a date may lie in any interval of the unit.",
    "planting_without_pass": "No pass is recorded for this planting.",
    "planted_after_end": "The crop was planted on or after the day on which it is said to have ended.",
    "planted_before_start": "The crop was planted before the day on which the one before is said to have ended.",
    "ticket_before_harvest": "Grain of this unit and crop was weighed before the day of its harvest.",
    "not_planted_in_interval": "No planting date shows that this crop was planted in this interval.",
    "said_yes": "The producer's declaration says that it happened.",
    "stand_not_planted": "No planting shows that the stand that was given up had been planted.",
    "termination_not_recorded": "A crop that was given up needs a replant or adjuster record.",
    # Seed and inhibitors.
    "inhibitor_not_known": "The inhibitor is blank or not in the inhibitor list; none is an answer.",
    "rate_of_zero": "The rate of the inhibitor is zero.",
    "inhibitor_rate_not_recorded": "The rate of the inhibitor is not recorded.",
    "label_not_known": "No label rate is known for this name in this unit: name the product, or enter the label's "
    "least rate among the inhibitors accepted by the State.",
    "below_label": "The inhibitor went on below the least rate of its label.",
    "nothing_used": "Nothing is recorded as used, so nothing shows that enough was bought.",
    "use_not_known": "Day, rate or area of a use somewhere on the farm is not recorded, so the amount is not known.",
    "too_little_by_then": "Less had arrived by a day of use than was used up to that day.",
    # Evidence: one for each fault, and one where nothing is named.
    "evidence_not_named": "No evidence is named.",
    "evidence_nothing": "The name is that of no evidence record.",
    "evidence_missing": "The file is not there.",
    "evidence_unhashed": "No SHA-256 of the file is on record, so nobody can tell whether it was changed.",
    "evidence_changed": "The file is not the one whose SHA-256 is on record.",
    "evidence_two_kinds": "Another evidence record calls the same file something else.",
    "evidence_kind": "It is another kind of evidence than is needed.",
    "evidence_unit": "It belongs to another unit.",
    "evidence_shared": "Rows of several units name it or the same picture.",
    "evidence_undated": "It has no day, so nobody can tell whether it was taken while the cover crop stood.",
    "evidence_day": "It is of a day on which it cannot have been made.",
}
"""What every code says: those of one section alone stand in its file."""


_NONE_RECORDED: Final = "None is recorded."


def sentence(finding: Finding) -> str:
    """Return what the code of a finding says, as a sentence; empty where kind, column and numbers say it all."""
    if isinstance(finding, Missing) and not finding.column and not finding.reason:
        return _NONE_RECORDED
    return REASONS[finding.reason] if finding.reason else ""


def heading(kind: str, column: str = "") -> str:
    """Return a kind of record, or one of its columns, as a person sees it: ``Soil tests: Sampled on``."""
    of = KINDS[kind]
    return f"{of.label}: {of.fields[column].label}" if column in of.fields else of.label


def in_words(missing: Missing) -> str:
    """Return what lacks by its headings, and why where that is not plain: ``Harvests: Last day (it is ...)``."""
    why = sentence(missing).rstrip(".")
    return heading(missing.kind, missing.column) + (f" ({why[:1].lower()}{why[1:]})" if why else "")


def moot(judged: RequirementJudged) -> str:
    """Return why a requirement that is met asks for nothing here; empty where it does ask."""
    shown = judged.shown
    return sentence(shown[0]) if shown and all(one.reason for one in shown) else ""


# Rows by what they are, their day, and what they add.

_DAYS: Final[Mapping[str, str]] = {
    "calculator_run": "run_on", "control": "since", "cover_crop": "seeded_on", "declaration": "made_on",
    "evidence": "taken_on", "expert_opinion": "given_on", "harvest": "last_day", "in_season_test": "tested_on",
    "inhibitor_purchase": "received_on", "nutrient_application": "day", "nutrient_budget": "made_on",
    "operation": "day", "planting": "planted_on", "seed_purchase": "received_on", "soil_test": "sampled_on",
}  # fmt: skip
"""The column with the day by which a row is known to people."""
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "operation": ("operation", "as_typed"), "nutrient_application": ("product",), "unit": ("name",),
    "cover_species": ("species",), "budget_source": ("source",),
}  # fmt: skip
"""Columns that say what a row is better than its key does."""


class NamedRow(NamedTuple):
    """The row of a finding, for people."""

    kind: str
    row: str  # its key
    name: str  # of the operation or product; of anything else its key
    day: date | None
    amount: str = ""  # what it adds to a sum, with its unit

    def __str__(self) -> str:
        """Say it: what, how much, on which day."""
        return f"{self.name}{f' {self.amount}' if self.amount else ''}{f' ({self.day})' if self.day else ''}"


def named_row(rows: FarmRows, finding: Finding) -> NamedRow:
    """Return the row of a finding by its name and day; the day that the finding is about, where it says one.

    Where a whole record lacks, the key is that of the row that asks for it, and names itself.
    """
    return _named(rows.row(finding.kind, finding.row), finding)


def _named(row: Record | None, finding: Finding) -> NamedRow:
    fields = KINDS[finding.kind].fields
    said = ((getattr(row, column, None), fields[column].kind) for column in _NAMES.get(finding.kind, ()))
    names = (str(text).replace("_", " ") if kind is ColumnKind.CHOICE else str(text) for text, kind in said if text)
    name = next(names, finding.row)
    observed = None if isinstance(finding, Missing) else finding.observed
    day = observed if isinstance(observed, date) else getattr(row, _DAYS.get(finding.kind, ""), None)
    is_part = not isinstance(finding, Missing) and finding.unit == "STIR"
    adds = f"STIR {show(observed, STIR_SCALE)}" if is_part and isinstance(observed, int) else ""
    return NamedRow(finding.kind, finding.row, name, day, adds)


MOST_NAMED: Final = 6


def rows_in_words(rows: FarmRows, findings: Iterable[Finding]) -> str:
    """Return the rows of findings kind by kind: ``Planting and emergence: P1 (2025-04-28); Units: North 40``."""
    names: dict[str, dict[str, None]] = {}
    for one in findings:
        if one.row:
            names.setdefault(one.kind, {})[str(named_row(rows, one))] = None
    return "; ".join(f"{KINDS[kind].label}: {listed(of, MOST_NAMED)}" for kind, of in names.items())


# Numbers: what was found, what it is held against, and the distance.

_SCALES: Final[Mapping[str, int]] = {"STIR": STIR_SCALE, "days": 0}
"""Decimal digits of an amount by its unit; thousandths elsewhere."""
_PASSES: Final = ("full-width pass", "full-width passes")


class Measure(NamedTuple):
    """How the numbers of a requirement are told."""

    of: str = ""  # what follows the amount
    sense: str = ""  # the word between amount and limit
    is_sum: bool = False  # whether the rows add up to what is held against the limit
    counted: tuple[str, str] = ("", "")  # one row against it, and several; where rows are counted


_MEASURES: Final[Mapping[str, Measure]] = {
    "no_till_no_full_width_disturbance": Measure(counted=_PASSES),
    "no_till_stir_within_limit": Measure(sense="at most", is_sum=True),
    "reduced_till_stir_within_limit": Measure(sense="at most", is_sum=True),
    "reduced_till_no_primary_inversion": Measure(counted=("inversion pass", "inversion passes")),
    "cover_crop_on_whole_unit": Measure("seeded", "at least"),
    "cover_crop_legume_n_adjusted": Measure("planned", "at most"),
    "cover_crop_residue_stays": Measure("between termination and planting", counted=_PASSES),
    "inhibitor_with_all_synthetic_n": Measure("with inhibitor", "at least"),
    "no_fall_none_in_fall": Measure("of synthetic N in the fall", counted=("application", "applications")),
    "split_post_emergence_share": Measure("after emergence, reductions included", "at least"),
}
"""By requirement."""
_FIRST_N: Final = "no_fall_first_n_at_planting"


class Numbers(NamedTuple):
    """The numbers of a requirement as people read them, each empty where there is none."""

    observed: str = ""
    limit: str = ""
    gap: str = ""  # by how much it fails


def numbers(judged: RequirementJudged) -> Numbers:
    """Return what was found, what it is held against, and by how much it fails, each with its unit."""
    found = [one for one in judged.findings if isinstance(one, Against | Shown)]
    if judged.name == _FIRST_N:
        return Numbers(_days_from_planting(found))
    measure = _MEASURES.get(judged.name, Measure())
    if measure.counted[0]:
        rows = [one for one in judged.against if one.kind != "declaration"]
        is_counted = judged.verdict is Verdict.MET or rows
        return Numbers(_counted(len(rows), measure)) if is_counted else Numbers()
    held = [one for one in found if isinstance(one.observed, int) and isinstance(one.limit, int) and one.unit]
    if not measure.sense or not held:
        return Numbers()
    value = sum(one.observed for one in held) if measure.is_sum else held[0].observed  # type: ignore[misc]
    bound, unit = held[0].limit, held[0].unit
    if not isinstance(value, int) or not isinstance(bound, int) or value == bound == 0:
        return Numbers()  # nothing held against nothing would read as a limit that is kept
    distance = value - bound if measure.sense == "at most" else bound - value
    beyond = "over" if measure.sense == "at most" else "short"
    is_broken = distance > 0 and judged.verdict is Verdict.NOT_MET
    limit = f"{measure.sense} {show(bound, _SCALES.get(unit, SCALE))}"
    gap = f"{amount(distance, unit)} {beyond}" if is_broken else ""
    return Numbers(f"{amount(value, unit)} {measure.of}".rstrip(), limit, gap)


def amount(value: object, unit: str) -> str:
    """Return an amount with its unit; a day as it is, a word of a choice without underscores."""
    if isinstance(value, int) and not isinstance(value, bool):
        told = show(value, _SCALES.get(unit, SCALE))
        of = unit.removesuffix("s") if unit == "days" and abs(value) == 1 else unit
        return f"{told} {of}".rstrip()
    return "" if value is None else str(value).replace("_", " ")


def _counted(count: int, measure: Measure) -> str:
    return f"{count} {measure.counted[count != 1]} {measure.of}".rstrip()


def _days_from_planting(found: Iterable[Against | Shown]) -> str:
    """Return when the first synthetic nitrogen went on, without a sign."""
    days = [one.observed for one in found if one.unit == "days" and isinstance(one.observed, int)]
    before = [one.observed for one in found if isinstance(one, Against) and one.reason == "before_window"]
    first = -max(one for one in before if isinstance(one, int)) if before else min(days, default=None)
    if first is None:
        return ""
    way = "from first synthetic N to planting" if first < 0 else "from planting to first synthetic N"
    return f"{amount(abs(first), 'days')} {way}"


# The working of STIR written out, so that whoever holds the paper alone can compute it (2100.002).

_FACTOR: Final = "1.625"
"""0.5 x 3.25, the two constants of the formula."""
_HUNDREDTHS: Final = 2
_SEVERAL: Final = "several tools"


def stir_working(listed: FieldOperation | None, used: PassStir) -> str:
    """Return a product with its units, such as ``1.625 x 5 mph x 0.80 x 7 in x 100 %``; empty where it is unknown.

    The factor between speed and depth is the tillage type's; a tool that disturbs nothing has 0.
    """
    if used.value is None:
        return ""
    if used.how == "tools" and used.speed_mph:
        gangs = " + ".join(_gang(tool.tillage_type, tool.depth_in, tool.surface_pct) for tool in used.tools)
        return f"{_FACTOR} x {show(used.speed_mph)} mph x ({gangs})"
    if used.how == "formula" and used.speed_mph and listed is not None and listed.tillage_type:
        gang = _gang(listed.tillage_type, used.depth_in, used.surface_pct)
        return f"{_FACTOR} x {show(used.speed_mph)} mph x {gang}"
    return "" if listed is None else _published_working(listed, used)


def _gang(kind: str, depth_in: int | None, surface_pct: int | None) -> str:
    factor = show(NO_DISTURBANCE[kind], _HUNDREDTHS, places=_HUNDREDTHS)
    return f"{factor} x {show(depth_in or 0)} in x {show(surface_pct or 0)} %"


def _published_working(listed: FieldOperation, used: PassStir) -> str:
    """Write the published value, moved to the recorded depth of the deepest gang and to the recorded speed."""
    text = show(listed.published_stir, STIR_SCALE)
    if used.depth_in and listed.depth_in and listed.gang_stir:
        part, depth = show(listed.gang_stir, STIR_SCALE), show(listed.depth_in)
        text = f"({text} + {part} x ({show(used.depth_in)} in - {depth} in) / {depth} in)"
    if used.how == "published, scaled by speed" and used.speed_mph and listed.speed_mph:
        text = f"{text} x {show(used.speed_mph)} mph / {show(listed.speed_mph)} mph"
    return f"published {text}"


def tillage_type(one: Pass) -> str:
    """Return the tillage type of a pass as people read it; empty where the list has none."""
    kinds = dict.fromkeys(tool.tillage_type for tool in one.tools)
    if kinds:
        return "; ".join(TYPE_LABELS.get(kind, "no disturbance") for kind in kinds)
    if one.listed is None or one.listed.tillage_type is None:
        return ""
    return _SEVERAL if one.listed.several_tools else TYPE_LABELS[one.listed.tillage_type]


# What helps.

_NOTHING_TO_CLAIM: Final = "No synthetic nitrogen is recorded beyond traces, so there is nothing to claim here."
NO_TILL: Final = ("no_till_no_full_width_disturbance", "no_till_stir_within_limit")
_BEYOND_REDUCED_TILL: Final[Mapping[str, str]] = {
    "reduced_till_no_primary_inversion": "Nothing for this crop: a moldboard plow rules out reduced till as well.",
    "reduced_till_stir_within_limit": "Check speed and depth of the passes with the largest STIR: the limit of reduced "
    "till is exceeded as well.",
}
"""What is said of no-till where reduced till fails too, by the requirement that it fails."""


def remedy(one: IntervalJudged, judged: RequirementJudged) -> str:
    """Return what to do where a requirement of an interval is not met; nothing that cannot help is advised."""
    if judged.verdict is not Verdict.NOT_MET:
        return ""
    if any(found.reason == "no_synthetic_nitrogen" for found in judged.against):
        return _NOTHING_TO_CLAIM
    if judged.name in NO_TILL:
        broken = (
            said for name, said in _BEYOND_REDUCED_TILL.items() if one.requirements[name].verdict is Verdict.NOT_MET
        )
        return next(broken, judged.requirement.remedy)
    return judged.requirement.remedy


# One document for check, page, API, report and package.


def verdicts_json(
    one: IntervalJudged, practices: Iterable[PracticeJudged] | None = None, *, shown: bool = True
) -> dict[str, Any]:
    """Return the practices of a crop as plain data, and their requirements by name: several practices share most.

    No amount is a float.

    Args:
        one: the crop.
        practices: those that are asked for; all of the crop without them.
        shown: whether what *met* rests on is asked for.
    """
    chosen = one.practices if practices is None else tuple(practices)
    asked = {each.name for practice in chosen for part in Part for each in of_practice(practice.practice, part)}
    return {
        "practices": [
            {
                "practice": str(practice.practice),
                "label": practice.practice.label,
                "cite": str(practice.practice.cite),
                "claimable": practice.claimable,
                "claimed": practice.claimed,
                "named": practice.named,
                "standing": str(standing_of(practice)),
                "implementation": str(practice.implementation),
                "records": str(practice.records),
                "requirements": [each.name for part in Part for each in of_practice(practice.practice, part)],
            }
            for practice in chosen
        ],
        "requirements": {
            name: requirement_json(one, one.requirements[name], shown=shown)
            for name in one.requirements
            if name in asked
        },
    }


def requirements_of(interval: Mapping[str, Any], practice: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the requirements of a practice out of the plain data of its crop."""
    return [interval["requirements"][name] for name in practice["requirements"]]


def requirement_json(one: IntervalJudged, judged: RequirementJudged, *, shown: bool = True) -> dict[str, Any]:
    """Return a requirement with its verdict, its numbers in words, and its findings as plain data."""
    rows = one.season.rows
    return {
        "cite": str(judged.requirement.cite),
        "part": str(judged.requirement.part),
        "says": judged.requirement.says,
        "verdict": str(judged.verdict),
        **numbers(judged)._asdict(),
        "moot": moot(judged),
        "remedy": remedy(one, judged),
        "against": [as_json(found, rows) for found in judged.against],
        "missing": [as_json(found, rows) for found in judged.missing],
        **({"shown": [as_json(found, rows) for found in judged.shown]} if shown else {}),
    }


def as_json(finding: Finding, rows: FarmRows) -> dict[str, str]:
    """Return a finding as texts: kind, row and code for machines; headings, name of the row and sentence for people.

    ``row`` is the key of a row of the kind; where a whole record lacks it is empty, and ``asked_by`` is the key of the
    row that asks for it.
    """
    is_whole_record = isinstance(finding, Missing) and not finding.column
    row = None if is_whole_record else rows.row(finding.kind, finding.row)
    found = {
        "kind": finding.kind,
        "label": KINDS[finding.kind].label,
        "row": "" if row is None else finding.row,
        "words": "" if row is None else str(_named(row, finding)),
        "reason": finding.reason,
        "says": sentence(finding),
    }
    if isinstance(finding, Missing):
        column = KINDS[finding.kind].fields.get(finding.column)
        asked_by = finding.row if row is None else ""
        return found | {"column": finding.column, "column_label": column.label if column else "", "asked_by": asked_by}
    observed, limit = (amount(value, finding.unit) for value in (finding.observed, finding.limit))
    return found | {"observed": observed, "limit": limit}


# What verdicts amount to: how many crops of a year are ready, and which records would decide most.


class YearSummary(NamedTuple):
    """A harvest year in numbers."""

    year: int
    crops: int  # that were judged
    ready: int  # those with a practice that is met, its records too
    open: int  # practices that are met and whose records are open
    unshown: int  # practices that are not shown
    unmet: int  # practices that the records show as not met
    asked: int  # practices of which anything is asked: what is not claimed is none of them

    def __str__(self) -> str:
        if not self.asked:
            return f"{self.year}: No practice is claimed."
        said = [f"{self.ready} of {self.crops} crops have a practice met with its records"]
        counts = ((self.open, "met with records open"), (self.unshown, "not shown"), (self.unmet, "not met"))
        said += [f"{count} practice{'' if count == 1 else 's'} {what}" for count, what in counts if count]
        return f"{self.year}: {'; '.join(said)}."


def summaries(chosen: Iterable[IntervalJudged]) -> tuple[YearSummary, ...]:
    """Return each harvest year in numbers, the earliest first."""
    by_year: dict[int, list[IntervalJudged]] = {}
    for one in chosen:
        by_year.setdefault(one.harvest_year, []).append(one)
    return tuple(_summary(year, by_year[year]) for year in sorted(by_year))


def _summary(year: int, crops: list[IntervalJudged]) -> YearSummary:
    asked = [practice for one in crops for practice in one.practices if practice.asked]
    told = [one.implementation for one in asked]
    unshown, unmet = told.count(Verdict.NOT_SHOWN), told.count(Verdict.NOT_MET)
    open_ = sum(one.implementation is Verdict.MET and one.records is not Verdict.MET for one in asked)
    return YearSummary(year, len(crops), sum(map(is_ready, crops)), open_, unshown, unmet, len(asked))


def is_ready(one: IntervalJudged) -> bool:
    """Tell whether a crop has a practice that is met, with its records."""
    return any(each.implementation is Verdict.MET and each.records is Verdict.MET for each in one.practices)


def is_settled(one: IntervalJudged) -> bool:
    """Tell whether a crop waits for nothing: it is ready, or nothing is claimed on it."""
    return is_ready(one) or not any(practice.asked for practice in one.practices)


class MissingRecord(NamedTuple):
    """A record, or a column of records, that lacks, once for all rows that lack it."""

    kind: str
    column: str  # empty where a whole record lacks
    reason: str  # a code, where kind and column do not say it
    cite: str  # the first paragraph that asks for it
    rows: tuple[str, ...]  # keys of the rows that lack the column, or ask for the record

    def __str__(self) -> str:
        return in_words(Missing(self.kind, self.column, "", self.reason))


def lacking(practice: PracticeJudged) -> tuple[MissingRecord, ...]:
    """Return what would close the gaps of a practice, each once, in the order of the paragraphs.

    What an implementation lacks comes before what its records lack; where a kind of record lacks altogether, its
    columns are not asked for.
    """
    parts = {one.requirement.part for one in practice.requirements if one.missing}
    first = Part.IMPLEMENTATION if Part.IMPLEMENTATION in parts else Part.RECORDS
    found: dict[tuple[str, str, str], tuple[str, list[str]]] = {}
    for one in practice.requirements:
        for missing in one.missing if one.requirement.part is first else ():
            key = missing.kind, missing.column, missing.reason
            rows = found.setdefault(key, (str(one.requirement.cite), []))[1]
            if missing.row and missing.row not in rows:
                rows.append(missing.row)
    whole = {kind for kind, column, _ in found if not column}
    return tuple(
        MissingRecord(kind, column, reason, cite, tuple(rows))
        for (kind, column, reason), (cite, rows) in found.items()
        if not column or rows or kind not in whole
    )


class ToDo(NamedTuple):
    """A record that would decide something."""

    kind: str
    column: str
    reason: str
    cite: str  # the first paragraph that asks for it
    # unit and label of the practice of each verdict that waits for it, in the order of the book
    settles: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return in_words(Missing(self.kind, self.column, "", self.reason))

    @property
    def units(self) -> tuple[str, ...]:
        """Return the units, once each."""
        return tuple(dict.fromkeys(unit for unit, _ in self.settles))


def to_do(chosen: Iterable[IntervalJudged]) -> tuple[ToDo, ...]:
    """Return each missing record once, the one that most verdicts wait for first; none that no record would mend."""
    found: dict[tuple[str, str, str], tuple[str, list[tuple[str, str]]]] = {}
    for one in chosen:
        for practice in one.practices:
            if practice.asked and practice.implementation is not Verdict.NOT_MET:
                for lack in lacking(practice):
                    of = found.setdefault((lack.kind, lack.column, lack.reason), (lack.cite, []))[1]
                    of.append((one.unit_id, practice.practice.label))
    things = [ToDo(*key, cite, tuple(settles)) for key, (cite, settles) in found.items()]
    return tuple(sorted(things, key=lambda thing: -len(thing.settles)))


def is_below_published(one: Pass) -> bool:
    """Tell whether speed or depth of a pass is below the published least without evidence."""
    return is_below_least(one, "speed_mph") or is_below_least(one, "depth_in")


def is_on_part(season: Season, one: Pass) -> bool:
    """Tell whether a pass went over less than the acres of the unit: it counts in full (interpretation 13)."""
    return one.treated_acres is not None and season.acres is not None and one.treated_acres < season.acres


# How a practice stands, to the farm.


class Standing(StrEnum):
    """How a practice stands on a crop, to the farm: red is for a claim that its records contradict, and only for that.

    A practice is claimed when the farm ticks it for the crop, or a calculator run of the crop names it. As long as
    neither is there, what is not shown may yet be, and what the records rule out is told before anybody claims it.
    """

    MET = "met"
    CONTRADICTED = "contradicted"
    WAITING = "waiting"
    NOT_SHOWN = "not_shown"
    RULED_OUT = "ruled_out"
    NOT_CLAIMED = "not_claimed"
    NOT_FOR_CROP = "not_for_crop"


def standing_of(practice: PracticeJudged) -> Standing:
    if not practice.claimable:
        return Standing.NOT_FOR_CROP
    if practice.implementation is Verdict.MET:
        return Standing.MET
    if practice.implementation is Verdict.NOT_SHOWN:
        return Standing.NOT_CLAIMED if practice.claimed is False else Standing.NOT_SHOWN
    if practice.claimed:
        return Standing.CONTRADICTED
    # The records speak against a claim that nobody has made or declined yet.
    return Standing.RULED_OUT if practice.claimed is None else Standing.NOT_CLAIMED
