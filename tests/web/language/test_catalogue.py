"""Every text that a person of a farm can read has its Spanish, and the compiled catalogue is the written one."""

import re
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from django.utils import translation
from django.utils.dates import MONTHS, MONTHS_3, MONTHS_ALT, MONTHS_AP, WEEKDAYS
from django.utils.formats import date_format

from provender.web import said
from tools import spanish

COMPLETE: Final = frozenset({"templates", *spanish.ROOMS})
"""Rooms whose every text has its Spanish."""
NOT_YET: Final[dict[str, str]] = {
    "custody": "events, lots, periods and papers of elevators, processors and refiners",
    "audit": "pages and findings of verifiers",
    "cli": "commands, which stay English",
}
"""Rooms and doors that are read in English."""
LITERAL: Final = re.compile(r'"((?:[^"\\\\\n]|\\\\.)*)"|`([^`$]*)`')
"""A text of a script: in quotes, or in back quotes without values in it."""
CODE_OF_SCRIPTS: Final = frozenset({
    "Escape", "input, select, textarea", "input, textarea, select, [contenteditable]",
})  # fmt: skip
"""Names of keys, headers, ciphers and selectors that look like words."""
PLACES: Final = re.compile(r"\{(\w+)~?\}|%\((\w+)\)s")


def written() -> dict[tuple[str, ...], tuple[str, ...]]:
    return {spanish.key_of(one.id): spanish.key_of(one.string) for one in spanish.read() if one.id}


def test_each_room_says_whether_it_is_complete() -> None:
    rooms = {path.name for path in spanish.SOURCE.iterdir() if path.is_dir() and not path.name.startswith("__")}
    read = {part.split("/")[0] for parts in spanish.ROOMS.values() for part in parts}
    assert rooms - read - set(NOT_YET) == {"demo", "portfolio", "signing"}, "say where its texts are read"


@pytest.mark.parametrize("room", sorted(COMPLETE - {"templates"}))
def test_every_text_of_a_room_has_its_spanish(room: str) -> None:
    has = written()
    texts = spanish.of_rooms()[room]
    assert texts
    blank = [f"{where}: {text}" for text, where in texts.items() if not all(has.get((text,), ("",)))]
    assert blank == [], "write their Spanish: python tools/spanish.py, then fill in django.po"


def test_every_text_of_the_templates_has_its_spanish() -> None:
    has = written()
    texts = spanish.of_templates()
    assert len(texts) > 500
    blank = [f"{where}: {text}" for text, where in texts.items() if not all(has.get(text, ("",)))]
    assert blank == [], "write their Spanish: python tools/spanish.py, then fill in django.po"


def test_every_text_of_the_scripts_has_its_spanish() -> None:
    has = written()
    texts = spanish.of_scripts()
    assert len(texts) > 60
    blank = [f"{where}: {text}" for text, where in texts.items() if not all(has.get((text,), ("",)))]
    assert blank == [], "write their Spanish: python tools/spanish.py, then fill in django.po"


@pytest.mark.parametrize("path", list(spanish.scripts()), ids=lambda path: path.name)
def test_no_script_speaks_outside_said(path: Path) -> None:
    text = re.sub(r"^\s*//.*$|(?<=[;{}]) //.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    while (said_out := spanish.SAID.sub(lambda found: " ".join(spanish.VALUE.findall(found[1])), text)) != text:
        text = said_out
    texts = {found[1] or found[2] or "" for found in LITERAL.finditer(text)}
    assert {one for one in texts if spanish.is_said(one)} - CODE_OF_SCRIPTS == set()


def test_the_script_of_spanish_words_is_the_written_one() -> None:
    assert spanish.WORDS.read_text(encoding="utf-8") == spanish.words_of(spanish.read()), "python tools/spanish.py"


def test_the_catalogue_holds_nothing_that_is_not_said() -> None:
    assert set(written()) - {text for text, _ in spanish.wanted()} == set(), "python tools/spanish.py takes it out"


def test_no_spanish_loses_or_invents_a_place() -> None:
    wrong = []
    for english, into in written().items():
        for one in into:
            places = [{a or b for a, b in PLACES.findall(text)} for text in (" ".join(english), one)]
            if places[0] != places[1] or "<" in one:
                wrong.append(one)
    assert wrong == []


def test_the_compiled_catalogue_is_the_written_one(tmp_path: Path) -> None:
    spanish.compile_catalogue(spanish.read(), tmp_path / "django.mo")
    assert (tmp_path / "django.mo").read_bytes() == spanish.MO.read_bytes(), "python tools/spanish.py compiles it"


def test_pages_read_the_same_pairs_as_django() -> None:
    has = written()
    assert {one: dict(said.catalogue())[one] for (one, *more) in has if not more} == {
        one: into[0] for (one, *more), into in has.items() if not more
    }


def test_no_word_of_ours_takes_the_place_of_another_that_days_are_written_with() -> None:
    """Django says months from the same catalogue: the head of a column once made ``20 de Puede de 2025``."""
    of_days = [*MONTHS.values(), *MONTHS_3.values(), *MONTHS_AP.values(), *MONTHS_ALT.values(), *WEEKDAYS.values()]
    with translation.override("es"):
        found = [date_format(date(2025, month, 20), "DATE_FORMAT").split()[2] for month in range(1, 13)]
    assert found == [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
        "diciembre",
    ]  # fmt: skip
    english = {str(one) for one in of_days}
    assert {text for (text, *_) in written() if text in english} <= {"January"}


TAGS: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
MARKS: Final = re.compile(r"<(code|script|style|kbd|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)
SAID_APART: Final = re.compile(
    r"\{% blocktranslate.*?endblocktranslate %\}|\{% block (?:width|head) %\}.*?\{% endblock %\}", re.DOTALL
)
SIGNS: Final = {
    "provender",
    "CFR",
    "CSV",
    "Excel",
    "PDF",
    "JSON",
    "JWS",
    "STIR",
    "CO",
    "bu",
    "part",
    "api",
    "openapi",
    "json",
}


@pytest.mark.parametrize("name", spanish.SHOWN)
def test_no_template_speaks_outside_its_tags(name: str) -> None:
    place = spanish.TEMPLATES / name
    for path in place.rglob("*.html") if place.is_dir() else [place]:
        text = SAID_APART.sub("", path.read_text(encoding="utf-8"))
        words = set(re.findall(r"[A-Za-z]{2,}", MARKS.sub(" ", TAGS.sub(" ", text)))) - SIGNS
        assert words == set(), path.name
