"""Blanks, days and names beside each other in what a report is held against: loads, runs, sales, statements."""

from typing import Final

import pytest

from provender.report.signing import refusals
from tests.proof import changes as c
from tests.proof.world import reports_of
from tests.report.official import official_rows

LATER: Final = c.more("harvest", harvest_id="H25b", unit_id="N40", crop="corn", use="grain", ending="harvested",
                      first_day="2025-10-21", last_day="2025-10-21", bushels="0")  # fmt: skip
"""A second entry of the harvest, which may have a declaration of its own."""


def load(**cells: str) -> c.Change:
    return c.weighed(unit_id="N40", **cells)


def stated(first: dict[str, str], **second: str) -> c.Change:
    """Change the declaration of the harvest, and make one of its second entry."""
    return c.both(LATER, c.like("declaration", 0, harvest_id="H25b", **second), c.of("declaration", 0, **first))


def beside(basis: str, own: str = "owner") -> c.Change:
    """Give another producer control of the unit on a basis, beside the signer's own."""
    return c.both(
        c.of("control", basis=own),
        c.more("producer", producer_id="P2", name="Bob", role="owner", operational_control="yes"),
        c.more("control", control_id="K2", unit_id="N40", producer_id="P2", since="2020-01-01", basis=basis),
    )


SILENT, CONTRADICTED = "attestation_unanswered", "attestation_contradicted"
UNCLEAR, OTHER_CROP, NEXT_YEAR = "ticket_unclear", "ticket_of_other_crop", "ticket_before_its_year"
FIRST_BLANK: Final = c.of("harvest", 1, first_day="")
CASES: Final[dict[str, tuple[c.Change, str]]] = {
    "a load": (load(), ""),
    "a load of no day": (load(day=""), UNCLEAR),
    "a load of no crop": (load(crop=""), UNCLEAR),
    "a load of no year of a unit that was harvested then": (load(harvest_year=""), ""),
    "a load of no year": (c.weighed(harvest_year=""), UNCLEAR),
    "a load of no bushels": (load(net_bushels=""), UNCLEAR),
    "a load of no bushels at another crop": (c.weighed(crop="soybeans", net_bushels=""), ""),
    "a load of no year from before this harvest": (c.weighed(harvest_year="", day="2025-03-01"), ""),
    "a load of no year on its first day": (c.weighed(harvest_year="", day="2025-10-17"), UNCLEAR),
    "a load of no year after the report": (c.weighed(harvest_year="", day="2026-01-16"), ""),
    "a load of no year on the day of the report": (c.weighed(harvest_year="", day="2026-01-15"), UNCLEAR),
    "a load of no crop from a unit that is in no report": (
        c.both(c.more("unit", unit_id="W10", acres="10", county_fips="20177"), c.weighed(crop="", unit_id="W10")), "",
    ),
    "a load of a crop that the unit did not grow": (load(crop="soybeans"), OTHER_CROP),
    "a load of a year in which it did not": (load(harvest_year="2024"), OTHER_CROP),
    "a load of a year before the records": (load(harvest_year="2023", day="2025-03-01"), ""),
    "a load of next year's harvest": (c.weighed(harvest_year="2026"), NEXT_YEAR),
    "a load weighed in that year": (c.weighed(harvest_year="2026", day="2026-01-02"), ""),
    "a load of winter": (load(day="2026-01-10"), ""),
    "sold before it was planted, the first day blank": (c.both(c.sold(day="2025-04-27"), FIRST_BLANK),
                                                        "sale_before_harvest"),
    "sold on the day of planting, the first day blank": (c.both(c.sold(day="2025-04-28"), FIRST_BLANK), ""),
    "a run of another unit's harvest": (c.of("calculator_run", harvest_id="S25"), CONTRADICTED),
    "benefit: answered after harvest": (stated({}), ""),
    "benefit: answered before harvest alone": (stated({"benefit_sold": ""}, made_on="2025-10-20"), SILENT),
    "benefit: answered on its last day": (stated({"benefit_sold": ""}, made_on="2025-10-21"), ""),
    "benefit: admitted before harvest": (stated({}, made_on="2025-05-01", benefit_sold="yes"), CONTRADICTED),
    "benefit: admitted first": (stated({"benefit_sold": "yes"}, made_on="2025-11-02"), CONTRADICTED),
    "control of a partner": (beside("partner"), ""),
    "control of a tenant": (beside("cash_tenant"), CONTRADICTED),
    "control of somebody, nobody says how": (beside(""), SILENT),
    "control of somebody beside a tenant": (beside("", own="cash_tenant"), ""),
    "control that ended years ago": (c.of("control", until="2024-09-01"), CONTRADICTED),
}  # fmt: skip


@pytest.fixture(scope="module")
def told() -> dict[str, set[str]]:
    """Return by case the codes of the reasons against a signature; each is a farm of one book."""
    base = official_rows()
    farms = {f"F{at}": change(base) for at, (change, _) in enumerate(CASES.values())}
    found = reports_of(farms, {})
    return {name: {one.code for one in refusals(found[f"F{at}"])} for at, name in enumerate(CASES)}


@pytest.mark.parametrize("name", CASES)
def test_a_blank_or_a_name_switches_no_check_off(name: str, told: dict[str, set[str]]) -> None:
    assert told[name] == ({CASES[name][1]} - {""})
