"""One list of what stands before a signature: it names all of it, opens the exact row, comes back and counts down."""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from provender.database.models.farm import VerdictCache
from provender.practices.explain import Standing
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.services.farm.verdicts import verdicts_of
from provender.services.reports.checklist import Mark, Thing, Things, waiting_of
from provender.services.reports.drafts import ReportDraft, draft_at_hand, draft_of, harvests_of, standings_of
from provender.services.reports.signing import keep_signature
from provender.signing.canonical import canonical_json, sha256_hex
from tests.web.api.test_calls import get
from tests.web.cast import Cast
from tests.web.farm_season import CROP, fill_season

RUN = "G70-2025"


@pytest.fixture
def season(cast: Cast) -> Cast:
    fill_season(cast)
    return cast


def edit(cast: Cast, kind: str, key: str, **changed: str | None) -> None:
    """Change some columns of a row, or take the row out where nothing is named."""
    texts = farm_book_of(cast.farm).texts(KINDS[kind], key) or {}
    row = {**texts, **changed} if changed else None
    change_book(cast.book, [Edit(kind, key, row)], reason="test", actor=cast.actor("owner"))


def draft(cast: Cast, crop: str) -> ReportDraft:
    return draft_of(farm_book_of(cast.farm), crop, 2025)


def left(cast: Cast, crop: str) -> list[Thing]:
    return Things(draft(cast, crop)).left()


def run_of(cast: Cast, harvest: str) -> str:
    runs = farm_book_of(cast.farm).of(KINDS["calculator_run"])
    return next(key for key, row in runs.items() if row.get("harvest_id") == harvest)


def standing(cast: Cast, harvest: str, practice: str) -> str:
    intervals = verdicts_of(farm_book_of(cast.farm))["intervals"]
    found = next(one for one in intervals if one["harvest_id"] == harvest)
    return str(next(one["standing"] for one in found["practices"] if one["name"] == practice))


def test_what_blocks_a_report_is_on_its_list_and_the_list_is_empty_where_nothing_blocks(season: Cast) -> None:
    for crop, year in harvests_of(farm_book_of(season.farm)):
        found = draft_of(farm_book_of(season.farm), crop, year)
        things = Things(found).left()
        assert [one for one in things if one.page != "farm_key"] or not found.refused, crop
        assert found.refused or [one.page for one in things] == ["farm_key"], crop
        assert all(one.words and one.why and one.cite for one in things)


def test_each_kind_of_thing_opens_where_it_is_done(season: Cast) -> None:
    found = {(one.page, one.kind, one.row, one.mark) for crop in ("soybeans", "sorghum") for one in left(season, crop)}
    assert ("farm_key", "", "", Mark.MISSING) in found
    pasture = [one for one in found if one[1] == "land_use"]
    assert [(one[0], one[3]) for one in pasture] == [("farm_row", Mark.CONTRADICTED)], "the very year of pasture"
    photo = next(one for one in left(season, "soybeans") if one.kind == "cover_crop")
    assert (photo.unit_id, photo.page, photo.mark) == ("K45", "farm_row", Mark.MISSING)
    assert (farm_book_of(season.farm).texts(KINDS["cover_crop"], photo.row) or {})["unit_id"] == "K45"
    assert photo.bushels > 0


def test_a_thing_opens_its_row_returns_to_the_list_and_leaves_it(season: Cast) -> None:
    client, where = season.client(), reverse("farm_todo", args=(season.farm.handle,))
    edit(season, "harvest", CROP, bushels="")
    before = left(season, "sorghum")
    wanted = next(one for one in before if one.kind == "harvest" and one.row == CROP)
    page = client.get(where)
    things = [thing for todo in page.context["lists"] for thing in todo["things"]]
    href = next(href for thing, href, *_ in things if (thing.kind, thing.row) == ("harvest", CROP))
    assert parse_qs(urlsplit(href).query)["next"] == [where], "at its head, where it says what was saved"
    assert f"{len(before)} things until sorghum 2025 can be signed" in page.content.decode()
    form = client.get(href).context["form"]
    changed = {"bushels": "6860", "reason_for_change": "found the ticket"}
    data = {name: form[name].value() or "" for name in form.fields} | changed
    saved = client.post(href, data)
    assert saved.status_code == 302, saved.context["form"].errors
    assert (saved.status_code, saved.headers.get("Location")) == (302, where)
    after = left(season, "sorghum")
    assert len(after) < len(before)
    assert wanted not in after


def test_a_claim_that_the_records_contradict_is_red_and_one_that_nobody_makes_is_grey(season: Cast) -> None:
    run = run_of(season, "W35-2025")
    assert standing(season, "W35-2025", "no_till") == Standing.MET
    assert standing(season, "W35-2025", "cover_crop") == Standing.NOT_CLAIMED
    edit(season, "calculator_run", run, cover_crop="yes")
    claimed = standing(season, "W35-2025", "cover_crop")
    assert claimed in (Standing.NOT_SHOWN, Standing.CONTRADICTED)
    words = [one for one in left(season, "corn") if one.unit_id == "W35"]
    assert words, "what the claim asks for stands on the list"
    assert standing(season, "M25-2025", "no_till") == Standing.NOT_CLAIMED
    crop = f"{reverse('farm_crop', args=(season.farm.handle,))}?crop=M25-2025"
    assert "Nobody claims it, and as recorded it is not met." in season.client().get(crop).content.decode()
    tilled = run_of(season, "M25-2025")
    edit(season, "calculator_run", tilled, tillage="no_till")
    assert standing(season, "M25-2025", "no_till") == Standing.CONTRADICTED
    red = [one for one in left(season, "corn") if one.unit_id == "M25" and one.mark is Mark.CONTRADICTED]
    assert "no-till" in " ".join(one.words for one in red).lower()
    named = [one for one in red if re.search(r"It rests on \S.* \(2\d{3}-\d\d-\d\d\)\.", one.why)]
    assert [one.page for one in named] == ["farm_row"], "the one pass with its day, and its row opens"
    page = season.client().get(reverse("farm", args=(season.farm.handle,))).content.decode()
    assert "Not claimed" in page
    contradicted = [one for one in ("cover_crop",) if standing(season, "W35-2025", one) == Standing.CONTRADICTED]
    assert page.count("Your records say otherwise") == 1 + len(contradicted), "nothing that nobody claims is red"


def test_without_a_run_nothing_is_red_and_the_run_is_asked_for(season: Cast) -> None:
    edit(season, "calculator_run", run_of(season, "M25-2025"))
    assert standing(season, "M25-2025", "no_till") != Standing.CONTRADICTED
    asked = [one for one in left(season, "corn") if one.kind == "calculator_run" and one.unit_id == "M25"]
    assert [(one.row, dict(one.given)) for one in asked] == [("", {"unit_id": "M25", "harvest_id": "M25-2025"})]


def test_a_sentence_that_rests_on_silence_asks_for_its_answer_in_the_declaration(season: Cast) -> None:
    row = next(
        key for key, one in farm_book_of(season.farm).of(KINDS["declaration"]).items()
        if one.get("harvest_id") == "W35-2025"
    )  # fmt: skip
    edit(season, "declaration", row, benefit_sold="")
    asked = [one for one in left(season, "corn") if one.kind == "declaration"]
    assert [(one.unit_id, one.row, one.mark) for one in asked] == [("W35", row, Mark.MISSING)]
    edit(season, "declaration", row)
    asked = [one for one in left(season, "corn") if one.kind == "declaration"]
    assert {(one.row, one.given["harvest_id"]) for one in asked} == {("", "W35-2025")}


def test_what_only_the_producer_can_do_waits_for_others(season: Cast) -> None:
    mine, theirs = (Things(draft(season, "corn"), signs=signs).left() for signs in (True, False))
    assert [one.mark for one in mine] == [Mark.MISSING]
    assert [one.mark for one in theirs] == [Mark.WAITING]
    page = season.client("consultant").get(reverse("farm_todo", args=(season.farm.handle,))).content.decode()
    assert "chip waiting" in page
    assert "chip waiting" not in season.client().get(reverse("farm_todo", args=(season.farm.handle,))).content.decode()


def test_page_call_and_overview_count_the_same(season: Cast) -> None:
    counted = {where: one.things for where, one in waiting_of(farm_book_of(season.farm)).items()}
    assert set(counted) == {("corn", 2025), ("sorghum", 2025), ("soybeans", 2025)}
    for crop in ("corn", "soybeans"):
        called = json.loads(get(f"/reports/{crop}/2025/standing", season.token_secret).content)
        assert len(called["things"]) == counted[crop, 2025]
    page = season.client().get(reverse("farm_todo", args=(season.farm.handle,)))
    assert {todo["draft"].crop: len(todo["things"]) for todo in page.context["lists"]} == {
        crop: number for (crop, _), number in counted.items()
    }
    overview = season.client().get(reverse("organisation", args=(season.farm.handle,))).content.decode()
    assert f"{counted['soybeans', 2025]} things stand before its signature" in overview


def test_the_blockers_of_a_report_are_links(season: Cast) -> None:
    where = reverse("farm_report", args=(season.farm.handle, "soybeans", 2025))
    page = season.client().get(where)
    hrefs = [href for _, href, *_ in page.context["todo"]["things"]]
    assert hrefs
    for href in hrefs:
        assert f'href="{href.replace("&", "&amp;")}"' in page.content.decode()
        assert season.client().get(href).status_code == 200, href


def test_a_farm_without_a_harvest_is_told_what_will_stand_there(client: Client, cast: Cast) -> None:
    page = cast.client().get(reverse("farm_todo", args=(cast.farm.handle,))).content.decode()
    assert "Nothing is harvested yet" in page


@pytest.mark.parametrize("lacking", [{}, {"acres": ""}, {"last_day": ""}, {"bushels": ""}])
def test_a_report_that_is_only_looked_at_stands_where_the_whole_one_does(season: Cast, lacking: dict[str, str]) -> None:
    if lacking:
        edit(season, "harvest", CROP, **lacking)
    first = farm_book_of(season.farm)
    stands, counted = standings_of(first), waiting_of(first)
    assert not [one.what for one in VerdictCache.objects.filter(what__startswith="report 4 ")], "none was made whole"
    VerdictCache.objects.all().delete()
    whole = farm_book_of(season.farm)
    for crop, year in harvests_of(whole):
        seen, kept = draft_at_hand(first, crop, year), draft_of(whole, crop, year)
        shown = json.loads(json.dumps(seen.document))
        assert kept.document["rests_on"]["records"]
        assert shown == _without_working(kept.document)
    assert standings_of(whole) == stands
    assert waiting_of(whole) == counted


def _without_working(report: dict[str, Any]) -> dict[str, Any]:
    """Return what a look shows of a report: no amount, verdict or refusal is among what it leaves out."""
    units = [
        {**unit, "intervals": [{name: one[name] for name in ("harvest_id", "practices")} for one in unit["intervals"]]}
        for unit in report["units"]
    ]
    head = {"book_head": report["rests_on"]["book_head"], "records": {}}
    left = {name: of for name, of in report.items() if name not in ("evidence_grades", "problems")}
    return {**left, "units": units, "rests_on": head}


def test_a_report_that_is_only_looked_at_is_never_kept_as_signed(season: Cast) -> None:
    seen = draft_at_hand(farm_book_of(season.farm), "sorghum", 2025)
    text = sha256_hex(canonical_json(seen.document))
    with pytest.raises(TypeError):
        keep_signature(seen, "anything", text, actor=season.actor("owner"))
