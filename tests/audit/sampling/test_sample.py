"""A sample follows from farms and seed alone, can be drawn again from its file, and grows after a failure."""

import json
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.audit.sampling.farm_list import read_farms
from provender.audit.sampling.population import freeze
from provender.audit.sampling.sample import (
    Extent,
    Failure,
    SampleRequest,
    Treatment,
    check_sample,
    draw_sample,
    extend,
    merge_years,
    redraw,
    sample_document,
    unknown_audited,
)
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json
from tests.audit.farms import alike, asked, farm, mixed, rows

DAY = date(2026, 11, 3)


def treatment(farm_id: str, **more: object) -> Treatment:
    usual: dict[str, Any] = {
        "extent": Extent.EXEMPT, "borrowed_audit": "ST-7", "verifier": "Verity", "year": 2026,
        "reason": "audited in June to this part", "decided_by": "V. Moss", "decided_on": DAY, **more,
    }  # fmt: skip
    return Treatment(farm_id, **usual)


def through_json(document: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(canonical_json(document))
    return read


def test_fifty_one_farms_give_eight_also_with_two_crops() -> None:
    assert sum(len(line.drawn) for line in draw_sample(asked(mixed(51, 1, 100))).lines) == 8
    sample = draw_sample(asked(population := mixed(51, 1, 3)))
    assert len(population.rows) == 68
    assert (sample.minimum, sum(len(line.drawn) for line in sample.lines)) == (8, 8)
    assert sample.farm_ids == sorted({farm for line in sample.lines for farm in line.drawn} | sample.line.on_top.keys())


@given(st.integers(1, 60), st.integers(0, 10**9), st.randoms(use_true_random=False))
def test_the_order_of_the_list_does_not_matter(farms: int, seed: int, shuffle: Random) -> None:
    listed = list(rows(farms, seed))
    first = draw_sample(asked(freeze(listed), str(seed))).document()
    shuffle.shuffle(listed)
    assert draw_sample(asked(freeze(listed), str(seed))).document() == first


def test_another_seed_draws_other_farms() -> None:
    draws = {tuple(draw_sample(asked(mixed(51, 1), str(seed))).farm_ids) for seed in range(20)}
    assert len(draws) == 20


def test_farms_audited_before_that_supply_nothing_now_are_ignored() -> None:
    request = asked(alike(9), "1", {"gone": (2025,)})
    assert unknown_audited(request) == ["gone"]
    assert request.seen == {}
    assert draw_sample(request).line.weights == draw_sample(asked(alike(9), "1")).line.weights


def test_years_are_gathered_by_farm() -> None:
    assert merge_years([("b", 2025), ("a", 2024), ("b", 2023), ("b", 2025)]) == {"a": (2024,), "b": (2023, 2025)}


@pytest.mark.parametrize(
    "request_",
    [
        asked(freeze([]), "1"),
        asked(alike(9), "1", size=2),
        asked(alike(9), "1", size=10),
        asked(alike(9), "1", added={"F000": " "}),
        asked(alike(9), "1", added={"X": "looks odd"}),
    ],
    ids=["no farms", "below the minimum", "above all", "no reason", "stranger"],
)
def test_a_request_that_breaks_the_rule_is_refused(request_: SampleRequest) -> None:
    with pytest.raises(ProblemsError):
        draw_sample(request_)


def test_the_verifier_may_draw_more_and_add_farms_with_a_reason() -> None:
    sample = draw_sample(asked(alike(9), "1", size=5, added={"F008": "complaint", "F000": "complaint"}))
    assert sum(len(line.drawn) for line in sample.lines) == 5
    assert {"F000", "F008"} <= set(sample.farm_ids)


def whole_file() -> dict[str, Any]:
    sample = draw_sample(asked(mixed(51, 1), "7", {"F00003": (2024, 2025), "gone": (2025,)}, added={"F00009": "tip"}))
    first, second, *_ = [name for name in sample.farm_ids if name != "F00009"]
    decided = [treatment(first), treatment(second, extent=Extent.PARTIAL, still_to_do="cover crop photographs")]
    failed = [Failure(second, "finding 3", "V. Moss", DAY), Failure("F00009", "finding 4", "V. Moss", DAY, more=0)]
    return sample_document(sample, treatments=decided, failures=failed)


def test_the_file_draws_itself_again() -> None:
    document = through_json(whole_file())
    assert through_json(redraw(document)) == document
    assert check_sample(document) == []
    assert check_sample(document, document["population_hash"]) == []


def undecided(**changes: object) -> dict[str, Any]:
    """Return the parts of a file without decisions, with some changed."""
    return through_json(sample_document(draw_sample(asked(alike(25), "7", size=6)))) | changes


WHOLE = through_json(whole_file())
ROWS, RISKS = WHOLE["population"], WHOLE["risk"]


@pytest.mark.parametrize(
    "changed",
    [
        {"sample": WHOLE["sample"][:-1]},
        {"seed": "8"},
        {"population": [{**ROWS[0], "bushels": "1"}, *ROWS[1:]]},
        {"minimum": 7},
        {"risk": [{**RISKS[0], "score": 99}, *RISKS[1:]]},
        {"audited_before": {}},
        {"note": "approved"},
        {"size_asked": ...},
        undecided(year="1"),
        undecided(year=True),
        undecided(year=...),
    ],
    ids=["farm dropped", "seed", "amount", "minimum", "risk", "audit forgotten", "key added", "size dropped",
         "year in letters", "year true", "year gone"],
)  # fmt: skip
def test_a_change_to_the_file_is_found(changed: dict[str, Any]) -> None:
    assert check_sample({name: value for name, value in (WHOLE | changed).items() if value is not ...})


def test_a_list_exchanged_after_freezing_is_found_though_the_file_agrees_with_itself() -> None:
    document = through_json(whole_file())
    problems = check_sample(document, alike(51).sha256)
    assert [problem.place.column for problem in problems] == ["population"]


@pytest.mark.parametrize("damage", ["kind", "population", "seed", "extensions", "treatments", "audited_before"])
def test_a_file_without_a_part_is_refused_with_a_reason(damage: str) -> None:
    document = through_json(whole_file())
    document[damage] = 5
    assert check_sample(document)[0].cause


def test_a_method_we_do_not_know_is_not_redrawn() -> None:
    assert [problem.code for problem in check_sample(whole_file() | {"method": "2099"})] == ["other_method"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"farm_id": "F00050x"}, "not_drawn"),
        ({"year": 2025}, "other_year"),
        ({"reason": " "}, "decision_incomplete"),
        ({"borrowed_audit": "TBD"}, "decision_incomplete"),
        ({"verifier": "n/a"}, "decision_incomplete"),
        ({"reason": "-"}, "decision_incomplete"),
        ({"extent": Extent.PARTIAL, "still_to_do": "none"}, "decision_incomplete"),
        ({"extent": Extent.PARTIAL}, "decision_incomplete"),
    ],
)
def test_a_borrowed_audit_needs_a_drawn_farm_the_same_year_and_a_reason(wrong: dict[str, Any], code: str) -> None:
    sample = draw_sample(asked(mixed(51, 1), "7"))
    decision = treatment(**{"farm_id": sample.farm_ids[0], **wrong})
    with pytest.raises(ProblemsError) as refused:
        sample_document(sample, treatments=[decision])
    assert [problem.code for problem in refused.value.problems] == [code]


def test_one_farm_has_one_decision() -> None:
    sample = draw_sample(asked(mixed(51, 1), "7"))
    with pytest.raises(ProblemsError, match="two decisions"):
        sample_document(sample, treatments=[treatment(sample.farm_ids[0])] * 2)


def test_an_exempt_farm_stays_in_the_sample() -> None:
    sample = draw_sample(asked(alike(9), "1"))
    document = sample_document(sample, treatments=[treatment(sample.farm_ids[0])])
    assert document["sample"] == sample.farm_ids
    assert document["treatments"][0]["reason"] == "audited in June to this part"


def test_a_failure_adds_as_many_farms_as_its_stratum_drew_next_in_line() -> None:
    sample = draw_sample(asked(alike(25), "1"))
    (line,) = sample.lines
    (extension,) = extend(sample, [Failure(line.order[2], "finding 1", "V. Moss", DAY)])
    assert extension.farm_ids == line.order[5:10]
    assert (extension.failed, extension.looked_at) == (1, 10)
    assert extension.held_bushels == 19_000_000
    assert extension.unseen_bushels == 15 * 19_000_000
    assert extension.extrapolated_bushels == 28_500_000


def test_a_second_failure_takes_the_farms_after_the_first() -> None:
    sample = draw_sample(asked(alike(25), "1"))
    (line,) = sample.lines
    failures = [Failure(line.order[0], "a", "V", DAY, more=2), Failure(line.order[5], "b", "V", DAY, more=1)]
    assert [one.farm_ids for one in extend(sample, failures)] == [line.order[5:7], line.order[7:8]]


def test_a_used_up_stratum_is_extended_in_its_crop_and_then_in_the_list() -> None:
    population = freeze([*(farm(f"c{n:02}") for n in range(12)), farm("s0", "soybeans"), farm("s1", "soybeans")])
    sample = draw_sample(asked(population, "1"))
    (soy,) = (line for line in sample.lines if line.crop == "soybeans")
    (extension,) = extend(sample, [Failure(soy.order[0], "a", "V", DAY, more=3)])
    assert extension.farm_ids[0] == soy.order[1]
    assert [name[0] for name in extension.farm_ids] == ["s", "c", "c"]


def test_when_no_farm_is_left_the_extension_is_short() -> None:
    sample = draw_sample(asked(alike(2), "1"))
    (extension,) = extend(sample, [Failure("F000", "a", "V", DAY)])
    assert (extension.farm_ids, extension.unseen_bushels) == ((), 0)


@pytest.mark.parametrize(
    "failures",
    [
        [Failure("F999", "a", "V", DAY)],
        [Failure("F000", " ", "V", DAY)],
        [Failure("F000", "a", "", DAY)],
        [Failure("F000", "a", "V", DAY, more=-1)],
        [Failure("F000", "a", "V", DAY), Failure("F000", "a", "V", DAY)],
    ],
    ids=["not in the sample", "no reason", "no author", "fewer than none", "twice"],
)
def test_a_decision_about_a_failure_must_stand(failures: list[Failure]) -> None:
    with pytest.raises(ProblemsError):
        extend(draw_sample(asked(alike(2), "1")), failures)


def test_representation_counts_farms_of_each_kind() -> None:
    document = sample_document(draw_sample(asked(mixed(51, 1, 3), "7")))
    for values in document["representation"].values():
        assert sum(one["farms"] for one in values.values()) >= 51
        assert sum(one["sample"] for one in values.values()) >= 8
    assert sum(one["sample"] for one in document["representation"]["size"].values()) == len(document["sample"])


def test_a_list_of_the_file_reads_back_to_the_same_hash(tmp_path: Path) -> None:
    document = whole_file()
    names = list(document["population"][0])
    lines = [",".join(names), *(",".join(row[name] for name in names) for row in document["population"])]
    (tmp_path / "farms.csv").write_text("\n".join(lines))
    assert read_farms(tmp_path / "farms.csv")[0].sha256 == document["population_hash"]
