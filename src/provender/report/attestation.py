"""Who cannot be in control of a unit, whatever the control records say of them (2100.002, interpretation 33)."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from provender.days import says
from provender.intensity.average import UNSIGNED
from provender.intensity.calculator import SIGNABLE
from provender.intensity.quantify import Quantification
from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook, with_years
from provender.records.kind import KINDS
from provender.rule.crops import Practice
from provender.rule.law import RuleVersion, parameters
from provender.schema import field, view
from provender.standards.judge import IntervalJudged
from provender.standards.standard import Verdict
from provender.verdicts.assess import Assessment

_TENANTS: Final = ("cash_tenant", "share_tenant")
_BESIDE_A_TENANT: Final = (*_TENANTS, "partner", "hired_manager")
"""Who may run a unit together with a tenant, or for one: its owner does not."""


def _only_advises(related: Sequence[Mapping[str, Any]], name: str) -> str:
    """Return the signer's name where the related parties give it to a consultant (interpretation 33)."""
    consultants = {_plain(one["name"]) for one in related if one["relation"] == "consultant"}
    return name if _plain(name) in consultants else ""


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _rented_to(controls: Sequence[Mapping[str, Any]], signer: str) -> dict[str, str]:
    """Return the units that another holds as a tenant: whoever rents land out does not run it (2100.002)."""
    own = {one["unit_id"] for one in controls if one["producer_id"] == signer and one["basis"] in _BESIDE_A_TENANT}
    return {
        one["unit_id"]: one["producer_id"]
        for one in controls
        if one["producer_id"] != signer and one["basis"] in _TENANTS and one["unit_id"] not in own
    }


# The no-till promise of 2100.031(c)(3)(vi), followed parcel by parcel through the years (interpretation 14).
#
# What is known of a year comes from the ``tillage_history`` records and from the book's own verdicts. Where they
# disagree the parcel was tilled: nobody tills by a slip of the pen, and a row that says otherwise is the producer's
# word.

_PROMISE: Final = "2100.031(c)(3)(vi)"
_SEPARATOR: Final = ";"
"""Between the parcels of a unit that lies on several."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A parcel tilled more often than the promise allows."""

    parcel: str  # which land
    years: tuple[int, ...]  # the tilled harvest years of those the promise looks back on, in order
    # whether they lie after the first claim under the rule; earlier years are history, shown and no breach
    # (interpretation 65)
    promised: bool


def parcels(parcel_id: str | None) -> tuple[str, ...]:
    """Return the parcels that a unit names, in its order: none, one, or several set apart by semicolons."""
    return tuple(one.strip() for one in (parcel_id or "").split(_SEPARATOR) if one.strip())


def history(assessment: Assessment, farm_id: str) -> Mapping[tuple[str, int], bool]:
    """Return for each parcel and harvest year of which something is known whether it was no-till."""
    found: dict[tuple[str, int], bool] = {}
    for row in assessment.book.rows_of("tillage_history", farm_id):
        _learn(found, parcels(row["parcel_id"]), row["harvest_year"], kept=row["tillage"] == "no_till")
    for one in assessment.intervals:
        verdict = one[Practice.no_till].implementation
        if one.farm_id == farm_id and verdict is not Verdict.NOT_SHOWN:
            _learn(found, parcels(one.season.unit.parcel_id), one.harvest_year, kept=verdict is Verdict.MET)
    return found


def _learn(found: dict[tuple[str, int], bool], of: Iterable[str], year: int, *, kept: bool) -> None:
    for parcel in of:
        found[parcel, year] = found.get((parcel, year), True) and kept


def _breaches(assessment: Assessment, farm_id: str, last_year: int, law: RuleVersion) -> tuple[Breach, ...]:
    """Return every parcel of a farm tilled too often in the years that end with ``last_year``, by its name."""
    known = history(assessment, farm_id)
    first_year = last_year - law.no_till_promise_of_years + 1
    under_rule = parameters().start.year
    allowed = law.no_till_promise_of_years - law.no_till_promise_years
    found = []
    for parcel in sorted({parcel for parcel, _ in known}):
        of_parcel = {year: kept for (name, year), kept in known.items() if name == parcel}
        years = tuple(sorted(year for year, kept in of_parcel.items() if first_year <= year <= last_year and not kept))
        claimed = min((year for year, kept in of_parcel.items() if kept and year >= under_rule), default=last_year)
        after = tuple(year for year in years if year > claimed)
        if len(after) > allowed:
            found.append(Breach(parcel, after, promised=True))
        elif len(years) > allowed:
            found.append(Breach(parcel, years, promised=False))
    return tuple(found)


def tilled_by_history(assessment: Assessment, farm_id: str, year: int, of_units: Iterable[str]) -> Iterator[Problem]:
    """Tell of units called no-till whose parcel the farm's own tillage history calls tilled in the same harvest year.

    A parcel on which other units lie, or from which another crop was cut that year, may have been tilled for those.
    """
    book, wanted = assessment.book, set(of_units)
    lie_on: dict[str, set[str]] = {}
    for row in book.rows_of("unit", farm_id):
        for parcel in parcels(row["parcel_id"]):
            lie_on.setdefault(parcel, set()).add(row["unit_id"])
    cut = Counter(row["unit_id"] for row in book.rows_of("harvest", farm_id) if assessment.harvest_year(row) == year)
    for row in book.rows_of("tillage_history", farm_id):
        for parcel in parcels(row["parcel_id"]):
            units = lie_on.get(parcel, set())
            alone = bool(units) and units <= wanted and all(cut[unit] == 1 for unit in units)
            if alone and row["harvest_year"] == year and row["tillage"] != "no_till":
                cause = f"{', '.join(sorted(units))}: the tillage history calls parcel {parcel} tilled in {year}."
                remedy = "Correct the history, or add the pass that tilled it to the field operations."
                place = Place(row.get("source_file") or "tillage_history", row=row.get("source_row") or 0)
                yield Problem(place, cause, remedy, "2100.051(b)(1)", Weight.CONFIRM, "tilled_by_history")


def promise_problems(assessment: Assessment) -> tuple[Problem, ...]:
    """Tell of every promise that is broken by the last harvest of its farm, claimed or not that year."""
    last = {one.farm_id: one for one in sorted(assessment.intervals, key=lambda one: one.harvest_year)}
    found = []
    for farm_id, one in sorted(last.items()):
        law = one.rule
        for breach in _breaches(assessment, farm_id, one.harvest_year, law):
            if breach.promised:
                years = ", ".join(map(str, breach.years))
                kept, of = law.no_till_promise_years, law.no_till_promise_of_years
                cause = f"Parcel {breach.parcel} was tilled in {years}: no-till was promised in {kept} of {of} years."
                remedy = "Correct the year if it is wrong; else tell your buyer, and claim no no-till on it."
                place = Place("unit", column="parcel_id")
                found.append(Problem(place, cause, remedy, _PROMISE, Weight.CONFIRM, "no_till_promise_broken"))
    return tuple(found)


# The Farm Producer Attestation: the seven statements of 2100.031(c)(3) in our words, each held against the records.
#
# Each rests on rows that say so; the producer's own dated answer in the season's declaration is such a row, and silence
# is none (interpretation 68). A statement that the records contradict, or that nothing answers, is refused with the
# reason. A promise about days to come may be given with the signature itself: that is an answer with person and day.

CROPLAND: Final = ("cropland", "hay")
_NOT_CROPLAND: Final = ("pasture", "rangeland", "forest", "conservation_reserve", "wetland")

# Findings, beside those of single runs, under which the calculation is not what the rule prescribes.
BLOCKING: Final = UNSIGNED | frozenset(
    {"farm_ci_differs", "versions_mixed", "acres_times_yield", "same_inputs_different_ci", "calculator_unlisted",
     "national_default_differs", "national_default_missing"}
)  # fmt: skip


_AGAINST: Final = {
    "in_control": False, "records_kept": False, "no_till_kept": False, "benefit_sold": True, "land_converted": True,
}  # fmt: skip
"""The answer to each question of the declaration that contradicts its statement."""


class Footing(StrEnum):
    """What a statement rests on."""

    RECORDS = "records"
    WORD = "the producer's word"
    CONTRADICTED = "contradicted by the records"
    UNANSWERED = "not answered"


class About(NamedTuple):
    """A record behind a statement that it contradicts or leaves open."""

    kind: str
    row: str = ""  # its key; empty where it is missing
    unit_id: str = ""  # the unit it is about; empty where it is about the farm
    column: str = ""  # the column that decides; empty where the row does


@dataclass(frozen=True, slots=True)
class AttestedSentence:
    """One statement of the attestation."""

    cite: str  # its paragraph
    text: str  # what the producer declares, in our words
    footing: Footing  # records, the producer's word, or contradicted
    why: str  # what the records show, or why they contradict it
    about: tuple[About, ...] = ()  # the records that contradict it or leave it open

    def as_json(self) -> dict[str, Any]:
        """Return the statement as JSON data; a statement that stands is about no record to mend."""
        said = {"cite": self.cite, "text": self.text, "footing": str(self.footing), "why": self.why}
        return said | ({"about": [one._asdict() for one in self.about]} if self.about else {})


@dataclass(frozen=True, slots=True)
class Claim:
    """What the attestation is about."""

    assessment: Assessment  # the book with its verdicts
    q: Quantification  # the farm, crop and harvest year with its CI
    producer_id: str  # who signs; empty when nobody is recorded
    law: RuleVersion  # the version of the rule
    open_records: tuple[str, ...] = ()  # units whose practices behind the CI lack records (interpretation 6)

    @property
    def intervals(self) -> tuple[IntervalJudged, ...]:
        return self.assessment.of(self.q.farm_id, self.q.crop, self.q.harvest_year)

    @property
    def credited(self) -> list[str]:
        """The units under CSA practices."""
        return [unit.unit_id for unit in self.q.units if unit.credited]

    @property
    def harvest_day(self) -> date:
        """The last day of this crop's harvest on the farm."""
        return max(one.last_day for one in self.intervals)

    def interval_of(self, unit_id: str) -> tuple[date | None, date]:
        """The first and last day of the season of this crop on a unit; no first day where it is not recorded."""
        mine = [one for one in self.intervals if one.unit_id == unit_id]
        before = [one.season.season_before for one in mine]
        known = [crop.first_day for crop in before if crop is not None and crop.first_day is not None]
        return (min(known) if len(known) == len(mine) else None), max(one.last_day for one in mine)

    def cut_on(self, unit_id: str) -> date:
        """The first day of this crop's harvest on a unit."""
        return min(one.season.harvest.first_day or one.last_day for one in self.intervals if one.unit_id == unit_id)

    def answers(self, name: str) -> dict[str, Mapping[str, Any]]:
        """Return for each credited unit the declaration in which a producer in control answered on a day.

        Of several the last in time counts, and one that speaks against the statement before all others; only that one
        may be from before the end of the harvest (interpretation 2).
        """
        producers = {one["producer_id"] for one in self.rows("producer") if one["operational_control"]}
        of_entry = {entry: one for one in self.intervals for entry in one.harvest_ids}
        rows = [
            row
            for row in self.rows("declaration")
            if row["harvest_id"] in of_entry
            and of_entry[row["harvest_id"]].unit_id in self.credited
            and row[name] is not None
            and row["made_on"] is not None
            and row["producer_id"] in producers
            and (row[name] is _AGAINST[name] or row["made_on"] >= of_entry[row["harvest_id"]].last_day)
        ]
        rows.sort(key=lambda row: (row[name] is _AGAINST[name], row["made_on"]))
        return {of_entry[row["harvest_id"]].unit_id: row for row in rows}

    def answered(self, name: str) -> str:
        """Return who answered a question for all credited units, and when; empty where one of them lacks it."""
        return self.answered_of(self.credited, name)

    def answered_of(self, units: Sequence[str], name: str) -> str:
        """Return who answered a question for some units, and when; empty where one of them lacks it."""
        rows = {unit: row for unit, row in self.answers(name).items() if unit in units}
        if not units or set(units) - rows.keys():
            return ""
        by = {(str(row["producer_id"]), row["made_on"]) for row in rows.values()}
        return "Answered by " + ", ".join(f"{who} on {day}" for who, day in sorted(by)) + "."

    def unanswered(self, name: str) -> list[str]:
        """Return the credited units for which nobody answered a question."""
        return [unit for unit in self.credited if unit not in self.answers(name)]

    def declared(self, units: Sequence[str], name: str) -> tuple[About, ...]:
        """Return the declarations in which a question is answered for some units, or belongs."""
        entries = {one.unit_id: one.harvest_id for one in self.intervals}
        made = {row["harvest_id"] for row in self.rows("declaration")}
        named = ((unit, entries.get(unit, "")) for unit in units)
        return tuple(About("declaration", entry if entry in made else "", unit, name) for unit, entry in named)

    def answering(self, name: str, *, answer: bool) -> list[str]:
        return [unit for unit, row in sorted(self.answers(name).items()) if row[name] is answer]

    def rows(self, kind: str) -> Sequence[Mapping[str, Any]]:
        return self.assessment.book.rows_of(kind, self.q.farm_id)


def statements(claim: Claim) -> tuple[AttestedSentence, ...]:
    """Return the seven statements as the records support or contradict them."""
    checks = (_control, _implemented, _calculated, _retain, _no_double_sale, _keep_no_till, _no_conversion)
    return tuple(check(claim) for check in checks)


def _holds_on(row: Mapping[str, Any], day: date) -> bool:
    """Return whether an entry with ``since`` and ``until`` holds on a day; a blank end is open."""
    return (row["since"] is None or row["since"] <= day) and (row["until"] is None or row["until"] >= day)


def _falls_in(row: Mapping[str, Any], interval: tuple[date | None, date]) -> bool:
    """Return whether an entry holds on some day of a crop interval; a blank day is open (interpretation 68)."""
    first, last = interval
    begun = row["since"] is None or row["since"] <= last
    return begun and (row["until"] is None or first is None or row["until"] >= first)


def _control(claim: Claim) -> AttestedSentence:
    cite = "2100.031(c)(3)(i)"
    text = "I have operational control over all fields under these practices and decide how they are managed."
    producers = [one for one in claim.rows("producer") if one["producer_id"] == claim.producer_id]
    if not producers or not producers[0]["operational_control"]:
        why = f"The producer records do not give {claim.producer_id or 'anyone'} operational control."
        mine = About("producer", claim.producer_id if producers else "", column="operational_control")
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, (mine,))
    if advised := _only_advises(claim.rows("related_party"), str(producers[0]["name"])):
        why = f"The related parties call {advised} a consultant, and a consultant signs for nobody."
        advisers = (one for one in claim.rows("related_party") if one["relation"] == "consultant")
        named = (one for one in advisers if _plain(one["name"]) == _plain(advised))
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, _about("related_party", named))
    controls = [one for one in claim.rows("control") if _holds_on(one, claim.harvest_day)]
    held = {one["unit_id"] for one in controls if one["producer_id"] == claim.producer_id}
    others = {one["unit_id"]: one["producer_id"] for one in controls if one["unit_id"] not in held}
    others |= {unit: by for unit, by in _rented_to(controls, claim.producer_id).items() if unit in held}
    lost = [unit for unit in claim.credited if unit in others]
    if given_up := [one for one in _given_up(claim, held) if one["unit_id"] not in others]:
        why = " ".join(
            f"The control of {one['unit_id']} ended on {one['until']}, before its harvest." for one in given_up
        )
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, _about("control", given_up))
    if lost:
        why = " ".join(f"{unit} is run by {others[unit]}." for unit in lost)
        theirs = [one for one in controls if one["unit_id"] in lost and one["producer_id"] == others[one["unit_id"]]]
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, _about("control", theirs))
    if unsaid := [one for one in controls if one["unit_id"] in claim.credited and _may_be_rented(one, claim)]:
        why = " ".join(f"Nobody says on which basis {one['producer_id']} has {one['unit_id']}." for one in unsaid)
        return AttestedSentence(cite, text, Footing.UNANSWERED, why, _about("control", unsaid, "basis"))
    if refused := claim.answering("in_control", answer=False):
        why = f"The declaration says that the producer was not in control of {', '.join(refused)}."
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, claim.declared(refused, "in_control"))
    open_ = [unit for unit in claim.credited if unit not in held]
    if open_:
        why = f"No control record names {', '.join(open_)}."
        if silent := [unit for unit in open_ if unit not in claim.answers("in_control")]:
            return _silent(claim, cite, text, silent, "in_control", why)
        return AttestedSentence(cite, text, Footing.WORD, why + " " + claim.answered_of(open_, "in_control"))
    return AttestedSentence(cite, text, Footing.RECORDS, "The control records name the producer for every unit.")


def _may_be_rented(one: Mapping[str, Any], claim: Claim) -> bool:
    """Tell whether another's control without a basis may be a tenancy, beside which the producer has none."""
    standing = [row for row in claim.rows("control") if _holds_on(row, claim.harvest_day)]
    as_tenant = [{**one, "basis": _TENANTS[0]}]
    return one["basis"] is None and one["unit_id"] in _rented_to([*standing, *as_tenant], claim.producer_id)


def _given_up(claim: Claim, held: Container[str]) -> list[Mapping[str, Any]]:
    """Return the producer's control that ended before the harvest, with nothing after it: no answer undoes a row."""
    return [
        one
        for one in claim.rows("control")
        if one["producer_id"] == claim.producer_id
        and one["unit_id"] in claim.credited
        and one["unit_id"] not in held
        and one["until"] is not None
        and one["until"] < claim.cut_on(one["unit_id"])
    ]


def _implemented(claim: Claim) -> AttestedSentence:
    cite = "2100.031(c)(3)(ii)"
    text = "I carried out the practices used in this calculation by the standards of the rule."
    if not claim.q.reduced:
        return AttestedSentence(cite, text, Footing.CONTRADICTED, "No bushel of this crop is under a practice.")
    if claim.open_records:
        why = f"The record requirements are not all met on {', '.join(claim.open_records)}; the gaps are listed."
        return AttestedSentence(cite, text, Footing.WORD, why)
    why = f"Every requirement is met under {claim.law.citation}, with its records."
    return AttestedSentence(cite, text, Footing.RECORDS, why)


def _calculated(claim: Claim) -> AttestedSentence:
    cite, q = "2100.031(c)(3)(iii)", claim.q
    text = "I calculated the farm-level CI as the rule prescribes."
    wrong = [one for one in q.findings if one.code in BLOCKING or one.code.startswith("run_")]
    if q.average.ci_g_per_bu is None:
        # A run that claims more than was shown is why the unit has no CI.
        runs = (f"{one.subject}: {one.cause}" for one in wrong if one.code.startswith("run_"))
        why = " ".join(["There is no average:", *q.average.missing, *runs])
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why)
    if q.label not in SIGNABLE:
        why = f"The calculation is {q.label}: only a final version of USDA FD-CIC makes it official."
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why)
    if wrong:
        told = " ".join(f"{one.subject}: {one.cause}" for one in wrong)
        return AttestedSentence(cite, text, Footing.CONTRADICTED, told)
    why = "The calculator runs agree with the records, and the mean recomputes."
    return AttestedSentence(cite, text, Footing.RECORDS, why)


def _retain(claim: Claim) -> AttestedSentence:
    years = claim.law.retention_years
    text = f"I keep the records for {years} years and show them to an accredited verifier on request."
    return _promised(claim, "2100.031(c)(3)(iv)", text, "records_kept", "A promise.")


def _promised(claim: Claim, cite: str, text: str, name: str, why: str) -> AttestedSentence:
    """Rest a promise on the declaration, or on the signature itself, which has a person and a day too."""
    if refused := claim.answering(name, answer=False):
        no = f"The declaration of {', '.join(refused)} says no."
        return AttestedSentence(cite, text, Footing.CONTRADICTED, no, claim.declared(refused, name))
    given = claim.answered(name) or "Given with the signature."
    return AttestedSentence(cite, text, Footing.WORD, f"{why} {given}")


def _silent(claim: Claim, cite: str, text: str, units: Sequence[str], name: str, why: str = "") -> AttestedSentence:
    """Refuse to rest a sentence on silence, and say where the answer belongs."""
    label = KINDS["declaration"].fields[name].label
    ask = f"Nobody answered {label!r} for {', '.join(units)}, with person and day, in the season's declaration."
    return AttestedSentence(cite, text, Footing.UNANSWERED, f"{why} {ask}".strip(), claim.declared(units, name))


def _about(kind: str, rows: Iterable[Mapping[str, Any]], column: str = "") -> tuple[About, ...]:
    keys = [name for name in KINDS[kind].key_columns if name != "farm_id"]
    return tuple(
        About(kind, "/".join(str(row[name]) for name in keys), row.get("unit_id") or "", column) for row in rows
    )


def _no_double_sale(claim: Claim) -> AttestedSentence:
    cite = "2100.031(c)(3)(v)"
    text = (
        "I sell the CI information, attributes and greenhouse gas benefits of the crop of these practices in one "
        "market only."
    )
    units = set(claim.credited)
    touching = [row for row in claim.rows("enrolment") if row["unit_id"] in units and _touches(claim, row)]
    sold = [row for row in touching if row["sells_benefit"]]
    if sold:
        why = " ".join(f"{row['unit_id']} is enrolled in {row['program']}, which takes the benefit." for row in sold)
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, _about("enrolment", sold))
    if admitted := claim.answering("benefit_sold", answer=True):
        why = f"The declaration of {', '.join(admitted)} says that the benefit was sold elsewhere."
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, claim.declared(admitted, "benefit_sold"))
    open_ = [row for row in touching if row["sells_benefit"] is None]
    if open_:
        why = " ".join(
            f"The enrollment of {row['unit_id']} in {row['program']} does not say whether it takes the benefit."
            for row in open_
        )
        return AttestedSentence(cite, text, Footing.UNANSWERED, why, _about("enrolment", open_, "sells_benefit"))
    if silent := claim.unanswered("benefit_sold"):
        return _silent(claim, cite, text, silent, "benefit_sold")
    return AttestedSentence(cite, text, Footing.WORD, f"A promise. {claim.answered('benefit_sold')}".rstrip())


def _touches(claim: Claim, row: Mapping[str, Any]) -> bool:
    """Return whether an enrolment takes this crop year: by its crop years, else by the days of the interval."""
    first, last = row["first_crop_year"], row["last_crop_year"]
    if first is not None or last is not None:
        first, last = first if first is not None else last, last if last is not None else first
        return bool(first <= claim.q.harvest_year <= last)
    return _falls_in(row, claim.interval_of(row["unit_id"]))


def _keep_no_till(claim: Claim) -> AttestedSentence:
    cite = "2100.031(c)(3)(vi)"
    years, of = claim.law.no_till_promise_years, claim.law.no_till_promise_of_years
    text = f"Where I claim no-till, I keep it in at least {years} of every {of} years."
    claimed = {unit.unit_id for unit in claim.q.units if Practice.no_till in unit.credited}
    of_unit = {row["unit_id"]: parcels(row["parcel_id"]) for row in claim.rows("unit") if row["unit_id"] in claimed}
    under = {parcel for named in of_unit.values() for parcel in named}
    broken = [
        one
        for one in _breaches(claim.assessment, claim.q.farm_id, claim.q.harvest_year, claim.law)
        if one.parcel in under
    ]
    for one in broken:
        if one.promised:
            why = f"Parcel {one.parcel} was tilled in {', '.join(map(str, one.years))}."
            told = [
                row for row in claim.rows("tillage_history")
                if one.parcel in parcels(row["parcel_id"]) and row["harvest_year"] in one.years
                and row["tillage"] != "no_till"
            ]  # fmt: skip
            return AttestedSentence(cite, text, Footing.CONTRADICTED, why, _about("tillage_history", told))
    why = "A promise for the years to come."
    if broken:
        first = broken[0]
        why = f"Parcel {first.parcel} was tilled in {', '.join(map(str, first.years))}, before the first claim. " + why
    nameless = sorted(unit for unit, named in of_unit.items() if not named)
    if nameless:
        why += f" No parcel is named for {', '.join(nameless)}: a later owner could not follow the promise there."
    return (
        _promised(claim, cite, text, "no_till_kept", why)
        if claimed
        else AttestedSentence(cite, text, Footing.WORD, "No unit claims no-till.")
    )


def _no_conversion(claim: Claim) -> AttestedSentence:
    """Hold the promise against land-use records; what a satellite saw stands beside it and decides nothing."""
    sentence = _of_land(claim)
    seen = _from_above(claim)
    return replace(sentence, why=f"{sentence.why} {seen}") if seen else sentence


def _from_above(claim: Claim) -> str:
    """Return the crop history of the credited units, as USDA's Crop Sequence Boundaries have it; empty without one."""
    rows = [row for row in claim.rows("crop_history") if row["unit_id"] in set(claim.credited)]
    years: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda one: (str(one["unit_id"]), int(one["year"]))):
        years.setdefault(str(row["unit_id"]), []).append(f"{row['year']} {row['cover'] or row['code']}")
    told = "; ".join(f"{unit} {', '.join(each)}" for unit, each in years.items())
    return f"Seen from above, as Crop Sequence Boundaries have it, which proves nothing: {told}." if told else ""


def _of_land(claim: Claim) -> AttestedSentence:
    cite, day = "2100.031(c)(3)(vii)", claim.law.land_conversion_after
    text = f"I did not convert this land into crop production after {day:%B} {day.day}, {day.year}."
    rows = [row for row in claim.rows("land_use") if row["unit_id"] in set(claim.credited)]
    converted = [
        row for row in rows if row["land_use"] in _NOT_CROPLAND and day.year <= row["year"] <= claim.q.harvest_year
    ]
    if converted:
        why = " ".join(f"{row['unit_id']} was {_use(row)} in {row['year']}." for row in converted)
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, _about("land_use", converted))
    if admitted := claim.answering("land_converted", answer=True):
        why = f"The declaration of {', '.join(admitted)} says that the land was converted."
        return AttestedSentence(cite, text, Footing.CONTRADICTED, why, claim.declared(admitted, "land_converted"))
    before = {row["unit_id"]: row for row in sorted(rows, key=lambda one: int(one["year"])) if row["year"] < day.year}
    # A use that nobody named is no answer, in whichever year (interpretation 85).
    doubtful = [row for row in before.values() if row["land_use"] not in CROPLAND]
    doubtful += [row for row in rows if row["land_use"] == "other" and day.year <= row["year"] <= claim.q.harvest_year]
    if doubtful:
        why = " ".join(f"{row['unit_id']} was {_use(row)} as late as {row['year']}." for row in doubtful)
        return _on_word(claim, cite, text, sorted({row["unit_id"] for row in doubtful}), why)
    unknown = sorted(set(claim.credited) - before.keys())
    if unknown:
        return _on_word(claim, cite, text, unknown, f"No land-use history before that day for {', '.join(unknown)}.")
    return AttestedSentence(cite, text, Footing.RECORDS, "The land-use history shows crop production before that day.")


def _on_word(claim: Claim, cite: str, text: str, units: Sequence[str], why: str) -> AttestedSentence:
    """Rest the history of some units on the producer's answer; silence is none."""
    if silent := [unit for unit in units if unit not in claim.answers("land_converted")]:
        return _silent(claim, cite, text, silent, "land_converted", why)
    return AttestedSentence(cite, text, Footing.WORD, f"{why} {claim.answered_of(units, 'land_converted')}")


def _use(row: Mapping[str, Any]) -> str:
    return str(row["land_use"]).replace("_", " ")


# To whom the report was given: every buyer of reduced-CI crop, the day of delivery where one is on file (2100.031(c)).
#
# Who the buyers are follows from the sales; a signed slip writes its own. A scale ticket names where a load was
# weighed, not that its crop was bought as reduced-CI crop, and makes nobody a buyer. One delivery serves all sales of
# the crop to the same buyer. It is asked for and never blocks anything.

CITE: Final = "2100.031(c)"
WITH_CI: Final = "sold_with_ci"
SOLD: Final = (WITH_CI, "sold_without_claim")


@view
class Delivery:
    """A buyer of one crop and harvest year, and the report's way to them."""

    farm: str = field("Farm")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    buyer: str = field("Buyer", help="As the first sale spells it.")
    sale: str = field("Sale", help="The earliest to this buyer; a delivery names it.")
    sold_on: date | None = field("Sold", help="Null where that sale names no day.")
    given_on: date | None = field("Report given", default=None, help="Null while no delivery is recorded.")
    how: str | None = field("How", default=None)
    too_early: date | None = field(
        "Dated too early", default=None, help="The day of a delivery that cannot be: nothing was harvested before it."
    )

    @property
    def words(self) -> str:
        bought = f", who bought on {self.sold_on}" if self.sold_on else ""
        return f"Give the signed report on {self.crop} {self.harvest_year} to {self.buyer}{bought}, and record the day."


def _first_days(book: RecordBook) -> dict[tuple[str, str, int], date]:
    """Return the first day of each harvest, by farm, crop and year: no report of it was there before."""
    found: dict[tuple[str, str, int], date] = {}
    for row in with_years(book):
        first = row["first_day"] or row["last_day"]
        if first is not None:
            key = row["farm_id"], str(row["crop"]), row["harvest_year"]
            found[key] = min(first, found.get(key, first))
    return found


def deliveries(book: RecordBook) -> tuple[Delivery, ...]:
    """Return every buyer of reduced-CI crop with the first delivery of the report to them, by farm, year and sale."""
    sales = sorted(book["sale"], key=lambda row: (row["day"] or date.max, row["sale_id"]))
    found: dict[tuple[str, str, int, str], Delivery] = {}
    buyer_of = {}
    for row in sales:
        if row["disposition"] == WITH_CI and says(name := (row["buyer"] or "").strip()):
            key = row["farm_id"], str(row["crop"]), row["harvest_year"], " ".join(name.split()).casefold()
            buyer_of[row["farm_id"], row["sale_id"]] = key
            made = dict(zip(("farm", "crop", "harvest_year"), key, strict=False))
            found.setdefault(key, Delivery(**made, buyer=name, sale=row["sale_id"], sold_on=row["day"]))
    cut = _first_days(book)
    for row in sorted(book["report_delivery"], key=lambda row: row["day"] or date.max):
        to = buyer_of.get((row["farm_id"], row["sale_id"]))
        if to is None or row["day"] is None or found[to].given_on is not None:
            continue
        least = cut.get(to[:3]) or found[to].sold_on
        if least is not None and row["day"] < least:
            found[to] = replace(found[to], too_early=row["day"])
        else:
            found[to] = replace(found[to], given_on=row["day"], how=row["how"])
    return tuple(sorted(found.values(), key=lambda one: (one.farm, one.harvest_year, one.crop, one.sale)))


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
