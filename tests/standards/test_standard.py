"""What makes a verdict, how a complete list shows something, and that what is read is noted."""

from random import Random
from types import SimpleNamespace

import pytest

from provender.records.book import FarmRows, Noted, reads_records, with_what_is_said
from provender.records.kind import KINDS
from provender.records.kinds.farm import Unit
from provender.records.kinds.nutrients import SoilTest
from provender.records.kinds.season import Operation, Planting
from provender.rule.paragraphs import paragraphs
from provender.standards import cover_crop, nutrients, tillage
from provender.standards.judge import RequirementJudged, judge
from provender.standards.standard import (
    REQUIREMENTS,
    Against,
    DeclaredList,
    Finding,
    Missing,
    Part,
    Shown,
    Verdict,
    all_of,
    none_of,
    verdict,
)
from provender.verdicts import words
from tests.standards.season import book_of, clean_season, with_row
from tests.standards.side_by_side import damaged_book, random_book, whole_and_damaged

BROKEN, BLANK, KEPT = Against("operation", "O1", "burned"), Missing("operation", "day"), Shown("operation", "O2")


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        ((), Verdict.NOT_SHOWN),
        ((KEPT,), Verdict.MET),
        ((KEPT, BLANK), Verdict.NOT_SHOWN),
        ((BLANK,), Verdict.NOT_SHOWN),
        ((KEPT, BLANK, BROKEN), Verdict.NOT_MET),
        ((BROKEN,), Verdict.NOT_MET),
    ],
)
def test_against_fails_missing_withholds_none_is_empty(findings: tuple[Finding, ...], expected: Verdict) -> None:
    assert verdict(findings) is expected


def test_verdicts_combine_as_findings_do_and_a_row_of_no_farm_may_be_of_any() -> None:
    assert all_of(()) is Verdict.NOT_SHOWN
    assert all_of((Verdict.MET, Verdict.MET)) is Verdict.MET
    assert all_of((Verdict.MET, Verdict.NOT_SHOWN)) is Verdict.NOT_SHOWN
    assert all_of((Verdict.NOT_SHOWN, Verdict.NOT_MET)) is Verdict.NOT_MET
    rows = tuple(SimpleNamespace(id=key, is_fire=said) for key, said in (("O1", True), ("O2", None), ("O3", False)))
    found = list(none_of(DeclaredList("operation", rows, "H25"), "is_fire", "burned"))
    assert found == [BROKEN, Missing("operation", "is_fire", "O2"), Shown("declaration", "H25")]
    plow = {**clean_season()["operation"][1], "operation_id": "X1", "operation": "Plow, moldboard"}
    for farm_id, expected in (("F1", Verdict.NOT_MET), ("F2", Verdict.NOT_SHOWN)):
        (one,) = judge(book_of(with_row(clean_season(), "operation", **plow, farm_id=farm_id)))
        assert one.requirements["no_till_no_full_width_disturbance"].verdict is expected, farm_id


@pytest.mark.parametrize(
    ("answer", "missing", "found"),
    [
        ("H25", (), Shown("declaration", "H25")),
        ("", (), Missing("operation", reason="list_not_complete")),
        ("H25", (BLANK,), BLANK),
    ],
)
def test_an_empty_list_shows_what_is_whole(answer: str, missing: tuple[Missing, ...], found: Finding) -> None:
    listed = DeclaredList("operation", (), answer, missing)
    assert list(none_of(listed, "is_fire", "burned")) == [found]
    assert listed.is_complete is isinstance(found, Shown)


class Reader:
    def __init__(self, rows: FarmRows) -> None:
        self.rows = rows

    @reads_records
    def plantings(self) -> int:
        return len(self.rows[Planting])

    @reads_records
    def both(self) -> int:
        return self.plantings + len(self.rows.of_unit(Operation, "N40"))


def test_what_is_read_is_noted_each_time_though_it_is_looked_up_once() -> None:
    rows = FarmRows(with_what_is_said(book_of(clean_season())), "F1", takes_notes=True)
    reader = Reader(rows)
    for _ in range(2):
        rows.noted = set()
        assert reader.both == 6
        assert rows.noted == {Noted("planting"), Noted("operation")}
    rows.noted = set()
    assert reader.plantings == 1
    assert rows.once("tests", lambda: len(rows[SoilTest])) == 1
    rows.noted.clear()
    assert rows.once("tests", lambda: 0) == 1
    assert rows.noted == {Noted("soil_test")}
    rows.of_farm(Unit)
    assert rows.noted == {Noted("soil_test"), Noted("unit"), Noted("unit", is_of_farm=True)}


def test_what_is_read_stands_behind_no_typed_column() -> None:
    with pytest.raises((RuntimeError, TypeError)):

        class Wrong(Operation):
            @reads_records
            def full_width(self) -> bool:
                return True


@pytest.mark.parametrize("name", sorted(REQUIREMENTS))
def test_a_requirement_cites_a_paragraph_of_the_rule(name: str) -> None:
    assert REQUIREMENTS[name].cite in paragraphs()


@pytest.fixture(scope="module")
def random_judged() -> list[RequirementJudged]:
    """Return what came of each requirement on random and on damaged seasons."""
    chance = Random(5)
    intervals = (one for make in (random_book, damaged_book) for one in judge(make(chance, 40)))
    return [judged for one in intervals for judged in one.requirements.values()]


def test_what_is_not_shown_says_what_lacks_each_code_in_one_sentence(
    random_judged: list[RequirementJudged],
) -> None:
    for judged in random_judged:
        assert judged.findings, judged.name
        assert judged.verdict is not Verdict.NOT_MET or judged.requirement.part is Part.IMPLEMENTATION, judged.name
        for found in judged.findings:
            assert found.kind in KINDS, found
            assert not isinstance(found, Missing) or not found.column or found.column in KINDS[found.kind].fields
            assert not isinstance(found, Against | Shown) or found.row, (judged.name, found)
    findings = [found for judged in random_judged for found in judged.findings]
    given = {found.reason for found in findings if not isinstance(found, Shown) and found.reason}
    assert len(given) > 40
    assert given <= words.REASONS.keys()
    of_section = (tillage.REASONS, cover_crop.REASONS, nutrients.REASONS)
    assert all(words.REASONS[code] == said for of in of_section for code, said in of.items())


@pytest.mark.parametrize("seed", [0, 3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_no_requirement_becomes_met_when_records_are_damaged(seed: int) -> None:
    whole, damaged = whole_and_damaged(Random(seed), 40)
    before = {(one.farm_id, one.harvest_id): one.requirements for one in judge(whole)}
    withheld = 0
    for one in judge(damaged):
        of_whole = before.get((one.farm_id, one.harvest_id))
        for name, judged in one.requirements.items():
            was = Verdict.NOT_SHOWN if of_whole is None else of_whole[name].verdict
            assert judged.verdict is not Verdict.MET or was is Verdict.MET, (one.farm_id, one.harvest_id, name)
            withheld += was is Verdict.MET and judged.verdict is Verdict.NOT_SHOWN
    assert withheld > 100
