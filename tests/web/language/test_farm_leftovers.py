"""What was left in English on a farm's Spanish pages: labels of results, reasons, places, names that are picked."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from provender.services.farm.asked import asked_of
from provender.services.farm.book import Edit, latest
from provender.services.field.deeds import Moment
from provender.web.said import said
from tests.web.cast import Cast
from tests.web.farm.test_field_deeds import OPERATION, send
from tests.web.farm_season import fill_season

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}


def page(client: Client, view: str, *args: str, **asked: str) -> str:
    return client.get(reverse(view, args=args), asked, headers=SPANISH).content.decode()


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("Farm, weighted by bushels (EXAMPLE)", "Finca, ponderada por bushels (EJEMPLO)"),
        ("EXAMPLE", "EJEMPLO"),
        ("ESTIMATE", "ESTIMACIÓN"),
        ("Cover crops: typed on the page", "Cultivos de cobertura: escrito en la página"),
        ("any of No fall application; or Split in-season application",
         "cualquiera de Sin aplicación en otoño; o Aplicación fraccionada en la temporada"),
        ("No-till: not met (Residue is not burned)", "Labranza cero: no cumple (El rastrojo no se quema)"),
        ("How it ended 'harvested': the standard has no place for it.",
         "Cómo terminó 'cosechado': el estándar no tiene lugar para ello."),
        ("it says no bushels; it goes out without a yield.", "no dice cuántos bushels; sale sin rendimiento."),
    ],
)  # fmt: skip
def test_sentences_put_together_are_spanish_whole(english: str, spanish: str) -> None:
    with translation.override("es"):
        assert said(english) == spanish


def test_when_and_where_a_phone_recorded_is_said_in_spanish() -> None:
    whole = Moment("2025-05-02T10:11:12-05:00", "39.1", "-96.6", "8.9")
    with translation.override("es"):
        for moment in (
            Moment(),
            whole,
            Moment(whole.at),
            Moment("", "39.1", "-96.6"),
            Moment(whole.at, "39.1", "-96.6"),
        ):
            for text in (moment.said(), f"Read from the gauge. {moment.said()}"):
                assert "Registrado en el campo" in said(text)
                assert not re.search(r" at | within ", said(text)), said(text)


def test_the_log_says_why_in_spanish_and_its_file_stays_english(cast: Cast) -> None:
    fill_season(cast)
    assert send(cast, {"row": OPERATION}).status_code == 200
    text = page(cast.client(), "log", cast.farm.handle)
    assert "Registrado en el campo 2" in text
    assert "Recorded in the field" not in text
    assert "filas: 1" in text
    saved = page(cast.client(), "log", cast.farm.handle, save="csv", table="log")
    assert "Recorded in the field 2025-05-02" in saved
    assert "rows: 1" in saved


def test_notices_evidence_and_seasons_are_spanish(cast: Cast) -> None:
    fill_season(cast)
    browser, farm = cast.client(), cast.farm.handle
    assert "Un verificador pide algo" in page(browser, "notices", farm)
    assert "A verifier asks" not in page(browser, "notices", farm)
    evidence = page(browser, "farm_evidence", farm, kind="harvest", row="G70-2025", by="file")
    assert "Para Cultivos y cosechas: G70-2025" in evidence
    assert " to " not in " ".join(re.findall(r'data-label="Cuándo"[^>]*>([^<]*)', page(browser, "farm_season", farm)))


def test_names_are_picked_and_asked_about_in_spanish(cast: Cast) -> None:
    fill_season(cast)
    browser = cast.client()
    species = page(browser, "farm_row", cast.farm.handle, "cover_species")
    assert 'value="Cereal Rye, Winter" label="Cereal Rye, Winter: centeno de invierno"' in species
    passes = page(browser, "farm_row", cast.farm.handle, "operation")
    assert 'label="Plow, moldboard: arado de vertedera, STIR 65' in passes
    row = {"operation": "field cultivator 6-12 in sweeps"}
    (asked,) = asked_of(latest(cast.book), [Edit("operation", "X", row)])
    with translation.override("es"):
        told = said(f"{asked.cause} {asked.remedy}")
    assert told.startswith("La lista de nombres no tiene 'field cultivator 6-12 in sweeps'. ¿Quiso decir 'Cultivator, ")
