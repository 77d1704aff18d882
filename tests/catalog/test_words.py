"""Everyday names are known, asked about or told; none is taken for something else."""

import pytest

from provender.catalog.tables import rows
from provender.catalog.words import About, listed_name, meaning, suggested


@pytest.mark.parametrize("about", About)
def test_every_everyday_name_means_names_of_the_list_and_has_a_source(about: About) -> None:
    for row in rows("everyday_names.csv"):
        if row["about"] == about:
            assert row["source"]
            assert all(listed_name(about, name) for name in row["means"].split("|")), row["means"]


@pytest.mark.parametrize(
    ("about", "text", "name"),
    [
        (About.OPERATION, "Burndown", "Sprayer, kill crop"),
        (About.OPERATION, "spring burndown", "Sprayer, kill crop"),
        (About.OPERATION, "combining", "Combine harvest"),
        (About.OPERATION, "Roller-Crimper", "Roller, crimp, covercrop"),
        (About.OPERATION, "spread DAP", "Fertilizer spreader, dry broadcast"),
        (About.PRODUCT, "32% UAN", "UAN 32"),
        (About.PRODUCT, "UAN 28%", "UAN 28"),
        (About.PRODUCT, "NH3", "Anhydrous ammonia"),
        (About.PRODUCT, "6-24-6", "Liquid starter 6-24-6"),
        (About.PRODUCT, "Super-U", "SuperU type urea (NBPT+DCD)"),
        (About.SPECIES, "rye", "Cereal Rye, Winter"),
        (About.SPECIES, "annual rye", "Ryegrass, Annual"),
        (About.SPECIES, "Daikon radish", "Radish, Forage"),
        (About.OPERATION, "Disk tandem light finishing", "Disk, tandem light finishing"),
        (About.OPERATION, "planter double disk opnr", "Planter, double disk opnr"),
        (About.SPECIES, "Triticale - Winter", "Triticale, Winter"),
        (About.INHIBITOR, "N serve", "N-Serve"),
        (About.INHIBITOR, "instinct nextgen", "Instinct NXTGEN"),
        (About.INHIBITOR, "agrotain ultra", "Agrotain Ultra"),
        (About.OPERATION, "rotary hoed", "Rotary hoe"),
        (About.OPERATION, "MAP and potash", "Fertilizer spreader, dry broadcast"),
        (About.PRODUCT, "NH3 82%", "Anhydrous ammonia"),
        (About.PRODUCT, "0-0-62 potash", "Muriate of potash (KCl)"),
        (About.PRODUCT, "spray AMS", "Ammonium sulfate (AMS)"),
        (About.SPECIES, "winter camelina", "Camelina"),
        (About.SPECIES, "Fava beans", "Faba Bean"),
    ],
)
def test_a_clear_name_is_known(about: About, text: str, name: str) -> None:
    assert meaning(about, text).one == name


@pytest.mark.parametrize(
    ("about", "text", "among"),
    [
        (About.OPERATION, "disk", "Disk, offset, heavy"),
        (About.OPERATION, "Discing", "Disk, tandem secondary op."),
        (About.OPERATION, "Planter", "Planter, double disk opnr"),
        (About.OPERATION, "Turbo-Max 40ft", "Reel disk vertical tiller"),
        (About.OPERATION, "Case IH 3950 disk", "Disk, tandem heavy primary op."),
        (About.OPERATION, "John Deere 1790 planter", "Planter, double disk opnr"),
        (About.PRODUCT, "UAN", "UAN 32"),
        (About.SPECIES, "peas", "Pea, Winter"),
        (About.SPECIES, "clover", "Clover, Crimson"),
        (About.INHIBITOR, "stabilizer", "N-Serve"),
        (About.OPERATION, "Kuhn 8005", "Reel disk vertical tiller"),
        (About.OPERATION, "Terra-Gator", "Fertilizer, liquid broadcast"),
        (About.OPERATION, "no-till", "Planter, double disk opnr w/fluted coulter"),
        (About.SPECIES, "wheat", "Wheat, Spring"),
        (About.SPECIES, "trit", "Triticale, Winter"),
        (About.SPECIES, "triticale/peas mix", "Triticale, Spring"),
        (About.OPERATION, "airplane", "Aerial seeding"),
        (About.OPERATION, "flew on rye", "Aerial seeding"),
        (About.OPERATION, "Roundup pass", "Sprayer, kill crop"),
        (About.OPERATION, "post pass Liberty", "Sprayer, post emergence"),
        (About.OPERATION, "walked beans", "Weed control, manual hoe"),
        (About.OPERATION, "turned out cows", "Graze, stubble or residue"),
        (About.OPERATION, "Nutri-Placer 930", "Fert. applic. anhyd knife 30 in"),
        (About.OPERATION, "preplant UAN", "Fertilizer, liquid broadcast"),
        (About.PRODUCT, "liquid AMS", "Ammonium sulfate (AMS)"),
    ],
)
def test_a_name_of_several_meanings_is_asked_about(about: About, text: str, among: str) -> None:
    found = meaning(about, text)
    assert len(found.names) > 1
    assert among in found.names


@pytest.mark.parametrize(
    ("about", "text", "among"),
    [
        (About.OPERATION, "snow plow", ""), (About.OPERATION, "planter with row cleaners", ""),
        (About.OPERATION, "rock picking", ""), (About.PRODUCT, "28-0-0-5S", ""), (About.PRODUCT, "9-23-30", ""),
        (About.PRODUCT, "gypsum", ""), (About.PRODUCT, "32% w/ Instinct", ""), (About.PRODUCT, "CAN-17", ""),
        (About.PRODUCT, "can 17", ""), (About.PRODUCT, "32% w/ Agrotain", "UAN 32"),
        (About.PRODUCT, "32% + N-Serve 24", "UAN 32"), (About.SPECIES, "common vetch", ""),
        (About.SPECIES, "foxtail millet", ""), (About.SPECIES, "VNS", ""), (About.SPECIES, "cover crop mix", ""),
        (About.INHIBITOR, "some additive", ""),
    ],
)  # fmt: skip
def test_what_is_something_else_is_not_taken_for_a_name_of_the_list(about: About, text: str, among: str) -> None:
    found = meaning(about, text)
    assert found.one == ""
    assert not among or among in (*found.names, *found.near)


def test_what_a_farm_said_is_what_it_means() -> None:
    said = {("operation", "disk"): "Disk, offset, heavy"}
    assert meaning(About.OPERATION, " DISK ", said).one == "Disk, offset, heavy"


def test_suggestions_share_words_not_letters() -> None:
    assert all("Planter" in name for name in suggested(About.OPERATION, "Planter"))
    assert suggested(About.OPERATION, "disk, tandem secondry op.")[0] == "Disk, tandem secondary op."
    assert suggested(About.OPERATION, "qqqqqqqq") == ()


@pytest.mark.parametrize(("about", "rest"), [(About.PRODUCT, "blend"), (About.INHIBITOR, "Contain Max")])
def test_names_that_say_one_thing_twice_say_it_and_those_that_say_more_do_not(about: About, rest: str) -> None:
    name = {About.PRODUCT: "urea 46%", About.INHIBITOR: "DCD dicyandiamide"}[about]
    assert meaning(about, name).one
    assert not meaning(about, f"{name} {rest}").one
