"""Lies about the example chain, each named with its cause; its way to a clean verification is the elevator's audit."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents, with_verifiers_files
from provender.audit.package.layout import HEADER
from provender.audit.recompute.custody_books import plausibility
from provender.audit.recompute.verify import CHECKS, Cause, by_stake, causes_of, recompute
from provender.audit.recompute.workbooks import workbooks
from provender.audit.sampling.draw import Frozen, Opened
from provender.audit.sampling.population import FarmCrop, freeze, sample_hash
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import SampleRequest, check_sample, draw_sample, sample_document
from provender.audit.statement.opinion import check_signing
from provender.audit.statement.statement import VerificationStatement
from provender.demo.chain import SECRETS
from provender.exact import parse, show
from provender.schema import read
from provender.signing.canonical import canonical_json, document_hash
from tests.audit.farms import asked
from tests.audit.mutation.changes import Change, changes
from tests.audit.mutation.hands import Hand, reseal, tampered
from tests.audit.mutation.run import Run, party_of
from tests.audit.prairie import CRUSHER, Party, audit_party, chain, farm_party, house_party, sample_of
from tests.audit.spreadsheet import Computed

pytestmark = pytest.mark.xdist_group("prairie")

FARMS, LEAST = 5, 3
"""Farms of the chain and the least that are drawn of them; of 51 they are eight, whose chain takes a minute."""


@pytest.fixture(scope="module")
def folder() -> Path:
    return chain(FARMS)


@pytest.fixture(scope="module")
def farms(folder: Path) -> tuple[str, ...]:
    return tuple(json.loads(sample_of(folder))["sample"])


def test_no_cell_of_an_honest_workbook_differs_or_lacks(folder: Path, farms: tuple[str, ...], tmp_path: Path) -> None:
    for party in (farm_party(folder, farms[0]), house_party(folder, CRUSHER)):
        case = PackageContents({**party.files, HEADER: canonical_json(party.header.document())}, tmp_path)
        books = [Computed(content) for _, content in workbooks(case, date(2027, 1, 11))]
        answers = [one for book in books for name in book.book.sheetnames for one in book.sheet(name).comparisons()]
        assert len(answers) >= len(books)
        assert set(answers) == {"agrees"}


def test_the_statement_of_the_example_is_about_the_sample_that_anyone_can_draw(folder: Path) -> None:
    one = VerificationStatement.read(json.loads((folder / "statements" / "verification.json").read_bytes())["document"])
    frozen = json.loads((folder / "frozen.json").read_bytes())
    population = freeze(read(FarmCrop, row) for row in json.loads(sample_of(folder))["population"])
    bound = Frozen.read(frozen)
    request = SampleRequest(population, bound, Opened(SECRETS, on=bound.frozen_on))
    sample = sample_document(draw_sample(request))
    assert (one.farms, one.sampled, one.sample_hash) == (FARMS, LEAST, sample_hash(sample))
    assert check_sample(sample, document_hash(frozen)) == []
    assert [problem.code for problem in check_signing(one)] == ["no_package"], "nobody asked for one in the example"


# What an elevator does to the list of its farms and to the draw, drawing again as it likes: it knows both seeds by now.


def redrawn(sample: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> bytes:
    """Return the sample drawn from a changed list, so that list, hash and draw agree."""
    rows = [changed for row in sample["population"] if (changed := change(row)) is not None]
    return canonical_json(sample_document(draw_sample(asked(freeze(read(FarmCrop, row) for row in rows)))))


def exchanged(sample: dict[str, Any]) -> bytes:
    left = next(row["farm_id"] for row in sample["population"] if row["farm_id"] not in sample["sample"])
    return canonical_json({**sample, "sample": sorted([*sample["sample"][1:], left])})


FIRST: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
    "left out": lambda _: None,
    "listed lower": lambda row: row | {"bushels": show(parse(row["bushels"]) - 100_000)},
    "in another county": lambda row: row | {"county_fips": "20001"},
}


@pytest.mark.parametrize("what", [*FIRST, "exchanged for another"])
def test_a_drawn_farm_listed_or_drawn_otherwise_is_named(what: str, folder: Path, farms: tuple[str, ...]) -> None:
    party, first = audit_party(folder, farms), farms[0]
    sample = json.loads(party.files[SAMPLE])
    made = (
        redrawn(sample, lambda row: FIRST[what](row) if row["farm_id"] == first else row)
        if what in FIRST
        else exchanged(sample)
    )
    files = {**party.files, HEADER: canonical_json(party.header.document()), SAMPLE: made}
    pins = (folder / "pins.json").read_bytes()
    checks = [one for one in CHECKS if one.name in ("sample", "population")]

    def told(files: Mapping[str, bytes]) -> list[tuple[str, str]]:
        outcomes = recompute(with_verifiers_files(files, pins, {}), checks)
        return [(one.code, one.place) for outcome in outcomes for one in outcome.differences]

    assert told({**files, SAMPLE: party.files[SAMPLE]}) == []
    code, place = (
        ("population_differs", f"{first}, ") if what in FIRST else ("sample_differs", "audit/sample.json, sample")
    )
    assert any(one[0] == code and place in one[1] for one in told(files)), told(files)


# Root causes first: what follows from one change is folded under one line, and nothing with a cause of its own is.


def change_of(run: Run, path: str, field: str, place: str = "") -> Change:
    return next(
        one for one in changes(run.files)
        if one.path.endswith(path) and one.field == field and one.what in ("value", "cell") and place in one.place
    )  # fmt: skip


def led(run: Run, change: Change, hand: Hand) -> list[Cause]:
    found, _ = run.differences(tampered(run.party, change, hand))
    causes = causes_of(by_stake(found))
    assert sum(1 + len(one.follows) for one in causes) == len(by_stake(found)), "each difference stands once"
    return causes


@pytest.mark.parametrize("hand", list(Hand))
def test_a_changed_crushing_yield_gives_one_leading_line(hand: Hand, folder: Path) -> None:
    run = Run("crusher", folder)
    (cause,) = led(run, change_of(run, "book.jsonl", "yield rate"), hand)
    first = "line 18, yield yield-2026-Q1" if hand is Hand.BAGGED else "book of plains-crush, lines "
    assert first in cause.leading.place
    assert len(cause.follows) > 100


def test_a_changed_harvest_leads_and_a_count_that_disagrees_stands_beside_it(folder: Path) -> None:
    run = Run("farm", folder)
    causes = led(run, change_of(run, "harvest.csv", "bushels", "2025"), Hand.BAGGED)
    assert [one.leading.code for one in causes] == ["record_changed:harvest", "bushels_differ"]
    assert {one.code.partition(":")[2] for one in causes[0].follows} >= {"unit", "totals", "average"}


def difference(code: str, *about: str) -> Difference:
    return Difference(code, "2100.020", " ".join((*about, code)), "a", code, about=(about,))


def test_changed_rows_lead_and_what_is_about_something_else_is_not_folded() -> None:
    given = [
        difference("record_changed:operation", "report", "U1"),
        difference("report_differs:stir", "report", "U2"),
        difference("report_differs:totals", "report"),
        difference("report_differs:stir", "another report", "U1"),
    ]
    assert [len(one.follows) for one in causes_of(given)] == [1, 0, 0]
    assert causes_of(given)[0].follows == (given[2],)
    first = difference("record_changed:operation", "report", "U1")
    rows = [first, replace(first, place="another row")]
    others = [
        difference("transfer_differs:yield_lb_per_bu", "coop"),
        difference("transfer_differs:missing", "coop"),
        difference("signature_changed", "coop"),
    ]
    assert [one.leading for one in causes_of([*rows, *others])] == [*rows, *others]
    assert len(causes_of([*others[:2], difference("book_seal", "coop")])) == 1


def test_many_differences_are_folded_in_one_pass() -> None:
    """A report whose units are nothing made five thousand lines lead; each was held against all before it."""
    alone = [replace(difference("report_differs:average", "report"), place=str(each)) for each in range(8_000)]
    papers = [replace(difference("transfer_differs:ci_g_per_bu", "coop"), claimed=str(each)) for each in range(8_000)]
    start = process_time()
    assert len(causes_of([*alone, *papers])) == 16_000
    assert process_time() - start < 3


# Gallons against what was retired, product against crop, and a keeper's alerts told to the verifier.


@pytest.fixture(scope="module")
def refiner(folder: Path) -> Party:
    return party_of("refiner", folder)


def judged(party: Party, folder: Path, change: Any = None) -> CheckResult:  # noqa: ANN401 - event -> members
    files = {**party.files, HEADER: canonical_json(party.header.document())}
    book = next(path for path in files if path.endswith("book.jsonl"))
    lines = [json.loads(line) for line in files[book].decode().splitlines()]
    first: dict[str, Any] = next((line["event"] for line in lines if line.get("event", {}).get("type") == "retire"), {})
    first.update(change(first) if change else {})
    files[book] = "\n".join([*map(json.dumps, lines), ""]).encode()
    reseal(files, book)
    return plausibility(PackageContents(files, folder))


def gallons(factor: tuple[int, int]) -> Any:  # noqa: ANN401 - event -> members
    return lambda event: {"gallons": show(parse(event["gallons"]) * factor[0] // factor[1])}


def test_an_honest_refiner_has_nothing_odd_and_its_alerts_are_told(refiner: Party, tmp_path: Path) -> None:
    outcome = judged(refiner, tmp_path)
    assert (outcome.differences, outcome.computed) == ((), 13)
    assert any("went and" in told for told in outcome.not_shown)


@pytest.mark.parametrize(("factor", "odd"), [((10, 1), 1), ((1, 10), 1), ((0, 1), 1), ((4, 3), 0), ((2, 1), 1)])
def test_impossible_gallons_concern_the_fuel(factor: tuple[int, int], odd: int, refiner: Party, tmp_path: Path) -> None:
    outcome = judged(refiner, tmp_path, gallons(factor))
    found = [one for one in outcome.differences if one.code == "fuel_implausible"]
    assert len(found) == odd
    assert outcome.computed == 13
    assert all(one.effect_bushels is None and "about the fuel only" in one.claimed for one in found)
