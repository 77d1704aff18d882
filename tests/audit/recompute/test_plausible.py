"""Gallons against what was retired, product against crop, and a keeper's alerts told to the verifier."""

import json
from pathlib import Path
from typing import Any

import pytest

from provender.audit.outcome import CheckResult
from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER
from provender.audit.recompute.custody_books import recompute_plausibility
from provender.exact import parse, show
from provender.signing.canonical import canonical_json
from tests.audit.mutation.hands import reseal
from tests.audit.mutation.run import parties
from tests.audit.prairie import Party, chain

pytestmark = pytest.mark.xdist_group("prairie")


@pytest.fixture(scope="module")
def refiner() -> Party:
    return parties(chain(5))["refiner"]


def judged(party: Party, folder: Path, change: Any = None) -> CheckResult:  # noqa: ANN401 - event -> members
    files = {**party.files, HEADER: canonical_json(party.header.document())}
    book = next(path for path in files if path.endswith("book.jsonl"))
    lines = [json.loads(line) for line in files[book].decode().splitlines()]
    first: dict[str, Any] = next((line["event"] for line in lines if line.get("event", {}).get("type") == "retire"), {})
    first.update(change(first) if change else {})
    files[book] = "\n".join([*map(json.dumps, lines), ""]).encode()
    reseal(files, book)
    return recompute_plausibility(PackageContents(files, folder))


def gallons(factor: tuple[int, int]) -> Any:  # noqa: ANN401 - event -> members
    return lambda event: {"gallons": show(parse(event["gallons"]) * factor[0] // factor[1])}


def test_an_honest_refiner_has_nothing_odd_and_its_alerts_are_told(refiner: Party, tmp_path: Path) -> None:
    outcome = judged(refiner, tmp_path)
    assert (outcome.differences, outcome.computed) == ((), 13)
    assert any("went and" in told for told in outcome.not_shown)


@pytest.mark.parametrize(("factor", "odd"), [((10, 1), 1), ((1, 10), 1), ((0, 1), 1), ((4, 3), 0), ((2, 1), 1)])
def test_gallons_that_no_process_makes_are_a_finding_about_the_fuel_only(
    factor: tuple[int, int], odd: int, refiner: Party, tmp_path: Path
) -> None:
    outcome = judged(refiner, tmp_path, gallons(factor))
    found = [one for one in outcome.differences if one.code == "fuel_implausible"]
    assert len(found) == odd
    assert outcome.computed == 13
    assert all(one.effect_bushels is None and "about the fuel only" in one.claimed for one in found)
