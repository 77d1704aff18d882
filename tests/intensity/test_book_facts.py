"""From a record book to the facts that quantification reads."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl
import pytest

from provender.intensity import quantify
from provender.intensity.calculator import Combination, Tillage
from provender.intensity.completeness import BushelCount, UnitHarvest, bushels_complete
from provender.intensity.quantify import FarmFacts, at_basis_moisture, farm_facts
from provender.records.book import HeldFiles, RecordBook
from provender.records.kind import KINDS
from provender.rule.calculators import CalculatorStatus as Status
from provender.rule.crops import Crop
from provender.rule.law import rule_version
from provender.signing.canonical import sha256_hex
from provender.standards.assess import assess

CORN = Crop.field_corn

Rows = Sequence[Mapping[str, Any]]


def book(**kinds: Rows) -> RecordBook:
    frames = {}
    for name, rows in kinds.items():
        schema = KINDS[name].empty().schema
        full = [dict.fromkeys(schema) | {"farm_id": "bluestem"} | dict(row) for row in rows]
        frames[name] = pl.DataFrame(full, schema=schema)
    files = HeldFiles({("bluestem", "bins.txt"): lambda: b"bins"})
    return RecordBook.from_frames(frames, files=files)


def harvest(entry: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any column of the record
    row = {"harvest_id": entry, "unit_id": entry[:3], "crop": "corn", "use": "grain", "ending": "harvested"}
    return row | {"first_day": date(2025, 10, 1), "last_day": date(2025, 10, 3), "bushels": 1_000_000} | more


UNITS = [{"unit_id": "n40", "acres": 40_000, "county_fips": "17019"}, {"unit_id": "s40", "acres": 39_000}]


def facts(**kinds: Rows) -> FarmFacts:
    return farm_facts(assess(book(unit=UNITS, **kinds)), "bluestem", CORN, 2025)


def test_every_harvest_of_the_crop_and_year_counts_with_harvested_acres_or_the_units() -> None:
    found = facts(harvest=[harvest("n40-a"), harvest("s40-a", harvested_acres=38_500, bushels=None)])
    assert found.harvests == (UnitHarvest("n40", CORN, 40_000, 1_000_000), UnitHarvest("s40", CORN, 38_500, None))


def test_other_crops_years_uses_endings_and_farms_do_not_count() -> None:
    found = facts(
        harvest=[
            harvest("n40-a", crop="seed_corn"),
            harvest("n40-b", last_day=date(2024, 12, 31)),
            harvest("n40-c", use="forage"),
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
def test_a_harvest_that_runs_over_new_year_belongs_to_the_year_in_which_it_began(
    days: list[tuple[date, date]], count: int
) -> None:
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
    assert [(one.source, one.ci_g_per_bu) for one in found.defaults] == [("page 3", 7)]
    assert [(one.source, one.acres) for one in found.reports] == [("FSA-578", 79_000)]


def test_counted_bushels_hold_no_grain_twice_and_closing_stock_adds_to_them() -> None:
    def total(what: str, bushels: int) -> dict[str, Any]:
        row = {"total_id": what, "crop": "corn", "harvest_year": 2025, "what": what, "bushels": bushels}
        return row | {"evidence": "E1"}

    rows = [total("scale_tickets", 800), total("settlements", 805), total("fed", 150), total("on_hand", 50)]
    found = facts(harvest=[harvest("n40-a", bushels=1_000)], bushel_total=rows, evidence=PAPER)
    assert sum(count.bushels for count in found.counts) == 1_000
    assert bushels_complete(found.harvests, found.counts, CORN).findings == ()
    assert facts(bushel_total=rows[1:2], evidence=PAPER).counts == (BushelCount(CORN, 805, "settlements"),)
    unproven = facts(harvest=[harvest("n40-a", bushels=1_000)], bushel_total=rows)
    assert unproven.counts == ()
    assert [one.code for one in unproven.findings] == ["count_without_evidence"] * 4


def test_high_moisture_corn_counts_as_the_dry_corn_of_the_same_dry_matter_rounded_down() -> None:
    wet = harvest("n40-a", use="high_moisture", moisture_pct=28_000, bushels=1_000_000)
    found = facts(harvest=[wet])
    assert [one.bushels for one in found.harvests] == [852_071]  # 1,000 x 72 / 84.5 = 852.0710...
    assert found.findings == ()
    assert at_basis_moisture(1_000_000, 15_500, 15_500) == 1_000_000
    assert at_basis_moisture(1_000_000, 15_501, 15_500) == 999_988
    assert at_basis_moisture(1_000_000, 15_499, 15_500) == 1_000_000


@pytest.mark.parametrize(
    ("rows", "bushels", "findings"),
    [
        ([harvest("n40-a", use="high_moisture"), harvest("s40-a")], [1_000_000],
         [("high_moisture_left_out", 1_000_000, "moisture is not recorded")]),
        ([harvest("n40-a", use="high_moisture", bushels=None)], [None], []),
        ([harvest("n40-a", use="silage", harvested_acres=12_000, bushels=None)], [],
         [("silage_left_out", None, "12 acres")]),
        ([harvest("s40-a", use="silage", bushels=300_000)], [], [("silage_left_out", 300_000, "300 bu")]),
        ([harvest("n40-a", first_day=None, last_day=None)], [], [("harvest_undated", 1_000_000, "")]),
    ],
    ids=["wet corn of no moisture", "wet corn of no bushels", "silage by acres", "silage by bushels", "without a date"],
)  # fmt: skip
def test_what_cannot_count_is_left_out_with_a_reason(
    rows: list[dict[str, Any]], bushels: list[int | None], findings: list[tuple[str, int | None, str]]
) -> None:
    found = facts(harvest=rows)
    assert [one.bushels for one in found.harvests] == bushels
    assert [(one.code, one.effect_bushels) for one in found.findings] == [
        (code, effect) for code, effect, _ in findings
    ]
    assert all(says in f"{one.cause} {one.claimed}" for one, (_, _, says) in zip(found.findings, findings, strict=True))


@pytest.mark.parametrize(
    ("parameter", "word", "use", "says"),
    [
        ("silage_handling", "converted", "silage", "No record says"),
        ("high_moisture_handling", "left_out", "high_moisture", "is left out"),
    ],
)
def test_the_rule_version_decides_what_happens_to_silage_and_wet_grain(
    monkeypatch: pytest.MonkeyPatch, parameter: str, word: str, use: str, says: str
) -> None:
    other = replace(rule_version(date(2025, 10, 3)), **{parameter: word})  # type: ignore[arg-type]
    monkeypatch.setattr(quantify, "rule_version", lambda _: other)
    found = facts(harvest=[harvest("n40-a", use=use, moisture_pct=28_000)])
    assert found.harvests == ()
    assert says in found.findings[0].cause


def test_a_book_without_rows_has_no_facts() -> None:
    found = farm_facts(assess(book()), "bluestem", CORN, 2025)
    assert (found.harvests, found.runs, found.counts, found.findings) == ((), (), (), ())
