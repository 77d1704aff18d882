"""Before a correction is saved on which a verdict or a signed report rests, the page says what would change."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from provender.database.store.record_books import rows_of
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.services.reports.edit_preview import removal_of
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm.test_signing import producer, registered, signed
from tests.web.farm_season import CROP, fill_season
from tests.web.producer_keys import Producer

__all__ = ["producer", "registered", "signed"]
ROW = "N40-01"
PLOW = {"operation": "Plow, moldboard", "depth_in": "8"}


@pytest.fixture
def season(cast: Cast) -> Cast:
    fill_season(cast)
    return cast


def typed(client: Client, cast: Cast, key: str = ROW, **changed: str) -> tuple[str, dict[str, str]]:
    """Return where a row is corrected, and what its form sends."""
    where = f"{reverse('farm_row', args=(cast.farm.handle, 'operation'))}?row={key}"
    form = client.get(where).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    return where, {**sent, "reason_for_change": "the log says so", **changed}


def stands(cast: Cast, key: str = ROW) -> str:
    return str(rows_of(cast.book)["operation"][key]["operation"])


def text_of(page: HttpResponse) -> str:
    return " ".join(page.content.decode().split())


def test_a_correction_on_which_verdicts_rest_is_asked_about_and_saved_by_its_page(season: Cast) -> None:
    client, before = season.client(), stands(season)
    where, sent = typed(client, season, **PLOW)
    asked = client.post(where, sent)
    assert asked.status_code == 200
    assert stands(season) == before, "asking writes nothing"
    text = text_of(asked)  # type: ignore[arg-type]
    assert "N40, field corn 2025: No-till, met → <strong>not met</strong>" in text
    assert "would no longer fit the records" in text
    assert "Field corn 2025, open model (an estimate): " in text
    assert f"{before} → {PLOW['operation']}" in text
    again = client.post(where, {**dict(asked.context["kept"]), "looked": "no"})
    assert again.context["form"]["operation"].value() == PLOW["operation"], "what was typed is still there"
    assert stands(season) == before
    assert client.post(where, {**dict(asked.context["kept"]), "looked": "yes"}).status_code == 302
    assert stands(season) == PLOW["operation"]


def test_what_nothing_rests_on_and_what_is_new_is_saved_at_once(season: Cast) -> None:
    client = season.client()
    where, sent = typed(client, season, note="a word more")
    assert client.post(where, sent).status_code == 302, "no verdict changes"
    kind = KINDS["operation"]
    like = farm_book_of(season.farm).texts(kind, ROW) or {}
    new = {**like, **PLOW, "operation_id": "N40-77", "seen_version": str(farm_book_of(season.farm).version)}
    assert client.post(reverse("farm_row", args=(season.farm.handle, kind.name)), new).status_code == 302
    assert stands(season, "N40-77") == PLOW["operation"]


def test_who_fills_in_what_was_not_shown_is_not_asked(season: Cast) -> None:
    """The things to do open rows that lack something: filling them in stays one step."""
    client, kind = season.client(), KINDS["harvest"]
    bushels = (farm_book_of(season.farm).texts(kind, CROP) or {})["bushels"]
    where = f"{reverse('farm_row', args=(season.farm.handle, 'harvest'))}?row={CROP}"

    def sent(**changed: str) -> dict[str, str]:
        form = client.get(where).context["form"]
        return {name: form[name].value() or "" for name in form.fields} | {"reason_for_change": "ticket"} | changed

    assert "kept" in client.post(where, sent(bushels="")).context, "a carbon intensity goes"
    assert client.post(where, sent(bushels="", looked="yes")).status_code == 302
    assert client.post(where, sent(bushels=bushels)).status_code == 302


def test_a_correction_of_what_was_overtaken_is_refused_and_not_asked_about(season: Cast) -> None:
    client = season.client()
    where, sent = typed(client, season, **PLOW)
    assert client.post(*typed(client, season, note="somebody else")).status_code == 302
    refused = client.post(where, sent)
    assert refused.context["form"].errors
    assert "kept" not in refused.context


def test_a_signed_report_that_a_removal_or_a_correction_would_overtake_is_named_on_page_and_api(
    signed: Producer,
) -> None:
    cast, client = signed.cast, signed.client
    page = client.get(f"{reverse('farm_row_remove', args=(cast.farm.handle, 'operation'))}?row={ROW}")
    assert "Field corn 2025, version 1: <strong>an amendment would wait for its signature" in text_of(page)  # type: ignore[arg-type]
    goes = data(get(f"/records/kinds/operation/removal?key={ROW}", cast.token_secret))
    assert goes["reports"] == [
        {"report": "Field corn 2025", "version": 1, "after": "an amendment would wait for its signature"}
    ]
    where, sent = typed(client, cast, note="a word more")
    asked = client.post(where, sent)
    (report,) = asked.context["removal"].reports
    assert (report.report, report.version) == ("Field corn 2025", 1)
    assert "an amendment would wait for its signature" in text_of(asked)  # type: ignore[arg-type]
    assert client.post(where, {**dict(asked.context["kept"]), "looked": "yes"}).status_code == 302
    removal = client.get(f"{reverse('farm_row_remove', args=(cast.farm.handle, 'operation'))}?row={ROW}")
    assert removal.context["removal"].reports == (), "an amendment waits already"
    back = client.get(f"{reverse('farm_row_put_back', args=(cast.farm.handle, 'operation'))}?row={ROW}&version=2")
    (again,) = back.context["removal"].reports
    assert again.after == "says again what was signed"


def test_a_signed_report_that_no_harvest_would_stand_behind_is_named(signed: Producer) -> None:
    cast = signed.cast
    farm, kind = farm_book_of(cast.farm), KINDS["harvest"]
    corn = [key for key, row in farm.of(kind).items() if (row["crop"], str(row["last_day"])[:4]) == ("corn", "2025")]
    for key in corn[1:]:
        change_book(cast.book, [Edit(kind.name, key, None)], reason="gone", actor=cast.actor("owner"))
    (report,) = removal_of(farm_book_of(cast.farm), kind, corn[0]).reports
    assert report.after == "no harvest would stand behind it"
