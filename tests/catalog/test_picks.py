"""Names are picked by words in any order and in Spanish; what is recorded stays the list's own name."""

import pytest

from provender.catalog.operations import operations
from provender.catalog.tables import rows
from provender.catalog.words import (
    About,
    asked_names,
    listed_name,
    listed_names,
    meaning,
    picks,
    spanish_names,
    with_facts,
)

SWEEPS = ("Cultivator, field 6-12 in sweeps", "Cultivator, field 6-12 in sweeps, coil tine har")
IN_SPANISH = (About.OPERATION, About.PRODUCT, About.SPECIES)


@pytest.mark.parametrize(
    ("about", "text", "names"),
    [
        (About.OPERATION, "field cultivator 6-12 in sweeps", ("Cultivator, field 6-12 in sweeps",)),
        (About.OPERATION, "Field cultivator, 6-12 inch sweeps", ("Cultivator, field 6-12 in sweeps",)),
        (About.OPERATION, "twisted point chisel plow", ("Chisel, twisted shovel",)),
        (About.OPERATION, "chisel plow, coulter, twisted points", ("Chisel plow, coulter, twst. pts.",)),
        (About.OPERATION, "heavy offset disk", ("Disk, offset, heavy",)),
        (About.OPERATION, "rolling harrow", ("Harrow, rolling", "Roller harrow")),
        (About.PRODUCT, "solution urea 23", ("Urea solution 23",)),
        (About.PRODUCT, "UAN", ("UAN 28", "UAN 30", "UAN 32")),
        (About.SPECIES, "hemp sunn", ("Sunn Hemp",)),
        (About.OPERATION, "field cultivator with sweeps", SWEEPS),
        (About.OPERATION, "the field cultivator, w/ sweeps", SWEEPS),
        (About.SPECIES, "centeno", ("Cereal Rye, Spring", "Cereal Rye, Winter")),
        (About.SPECIES, "Centeno de invierno", ("Cereal Rye, Winter",)),
        (About.SPECIES, "trebol encarnado", ("Clover, Crimson",)),
        (About.PRODUCT, "nitrato de amonio", ("Ammonium nitrate",)),
        (About.OPERATION, "niveladora láser", ("Laser Land leveler",)),
    ],
)
def test_a_name_with_the_words_of_listed_ones_is_asked_about(about: About, text: str, names: tuple[str, ...]) -> None:
    assert asked_names(about, text) == names


@pytest.mark.parametrize("text", ["field cultivator 6-12 in sweeps", "heavy offset disk", "twisted point chisel plow"])
def test_words_in_another_order_are_never_taken_without_a_person(text: str) -> None:
    found = meaning(About.OPERATION, text)
    assert not found.one
    assert (*found.names, *found.near) == asked_names(About.OPERATION, text)


@pytest.mark.parametrize(
    ("about", "text"),
    [
        (About.OPERATION, "Disk, offset, heavy"),
        (About.OPERATION, "field"),
        (About.OPERATION, "pulling a sledge"),
        (About.SPECIES, "My own mix"),
        (About.SPECIES, "de la"),
    ],
)
def test_what_is_listed_or_wholly_unknown_is_not_asked_about(about: About, text: str) -> None:
    assert asked_names(about, text) == ()


@pytest.mark.parametrize("about", IN_SPANISH)
def test_every_name_that_is_picked_has_a_spanish_one(about: About) -> None:
    assert [name for name in listed_names(about) if not spanish_names(about, name)] == []


def test_every_spanish_name_is_of_a_list_and_used() -> None:
    used = {about: {spanish_names(about, name) for name in listed_names(about)} for about in IN_SPANISH}
    unused = []
    for row in rows("spanish_names.csv"):
        about, called = About(row["about"]), tuple(row["spanish"].split("|"))
        assert about is About.OPERATION or listed_name(about, row["listed"]) == row["listed"]
        assert all(one == one.strip() != "" for one in called)
        if called not in used[about]:
            unused.append(row["listed"])
    assert unused == []


@pytest.mark.parametrize(
    ("about", "name", "called"),
    [
        (About.SPECIES, "Cereal Rye, Winter", "centeno de invierno"),
        (About.SPECIES, "Clover, Crimson", "trébol encarnado"),
        (About.SPECIES, "Vetch, Hairy", "veza vellosa"),
        (About.OPERATION, "Plow, moldboard 10 inch depth", "arado de vertedera"),
        (About.OPERATION, "Disk, single gang", "rastra de discos"),
        (About.PRODUCT, "UAN 28", "solución UAN 28 %"),
    ],
)
def test_a_spanish_name_finds_the_listed_one(about: About, name: str, called: str) -> None:
    assert called in picks(about)[name].words
    assert called not in picks(about)[name].beside


def test_a_pick_is_found_by_words_that_the_list_shortens() -> None:
    words = picks(About.OPERATION)["Chisel plow, coulter, twst. pts."].words
    assert "twisted" in words
    assert "points" in words
    assert len(picks(About.OPERATION)) == len(operations())


def test_products_that_differ_by_grade_say_it() -> None:
    assert picks(About.PRODUCT)["UAN 32"].beside == "UAN 32: 32-0-0"
    assert with_facts(About.PRODUCT, "Ammonium polyphosphate (APP)") == "Ammonium polyphosphate (APP) (10-34-0)"
    assert with_facts(About.SPECIES, "Oats") == "Oats"
