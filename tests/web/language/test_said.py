"""English texts of the rooms are said in Spanish with what somebody typed inside them left as it was typed."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from django.template import Context, Template
from django.utils import translation

from provender.problem import Problem
from provender.records import KINDS
from provender.records.reading import read_table
from provender.records.table import read_csv_table
from provender.report.signing import refusals
from provender.web.said import PLACE, catalogue, pattern_of, patterns, said, spanish
from tests.proof.test_cases import CASES
from tests.proof.world import reports_of
from tests.report.official import official_rows

EXAMPLE: Final = Path(__file__).parents[3] / "examples" / "bluestem-farm"
ANSWERS: Final = Path(__file__).parents[2] / "golden" / "answers"
OF_FARMS: Final = ("commands_check.json", "commands_intensity.json", "commands_report.json")
LOST: Final = re.compile(r"\{\w+~?\}")
VALUES: Final = re.compile(r"\b(?:[A-Z]{1,2}\d+(?:-\d+)?|\d[\d,.]*\d|[a-z_]+\.(?:pdf|jpg|csv))\b")
"""Names of rows and files, and figures, as they stand in a text."""


@pytest.fixture(autouse=True)
def _a_spanish_reader() -> Iterator[None]:
    with translation.override("es"):
        yield


def damaged() -> Iterator[Problem]:
    """Yield what is said of an example whose cells are spoiled, one column of one table after the other."""
    for path in sorted(EXAMPLE.glob("*.csv")):
        table = read_csv_table(path, path.name)
        number, cells = table.rows[0]
        for at in range(len(table.heading)):
            rows = [
                (number, (*cells[:at], bad, *cells[at + 1 :])) for bad in ("\x01", "???", "9" * 99, "2025-02-31", "")
            ]
            read = read_table(KINDS[path.stem], replace(table, rows=(*rows, rows[0])), farm_id="F1")
            yield from read.problems


def real_problems() -> list[str]:
    """Return causes and remedies: of spoiled tables, of what may not be signed, of recorded answers of commands."""
    base = official_rows()
    farms = {f"F{at:03}": change(base) for at, (change, _, _) in enumerate(CASES.values())}
    found = {text: None for one in damaged() for text in (one.cause, one.remedy)}
    for report in reports_of(farms, {}).values():
        told = [(one["cause"], one["remedy"]) for one in (*report["problems"], *report["findings"])]
        for pair in [*((one.cause, one.remedy) for one in refusals(report)), *told]:
            found |= dict.fromkeys(pair)
    for name in OF_FARMS:
        text = (ANSWERS / name).read_text(encoding="utf-8")
        found |= {json.loads(part): None for part in re.findall(r'"(?:cause|remedy)": ("(?:[^"\\]|\\.)*")', text)}
    return [text for text in found if text]


def test_hundreds_of_real_problems_are_said_with_their_values() -> None:
    texts = real_problems()
    assert len(texts) > 250
    assert [text for text in texts if spanish(text) is None] == []
    for text in texts:
        into = said(text)
        assert into != text
        assert not LOST.search(into), into
        assert [value for value in VALUES.findall(text) if value not in into] == [], (text, into)


def test_english_stays_as_it_is() -> None:
    with translation.override("en-us"):
        assert said("Not recorded") == "Not recorded"
        assert Template("{% load page %}{{ t|said }}").render(Context({"t": "Not recorded"})) == "Not recorded"


def test_what_somebody_typed_stays_as_typed() -> None:
    """The unit is called as a crop is, and the file as a sentence of ours."""
    assert (
        said("The bushels harvested from Corn are not recorded.")
        == "No están registrados los bushels cosechados de Corn."
    )
    into = "Corn: el lindero Not recorded. es un nombre: ningún archivo con superficies lo lleva."
    assert said("Corn: the boundary Not recorded. is a name: no file with areas bears it.") == into


@pytest.mark.parametrize(
    "name", ["{unit}", "{kind~}", "%(unit)s", "<script>alert(1)</script>", "a {0} b", "It was measured.", "\\1", "está"]
)
def test_hostile_names_pass_through(name: str) -> None:
    into = said(f"The bushels harvested from {name} are not recorded.")
    assert into == f"No están registrados los bushels cosechados de {name}."


def test_a_name_that_holds_markup_is_escaped_on_a_page() -> None:
    page = Template("{% load page %}<p>{{ text|said }}</p>")
    known = page.render(Context({"text": "The bushels harvested from <b>x</b> are not recorded."}))
    assert known == "<p>No están registrados los bushels cosechados de &lt;b&gt;x&lt;/b&gt;.</p>"
    unknown = page.render(Context({"text": "Nobody wrote <b>this</b> down."}))
    assert unknown == '<p><span lang="en">Nobody wrote &lt;b&gt;this&lt;/b&gt; down.</span></p>'


def test_of_several_patterns_the_one_that_says_most_is_meant() -> None:
    """Every text with places that stands in the catalogue is itself recognised, whatever else fits it."""
    for english, into in catalogue().items():
        names = {name: f"zzq{at}" for at, (name, _) in enumerate(PLACE.findall(english))}
        if names:
            filled, meant = (_filled(text, names) for text in (english, into))
            best = max((one.weight for one in patterns() if one.places(filled) is not None), default=0)
            assert best == pattern_of(english, into).weight or said(filled) == meant, english


def _filled(text: str, names: dict[str, str]) -> str:
    return PLACE.sub(lambda place: names[place[1]], text)


def test_words_within_a_text_are_said_where_the_spanish_asks() -> None:
    assert said("Corn 2025") == "Maíz 2025"
    assert said("Do what corn 2025 still needs") == "Haga lo que aún necesita maíz 2025"
    assert said("N40, H25: trace nitrogen in 2 rows.") == "N40, H25: trazas de nitrógeno en 2 filas."
    assert said("2 full-width passes") == "2 pasadas de ancho completo"
    assert said("Depth of disturbance (in)") == "Profundidad de la alteración (in)"


def test_a_list_is_said_only_where_all_of_it_is_ours() -> None:
    assert said("No-till, Reduced till and Cover crop") == "Labranza cero, Labranza reducida y Cultivo de cobertura"
    assert said("No-till, North Forty") == "No-till, North Forty"
    assert said("No-till with Cover crop") == "Labranza cero con Cultivo de cobertura"
    assert said("Nobody comes with Cover crop") == "Nobody comes with Cover crop"


def test_a_long_hostile_text_takes_no_time() -> None:
    begun = time.process_time()
    for text in ("The " * 900, "a: " * 1_300, "1 row, and " * 350, "Not recorded. " * 280):
        said(text)
    assert time.process_time() - begun < 2


def test_what_is_longer_than_any_sentence_is_not_looked_up() -> None:
    assert spanish("x" * 5_000) is None


def hostile() -> Iterator[str]:
    """Yield what somebody may type whose every part looks like a part of ours, in ways that multiply."""
    yield (
        "JD 1775NT. Row cleaners, no-till coulters and closing wheels; trash wheels up. Pass 1, north half, then "
        "south. Monitor off: Bill's notes. Rows 3, 4 and 5 by hand."
    )
    pieces = (
        "a: The b, c. met; ", "Met. ", "No. ", "corn; ", "a. ", "x: ", "Unit: ", "Corn (a) ", "The harvest is wet. ",
        "No. 1, Corn; x: The row and ", "The corn: met, hay; Unit. ", "1 row of corn, and ", "met · ", "((",
    )  # fmt: skip
    for piece in pieces:
        yield from ((piece * 2_000)[:length].strip() for length in (160, 299, 1_000, 3_999))
    mixed = [
        "corn",
        "met",
        "not met",
        "none",
        "and",
        ". ",
        ";",
        ":",
        ",",
        "·",
        "The",
        "row",
        "is",
        "blank.",
        "in",
        "x1",
    ]
    for turn in range(3, 14):
        yield " ".join(mixed[(at * turn + at // 5) % len(mixed)] for at in range(90))[:299]


def test_no_text_takes_long_whatever_somebody_typed() -> None:
    """The steps of a text are counted: a sentence that could be parted in thousands of ways stays English."""
    patterns()
    slow = {}
    for text in hostile():
        begun = time.process_time()
        spanish(text)
        if (took := time.process_time() - begun) > 0.05:
            slow[text[:40]] = took
    assert slow == {}


def test_a_name_before_a_colon_stays_as_typed() -> None:
    assert said("Corn: not met") == "Corn: no cumple"


def test_sentences_of_two_halves_are_said_whole() -> None:
    passed = (
        "S3: cover crop CC-1 says drilled on 2024-10-15, and no field operation within 2 days can be that pass ({})."
    )
    for nearest, spanish_of in (
        ("none is recorded", "no hay ninguna"),
        ("the nearest lies 8 days off", "está a 8 días"),
    ):
        found = said(passed.format(nearest))
        assert found.startswith("S3: ")
        assert "ninguna labor de campo a menos de 2 días puede ser esa pasada" in found
        assert spanish_of in found
    assert said("Sign an amendment of the report on corn 2025") == "Firme una enmienda del informe de maíz 2025"
