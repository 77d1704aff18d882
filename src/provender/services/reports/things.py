"""What stands between a farm and the signature of a report: one list over records, evidence, runs and the key.

Each thing names the very row, page or upload where it is done. Whatever keeps a report from being signed is among them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, NamedTuple

from provender.database.models import ReportVersion
from provender.intensity.calculator import SIGNABLE, Label
from provender.plain import field as told
from provender.plain import view
from provender.practices.explain import Standing
from provender.practices.requirement import Part
from provender.practices.to_do import missing_record
from provender.practices.verdict import Verdict
from provender.quantity import SCALE, half_even, parse
from provender.records import KINDS
from provender.records.labels import starting_small
from provender.report.statements import BLOCKING, Footing
from provender.services.farm.against import resting_on
from provender.services.farm.book import FarmBook
from provender.services.farm.gap_rows import gap_row
from provender.services.farm.keys import registered_fingerprint
from provender.services.farm.verdicts import (
    THINGS,
    Claim,
    cached_result,
    claimed_of,
    day_that_counts,
    verdicts_of,
)
from provender.services.reports.drafts import ReportDraft, draft_at_hand, harvests_of

ROW, ROWS, UPLOAD = "farm_row", "farm_kind", "farm_evidence"
BLANKS: Final = frozenset({"acres_unexplained", "nothing_counted", "unit_bushels_missing", "run_evidence_missing"})
"""Findings that say what is not there yet; the others say that two records differ."""
ABOUT: Final = {
    "2100.031(c)(3)(i)": "control",
    "2100.031(c)(3)(v)": "enrolment",
    "2100.031(c)(3)(vi)": "tillage_history",
    "2100.031(c)(3)(vii)": "land_use",
    "acres_unexplained": "reported_acres",
    "bushels_unexplained": "bushel_total",
    "nothing_counted": "bushel_total",
    "count_below_zero": "bushel_total",
    "unit_bushels_missing": "harvest",
    "national_default_differs": "national_default",
}
"""Which records a sentence of the attestation, or a finding, is about; a run's where it is not said."""
CALCULATED: Final = "2100.031(c)(3)(iii)"


class Mark(StrEnum):
    """Why a thing is on the list; contradictions alone are wrong."""

    MISSING = "Missing"
    CONTRADICTED = "Your records say otherwise"
    WAITING = "Waiting for others"


@view
class Thing:
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
class Things:
    """What is left to do before one report, and how much is done.

    Attributes:
        draft: the report.
        signs: whether whoever looks may sign for the farm; what only the producer can do waits for others.
    """

    draft: ReportDraft
    signs: bool = True
    _bushels: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Note how many bushels each unit has."""
        for unit in self.draft.document["units"]:
            amount = parse(str(unit["bushels"] or "0").replace(",", ""), SCALE) or 0
            self._bushels[unit["unit_id"]] = half_even(amount, 10**SCALE)

    def left(self) -> list[Thing]:
        """Return what is left, what unlocks most bushels first."""
        if self.draft.last is not None and not self.draft.is_news:
            return []
        records = (self._against(), self._records(), self._runs())
        sources = (*records, self._attested(), self._differing(), self._rest())
        unique: dict[object, Thing] = {}
        for source in sources:
            for thing in source:
                unique.setdefault((thing.page, thing.kind, thing.row, thing.words, thing.unit_id), thing)
        if not unique:  # a refusal that no source above knows still stands on the list
            for one in self.draft.in_the_way:
                unique[one] = self._thing(one.remedy, one.cause, cite=one.cite, page="farm_report")
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

    def _thing(self, words: str, why: str, unit: str = "", **more: Any) -> Thing:  # noqa: ANN401 - fields of Thing
        bushels = self._bushels.get(unit, 0) if unit else sum(self._bushels.values())
        return Thing(**{"words": words, "why": why, "unit_id": unit, "bushels": bushels, "mark": Mark.MISSING,
                        "cite": "2100.031(c)", "page": ROW, "given": {}, **more})  # fmt: skip

    @cached_property
    def _claims(self) -> dict[tuple[str, str], Claim]:
        """Return by crop entry and practice what the farm claims."""
        return claimed_of(self.draft.farm)

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
                            for one in practice["requirements"]
                            if wanted or one["part"] == Part.RECORDS
                        )

    def _records(self) -> Iterator[Thing]:
        for unit, interval, rule in self._rules():
            if rule["verdict"] == Verdict.MET:
                continue
            of = {"unit_id": unit["unit_id"], "harvest_id": interval["harvest_id"]}
            for text in rule["missing"]:
                record = missing_record(text)
                row, given = gap_row(self.draft.farm, of, record)
                name = record["label"] or record["kind_label"]
                upload = record["column"] == "evidence" and row
                yield self._thing(
                    f"Upload what shows it: {record['kind_label']}" if upload else f"Add {starting_small(name)}",
                    f"{record['kind_label']}: {record['said'].strip('()') or rule['says']}", unit["unit_id"],
                    cite=rule["cite"], page=UPLOAD if upload else ROW, kind=record["kind"], row=row, given=given,
                    column="" if upload else record["column"],
                )  # fmt: skip
            if not rule["missing"]:
                yield self._thing(
                    rule["remedy"] or "Add the record", rule["says"], unit["unit_id"], cite=rule["cite"], page="farm"
                )

    def _against(self) -> Iterator[Thing]:
        """Yield the claims of the runs that the records contradict.

        A report rests on no claim that is only ticked: that is told by itself (``farm_steps``), signed or not.
        """
        for unit in self.draft.document["units"]:
            for interval in unit["intervals"]:
                for practice in interval["practices"]:
                    where = (interval["harvest_id"], practice["practice"])
                    if self._claims.get(where) == Claim(Standing.CONTRADICTED, named=True):
                        wrong = next(one for one in practice["requirements"] if one["verdict"] == Verdict.NOT_MET)
                        measured = f" {wrong['observed']}; {wrong['limit']}." if wrong["limit"] else ""
                        named, place = self._rows_of(*where, wrong["says"])
                        yield self._thing(
                            f"Correct the record, or stop claiming {practice['label'].lower()}",
                            f"{wrong['says']}{named}{measured}", unit["unit_id"], cite=wrong["cite"],
                            mark=Mark.CONTRADICTED, **place,
                        )  # fmt: skip

    def _rows_of(self, entry: str, practice: str, says: str) -> tuple[str, dict[str, str]]:
        """Return the rows that speak against a requirement in a sentence, and where one corrects them.

        A single one is opened itself; the page of the crop links to each of several.
        """
        crop = next(one for one in verdicts_of(self.draft.farm)["intervals"] if one["harvest_id"] == entry)
        every = next(one for one in crop["practices"] if one["name"] == practice)["rows_against"]
        rows = [row for row in every if row["says"] == says]
        named = f" {resting_on([row['words'] for row in rows])}".rstrip()
        if len(rows) == 1:
            return named, {"page": ROW, "kind": rows[0]["kind"], "row": rows[0]["row"]}
        return named, {"page": "farm_crop", "kind": practice, "row": entry}

    def _runs(self) -> Iterator[Thing]:
        cite, yielded = "2100.031(c)(2)(i)", False
        for unit in self.draft.document["units"]:
            if unit["conventional"] or (unit["ci_g_per_bu"] and unit["label"] in self._accepted):
                continue
            yielded, runs = True, unit["runs"]
            words = "Enter the run of a final version" if runs else "Enter the calculator's run"
            first = unit["intervals"][0]["harvest_id"] if unit["intervals"] else ""
            yield self._thing(
                words, "Of USDA FD-CIC, with its printout.",
                unit["unit_id"], cite=cite, kind="calculator_run", row=runs[0]["run_id"] if len(runs) == 1 else "",
                given={} if runs else {"unit_id": unit["unit_id"], "harvest_id": first},
            )  # fmt: skip
        if not yielded and self._codes & {"not_official", "example_report"}:
            yield self._thing("Enter the calculator's runs", "The result is not official.", cite=cite,
                              page=ROWS, kind="calculator_run")  # fmt: skip

    def _attested(self) -> Iterator[Thing]:
        for sentence in self.draft.document["attestation"]:
            cite, why = sentence["cite"], sentence["why"]
            if sentence["footing"] == Footing.UNANSWERED:
                yield from self._unanswered(cite, why)
            if sentence["footing"] != Footing.CONTRADICTED:
                continue
            if cite == CALCULATED:
                yield from self._calculated(why)
            elif cite in ABOUT:
                kind = "producer" if why.startswith("The producer records") else ABOUT[cite]
                row, unit = self._row_said(kind, why)
                mark = Mark.MISSING if kind == "producer" else Mark.CONTRADICTED
                words = "Name who has operational control" if kind == "producer" else "Correct the record or the claim"
                yield self._thing(words, why, unit, cite=cite, mark=mark, page=ROW if row else ROWS, kind=kind, row=row)
            else:
                yield self._thing("Show a practice on some unit", why, cite=cite, page="farm")

    def _unanswered(self, cite: str, why: str) -> Iterator[Thing]:
        """Yield what a sentence of the attestation needs an answer to: in each season's declaration, or its record."""
        asked = next((one for one in KINDS["declaration"].fields.values() if repr(one.label) in why), None)
        if asked is None:
            kind = ABOUT.get(cite, "enrolment")
            row, unit = self._row_said(kind, why)
            yield self._thing("Answer what the record leaves open", why, unit, cite=cite,
                              page=ROW if row else ROWS, kind=kind, row=row)  # fmt: skip
            return
        named = {word.strip(".,:;()") for word in why.split()}
        answered = self.draft.farm.of(KINDS["declaration"])
        for unit in self.draft.document["units"]:
            if unit["unit_id"] in named and unit["intervals"]:
                harvest = unit["intervals"][0]["harvest_id"]
                row = next((key for key, one in answered.items() if one.get("harvest_id") == harvest), "")
                given = {} if row else {"unit_id": unit["unit_id"], "harvest_id": harvest}
                yield self._thing(f"Answer: {asked.label}", "With who answers, and the day.", unit["unit_id"],
                                  cite=cite, kind="declaration", row=row, given=given)  # fmt: skip

    def _calculated(self, why: str) -> Iterator[Thing]:
        """Yield what keeps the calculation from being the rule's; the label itself is told by ``_runs``."""
        # Without an average its difference from the printed one says nothing: the runs that it lacks are asked for.
        averaged = self.draft.document["farm_ci_g_per_bu"] is not None
        wrong = [
            one for one in self.draft.document["findings"]
            if (one["code"] in BLOCKING or one["code"].startswith("run_"))
            and (averaged or one["code"] != "farm_ci_differs")
        ]  # fmt: skip
        for one in wrong:
            kind = ABOUT.get(one["code"], "calculator_run")
            row, unit = self._row_said(kind, f"{one['subject']} {one['cause']}")
            mark = Mark.MISSING if one["code"] in BLANKS else Mark.CONTRADICTED
            yield self._thing(one["remedy"], one["cause"], unit, cite=one["cite"], mark=mark,
                              page=ROW if row else ROWS, kind=kind, row=row)  # fmt: skip
        if averaged and not wrong and "not_official" not in self._codes:
            yield self._thing("Enter what the average lacks", why, cite=CALCULATED, page="farm_intensity")

    def _differing(self) -> Iterator[Thing]:
        """Yield what no field, calculator or sale can have been."""
        labels = {kind.label: name for name, kind in KINDS.items()}
        for problem in self.draft.document.get("contradictions", ()):
            place = problem["place"]
            kind = labels.get(place["file"], place["file"])
            if kind not in KINDS:
                yield self._thing(problem["remedy"], problem["cause"], cite=problem["cite"], mark=Mark.CONTRADICTED,
                                  page="farm_report")  # fmt: skip
                continue
            keys = list(self.draft.farm.of(KINDS[kind]))
            row, unit = self._row_said(kind, problem["cause"])
            if 0 < place["row"] <= len(keys):
                row = keys[place["row"] - 1]
            yield self._thing(problem["remedy"], problem["cause"], unit, cite=problem["cite"], mark=Mark.CONTRADICTED,
                              page=ROW if row else ROWS, kind=kind, row=row)  # fmt: skip

    def _rest(self) -> Iterator[Thing]:
        if "no_total" in self._codes:
            for unit in self.draft.document["units"]:
                if unit["bushels"] is None and unit["intervals"]:
                    row = unit["intervals"][0]["harvest_id"]
                    why = "The whole harvest is not recorded."
                    yield self._thing(
                        "Enter the bushels", why, unit["unit_id"], cite="2100.020", kind="harvest", row=row
                    )

    def _key(self) -> Iterator[Thing]:
        producer = self.draft.document["producer"]["producer_id"]
        if producer and not registered_fingerprint(self.draft.farm, producer):
            why, cite = "The farm producer signs reports and sale slips with it.", "2100.031(c)(3)"
            mine = self._thing("Make a signing key", why, cite=cite, page="farm_key")
            yield mine if self.signs else replace(mine, mark=Mark.WAITING)

    def _row_said(self, kind: str, text: str) -> tuple[str, str]:
        """Return the one row of a kind that a sentence names by its unit, crop entry or key, and the unit."""
        words = {word.strip(".,:;()") for word in text.split()}
        unit = next((one for one in self._bushels if one in words), "")
        rows = self.draft.farm.of(KINDS[kind])
        by_key = [key for key in rows if key in words]
        by_unit = [key for key, row in rows.items() if unit and unit in (row.get("unit_id"), row.get("held"))]
        dated = [key for key in by_unit if words & {str(rows[key].get(name)) for name in ("year", "harvest_year")}]
        chosen = next((rows for rows in (by_key, dated, by_unit) if len(rows) == 1), [""])
        return chosen[0], unit


class Waiting(NamedTuple):
    """How many things stand on the list of a report, and whether one of them keeps it from being signed."""

    things: int
    blocked: bool


def waiting_of(farm: FarmBook) -> dict[tuple[str, int], Waiting]:
    """Return what each report of the book waits for, by crop and harvest year."""
    signed = ReportVersion.objects.filter(book=farm.book).count()
    found = cached_result(
        farm,
        f"{THINGS} {day_that_counts(farm)} {signed}",
        lambda _: [[crop, year, *_waiting(farm, crop, year)] for crop, year in harvests_of(farm)],
    )
    return {(crop, year): Waiting(*of) for crop, year, *of in found}


def _waiting(farm: FarmBook, crop: str, year: int) -> Waiting:
    found = Things(draft_at_hand(farm, crop, year))
    things = len(found.left())
    return Waiting(things, things > 0 and found.blocks())
