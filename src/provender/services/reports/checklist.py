"""What stands between a farm and the signature of a report: one list over records, evidence, runs and the key.

Each thing names the very row, page or upload where it is done. Whatever keeps a report from being signed is among them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from provender.database.models.farm import ReportVersion
from provender.exact import SCALE, half_even, parse
from provender.intensity.calculator import SIGNABLE, Label
from provender.records.field import starting_small
from provender.records.kind import KINDS
from provender.report.attestation import BLOCKING, Footing
from provender.schema import field as told
from provender.schema import read, view, write
from provender.services.farm import verdicts
from provender.services.farm.book import FarmBook
from provender.services.farm.check import resting_on
from provender.services.farm.keys import registered_fingerprint
from provender.services.farm.sown import gap_row, key_in_book
from provender.services.reports import drafts
from provender.standards.standard import Part, Verdict
from provender.verdicts.words import Standing, requirements_of

ROW, ROWS, UPLOAD = "farm_row", "farm_kind", "farm_evidence"
_BLANKS: Final = frozenset(
    {"acres_unexplained", "nothing_counted", "unit_bushels_missing", "unit_acres_missing", "harvest_undated",
     "moisture_unknown", "use_not_shown", "crop_not_named", "national_default_missing", "run_yield_missing",
     "run_farm_ci_missing", "run_day_missing"}
)  # fmt: skip
"""Findings that say what is not there yet; the others say that two records differ."""
_ABOUT: Final = {
    "2100.031(c)(3)(i)": "control",
    "2100.031(c)(3)(v)": "enrolment",
    "2100.031(c)(3)(vi)": "tillage_history",
    "2100.031(c)(3)(vii)": "land_use",
    "acres_unexplained": "reported_acres",
    "bushels_unexplained": "bushel_total",
    "nothing_counted": "bushel_total",
    "count_below_zero": "bushel_total",
    "unit_bushels_missing": "harvest",
    "harvest_undated": "harvest",
    "bushels_not_harvested": "harvest",
    "moisture_unknown": "harvest",
    "use_not_shown": "harvest",
    "crop_not_named": "harvest",
    "acres_beyond_unit": "harvest",
    "unit_acres_missing": "unit",
    "national_default_missing": "national_default",
    "national_default_differs": "national_default",
}
"""Which records a sentence of the attestation, or a finding, is about; a run's where it is not said."""
_CALCULATED: Final = "2100.031(c)(3)(iii)"


class Mark(StrEnum):
    """Why a thing is on the list; contradictions alone are wrong."""

    MISSING = "Missing"
    CONTRADICTED = "Your records say otherwise"
    WAITING = "Waiting for others"


@view
class ChecklistItem:
    """One thing to do before a report can be signed, and where it is done."""

    words: str = told("What to do")
    why: str = told("Why", help="What is missing, or what differs.")
    unit_id: str = told("Management unit", help="Empty for a thing of the whole farm.")
    bushels: int = told("Bushels", help="Whole bushels that wait for it.")
    mark: Mark = told("State")
    cite: str = told("Paragraph")
    page: str = told("Page", help="Where it is done: farm_row (a row), farm_kind (rows), farm_evidence (an upload).")
    kind: str = told("Kind of record", default="")
    row: str = told("Row", help="The row that lacks it; empty for a new one.", default="")
    given: Mapping[str, str] = told("Known of a new row")
    column: str = told("Column", help="What the row lacks; empty where it is about all of it.", default="")


@dataclass(frozen=True)
class SigningChecklist:
    """What is left to do before one report, and how much is done."""

    draft: drafts.ReportDraft  # the report
    signs: bool = True  # whether whoever looks may sign for the farm; what only the producer can do waits for others
    _bushels: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Note how many bushels each unit has."""
        for unit in self.draft.document["units"]:
            amount = parse(str(unit["bushels"] or "0").replace(",", ""), SCALE) or 0
            self._bushels[unit["unit_id"]] = half_even(amount, 10**SCALE)

    def left(self) -> list[ChecklistItem]:
        """Return what is left, what unlocks most bushels first."""
        if self.draft.last is not None and not self.draft.is_news:
            return []
        records = (self._contradicted_claims(), self._records(), self._runs())
        sources = (*records, self._attested(), self._differing(), self._other_items())
        unique: dict[object, ChecklistItem] = {}
        for source in sources:
            for thing in source:
                unique.setdefault((thing.page, thing.kind, thing.row, thing.words, thing.unit_id), thing)
        if not unique:  # a refusal that no source above knows still stands on the list
            for one in self.draft.in_the_way:
                unique[one] = self._item(one.remedy, one.cause, cite=one.cite, page="farm_report")
        return sorted((*unique.values(), *self._key()), key=lambda one: (-one.bushels, one.unit_id))

    def blocks(self) -> bool:
        """Return whether anything left keeps the report from being signed: a claim that is only ticked does not."""
        return bool(self.draft.in_the_way) or any(True for _ in self._key())

    def done(self) -> int:
        """Return how many records that the claimed practices ask for are there."""
        return sum(1 for *_, rule in self._rules() if rule["verdict"] == Verdict.MET)

    @property
    def _codes(self) -> set[str]:
        return {problem.code for problem in self.draft.refused}

    @property
    def _accepted(self) -> tuple[Label, ...]:
        return SIGNABLE[:1] if "example_report" in self._codes else SIGNABLE

    def _item(self, words: str, why: str, unit: str = "", **more: Any) -> ChecklistItem:  # noqa: ANN401 - fields of Thing
        bushels = self._bushels.get(unit, 0) if unit else sum(self._bushels.values())
        return ChecklistItem(**{"words": words, "why": why, "unit_id": unit, "bushels": bushels, "mark": Mark.MISSING,
                        "cite": "2100.031(c)", "page": ROW, "given": {}, **more})  # fmt: skip

    @cached_property
    def _claims(self) -> dict[tuple[str, str], verdicts.Claim]:
        """Return by crop entry and practice what the farm claims."""
        return verdicts.claimed_of(self.draft.farm)

    def _rules(self) -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
        """Yield unit, interval and each requirement of the practices behind its CI: of records, and what is claimed.

        A practice that a run names and the records do not show yet keeps the run from counting at all, so all it asks
        for is on the list.
        """
        for unit in self.draft.document["units"]:
            for interval in unit["intervals"]:
                for practice in interval["practices"]:
                    claim = self._claims.get((interval["harvest_id"], practice["practice"]))
                    wanted = claim is not None and claim.standing == Standing.NOT_SHOWN
                    if wanted or practice["practice"] in unit["used"]:
                        yield from (
                            (unit, interval, one)
                            for one in requirements_of(interval, practice)
                            if wanted or one["part"] == Part.RECORDS
                        )

    def _records(self) -> Iterator[ChecklistItem]:
        for unit, interval, rule in self._rules():
            if rule["verdict"] == Verdict.MET:
                continue
            of = {"unit_id": unit["unit_id"], "harvest_id": interval["harvest_id"]}
            for lack in verdicts.lacks_of([rule]):
                row, given = gap_row(self.draft.farm, of, lack)
                name, label = lack["column_label"] or lack["label"], lack["label"]
                upload = lack["column"] == "evidence" and row
                many = f" ({len(lack['rows'])} rows)" if len(lack["rows"]) > 1 else ""
                yield self._item(
                    f"Upload what shows it: {label}" if upload else f"Add {starting_small(name)}",
                    f"{label}{many}: {lack['says'] or rule['says']}", unit["unit_id"],
                    cite=rule["cite"], page=UPLOAD if upload else ROW, kind=lack["kind"], row=row, given=given,
                    column="" if upload else lack["column"],
                )  # fmt: skip
            if not rule["missing"]:
                yield self._item(
                    rule["remedy"] or "Add the record", rule["says"], unit["unit_id"], cite=rule["cite"], page="farm"
                )

    def _contradicted_claims(self) -> Iterator[ChecklistItem]:
        """Yield the claims of the runs that the records contradict.

        A report rests on no claim that is only ticked: that is told by itself (``farm_steps``), signed or not.
        """
        for unit in self.draft.document["units"]:
            for interval in unit["intervals"]:
                for practice in interval["practices"]:
                    where = (interval["harvest_id"], practice["practice"])
                    if self._claims.get(where) == verdicts.Claim(Standing.CONTRADICTED, named=True):
                        rules = requirements_of(interval, practice)
                        wrong = next(one for one in rules if one["verdict"] == Verdict.NOT_MET)
                        measured = f" {wrong['observed']}; {wrong['limit']}." if wrong["limit"] else ""
                        rested = resting_on([row["words"] for row in wrong["against"]])
                        yield self._item(
                            f"Correct the record, or stop claiming {practice['label'].lower()}",
                            f"{wrong['says']} {rested}{measured}", unit["unit_id"], cite=wrong["cite"],
                            mark=Mark.CONTRADICTED, **self._place_of(*where, wrong["against"]),
                        )  # fmt: skip

    def _place_of(self, entry: str, practice: str, against: Sequence[Mapping[str, str]]) -> dict[str, str]:
        """Return where one corrects what speaks against a claim: the only row, else the page of the crop with all."""
        rows = {(row["kind"], row["row"]) for row in against}
        if len(rows) == 1:
            kind, row = rows.pop()
            return {"page": ROW, "kind": kind, "row": key_in_book(self.draft.farm, KINDS[kind], row)}
        return {"page": "farm_crop", "kind": practice, "row": entry}

    def _runs(self) -> Iterator[ChecklistItem]:
        cite, yielded = "2100.031(c)(2)(i)", False
        for unit in self.draft.document["units"]:
            if unit["conventional"] or (unit["ci_g_per_bu"] and unit["label"] in self._accepted):
                continue
            yielded, runs = True, unit["runs"]
            words = "Enter the run of a final version" if runs else "Enter the calculator's run"
            first = unit["intervals"][0]["harvest_id"] if unit["intervals"] else ""
            yield self._item(
                words, "Of USDA FD-CIC, with its printout.",
                unit["unit_id"], cite=cite, kind="calculator_run", row=runs[0]["run_id"] if len(runs) == 1 else "",
                given={} if runs else {"unit_id": unit["unit_id"], "harvest_id": first},
            )  # fmt: skip
        if not yielded and self._codes & {"not_official", "example_report"}:
            yield self._item("Enter the calculator's runs", "The result is not official.", cite=cite,
                              page=ROWS, kind="calculator_run")  # fmt: skip

    def _attested(self) -> Iterator[ChecklistItem]:
        for sentence in self.draft.document["attestation"]:
            cite, why, footing = sentence["cite"], sentence["why"], sentence["footing"]
            if footing == Footing.CONTRADICTED and cite == _CALCULATED:
                yield from self._calculated(why)
            elif footing == Footing.CONTRADICTED and cite not in _ABOUT:
                yield self._item("Show a practice on some unit", why, cite=cite, page="farm")
            elif footing in (Footing.CONTRADICTED, Footing.UNANSWERED):
                nothing = {"kind": _ABOUT[cite], "row": "", "unit_id": "", "column": ""}
                for about in sentence.get("about", [nothing]):
                    yield self._of_sentence(cite, why, about, is_open=footing == Footing.UNANSWERED)

    def _of_sentence(self, cite: str, why: str, about: Mapping[str, str], *, is_open: bool) -> ChecklistItem:
        """Return what to do about a record that a sentence of the attestation rests on."""
        kind, unit, column = about["kind"], about["unit_id"], about["column"]
        row = key_in_book(self.draft.farm, KINDS[kind], about["row"])
        if is_open and kind == "declaration":
            given = {} if row else {"unit_id": unit, "harvest_id": self._entry_on(unit)}
            words, why = f"Answer: {KINDS[kind].fields[column].label}", "With who answers, and the day."
            return self._item(words, why, unit, cite=cite, kind=kind, row=row, given=given, column=column)
        words = "Answer what the record leaves open" if is_open else "Correct the record or the claim"
        mark = Mark.MISSING if is_open else Mark.CONTRADICTED
        if kind == "producer":
            words, mark = "Name who has operational control", Mark.MISSING
        return self._item(
            words, why, unit, cite=cite, mark=mark, page=ROW if row else ROWS, kind=kind, row=row, column=column
        )

    def _calculated(self, why: str) -> Iterator[ChecklistItem]:
        """Yield what keeps the calculation from being the rule's; the label itself is told by ``_runs``."""
        # Without an average its difference from the printed one says nothing: the runs that it lacks are asked for.
        averaged = self.draft.document["farm_ci_g_per_bu"] is not None
        wrong = [
            one for one in self.draft.document["findings"]
            if (one["code"] in BLOCKING or one["code"].startswith("run_"))
            and (averaged or one["code"] != "farm_ci_differs")
        ]  # fmt: skip
        for one in wrong:
            kind, unit = _ABOUT.get(one["code"], "calculator_run"), one.get("unit_id", "")
            row = key_in_book(self.draft.farm, KINDS[kind], one.get("row", ""))
            if not row and kind == "harvest":
                row = self._entry_on(unit)
            mark = Mark.MISSING if one["code"] in _BLANKS else Mark.CONTRADICTED
            yield self._item(one["remedy"], one["cause"], unit, cite=one["cite"], mark=mark,
                              page=ROW if row else ROWS, kind=kind, row=row)  # fmt: skip
        if averaged and not wrong and "not_official" not in self._codes:
            yield self._item("Enter what the average lacks", why, cite=_CALCULATED, page="farm_intensity")

    def _differing(self) -> Iterator[ChecklistItem]:
        """Yield what no field, calculator or sale can have been."""
        labels = {kind.label: name for name, kind in KINDS.items()}
        for problem in self.draft.document.get("contradictions", ()):
            place = problem["place"]
            kind = labels.get(place["file"], place["file"])
            if kind not in KINDS:
                yield self._item(problem["remedy"], problem["cause"], cite=problem["cite"], mark=Mark.CONTRADICTED,
                                  page="farm_report")  # fmt: skip
                continue
            rows = self.draft.farm.of(KINDS[kind])
            row = list(rows)[place["row"] - 1] if 0 < place["row"] <= len(rows) else ""
            unit = str(rows[row].get("unit_id") or "") if row else ""
            yield self._item(problem["remedy"], problem["cause"], unit, cite=problem["cite"], mark=Mark.CONTRADICTED,
                              page=ROW if row else ROWS, kind=kind, row=row)  # fmt: skip

    def _other_items(self) -> Iterator[ChecklistItem]:
        if "no_total" in self._codes:
            for unit in self.draft.document["units"]:
                if unit["bushels"] is None and unit["intervals"]:
                    row = unit["intervals"][0]["harvest_id"]
                    why = "The whole harvest is not recorded."
                    yield self._item(
                        "Enter the bushels", why, unit["unit_id"], cite="2100.020", kind="harvest", row=row
                    )

    def _key(self) -> Iterator[ChecklistItem]:
        producer = self.draft.document["producer"]["producer_id"]
        if producer and not registered_fingerprint(self.draft.farm, producer):
            why, cite = "The farm producer signs reports and sale slips with it.", "2100.031(c)(3)"
            mine = self._item("Make a signing key", why, cite=cite, page="farm_key")
            yield mine if self.signs else replace(mine, mark=Mark.WAITING)

    def _entry_on(self, unit: str) -> str:
        """Return the crop entry of the report on a unit; empty where it has none."""
        units = (one for one in self.draft.document["units"] if one["unit_id"] == unit)
        return next((interval["harvest_id"] for one in units for interval in one["intervals"]), "")


@view
class ReportView:
    """Where the report of a crop and harvest year stands. Amounts are decimal text; null is not known.

    A report that says something new waits for things to be done, or, once nothing keeps it back, for its signature; an
    amendment of a signed one does as well. What is signed as the records stand waits for nothing.
    """

    crop: str = told("Crop")
    harvest_year: int = told("Harvest year")
    state: drafts.ReportState = told("State")
    total_bushels: str | None = told("Bushels", help="As the next version would say.")
    farm_ci_g_per_bu: str | None = told("Farm CI", unit="g CO2e/bu", help="As the next version would say.")
    producer_id: str = told("Producer who signs")
    signed_versions: int = told("Signed versions")
    is_news: bool = told("Says something new", help="Something else than the version in force.")
    blocked_by: int = told("Things that block it", help="Beside naming the text, where that must be named.")
    things: int = told("Things to do", help="How many stand on its list.")
    blocked: bool = told("Blocked by its list", help="Whether one of them keeps it from being signed.")
    official: Mapping[str, bool] = told("Official", help=drafts.FLAGS_HELP)
    rule_state: str = told("State of the rule", help="Empty where the text is shown to be the rule in force.")
    reopened_by: str = told("Out of date since", help="The rows that made the version in force so; empty for none.")

    @property
    def key(self) -> tuple[str, int]:
        return self.crop, self.harvest_year

    @property
    def name(self) -> str:
        """Return crop and year, as inside a sentence."""
        return name_of(self.crop, self.harvest_year)

    @property
    def words(self) -> str:
        if self.blocked:
            return in_the_way([self])
        of = f"An amendment of the report on {self.name}" if self.signed_versions else f"The report on {self.name}"
        return f"{of} waits for its signature."


def standings_of(farm: FarmBook) -> list[ReportView]:
    """Return where every report of the book stands, in its order: decided here once for every page and message."""
    signed = ReportVersion.objects.filter(book=farm.book).count()
    what = f"{verdicts.THINGS} {verdicts.day_that_counts(farm)} {signed}"
    kept = verdicts.cached_result(
        farm,
        what,
        lambda _: [
            write(_report_view(drafts.draft_at_hand(farm, *key)), whole=True) for key in drafts.harvests_of(farm)
        ],
    )
    return [read(ReportView, one) for one in kept]


def _report_view(draft: drafts.ReportDraft) -> ReportView:
    found, said = SigningChecklist(draft), draft.document
    things = len(found.left())
    return ReportView(
        crop=draft.crop, harvest_year=draft.harvest_year, state=draft.standing, total_bushels=said["total_bushels"],
        farm_ci_g_per_bu=said["farm_ci_g_per_bu"], producer_id=said["producer"]["producer_id"],
        signed_versions=len(draft.versions), is_news=draft.is_news, blocked_by=len(draft.in_the_way), things=things,
        blocked=things > 0 and found.blocks(), official=said["official"], rule_state=said["rule"]["state"],
        reopened_by=drafts.in_a_sentence(draft.reopened_by) if draft.versions and draft.is_news else "",
    )  # fmt: skip


def left_of(farm: FarmBook) -> list[ReportView]:
    """Return the reports that are not signed as the records stand, in the order of the book."""
    return [one for one in standings_of(farm) if one.is_news]


def name_of(crop: str, harvest_year: int) -> str:
    """Return crop and year of a report, as inside a sentence."""
    return f"{drafts.crop_label(crop).lower()} {harvest_year}"


def in_the_way(left: Sequence[ReportView]) -> str:
    """Say in one sentence how many things stand before the signatures of reports, which it names."""
    number, names = sum(one.things for one in left), [one.name for one in left]
    if number == 1:
        return f"1 thing stands before the signature of {names[0]}."
    if len(names) == 1:
        return f"{number} things stand before the signature of {names[0]}."
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{number} things stand before the signatures of {listed}."
