"""When a crop is a reduced-CI crop at all."""

import re
from pathlib import Path

import pytest

import provender.intensity
from provender.intensity.reduced_ci import DEFINITION, reduced_ci_findings
from provender.intensity.weighted import Share, farm_average
from provender.rule.cite import Cite
from provender.rule.crops import Crop
from provender.rule.paragraphs import paragraph


def codes(shares: list[Share], national: int | None) -> list[str]:
    average = farm_average(shares, national)
    return [finding.code for finding in reduced_ci_findings(Crop.field_corn, shares, average, national)]


@pytest.mark.parametrize(
    ("ci", "found"), [(799_999, []), (800_000, ["not_below_national"]), (800_001, ["not_below_national"])]
)
def test_a_farm_ci_must_be_below_the_national_default(ci: int, found: list[str]) -> None:
    assert codes([Share("home", 1_000, ci)], 800_000) == found


def test_without_a_default_or_an_average_nothing_is_compared() -> None:
    assert codes([Share("home", 1_000, 900_000)], None) == []
    assert codes([Share("home", 1_000, None)], 800_000) == []


@pytest.mark.parametrize("shares", [[Share("rest", 1_000, conventional=True)], [Share("home", 0, 1)], []])
def test_without_bushels_under_a_practice_there_is_no_reduced_ci_crop(shares: list[Share]) -> None:
    assert "no_practice" in codes(shares, 800_000)


CITED = re.compile(r'"(2100\.\d{3}[^"]*)"|\'(2100\.002 "[^"]+")\'')


def test_every_paragraph_that_a_finding_of_the_room_cites_exists() -> None:
    found = set()
    for module in (Path(provender.intensity.__file__).parent).glob("*.py"):
        for plain, quoted in CITED.findall(module.read_text(encoding="utf-8")):
            found.add(plain or quoted)
    assert {"2100.020", DEFINITION} <= found
    for cite in found:
        assert paragraph(Cite.parse(cite))
