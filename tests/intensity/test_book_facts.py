"""From a record book to the facts that quantification reads."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from provender.intensity import harvests
from provender.intensity.average import bushels_complete
from provender.intensity.calculator import Combination, Tillage
from provender.intensity.harvests import BushelCount, UnitHarvest, at_basis_moisture
from provender.intensity.quantify import FarmFacts, farm_facts
from provender.records.book import HeldFiles, RecordBook
from provender.records.kind import KINDS
from provender.rule.calculators import CalculatorStatus as Status
from provender.rule.crops import Crop
from provender.rule.law import rule_version
from provender.signing.canonical import sha256_hex
from provender.verdicts.assess import assess
from tests.rows import CaseRows

CASES = CaseRows(__file__)
CORN = Crop.field_corn

Rows = Sequence[Mapping[str, Any]]


def book(**kinds: Rows) -> RecordBook:
    records = {
        name: [KINDS[name].row_of({"farm_id": "bluestem", **row}) for row in rows] for name, rows in kinds.items()
    }
    return RecordBook.of(records, files=HeldFiles({("bluestem", "bins.txt"): lambda: b"bins"}))


def harvest(entry: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any column of the record
    row: dict[str, Any] = {"harvest_id": entry, "unit_id": entry[:3], "crop": "corn", "use": "grain"}
    row |= {"ending": "harvested", "moisture_pct": 15_500}
    return row | {"first_day": date(2025, 10, 1), "last_day": date(2025, 10, 3), "bushels": 1_000_000} | more


UNITS = [{"unit_id": "n40", "acres": 40_000, "county_fips": "17019"}, {"unit_id": "s40", "acres": 39_000}]


def facts(**kinds: Rows) -> FarmFacts:
    return farm_facts(assess(book(unit=UNITS, **kinds)), "bluestem", CORN, 2025)


def test_every_harvest_of_crop_and_year_counts_with_its_acres_and_no_other() -> None:
    found = facts(harvest=[harvest("n40-a"), harvest("s40-a", harvested_acres=38_500, bushels=None)])
    assert found.harvests == (UnitHarvest("n40", CORN, 40_000, 1_000_000), UnitHarvest("s40", CORN, 38_500, None))
    found = farm_facts(assess(book()), "bluestem", CORN, 2025)
    assert (found.harvests, found.runs, found.counts, found.findings) == ((), (), (), ())
    found = facts(
        harvest=[
            harvest("n40-a", crop="seed_corn"),
            harvest("n40-b", last_day=date(2024, 12, 31)),
            harvest("n40-c", use="forage", harvested_acres=1_000),
            harvest("n40-d", ending="terminated"),
            harvest("n40-e", farm_id="basswood"),
            harvest("n40-f", use=None),
        ]
    )
    assert [one.unit for one in found.harvests] == ["n40"]


@pytest.mark.parametrize(
    ("days", "count"),
    [
        ([(date(2025, 12, 30), date(2026, 1, 2))], 1),
        ([(date(2024, 12, 30), date(2025, 1, 2))], 0),
        ([(date(2025, 12, 30), date(2025, 12, 31)), (date(2026, 1, 5), date(2026, 1, 6))], 2),
        ([(date(2025, 12, 30), date(2025, 12, 31)), (date(2026, 6, 28), date(2026, 6, 28))], 2),
        ([(date(2025, 12, 30), date(2025, 12, 31)), (date(2026, 6, 29), date(2026, 6, 29))], 1),
        ([(date(2026, 1, 5), date(2026, 1, 6))], 0),
        # The next crop, whose planting nobody recorded, is another harvest and takes no bushels out of this one.
        ([(date(2025, 12, 28), date(2026, 1, 6)), (date(2026, 11, 1), date(2026, 11, 2))], 1),
        ([(date(2025, 12, 30),) * 2, (date(2026, 1, 5),) * 2, (date(2026, 11, 1),) * 2], 2),
        ([(date(2025, 12, 1),) * 2, (date(2026, 1, 15),) * 2, (date(2026, 6, 20),) * 2], 2),
        ([(date(2025, 7, 1),) * 2, (date(2025, 12, 20),) * 2, (date(2026, 1, 5),) * 2], 3),
    ],
)
def test_a_harvest_over_new_year_is_of_the_year_it_began(days: list[tuple[date, date]], count: int) -> None:
    rows = [harvest(f"n40-{at}", first_day=first, last_day=last) for at, (first, last) in enumerate(days)]
    assert sum(one.bushels or 0 for one in facts(harvest=rows).harvests) == count * 1_000_000


RUN = {
    "run_id": "r1", "unit_id": "n40", "harvest_id": "n40-a", "calculator": "USDA FD-CIC", "version": "1.0",
    "status": "beta", "county_fips": "17019", "crop": "corn", "acres": 40_000, "yield_bu_per_ac": 25_000,
    "tillage": "no_till", "cover_crop": True, "n_timing": "as_usual", "inhibitor": False, "ci_g_per_bu": 512_340,
    "evidence": "E1",
}  # fmt: skip


def test_a_run_is_read_with_everything_its_printout_shows_and_one_for_another_harvest_is_not_of_this_year() -> None:
    (found,) = facts(harvest=[harvest("n40-a")], calculator_run=[RUN]).runs
    assert (found.unit, found.harvest_year, found.status, found.evidence) == ("n40", 2025, Status.BETA, "E1")
    assert found.combination == Combination(Tillage.no_till, cover_crop=True)
    assert (found.acres, found.yield_bu_per_ac, found.bushels, found.ci_g_per_bu) == (40_000, 25_000, None, 512_340)
    silent = RUN | {"crop": None, "tillage": None, "n_timing": None}
    (found,) = facts(harvest=[harvest("n40-a")], calculator_run=[silent]).runs
    assert (found.crop, found.combination) == (CORN, None)
    old = harvest("n40-a", first_day=date(2024, 10, 1), last_day=date(2024, 10, 1))
    assert facts(harvest=[old], calculator_run=[RUN]).runs == ()


PAPER = [{"evidence_id": "E1", "file": "bins.txt", "what": "form", "sha256": sha256_hex(b"bins")}]


def test_defaults_and_reported_acres_keep_their_source() -> None:
    found = facts(
        national_default=[{"crop": "corn", "calculator": "c", "version": "1", "ci_g_per_bu": 7, "source": "page 3"}],
        reported_acres=[
            {"report_id": "a", "crop": "corn", "harvest_year": 2025, "acres": 79_000, "source": "FSA-578",
             "evidence": "E1"},
            {"report_id": "b", "crop": "corn", "harvest_year": 2024, "acres": 1, "source": "FSA-578"},
        ],
        evidence=PAPER,
    )  # fmt: skip
    assert [(one["source"], one["ci_g_per_bu"]) for one in found.defaults] == [("page 3", 7)]
    assert [(one.source, one.acres) for one in found.reports] == [("FSA-578", 79_000)]


def test_counted_bushels_hold_no_grain_twice_and_closing_stock_adds_to_them() -> None:
    def total(what: str, bushels: int) -> dict[str, Any]:
        row = {"total_id": what, "crop": "corn", "harvest_year": 2025, "what": what, "bushels": bushels}
        return row | {"evidence": "E1"}

    rows = [total("scale_tickets", 800), total("settlements", 805), total("fed", 150), total("on_hand", 50)]
    found = facts(harvest=[harvest("n40-a", bushels=1_000)], bushel_total=rows, evidence=PAPER)
    assert sum(count.bushels for count in found.counts) == 1_000
    assert bushels_complete(found.harvests, found.counts, CORN) == []
    assert facts(bushel_total=rows[1:2], evidence=PAPER).counts == (BushelCount(CORN, 805, "settlements"),)
    unproven = facts(harvest=[harvest("n40-a", bushels=1_000)], bushel_total=rows)
    assert unproven.counts == ()
    assert [one.code for one in unproven.findings] == ["count_without_evidence"] * 4


def codes(found: FarmFacts) -> list[str]:
    return [one.code for one in found.findings]


TICKETS = {
    "total_id": "t",
    "crop": "corn",
    "harvest_year": 2025,
    "what": "scale_tickets",
    "bushels": 1,
    "evidence": "E1",
}


@pytest.mark.parametrize("use", ["grain", "seed", "other", None, "high_moisture"])
def test_every_use_but_silage_and_forage_is_in_the_average_as_the_dry_grain_of_its_dry_matter(use: str | None) -> None:
    for moisture, bushels, told in (
        (15_499, 1_000_000, []),
        (15_500, 1_000_000, []),
        (15_501, 999_988, ["bushels_converted"]),
        (28_000, 852_071, ["bushels_converted"]),  # 1,000 x 72 / 84.5 = 852.0710...
        (None, 1_000_000, ["moisture_unknown"]),
    ):
        found = facts(harvest=[harvest("n40-a", use=use, moisture_pct=moisture)])
        assert ([one.bushels for one in found.harvests], codes(found)) == ([bushels], told), moisture
    assert at_basis_moisture(1_000_000, 15_499, 15_500) == 1_000_000


def test_bushels_of_moisture_and_of_a_load_are_dried_once_and_both_numbers_shown() -> None:
    (told,) = facts(harvest=[harvest("n40-a", bushels=7_300_000, moisture_pct=25_000)]).findings
    assert (told.claimed, told.expected) == ("7,300 bu at 25 %", "6,479.289 bu at 15.5 %")
    assert told.effect_bushels == 820_711
    law, wet = rule_version(date(2025, 10, 2)), LOAD | {"moisture_pct": 20_000}
    assert harvests.bushels_of_load(wet, law) == at_basis_moisture(1_000_000, 20_000, 15_500)
    assert harvests.bushels_of_load(wet | {"net_bushels": 930_000}, law) == 930_000
    assert harvests.bushels_of_load(wet | {"net_lb": None}, law) == 1_000_000


@pytest.mark.parametrize(
    ("what", "evidence", "use", "asked"),
    [
        ("scale_tickets", "E1", "grain", False), ("settlements", "E1", "grain", False),
        ("bin_measurement", "E1", "grain", True), ("scale_tickets", None, "grain", True),
        ("scale_tickets", "E1", "high_moisture", True),
    ],
)  # fmt: skip
def test_bushels_are_dry_where_tickets_say_so(what: str, evidence: str | None, use: str, *, asked: bool) -> None:
    total = [TICKETS | {"what": what, "evidence": evidence}]
    wet = harvest("n40-a", use=use, moisture_pct=None)
    found = facts(harvest=[wet], bushel_total=total, evidence=PAPER)
    assert ("moisture_unknown" in codes(found)) is asked


@pytest.mark.parametrize("use", ["silage", "forage"])
@CASES
def test_silage_and_forage_leave_the_average_with_a_measure_and_a_paper_alone(
    use: str, cells: dict[str, Any], explained: tuple[str, str, int] | None, *, shown: bool
) -> None:
    kinds: dict[str, Rows] = {}
    if explained is not None:
        kind, column, amount = explained
        row = {"total_id": "t", "report_id": "a", "crop": "corn", "harvest_year": 2025, "what": "silage"}
        row |= {"evidence": "E1", column: amount}
        kinds[kind] = [{name: row[name] for name in KINDS[kind].typed_fields if name in row}]
    found = facts(harvest=[harvest("n40-a", use=use) | cells], evidence=PAPER, **kinds)
    assert found.harvests == ()
    assert f"{use}_left_out" in codes(found)
    assert ("use_not_shown" in codes(found)) is not shown


def test_grain_and_acres_do_not_leave_by_a_word_or_a_blank() -> None:
    for row, code in (
        (harvest("s40-a", first_day=None, last_day=None), "harvest_undated"),
        (harvest("s40-a", ending="terminated"), "bushels_not_harvested"),
        (harvest("s40-a", ending="not_yet", first_day=None, last_day=None), "bushels_not_harvested"),
        (harvest("s40-a", crop="other"), "crop_not_named"),
        (harvest("s40-a", crop="other", first_day=None, last_day=None), "crop_not_named"),
    ):
        found = facts(harvest=[harvest("n40-a"), row])
        assert ([one.unit for one in found.harvests], codes(found)) == (["n40"], [code])
    honest = (
        harvest("s40-a", ending="terminated", bushels=None), harvest("s40-a", ending="prevented", bushels=0),
        harvest("s40-a", crop="other", evidence="E1"), harvest("s40-a", crop="other", last_day=date(2024, 7, 1)),
        harvest("s40-a", crop="seed_corn"),
    )  # fmt: skip
    for row in honest:
        assert codes(facts(harvest=[harvest("n40-a"), row], evidence=PAPER)) == []
    report = {"report_id": "a", "crop": "corn", "harvest_year": 2025, "acres": 40_000, "evidence": "E1"}
    nameless = [harvest("n40-a"), harvest("s40-a", crop="other")]
    assert codes(facts(harvest=nameless, reported_acres=[report], evidence=PAPER)) == []


@pytest.mark.parametrize("change", [{"crop": "seed_corn"}, {"use": "silage"}, {"last_day": None, "first_day": None}])
def test_a_run_of_the_crop_names_a_harvest_that_is_in_the_average(change: dict[str, Any]) -> None:
    assert codes(facts(harvest=[harvest("n40-a")], calculator_run=[RUN])) == []
    assert "run_without_harvest" in codes(facts(harvest=[harvest("n40-a") | change], calculator_run=[RUN]))


@CASES
def test_harvested_acres_are_held_against_the_unit(cut: list[int | None], acres: int | None, told: list[str]) -> None:
    rows = [harvest(f"n40-{at}", harvested_acres=one) for at, one in enumerate(cut)]
    found = farm_facts(assess(book(unit=[UNITS[0] | {"acres": acres}], harvest=rows)), "bluestem", CORN, 2025)
    assert codes(found) == told


def test_acres_of_a_use_and_papers_of_a_kind_that_nobody_names_count_nothing() -> None:
    report = {"report_id": "a", "crop": "corn", "harvest_year": 2025, "acres": 8_000, "evidence": "E1"}
    for what, counts in (("abandoned", True), ("other", False)):
        found = facts(harvest=[harvest("n40-a")], reported_acres=[report | {"what": what}], evidence=PAPER)
        assert (len(found.reports), codes(found)) == ((1, []) if counts else (0, ["count_without_evidence"]))
    paper = [PAPER[0] | {"what": "other"}]
    assert codes(facts(harvest=[harvest("n40-a")], bushel_total=[TICKETS], evidence=paper)) == [
        "count_without_evidence"
    ]


@pytest.mark.parametrize(
    ("parameter", "word", "use", "says"),
    [
        ("silage_handling", "converted", "silage", "No record says"),
        ("high_moisture_handling", "left_out", "high_moisture", "is not in the farm's bushels"),
    ],
)
def test_the_rule_version_decides_what_happens_to_silage_and_wet_grain(
    monkeypatch: pytest.MonkeyPatch, parameter: str, word: str, use: str, says: str
) -> None:
    other = replace(rule_version(date(2025, 10, 3)), **{parameter: word})  # type: ignore[arg-type]
    monkeypatch.setattr(harvests, "governing_version", lambda _: other)
    found = facts(harvest=[harvest("n40-a", use=use, moisture_pct=28_000)])
    assert found.harvests == ()
    assert says in found.findings[0].cause


LOAD = {"ticket_id": "T1", "buyer": "Co-op", "day": date(2025, 10, 2), "crop": "corn", "net_lb": 56_000_000,
        "moisture_pct": 15_000, "net_bushels": 1_000_000, "unit_id": "n40", "evidence": "E1"}  # fmt: skip
SALE = {"sale_id": "S1", "crop": "corn", "harvest_year": 2025, "disposition": "sold_with_ci", "bushels": 1_000_000,
        "evidence": "E1"}  # fmt: skip
BINS = {"total_id": "b", "crop": "corn", "harvest_year": 2025, "what": "bin_measurement", "bushels": 400_000,
        "evidence": "E1"}  # fmt: skip
WEIGHED, SOLD_OFF = BushelCount(CORN, 1_000_000, "scale tickets"), BushelCount(CORN, 1_000_000, "settlements")


@pytest.mark.parametrize(
    ("kinds", "counts", "told"),
    [
        ({"scale_ticket": [LOAD]}, [WEIGHED], []),
        ({"scale_ticket": [LOAD | {"harvest_year": 2025, "unit_id": None}]}, [WEIGHED], []),
        ({"scale_ticket": [LOAD | {"day": date(2026, 8, 1)}]}, [WEIGHED], []),
        ({"scale_ticket": [LOAD | {"unit_id": None}]}, [], []),
        ({"scale_ticket": [LOAD | {"harvest_year": 2024}]}, [], []),
        ({"scale_ticket": [LOAD | {"unit_id": "s40"}]}, [], []),
        ({"scale_ticket": [LOAD | {"day": None}]}, [], []),
        ({"scale_ticket": [LOAD | {"evidence": None}]}, [], ["count_without_evidence"]),
        ({"scale_ticket": [LOAD | {"evidence": "E9"}]}, [], ["count_without_evidence"]),
        ({"scale_ticket": [LOAD | {"net_bushels": 600_000}]}, [], ["tickets_differ"]),
        ({"scale_ticket": [LOAD | {"net_bushels": 600_000}], "bushel_total": [BINS]},
         [BushelCount(CORN, 400_000, "bin measurement"), BushelCount(CORN, 600_000, "scale tickets")], []),
        # What was measured in bins and sold over the scale later is no more than it was.
        ({"scale_ticket": [LOAD], "bushel_total": [BINS | {"bushels": 1_000_000}]},
         [BushelCount(CORN, 1_000_000, "bin measurement")], []),
        ({"scale_ticket": [LOAD | {"net_bushels": 4_000}], "bushel_total": [BINS | {"bushels": 1_000_000}]},
         [BushelCount(CORN, 1_000_000, "bin measurement")], []),
        ({"scale_ticket": [LOAD], "bushel_total": [BINS | {"what": "settlements", "bushels": 999_000}]},
         [BushelCount(CORN, 999_000, "settlements")], []),
        ({"sale": [SALE]}, [SOLD_OFF], []),
        ({"sale": [SALE | {"evidence": None}]}, [], []),
        ({"sale": [SALE | {"disposition": "in_storage"}]}, [], []),
        ({"scale_ticket": [LOAD], "sale": [SALE]}, [WEIGHED], []),
    ],
)  # fmt: skip
def test_loads_count_where_no_total_is_said(kinds: dict[str, Rows], counts: list[BushelCount], told: list[str]) -> None:
    found = facts(harvest=[harvest("n40-a")], evidence=PAPER, **kinds)
    assert [replace(one, allowance=0) for one in found.counts] == counts
    assert codes(found) == told
