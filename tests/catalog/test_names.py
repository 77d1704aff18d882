"""Names are picked in any order and in Spanish, known, asked about or told; none is taken for something else."""

from typing import Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.catalog.tables import operations, rows
from provender.catalog.words import (
    About,
    asked_names,
    listed_name,
    listed_names,
    meaning,
    picks,
    spanish_names,
    suggested,
    with_facts,
)
from provender.portfolio.frames import beside, rows_at, rows_of, spellings, without


def test_every_everyday_name_has_its_source_and_suggestions_share_words_not_letters() -> None:
    assert {row["about"] for row in rows("everyday_names.csv")} == set(About)
    for row in rows("everyday_names.csv"):
        assert row["source"]
        assert all(listed_name(About(row["about"]), name) for name in row["means"].split("|")), row["means"]
    assert all("Planter" in name for name in suggested(About.OPERATION, "Planter"))
    assert suggested(About.OPERATION, "disk, tandem secondry op.")[0] == "Disk, tandem secondary op."
    assert suggested(About.OPERATION, "qqqqqqqq") == ()


CLEAR: Final = {
    About.OPERATION: {"Burndown": "Sprayer, kill crop", "spring burndown": "Sprayer, kill crop",
        "combining": "Combine harvest", "Roller-Crimper": "Roller, crimp, covercrop",
        "spread DAP": "Fertilizer spreader, dry broadcast",
        "Disk tandem light finishing": "Disk, tandem light finishing",
        "planter double disk opnr": "Planter, double disk opnr", "rotary hoed": "Rotary hoe",
        "MAP and potash": "Fertilizer spreader, dry broadcast"},
    About.PRODUCT: {"32% UAN": "UAN 32", "UAN 28%": "UAN 28", "NH3": "Anhydrous ammonia",
        "6-24-6": "Liquid starter 6-24-6", "Super-U": "SuperU type urea (NBPT+DCD)", "NH3 82%": "Anhydrous ammonia",
        "0-0-62 potash": "Muriate of potash (KCl)", "spray AMS": "Ammonium sulfate (AMS)"},
    About.SPECIES: {"rye": "Cereal Rye, Winter", "annual rye": "Ryegrass, Annual", "Daikon radish": "Radish, Forage",
        "Triticale - Winter": "Triticale, Winter", "winter camelina": "Camelina", "Fava beans": "Faba Bean"},
    About.INHIBITOR: {"N serve": "N-Serve", "instinct nextgen": "Instinct NXTGEN", "agrotain ultra": "Agrotain Ultra"},
}  # fmt: skip


def test_a_clear_name_is_known_and_what_a_farm_said_is_what_it_means() -> None:
    assert {about: {text: meaning(about, text).one for text in texts} for about, texts in CLEAR.items()} == CLEAR
    said = {("operation", "disk"): "Disk, offset, heavy"}
    assert meaning(About.OPERATION, " DISK ", said).one == "Disk, offset, heavy"


SEVERAL: Final = {
    About.OPERATION: {"disk": "Disk, offset, heavy", "Discing": "Disk, tandem secondary op.",
        "Planter": "Planter, double disk opnr", "Turbo-Max 40ft": "Reel disk vertical tiller",
        "Case IH 3950 disk": "Disk, tandem heavy primary op.", "John Deere 1790 planter": "Planter, double disk opnr",
        "Kuhn 8005": "Reel disk vertical tiller", "Terra-Gator": "Fertilizer, liquid broadcast",
        "no-till": "Planter, double disk opnr w/fluted coulter", "airplane": "Aerial seeding",
        "flew on rye": "Aerial seeding", "Roundup pass": "Sprayer, kill crop",
        "post pass Liberty": "Sprayer, post emergence", "walked beans": "Weed control, manual hoe",
        "turned out cows": "Graze, stubble or residue", "Nutri-Placer 930": "Fert. applic. anhyd knife 30 in",
        "preplant UAN": "Fertilizer, liquid broadcast"},
    About.PRODUCT: {"UAN": "UAN 32", "liquid AMS": "Ammonium sulfate (AMS)"},
    About.SPECIES: {"peas": "Pea, Winter", "clover": "Clover, Crimson", "wheat": "Wheat, Spring",
        "trit": "Triticale, Winter", "triticale/peas mix": "Triticale, Spring"},
    About.INHIBITOR: {"stabilizer": "N-Serve"},
}  # fmt: skip


def test_a_name_of_several_meanings_is_asked_about_and_what_is_something_else_is_not_taken() -> None:
    for about, texts in SEVERAL.items():
        for text, among in texts.items():
            names = meaning(about, text).names
            assert (len(names) > 1, among in names) == (True, True), text
    for about, texts in ELSE.items():
        for text, among in texts.items():
            found = meaning(about, text)
            assert found.one == "", text
            assert not among or among in (*found.names, *found.near)


ELSE: Final = {
    About.OPERATION: {"snow plow": "", "planter with row cleaners": "", "rock picking": "",
        "rotary hoe?": "Rotary hoe"},
    About.PRODUCT: {"28-0-0-5S": "", "9-23-30": "", "gypsum": "", "32% w/ Instinct": "", "CAN-17": "", "can 17": "",
        "32% w/ Agrotain": "UAN 32", "32% + N-Serve 24": "UAN 32",
        "UAN 32?": "UAN 32"},
    About.SPECIES: {"common vetch": "", "foxtail millet": "", "VNS": "", "cover crop mix": ""},
    About.INHIBITOR: {"some additive": ""},
}  # fmt: skip


def test_names_that_say_one_thing_twice_say_it_and_those_with_more_words_are_asked_about() -> None:
    for about, name, rest in (
        (About.PRODUCT, "urea 46%", "blend"), (About.INHIBITOR, "DCD dicyandiamide", "Contain Max"),
    ):  # fmt: skip
        assert meaning(about, name).one
        assert not meaning(about, f"{name} {rest}").one
    asked = {about: {text: asked_names(about, text) for text in texts} for about, texts in IN_OTHER_WORDS.items()}
    assert asked == IN_OTHER_WORDS
    for text in ("field cultivator 6-12 in sweeps", "heavy offset disk", "twisted point chisel plow"):
        found = meaning(About.OPERATION, text)
        assert not found.one
        assert (*found.names, *found.near) == asked_names(About.OPERATION, text)
    assert not any(asked_names(about, text) for about, texts in NOTHING_TO_ASK.items() for text in texts)


SWEEPS = ("Cultivator, field 6-12 in sweeps", "Cultivator, field 6-12 in sweeps, coil tine har")
IN_SPANISH = (About.OPERATION, About.PRODUCT, About.SPECIES)


IN_OTHER_WORDS: Final = {
    About.OPERATION: {"field cultivator 6-12 in sweeps": ("Cultivator, field 6-12 in sweeps",),
        "Field cultivator, 6-12 inch sweeps": ("Cultivator, field 6-12 in sweeps",),
        "twisted point chisel plow": ("Chisel, twisted shovel",),
        "chisel plow, coulter, twisted points": ("Chisel plow, coulter, twst. pts.",),
        "heavy offset disk": ("Disk, offset, heavy",), "rolling harrow": ("Harrow, rolling", "Roller harrow"),
        "field cultivator with sweeps": SWEEPS, "the field cultivator, w/ sweeps": SWEEPS,
        "niveladora láser": ("Laser Land leveler",)},
    About.PRODUCT: {"solution urea 23": ("Urea solution 23",), "UAN": ("UAN 28", "UAN 30", "UAN 32"),
        "nitrato de amonio": ("Ammonium nitrate",)},
    About.SPECIES: {"hemp sunn": ("Sunn Hemp",), "centeno": ("Cereal Rye, Spring", "Cereal Rye, Winter"),
        "Centeno de invierno": ("Cereal Rye, Winter",), "trebol encarnado": ("Clover, Crimson",)},
}  # fmt: skip


NOTHING_TO_ASK: Final = {
    About.OPERATION: {"Disk, offset, heavy", "field", "pulling a sledge"},
    About.SPECIES: {"My own mix", "de la"},
}  # fmt: skip


def test_a_name_is_found_in_spanish_and_every_spanish_name_is_of_a_list_and_used() -> None:
    assert [name for about in IN_SPANISH for name in listed_names(about) if not spanish_names(about, name)] == []
    for about, texts in SPANISH.items():
        for name, called in texts.items():
            assert called in picks(about)[name].words
            assert called not in picks(about)[name].beside
    words = picks(About.OPERATION)["Chisel plow, coulter, twst. pts."].words
    assert "twisted" in words
    assert "points" in words
    assert len(picks(About.OPERATION)) == len(operations())
    used = {about: {spanish_names(about, name) for name in listed_names(about)} for about in IN_SPANISH}
    unused = []
    for row in rows("spanish_names.csv"):
        about, spellings = About(row["about"]), tuple(row["spanish"].split("|"))
        assert about is About.OPERATION or listed_name(about, row["listed"]) == row["listed"]
        assert all(one == one.strip() != "" for one in spellings)
        if spellings not in used[about]:
            unused.append(row["listed"])
    assert unused == []


SPANISH: Final = {
    About.SPECIES: {"Cereal Rye, Winter": "centeno de invierno", "Clover, Crimson": "trébol encarnado",
        "Vetch, Hairy": "veza vellosa"},
    About.OPERATION: {"Plow, moldboard 10 inch depth": "arado de vertedera", "Disk, single gang": "rastra de discos"},
    About.PRODUCT: {"UAN 28": "solución UAN 28 %"},
}  # fmt: skip


def test_products_that_differ_by_grade_say_it_and_rows_go_by_the_number_of_their_name() -> None:
    assert picks(About.PRODUCT)["UAN 32"].beside == "UAN 32: 32-0-0"
    assert with_facts(About.PRODUCT, "Ammonium polyphosphate (APP)") == "Ammonium polyphosphate (APP) (10-34-0)"
    assert with_facts(About.SPECIES, "Oats") == "Oats"
    distinct, which = spellings(pl.Series(NAMES))
    table = distinct.to_frame("name").with_columns(pl.col("name").str.len_bytes().alias("length"))
    assert sorted(distinct) == sorted({name for name in NAMES if name is not None})
    assert rows_at(table, which).rows() == [(name, None if name is None else len(name)) for name in NAMES]


KEYS = st.lists(st.one_of(st.none(), st.integers(0, 30)), max_size=12)


def _table(keys: list[int]) -> pl.DataFrame:
    rows = {"key": pl.Series(keys, dtype=pl.UInt32), "said": [f"row of {key}" for key in keys]}
    return pl.DataFrame(rows, schema_overrides={"said": pl.String})


@given(table=st.lists(st.integers(0, 30), unique=True, max_size=8), numbers=KEYS)
def test_rows_of_keys_are_those_of_a_left_join(table: list[int], numbers: list[int | None]) -> None:
    rows = pl.DataFrame({"key": pl.Series(numbers, dtype=pl.UInt32), "number": range(len(numbers))})
    joined = rows.join(_table(table), on="key", how="left", maintain_order="left")
    assert beside(rows, _table(table), "key").equals(joined)
    assert rows_of(_table(table), "key", rows["key"]).equals(joined.select("said"))


def test_a_row_without_a_key_is_nobodys_and_columns_left_out_stay_where_they_were() -> None:
    table = pl.DataFrame({"key": pl.Series([None, 2], dtype=pl.UInt32), "said": ["nobody's", "two's"]})
    found = rows_of(table, "key", pl.Series([2, None, 0], dtype=pl.UInt32))
    assert found["said"].to_list() == ["two's", None, None]
    assert rows_at(_table([4, 5]), pl.Series([1, None, 1], dtype=pl.UInt32))["key"].to_list() == [5, None, 5]
    frame = pl.DataFrame({"a": [1], "b": [2], "c": [3]})
    assert without(frame, "a", "c").columns == ["b"]
    assert frame.columns == ["a", "b", "c"]
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        without(frame, "d")


NAMES = ["Urea", None, " urea  46 ", "Urea", "UAN\t28", "", None]
