"""The language of a page: the person's own, the cookie's, what the browser asks for; programs get English."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from provender.database.models import Person
from provender.records import KINDS
from provender.services.farm.book import FarmBook
from provender.web.farm.forms import RowForm
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}


def test_a_browser_that_asks_for_spanish_gets_it(client: Client, db: None) -> None:
    page = client.get(reverse("account_login"), headers=SPANISH)
    text = page.content.decode()
    assert '<html lang="es">' in text
    assert "Iniciar sesión" in text
    assert "Accept-Language" in page["Vary"]
    assert 'lang="en">English</button>' in text, "the other language stands in the head"


@pytest.mark.parametrize("asks", ["", "en-US", "fr-FR, de", "xx", "*", "es-;q=a", "e" * 5_000])
def test_everybody_else_gets_english(client: Client, db: None, asks: str) -> None:
    text = client.get(reverse("account_login"), headers={"Accept-Language": asks}).content.decode()
    assert '<html lang="en">' in text
    assert 'lang="es">Español</button>' in text


def test_a_stranger_chooses_for_this_browser_without_a_script(client: Client, db: None) -> None:
    where = reverse("account_login")
    chosen = client.post(reverse("language"), {"language": "es", "next": where})
    assert (chosen.status_code, chosen["Location"]) == (302, where)
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME]["httponly"]
    assert '<html lang="es">' in client.get(where).content.decode()
    client.post(reverse("language"), {"language": "en", "next": where}, headers=SPANISH)
    assert '<html lang="en">' in client.get(where, headers=SPANISH).content.decode(), (
        "the choice goes before the browser"
    )


@pytest.mark.parametrize("wanted", ["", "xx", "de", "../es", "es\n", "es" * 999])
def test_a_language_that_there_is_not_changes_nothing(cast: Cast, wanted: str) -> None:
    browser = cast.client()
    assert browser.post(reverse("language"), {"language": wanted, "next": "//elsewhere.example"}).status_code == 302
    assert not Person.objects.exclude(language="").exists()
    assert '<html lang="en">' in browser.get(reverse("home")).content.decode()


def test_a_choice_never_leads_to_another_site(client: Client, db: None) -> None:
    away = client.post(reverse("language"), {"language": "es", "next": "https://elsewhere.example/"})
    assert away["Location"] == "/"
    for odd in ("a\x00b", "Bell\x07", "elsewhere.example", "/a\x1bb"):
        assert client.post(reverse("language"), {"language": "es", "next": odd})["Location"] == "/", odd


def test_a_persons_choice_follows_them_to_another_machine(cast: Cast) -> None:
    cast.client().post(reverse("language"), {"language": "es", "next": "/"})
    text = cast.client().get(reverse("home")).content.decode()
    assert '<html lang="es">' in text
    assert '<html lang="en">' in cast.client("writer").get(reverse("home")).content.decode(), "nobody else's changes"


def test_programs_and_files_are_english(cast: Cast) -> None:
    fill_season(cast)
    browser = cast.client()
    browser.post(reverse("language"), {"language": "es", "next": "/"})
    page = browser.get(reverse("farm_records", args=(cast.farm.handle,)))
    assert "Cultivos de cobertura" in page.content.decode()
    saved = browser.get(reverse("farm_records", args=(cast.farm.handle,)), {"save": "csv", "table": "records"})
    assert "Cover crops" in saved.content.decode("utf-8-sig")
    called = browser.get("/api/v1/none", headers=SPANISH)
    assert called.json()["detail"].startswith("No call has this address")


def test_a_row_is_asked_for_and_refused_in_spanish(cast: Cast) -> None:
    fill_season(cast)
    browser = cast.client()
    where = reverse("farm_row", args=(cast.farm.handle, "operation"))
    text = browser.get(where, headers=SPANISH).content.decode()
    for words in ("Profundidad de la alteración", "Labor", "No registrado", "necesario"):
        assert words in text
    refused = browser.post(where, {"operation_id": "X9", "seen_version": "0"}, headers=SPANISH).content.decode()
    assert "Unidad de manejo está en blanco. Llénelo." in refused
    assert "is blank" not in refused


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    ("typed", "day"), [("5/4/2025", "2025-05-04"), ("05/14/2025", "2025-05-14"), ("2025-05-04", "2025-05-04")]
)
def test_a_day_is_read_as_the_united_states_write_it(cast: Cast, language: str, typed: str, day: str) -> None:
    fill_season(cast)
    browser = cast.client()
    browser.post(reverse("language"), {"language": language, "next": "/"})
    farm = FarmBook(cast.book, 1)
    form = RowForm(KINDS["operation"], farm, None, initial={}, data={"day": typed})
    form.is_valid()
    assert form.cleaned_data["day"] == day
    grant = {"verifier": cast.verifier.handle, "first_day": typed, "last_day": typed, "purpose": "x"}
    page = browser.post(reverse("grants", args=(cast.farm.handle,)), grant).content.decode()
    assert "Enter a valid date" not in page
    assert "Introduzca una fecha válida" not in page


def test_days_are_written_as_the_reader_writes_them(cast: Cast) -> None:
    fill_season(cast)
    where = reverse("farm_season", args=(cast.farm.handle,))
    assert "de 2025" in cast.client().get(where, headers=SPANISH).content.decode()
    assert "de 2025" not in cast.client().get(where).content.decode()


def test_choices_cells_and_captions_of_a_farms_pages_are_spanish(cast: Cast) -> None:
    fill_season(cast)
    browser, farm = cast.client(), cast.farm.handle
    looks = {
        "organisation_settings": (["Productor agrícola"], ["Farm producer", "Third-party verifier"]),
        "members": (["Leer y escribir"], ["Read and write"]),
        "tokens": (["Escribir registros"], ["Write records"]),
        "farm_evidence": (["Descargar"], ["Download", "de Puede de"]),
        "farm_reports": (["calculadora final:"], ["calculator final", "rule current"]),
        "farm_intensity": (["Paso a paso: Maíz de campo 2025"], ["Campo corn"]),
    }
    for name, (said, not_said) in looks.items():
        text = browser.get(reverse(name, args=(farm,)), headers=SPANISH).content.decode()
        assert [words for words in said if words not in text] == [], name
        assert [words for words in not_said if words in text] == [], name


def test_the_shell_takes_no_name_that_a_page_gives() -> None:
    """What the frame of a page keeps under a name would stand in the place of the page's own."""
    shell = (Path(settings.TEMPLATES[0]["DIRS"][0]) / "base.html").read_text(encoding="utf-8")
    assert set(re.findall(r" as (\w+) %\}", shell)) <= {"printed_on", "shell_language"}
