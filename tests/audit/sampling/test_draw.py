"""The draw: its size, chances and risks, and that the draw by bushels cannot be steered."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.audit.sampling.draw import (
    Beacon,
    Draw,
    Drawing,
    Frozen,
    Opened,
    Risk,
    RiskPoint,
    Side,
    assess_by_bushels,
    chance_missed,
    commitment,
    history_hash,
    in_line,
    shown,
    table,
)
from provender.audit.sampling.population import (
    FarmCrop,
    Population,
    Proof,
    freeze,
    minimum_farms,
    read_farms,
    years_shown,
)
from provender.audit.sampling.sample import (
    Extent,
    Failure,
    Sample,
    SampleRequest,
    Treatment,
    check_sample,
    draw_notes,
    draw_sample,
    extend,
    redraw,
    sample_document,
)
from provender.problem import ProblemsError
from provender.schema import write
from provender.signing.canonical import canonical_json
from tests.audit.farms import BETWEEN, POINT, alike, asked, farm, mixed, proof, rows
from tests.audit.sampling import stranger

# The square root, rounded up, at every size; the table of public documents stands in ``conformance/draw``.


@given(st.integers(2, 10**6))
def test_perfect_squares_and_their_neighbours_up_to_a_trillion(root: int) -> None:
    square = root * root
    assert [minimum_farms(square + by) for by in (-1, 0, 1)] == [root, root, root + 1]


def test_a_number_of_farms_or_a_sample_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="nonnegative"):
        minimum_farms(-1)
    with pytest.raises(ValueError, match="larger than"):
        table(3, 4)


# The chance that a sample misses every non-conforming farm, exact and printed.


@pytest.mark.parametrize(("farms", "sample", "bad"), [(6, 2, 1), (7, 3, 2), (8, 3, 4), (5, 5, 1), (5, 0, 2), (6, 3, 0)])
def test_the_chance_counts_all_ways_to_place_the_bad_farms(farms: int, sample: int, bad: int) -> None:
    looked_at = set(range(sample))
    places = [set(one) for one in combinations(range(farms), bad)]
    assert chance_missed(farms, sample, bad) == Fraction(sum(not looked_at & place for place in places), len(places))


def test_a_chance_is_printed_as_nothing_or_sure_only_when_it_is() -> None:
    assert shown(chance_missed(51, 8, 6)) == "0.3385"
    assert [line["non_conforming_farms"] for line in table(51, 8)] == [3, 6, 11, 16, 26]
    tiny = Fraction(1, 10**9)
    assert [shown(one) for one in (Fraction(0), tiny, Fraction(1, 2), 1 - tiny, Fraction(1))] == [
        "0.0000", "0.0001", "0.5000", "0.9999", "1.0000",
    ]  # fmt: skip


# The risk score adds up in the open; each sign has cases at, just under and just over its limit.

PEERS = [farm(f"peer{number}") for number in range(6)]


def parts(row: FarmCrop, others: list[FarmCrop] | None = None) -> dict[str, int]:
    scores = assess_by_bushels(freeze([row, *(PEERS if others is None else others)]))
    return {part.name: part.points for part in scores[row.farm_id].parts}


SIGNS: list[tuple[str, str, list[tuple[int | None, int | None]]]] = [
    ("yield", "bushels", [(23_750_099, None), (23_750_100, 15), (28_500_099, 15), (28_500_100, 30)]),
    ("ci", "ci_g_per_bu", [(300_000, None), (299_999, 10), (200_000, 10), (199_999, 20)]),
    ("late_evidence", "late_evidence_pct", [(None, None), (24_999, None), (25_000, 10), (50_000, 20)]),
    ("earlier_findings", "earlier_findings", [(None, None), (0, None), (1, 10), (3, 30), (4, 30)]),
    ("first_year", "first_year", [(None, None), (False, None), (True, 10)]),
]


@pytest.mark.parametrize(
    ("part", "fact", "value", "points"), [(part, fact, *case) for part, fact, cases in SIGNS for case in cases]
)
def test_each_sign_counts_from_its_limit(part: str, fact: str, value: int | None, points: int | None) -> None:
    changed: dict[str, Any] = {fact: value}
    assert parts(replace(farm("x"), **changed)).get(part) == points


def test_farms_all_alike_have_no_points_and_what_nobody_stated_is_told_as_unknown() -> None:
    (unknown,) = (one.unknown for one in assess_by_bushels(freeze([farm("x")])).values())
    assert unknown == ("first_year: not stated", "earlier_findings: not stated", "late_evidence_pct: not stated")
    assert {risk.score for risk in assess_by_bushels(alike(9)).values()} == {0}


@pytest.mark.parametrize(("score", "band"), [(0, "low"), (19, "low"), (20, "elevated"), (39, "elevated"), (40, "high")])
def test_bands_begin_at_twenty_and_forty(score: int, band: str) -> None:
    assert Risk("x", (RiskPoint("yield", score, "because"),), ()).band == band


def test_of_two_crops_the_heavier_sign_counts_once() -> None:
    soy = [farm(f"peer{number}", "soybeans") for number in range(6)]
    both = [replace(farm("x"), ci_g_per_bu=299_999), replace(farm("x", "soybeans"), ci_g_per_bu=1)]
    risk = assess_by_bushels(freeze([*both, *PEERS, *soy]))["x"]
    assert [(part.name, part.points) for part in risk.parts] == [("ci", 20)]
    assert "soybeans" in risk.parts[0].reason
    assert risk.document()["score"] == 20


# The draw by bushels cannot be steered: order of events, dust, grinding, chances by size, a stranger's redraw.

DAY = date(2026, 11, 3)
SECRETS = {Side.AUDITED: "audited secret of 2026, long", Side.VERIFIER: "verifier secret of 2026, long"}
ALONE = {Side.VERIFIER: SECRETS[Side.VERIFIER]}
MADE = {side: commitment(secret) for side, secret in SECRETS.items()}
SEEDS = 4_000


def frozen(population: Population, proofs: tuple[Proof, ...] = (), **more: Any) -> Frozen:  # noqa: ANN401
    seen = years_shown(proofs, POINT, 2026, DAY)
    marks = population.sha256, len(population.farms), 2026, history_hash(seen)
    return replace(Frozen(*marks, DAY, "salt", MADE, None, *BETWEEN), **more)


def drawn(population: Population, opened: Opened | None = None, **more: Any) -> Sample:  # noqa: ANN401
    proofs = more.pop("proofs", ())
    list_of_today = more.pop("frozen", None) or frozen(population, proofs)
    request = SampleRequest(population, list_of_today, opened or Opened(SECRETS, on=DAY), proofs, **more)
    return draw_sample(request)


def through_json(sample: Sample, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    read: dict[str, Any] = json.loads(canonical_json(sample_document(sample, **more)))
    return read


def sizes(*bushels: int, name: str = "F", county: str = "19153") -> list[FarmCrop]:
    """Return farms alike in all but bushels and acres."""
    return [
        FarmCrop(f"{name}{number:05}", "corn", county, amount * 1000, 600_000, amount * 5)
        for number, amount in enumerate(bushels)
    ]


def chances(population: Population, count: int, seeds: int, lately: Iterable[str] = ()) -> Counter[str]:
    """Return how often each farm is among the first in line over many seeds; those on top come besides."""
    draw, times = Draw(2026, count, frozenset(lately), 25_000), Counter[str]()
    weights = Drawing(population, assess_by_bushels(population), draw).weights
    for seed in range(seeds):
        times.update(in_line(population.sha256, str(seed), 2026, weights)[:count])
    return times


@pytest.mark.parametrize("farms", [1, 2, 51, 300])
def test_a_stranger_draws_the_same_from_the_documentation_alone(farms: int) -> None:
    for number in range(8 if farms < 100 else 3):
        population = mixed(farms, number)
        some = [farm.farm_id for farm in population.farms][:: number + 2]
        opened = Opened({side: SECRETS[side] for side in list(Side)[1 - number % 2 :]}, on=DAY + timedelta(7))
        size = None if number % 3 else farms
        document = through_json(drawn(population, opened, proofs=(proof(some),), size=size))
        assert stranger.redraw(document) == document["sample"], number
        assert check_sample(document) == []


def test_a_part_of_the_party_that_stays_closed_is_recorded_as_its_refusal() -> None:
    population = mixed(51, 1)
    both = through_json(drawn(population))
    assert (both["refused"], draw_notes(both)) == ([], [])
    document = through_json(drawn(population, Opened(ALONE, on=DAY + timedelta(7))))
    assert document["refused"] == ["audited"]
    assert document["sample"] != both["sample"]
    assert draw_notes(document) == [
        "The audited party did not open its part of the seed by 2026-11-10; the verifier's alone draws."
    ]


def test_a_beacon_is_named_before_its_round() -> None:
    population = mixed(9, 1)
    named = Beacon("NIST Randomness Beacon 2.0", "2026-11-05T12:00Z", date(2026, 11, 5))
    listed = frozen(population, commitments={}, beacon=named)
    document = through_json(drawn(population, Opened(beacon_value="ab" * 64), frozen=listed))
    assert (document["beacon_is"], document["refused"]) == ("stated", [])
    assert stranger.redraw(document) == document["sample"]
    assert check_sample(document) == []


@pytest.mark.parametrize(
    ("code", "list_of_today", "opened"),
    [
        ("no_source_of_seed", {"commitments": {}}, Opened(SECRETS)),
        ("no_source_of_seed", {"beacon": Beacon("NIST", "1", date(2026, 11, 5))}, Opened(SECRETS)),
        ("verifier_not_committed", {"commitments": {Side.AUDITED: MADE[Side.AUDITED]}}, Opened(SECRETS)),
        ("no_commitment", {"commitments": {**MADE, Side.VERIFIER: "abc"}}, Opened(SECRETS)),
        ("commitment_copied", {"commitments": dict.fromkeys(Side, MADE[Side.VERIFIER])}, Opened(SECRETS)),
        ("beacon_known", {"commitments": {}, "beacon": Beacon("NIST", "1", DAY)}, Opened(beacon_value="1")),
        ("no_beacon_value", {"commitments": {}, "beacon": Beacon("NIST", "1", date(2027, 1, 1))}, Opened()),
        ("no_beacon_value", {"commitments": {}, "beacon": Beacon("NIST", "1", date(2027, 1, 1))}, Opened(SECRETS)),
        ("does_not_open", {}, Opened({Side.VERIFIER: "another secret of 2026, long"})),
        ("party_not_committed", {"commitments": {Side.VERIFIER: MADE[Side.VERIFIER]}}, Opened(ALONE)),
        ("does_not_open", {}, Opened({Side.AUDITED: SECRETS[Side.VERIFIER], Side.VERIFIER: SECRETS[Side.AUDITED]})),
        ("does_not_open", {}, Opened({**SECRETS, Side.AUDITED: "another secret of 2026, long"})),
        ("verifier_not_opened", {}, Opened({Side.AUDITED: SECRETS[Side.AUDITED]}, on=date(2027, 1, 1))),
        ("party_not_opened", {}, Opened(ALONE)),
        ("party_not_opened", {}, Opened(ALONE, on=DAY)),
        ("party_not_opened", {}, Opened(ALONE, on=DAY + timedelta(6))),
        ("opened_too_early", {}, Opened(SECRETS, on=DAY - timedelta(1))),
        ("list_of_nobody", {"verifier": ""}, Opened(SECRETS)),
        ("list_of_nobody", {"audited": ""}, Opened(SECRETS)),
        ("list_of_nobody", {"audited": "verity"}, Opened(SECRETS)),
        (
            "opened_too_early",
            {"commitments": {}, "beacon": Beacon("NIST", "1", date(2027, 1, 1))},
            Opened(beacon_value="1", on=date(2026, 12, 31)),
        ),
        ("earlier_not_carried", {"earlier": ("0" * 64,)}, Opened(SECRETS)),
        ("nothing_opened", {}, Opened()),
        ("other_farms", {"population_hash": "0" * 64}, Opened(SECRETS)),
        ("other_farms", {"farms": 10}, Opened(SECRETS)),
        ("other_history", {"history_hash": "0" * 64}, Opened(SECRETS)),
    ],
)
def test_what_does_not_prove_its_order_is_not_drawn(code: str, list_of_today: dict[str, Any], opened: Opened) -> None:
    population = mixed(9, 1)
    with pytest.raises(ProblemsError) as told:
        drawn(population, opened, frozen=frozen(population, **list_of_today))
    assert told.value.problems[0].code == code


@pytest.mark.parametrize("secret", ["", "7", "x" * 21, "a\nb" * 20, " padded secret of some length "])
def test_a_secret_that_could_be_found_by_trying_is_refused(secret: str) -> None:
    with pytest.raises(ProblemsError, match="can be found"):
        commitment(secret)


def test_chances_over_thousands_of_seeds_grow_with_size() -> None:
    population = freeze(sizes(*range(1_000, 51_000, 1_000)))
    found = chances(population, 8, SEEDS)
    times = [found[farm.farm_id] for farm in population.farms]
    tenths = [sum(times[at : at + 5]) for at in range(0, 50, 5)]
    assert tenths == sorted(tenths), "of farms alike in all else the larger are drawn more often"
    shares = sum(range(1_000, 51_000, 1_000))
    for number, drawn_times in enumerate(times, 1):
        assert abs(drawn_times / SEEDS - 8 * number * 1_000 / shares) < 0.03, number
    assert min(times) > 0, "nobody is safe"


def test_with_the_same_ticket_a_larger_farm_is_never_behind() -> None:
    for seed in range(200):
        small, large = (freeze([*sizes(*[5_000] * 24), *sizes(amount, name="X")]) for amount in (4_000, 9_000))
        places = []
        for population in (small, large):
            # The list's hash is held still, so that only the size differs.
            object.__setattr__(population, "__dict__", {**population.__dict__, "sha256": "0" * 64})
            line = Drawing(population, assess_by_bushels(population), Draw(2026, 5)).line(str(seed))
            places.append(line.order.index("X00000"))
        assert places[1] <= places[0]


def test_hundreds_of_dust_farms_lower_nobodys_chance() -> None:
    real = sizes(*[20_000] * 49, 60_000)
    before = chances(freeze(real), 8, 2_000)
    # Dust in the same county, in counties of its own, of another crop, with odd yields and CIs.
    dust = [
        FarmCrop(f"D{number:05}", ("corn", "sorghum")[number % 2], f"{20 + number % 9}001", 1, 100_000, 1 + number % 7)
        for number in range(350)
    ]
    crowded = freeze([*real, *dust])
    with_dust = chances(crowded, minimum_farms(400), 200)
    for name in before:
        assert with_dust[name] / 200 > before[name] / 2_000 - 0.1, name
    still = chances(crowded, 8, 400)
    for name in before:
        assert abs(still[name] / 400 - before[name] / 2_000) < 0.1, "the same number drawn: dust moves nothing"
    assert sum(still[name] for name in before) > 0.999 * sum(still.values()), "nor does it take a place"
    risks = [assess_by_bushels(one)["F00049"].score for one in (freeze(real), crowded)]
    assert risks[0] == risks[1], "nor does it move what is usual"


def test_a_farm_that_splits_itself_gains_nothing_and_one_audited_before_is_never_safe() -> None:
    whole = freeze(sizes(*[20_000] * 40, 40_000))
    split = freeze([*sizes(*[20_000] * 40), *sizes(*[4_000] * 10, name="X")])
    once = chances(whole, 7, 2_000)["F00040"]
    parts = sum(times for farm, times in chances(split, 7, 2_000).items() if farm.startswith("X"))
    assert abs(parts - once) < 0.05 * 2_000, "its parts are drawn as often as the whole"
    population = freeze(sizes(*[20_000] * 50))
    seen = [farm.farm_id for farm in population.farms[:10]]
    times = chances(population, 8, 2_000, seen)
    again = sum(times[farm] for farm in seen)
    assert 0.05 < again / sum(times.values()) < 0.07, "a quarter of their weight"


def test_grinding_the_list_tells_nothing_before_the_verifier_opens() -> None:
    # The audited party knows its own secret and tries lists: how often its farm is drawn does not depend on the list.
    random = Random(11)
    hits = Counter[bool]()
    for attempt in range(400):
        population = freeze(
            [*sizes(*[20_000] * 48), FarmCrop("X", "corn", "19153", 20_000_001 + attempt, 600_000, 100_000)]
        )
        # With the verifier's part guessed: its own is all the party knows.
        kept = "X" not in drawn(population).farm_ids
        secret = f"{random.getrandbits(128):032x}"
        listed = frozen(population, commitments={**MADE, Side.VERIFIER: commitment(secret)})
        opened = Opened({**SECRETS, Side.VERIFIER: secret})
        hits[kept, "X" in drawn(population, opened, frozen=listed).farm_ids] += 1  # type: ignore[index]
    rates = [hits[kept, True] / (hits[kept, True] + hits[kept, False]) for kept in (True, False)]  # type: ignore[index]
    assert abs(rates[0] - 7 / 49) < 0.06, "a list chosen so that its own secret spares the farm spares nothing"


def test_another_seed_draws_others_the_root_of_thousands_and_eight_of_fifty_one() -> None:
    # The project's bench notes say how long a million take.
    rows = sizes(*(1_000 + number % 977 for number in range(3_000)))
    assert len(drawn(freeze(rows)).farm_ids) == 55
    assert sum(len(line.drawn) for line in draw_sample(asked(mixed(51, 1, 100))).lines) == 8
    sample = draw_sample(asked(population := mixed(51, 1, 3)))
    assert len(population.rows) == 68
    assert (sample.minimum, sum(len(line.drawn) for line in sample.lines)) == (8, 8)
    assert sample.farm_ids == sorted({farm for line in sample.lines for farm in line.drawn} | sample.line.on_top.keys())
    draws = {tuple(draw_sample(asked(mixed(51, 1), str(seed))).farm_ids) for seed in range(20)}
    assert len(draws) == 20


# A sample follows from farms and seed alone, can be drawn again from its file, and grows after a failure.


def treatment(farm_id: str, **more: object) -> Treatment:
    usual: dict[str, Any] = {
        "extent": Extent.EXEMPT, "borrowed_audit": "ST-7", "verifier": "Verity", "year": 2026,
        "reason": "audited in June to this part", "decided_by": "V. Moss", "decided_on": DAY, **more,
    }  # fmt: skip
    return Treatment(farm_id, **usual)


def read_back(document: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(canonical_json(document))
    return read


@given(st.integers(1, 60), st.integers(0, 10**9), st.randoms(use_true_random=False))
def test_the_order_of_the_list_does_not_matter(farms: int, seed: int, shuffle: Random) -> None:
    listed = list(rows(farms, seed))
    first = draw_sample(asked(freeze(listed), str(seed))).document()
    shuffle.shuffle(listed)
    assert draw_sample(asked(freeze(listed), str(seed))).document() == first


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
    sample = draw_sample(asked(mixed(51, 1), "7", (proof(["F00003", "gone"]),), added={"F00009": "tip"}))
    first, second, *_ = [name for name in sample.farm_ids if name != "F00009"]
    decided = [treatment(first), treatment(second, extent=Extent.PARTIAL, still_to_do="cover crop photographs")]
    failed = [Failure(second, "finding 3", "V. Moss", DAY), Failure("F00009", "finding 4", "V. Moss", DAY, more=0)]
    return sample_document(sample, treatments=decided, failures=failed)


def test_the_file_draws_itself_again_in_its_own_method_and_from_the_frozen_list() -> None:
    document = read_back(whole_file())
    assert read_back(redraw(document)) == document
    assert stranger.redraw(document) == document["sample"]
    for own in (None, document["frozen_hash"], document["population_hash"]):
        assert check_sample(document, own) == []
    problems = check_sample(document, alike(51).sha256)
    assert [problem.place.column for problem in problems] == ["population"]
    assert [problem.code for problem in check_sample(whole_file() | {"method": "2099"})] == ["other_method"]


def undecided(**changes: object) -> dict[str, Any]:
    """Return the parts of a file without decisions, with some changed."""
    return read_back(sample_document(draw_sample(asked(alike(25), "7", size=6)))) | changes


WHOLE = read_back(whole_file())
ROWS, RISKS = WHOLE["population"], WHOLE["risk"]
CHANGED: dict[str, dict[str, Any]] = {
    "farm dropped": {"sample": WHOLE["sample"][:-1]},
    "seed": {"seed": "0" * 64},
    "another secret": {
        "opened": {**WHOLE["opened"], "secrets": {"verifier": "another secret of 2026, long"}}},
    "year": {"year": 2025},
    "year of the list": {"frozen": {**WHOLE["frozen"], "year": 2025}},
    "a refusal": {"refused": ["audited"]},
    "a farm on top": {"on_top": {"x": "crop corn"}},
    "weights": {"weights": {}},
    "another list": {"frozen_hash": "0" * 64},
    "amount": {"population": [{**ROWS[0], "bushels": "1"}, *ROWS[1:]]},
    "a farm less": {"population": ROWS[1:]},
    "minimum": {"minimum": 7},
    "risk": {"risk": [{**RISKS[0], "score": 99}, *RISKS[1:]]},
    "audit forgotten": {"audited_before": {}},
    "audit made up": {"audited_before": {"F00001": [2025]}},
    "proof gone": {"proofs": []},
    "another proof": {"proofs": [write(proof(["F00001"]), whole=True)]},
    "audited lately": {"audited_lately": ["F00001"]},
    "kept": {"kept_pct": "1"},
    "staying": {"staying": ["F00001"]},
    "an earlier list": {"earlier": [{**WHOLE, "earlier": []}]},
    "method": {"method": "2026-11"},
    "a coming method": {"method": "2030-01"},
    "key added": {"note": "approved"},
    "size dropped": {"size_asked": ...},
    "year in letters": undecided(year="1"),
    "year true": undecided(year=True),
    "year gone": undecided(year=...),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGED)
def test_a_change_to_the_file_is_found(what: str) -> None:
    assert check_sample({name: value for name, value in (WHOLE | CHANGED[what]).items() if value is not ...})


@pytest.mark.parametrize("damage", ["kind", "population", "seed", "extensions", "treatments", "proofs"])
def test_a_file_without_a_part_is_refused_with_a_reason(damage: str) -> None:
    document = read_back(whole_file())
    document[damage] = 5
    assert check_sample(document)[0].cause


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


def test_an_exempt_farm_stays_in_the_sample_and_has_one_decision() -> None:
    sample = draw_sample(asked(alike(9), "1"))
    document = sample_document(sample, treatments=[treatment(sample.farm_ids[0])])
    assert document["sample"] == sample.farm_ids
    assert document["treatments"][0]["reason"] == "audited in June to this part"
    sample = draw_sample(asked(mixed(51, 1), "7"))
    with pytest.raises(ProblemsError, match="two decisions"):
        sample_document(sample, treatments=[treatment(sample.farm_ids[0])] * 2)


def test_a_failure_adds_as_many_farms_as_its_stratum_drew_next_in_line_and_a_second_those_after() -> None:
    sample = draw_sample(asked(alike(25), "2"))
    (line,) = sample.lines
    (extension,) = extend(sample, [Failure(line.order[2], "finding 1", "V. Moss", DAY)])
    assert extension.added == line.order[5:10]
    assert (extension.failed, extension.looked_at) == (1, 10)
    assert extension.held_bushels == 19_000_000
    assert extension.unseen_bushels == 15 * 19_000_000
    assert extension.extrapolated_bushels == 28_500_000
    failures = [Failure(line.order[0], "a", "V", DAY, more=2), Failure(line.order[5], "b", "V", DAY, more=1)]
    assert [one.added for one in extend(sample, failures)] == [line.order[5:7], line.order[7:8]]


def test_a_used_up_stratum_is_extended_in_its_crop_then_in_the_list_until_none_is_left() -> None:
    population = freeze([*(farm(f"c{n:02}") for n in range(12)), farm("s0", "soybeans"), farm("s1", "soybeans")])
    sample = draw_sample(asked(population, "1"))
    (soy,) = (line for line in sample.lines if line.crop == "soybeans")
    (extension,) = extend(sample, [Failure(soy.order[0], "a", "V", DAY, more=3)])
    assert extension.added[0] == soy.order[1]
    assert [name[0] for name in extension.added] == ["s", "c", "c"]
    sample = draw_sample(asked(alike(2), "1"))
    (extension,) = extend(sample, [Failure("F000", "a", "V", DAY)])
    assert (extension.added, extension.unseen_bushels) == ((), 0)


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
