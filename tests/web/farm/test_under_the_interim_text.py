"""A harvest after the day up to which the text was read: doors say so first, and whoever signs names the text."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from importlib import import_module, resources
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from provender.custody.model.origins import origin_id, origin_name
from provender.database.models.farm import ReportVersion
from provender.report.signing import salt_of, sign_report
from provender.rule.law import NOT_CURRENT, Parameters, load_rule, parameters, rule_version
from provender.services.farm.book import farm_book_of
from provender.services.reports.checklist import Things
from provender.services.reports.drafts import ReportState, document_of, draft_of
from provender.signing.keys import SigningKey
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.producer_keys import Producer, told
from tests.web.replayed import replayed

TEXT = "interim-2025"


def read_up_to(day: date, folder: Path, monkeypatch: pytest.MonkeyPatch, text: str = TEXT) -> None:
    """Load the packaged numbers with another last day up to which they were read, as PROVENDER_RULE does."""
    packaged = resources.files("provender.rule").joinpath("data", "parameters.toml").read_text(encoding="utf-8")
    path = folder / "rule.toml"
    changed = packaged.replace("read_up_to = 2026-07-28", f"read_up_to = {day}").replace(TEXT, text)
    path.write_text(changed, encoding="utf-8")
    loaded: list[Parameters] = []
    monkeypatch.setattr(import_module("provender.rule.law"), "_LOADED", loaded)
    load_rule(path)
    rule_version.cache_clear()


@pytest.fixture
def producer(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key_from: Callable[[str], SigningKey]
) -> Iterator[Producer]:
    """Let a producer with a key have harvested after the last day of the text that was read."""
    read_up_to(date(2025, 8, 31), tmp_path, monkeypatch)
    try:
        fill_season(cast)
        found = Producer(cast.client(), cast, key_from("the producer's"))
        assert replayed("the producer's key under another text", lambda: found.register().status_code) == 200
        yield found
    finally:
        monkeypatch.undo()
        parameters.cache_clear()
        rule_version.cache_clear()


def page_of(producer: Producer, view: str, *more: object) -> str:
    answer = producer.client.get(reverse(view, args=(producer.cast.farm.handle, *more)))
    assert answer.status_code == 200
    return answer.content.decode()


def test_pages_say_it_before_they_say_anything_else_and_so_does_the_api(producer: Producer) -> None:
    pages: tuple[tuple[str, tuple[object, ...]], ...] = (
        ("farm_reports", ()), ("farm_report", ("corn", 2025)), ("farm_intensity", ()),
    )  # fmt: skip
    for view, more in pages:
        shown = page_of(producer, view, *more)
        assert NOT_CURRENT in shown, view
        ci = shown.find("g CO2e/bu</strong>") if view == "farm_intensity" else shown.find("What it says today")
        assert ci < 0 or shown.index(NOT_CURRENT) < ci, view
    where = reverse("farm_crop", args=(producer.cast.farm.handle,))
    assert NOT_CURRENT in producer.client.get(f"{where}?crop=N40-2025").content.decode()
    verdicts = data(get("/verdicts", producer.cast.token_secret))["items"]
    assert {one["rule_state"] for one in verdicts if one["harvest_year"] == 2025} == {NOT_CURRENT}


def test_official_is_three_flags_on_page_and_api(producer: Producer) -> None:
    said = "calculator final: no, records complete: yes, rule current: no"
    assert said in page_of(producer, "farm_report", "corn", 2025)
    flags = {"calculator_final": False, "records_complete": True, "rule_current": False}
    secret = producer.cast.token_secret
    standing = data(get("/reports/corn/2025/standing", secret))
    assert (standing["official"], standing["rule_state"], standing["text_to_name"]) == (flags, NOT_CURRENT, TEXT)
    assert (standing["state"], standing["blocked_by"]) == (ReportState.READY_UNDER, [])
    (listed,) = [one for one in data(get("/reports", secret))["items"] if one["crop"] == "corn"]
    assert (listed["official"], listed["rule_state"], listed["blocked_by"]) == (flags, NOT_CURRENT, 0)
    left = Things(draft_of(farm_book_of(producer.cast.farm), "corn", 2025)).left()
    assert left == [], "naming the text is part of signing and not of the list before it"


def test_nothing_is_signed_in_the_browser_unless_the_signer_names_the_text(producer: Producer) -> None:
    for named in ("", "yes", "interim", "Interim-2025", "final-2026"):
        answer = producer.ask(fields={"attested": "yes", "under": named})
        assert NOT_CURRENT in told(answer), named
        assert f"{TEXT}." in json.loads(answer.content)["problems"][0]["remedy"], named
    assert not ReportVersion.objects.exists()


def test_who_names_the_text_signs_and_every_door_shows_under_which(producer: Producer) -> None:
    fields = {"attested": "yes", "under": TEXT}
    assert 'name="under"' in page_of(producer, "farm_report", "corn", 2025)
    asked = json.loads(producer.ask(fields=fields).content)
    assert json.loads(asked["document"])["rule"]["signed_under"] == TEXT
    assert producer.sign(fields=fields).status_code == 200
    (version,) = data(get("/reports/corn/2025/versions", producer.cast.token_secret))["items"]
    assert (version["signed_under"], version["rule_state"]) == (TEXT, NOT_CURRENT)
    assert f"under {TEXT}" in page_of(producer, "farm_report", "corn", 2025)
    assert ReportState.SIGNED_UNDER in page_of(producer, "farm_reports")


def test_what_was_signed_under_a_text_stays_so_and_another_text_is_an_amendment(
    producer: Producer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert producer.sign(fields={"attested": "yes", "under": TEXT}).status_code == 200
    read_up_to(date(2026, 7, 28), tmp_path, monkeypatch)
    assert draft_of(farm_book_of(producer.cast.farm), "corn", 2025).standing == ReportState.SIGNED_UNDER
    assert ReportState.SIGNED_UNDER in page_of(producer, "farm_reports")
    read_up_to(date(2026, 7, 28), tmp_path, monkeypatch, "final-2026")
    assert draft_of(farm_book_of(producer.cast.farm), "corn", 2025).standing == ReportState.AMENDED


def test_no_label_names_a_text() -> None:
    assert not [one for one in ReportState if "interim" in one]


@pytest.mark.parametrize("named", ["", TEXT])
def test_a_document_signed_elsewhere_names_the_text_too(producer: Producer, named: str) -> None:
    document = data(get(f"/reports/corn/2025?under={named}", producer.cast.token_secret))
    where = reverse("farm_report_file", args=(producer.cast.farm.handle, "corn", 2025, 0, "json"))
    assert json.loads(producer.client.get(f"{where}?under={named}").content) == document
    name = producer.cast.farm.handle, "corn", 2025
    salt = salt_of(producer.key, origin_name(*name))
    document["edition"] |= {"salt": salt, "origin_id": origin_id(*name, salt)}
    # Whoever takes in what was signed asks for the same, whatever signed it.
    forced = document | {"rule": document["rule"] | {"signed_under": TEXT}}
    signature = sign_report(forced, producer.key, fingerprint_on_file=None)["signature"]
    signed = {"document": document, "signature": signature}
    page = reverse("farm_report", args=(producer.cast.farm.handle, "corn", 2025))
    answer = producer.client.post(page, {"file": SimpleUploadedFile("r.json", json.dumps(signed).encode())})
    assert (answer.status_code, ReportVersion.objects.count()) == ((302, 1) if named else (200, 0))
    if named:
        assert document_of(ReportVersion.objects.get())["rule"]["signed_under"] == TEXT
