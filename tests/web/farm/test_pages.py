"""The farm's book on pages says what the core and the commands say, writes what the core can read, and in words.

One lane a field: places are in proportion to days and STIR, limits are drawn where they belong, marks open rows.
"""

import io
import json
import re
from contextlib import redirect_stdout, suppress
from datetime import date
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from provender.cli.app import run
from provender.database.choices import Role
from provender.database.models.accounts import LogRow, Organisation
from provender.database.models.farm import rows_of
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.report.season import seasons
from provender.services.accounts.organisations import create_organisation
from provender.services.clients import progress_of
from provender.services.dashboard import tiles_of
from provender.services.farm.book import Edit, FarmBook, farm_book_of
from provender.services.farm.check import interval_json
from provender.services.farm.growing import claims_of
from provender.services.farm.intensity import intensities_of, plans_of
from provender.services.farm.verdicts import seasons_of, verdicts_of, with_shown
from provender.services.reports.checklist import standings_of
from provender.standards.standard import Verdict
from provender.verdicts.assess import assess
from provender.verdicts.words import requirements_of
from provender.web.farm.forms import RowForm
from provender.web.farm.lanes import FLOOR, LINE, WIDTH, lanes_of
from provender.web.navigation import LINKS
from tests.web.api.test_calls import get
from tests.web.cast import Cast
from tests.web.farm_season import CROP, EXAMPLE, at, put, seen

NEW_PASS = {"operation_id": "X1", "unit_id": "G70", "operation": "Planter, double disk opnr", "day": "2025-05-01",
            "depth_in": "2.50"}  # fmt: skip


@pytest.fixture
def farm(season: Cast) -> FarmBook:
    return farm_book_of(season.farm)


def text_of(client: Client, where: str, **asked: str) -> str:
    answer = client.get(where, asked)
    assert answer.status_code == 200, where
    return answer.content.decode()


def test_the_book_in_the_database_is_judged_as_the_folder_is(whole_season: Cast) -> None:
    farm, from_folder = farm_book_of(whole_season.farm), assess(load_book(EXAMPLE))
    shown = verdicts_of(farm)["intervals"]
    assert [one["harvest_id"] for one in shown] == [one.harvest_id for one in from_folder.intervals]
    for one, expected in zip(shown, from_folder.intervals, strict=True):
        found, wanted = with_shown(farm, one), interval_json(expected)
        assert [found[name] for name in ("practices", "requirements")] == [
            wanted[name] for name in ("practices", "requirements")
        ]
    assert seasons_of(farm) == seasons(from_folder)


def test_every_kind_has_a_form_with_all_its_columns(farm: FarmBook) -> None:
    for name, kind in KINDS.items():
        form = RowForm(kind, farm, None, initial={})
        assert set(kind.typed_fields) - set(form.fields) <= {"farm_id"}, name
        assert form.as_p(), name


def test_a_pass_that_is_typed_stands_in_the_records_and_takes_no_other_s_place(season: Cast, owner: Client) -> None:
    where, before = at(season, "farm_row", "operation"), seen(season)
    assert owner.post(where, {**NEW_PASS, **before}).status_code == 302
    farm = farm_book_of(season.farm)
    found = next(row for row in farm.records()["operation"] if row["operation_id"] == "X1")
    assert (found["depth_in"], found["unit_id"], found["farm_id"]) == (2500, "G70", farm.farm_id)
    again = owner.post(where, {**NEW_PASS, **seen(season)})
    assert "identifier already" in str(again.context["form"].errors)
    late = owner.post(where, {**NEW_PASS, "operation_id": "X2", **before})
    assert "Somebody else changed this book" in str(late.context["form"].errors)
    assert "X2" not in farm_book_of(season.farm).of(KINDS["operation"])


def test_a_wrong_cell_is_told_beside_its_field(season: Cast, owner: Client, farm: FarmBook) -> None:
    data = {**NEW_PASS, **seen(season)}
    for column, text, told in (
        ("depth_in", "60", ""), ("depth_in", "60.001", "cannot be right"), ("day", "5/1/2025", ""),
        ("depth_in", "deep", "Write the number alone"), ("day", "31/31/2025", "no day of the calendar"),
        ("operation", "", "Operation is blank. Fill it in."), ("unit_id", "", "Management unit is blank"),
        ("operation_id", "", "Operation number is blank"),
    ):  # fmt: skip
        form = RowForm(KINDS["operation"], farm, None, initial={}, data={**data, column: text})
        assert form.is_valid() is not bool(told), (column, text)
        assert told in str(form.errors.get(column, "")), (column, text)
    answer = owner.post(at(season, "farm_row", "operation"), {**data, "depth_in": "deep"})
    assert "Write the number alone" in " ".join(answer.context["form"].errors["depth_in"])
    assert farm_book_of(season.farm).version == farm.version


def test_a_correction_has_a_reason_and_keeps_what_stood(season: Cast, owner: Client, farm: FarmBook) -> None:
    kind, address = KINDS["harvest"], at(season, "farm_row", "harvest", row=CROP)
    texts = farm.texts(kind, CROP)
    assert texts is not None
    data = {**texts, "bushels": "1234.5", "harvest_id": "other", **seen(season)}
    assert "Say why" in str(owner.post(address, data).context["form"].errors)
    reason = {"reason_for_change": "ticket found", "looked": "yes"}
    assert owner.post(address, {**data, **reason}).status_code == 302
    assert farm_book_of(season.farm).texts(kind, CROP) == {**texts, "bushels": "1234.5"}
    page = text_of(owner, address)
    assert f"Bushels: {texts['bushels']} → 1234.5" in page
    assert "ticket found" in page
    assert rows_of(season.book, farm.version)["harvest"][CROP]["bushels"] == texts["bushels"]
    assert "other" not in farm_book_of(season.farm).of(kind)
    read = text_of(season.client("reader"), address)
    assert ("Whole harvest" in read, "<dt>Bushels (bu)</dt>" in read) == (False, True), "values and no form"


def test_a_removed_row_keeps_its_page_and_is_put_back(season: Cast, owner: Client, farm: FarmBook) -> None:
    said, before, kind = farm.texts(KINDS["harvest"], CROP), farm.version, KINDS["harvest"]
    remove, page = (at(season, name, "harvest", row=CROP) for name in ("farm_row_remove", "farm_row"))
    shown = owner.get(remove)
    assert "gone" in {one.after for one in shown.context["removal"].verdicts}
    assert shown.context["removal"].orphans
    assert "This is what would happen" in shown.content.decode()
    assert owner.post(remove, {"seen": str(before - 1)}).status_code == 409
    assert farm_book_of(season.farm).version == before
    removed = owner.post(remove, {"seen": str(before)})
    assert (removed.status_code, removed.headers["Location"]) == (302, page)
    assert CROP not in farm_book_of(season.farm).of(kind)
    assert CROP in rows_of(season.book, before)["harvest"]
    row = LogRow.objects.filter(organisation=season.farm, deed="change book").latest("id")
    assert row.old is not None
    assert row.old["harvest_id"] == CROP, "the log shows the values of a row that was changed"
    gone = text_of(owner, page)
    assert "was removed" in gone
    assert "Removed: " in gone, "its history shows the values"
    assert owner.post(remove, {"seen": before + 1, "do": "restore"}).status_code == 302
    assert farm_book_of(season.farm).texts(kind, CROP) == said
    assert owner.post(remove, {"seen": before + 2, "do": "restore"}).status_code == 404
    assert owner.get(at(season, "farm_row", "harvest", row="never")).status_code == 404


def test_a_row_that_stands_is_opened_and_leads_to_no_other_site(season: Cast, owner: Client) -> None:
    standing = owner.get(at(season, "farm_row", "declaration", harvest_id=CROP, unit_id="G70"))
    assert (standing.status_code, standing.headers["Location"].endswith(f"?row={CROP}")) == (302, True)
    said = farm_book_of(season.farm).texts(KINDS["harvest"], CROP) or {}
    here = at(season, "farm_crop")
    for asked, to in ((here, here), ("https://elsewhere.example/", at(season, "farm_kind", "harvest"))):
        sent = {**said, **seen(season), "reason_for_change": "try"}
        saved = owner.post(f"{at(season, 'farm_row', 'harvest')}?row={CROP}&next={asked}", sent)
        assert saved.headers["Location"] == to


@pytest.mark.slow
def test_every_entry_of_a_new_farms_menu_works_and_offers_to_open_its_book(cast: Cast) -> None:
    person = cast.person("owner")
    new = create_organisation("New Farm", roles=[Role.FARM], manager=person, actor=cast.actor("owner"))
    client = cast.client()
    pages = [link.view for link in LINKS if not link.roles or Role.FARM in link.roles]
    answers = {view: client.get(reverse(view, args=(new.handle,))) for view in pages}
    assert {view: answer.status_code for view, answer in answers.items()} == dict.fromkeys(pages, 200)
    offers = {view for view, answer in answers.items() if "Open the record book" in answer.content.decode()}
    assert offers >= {link.view for link in LINKS if link.roles == (Role.FARM,)} - {"farm_imports"}
    assert client.post(reverse("farm", args=(new.handle,))).status_code == 302
    assert {client.get(reverse(view, args=(new.handle,)), follow=True).status_code for view in pages} == {200}


def test_requirements_left_open_stand_together_by_record(season: Cast, owner: Client, farm: FarmBook) -> None:
    together = 0
    for one in verdicts_of(farm)["intervals"][::2]:
        shown = owner.get(at(season, "farm_crop", crop=one["harvest_id"]))
        text = shown.content.decode()
        for practice in shown.context["one"]["practices"]:
            if not practice["claimable"]:
                continue
            assert f'id="{practice["practice"]}"' in text
            groups, every = practice["unshown"], requirements_of(shown.context["one"], practice)
            open_ = [rule for group in groups for rule in group["rules"]]
            rules = [*open_, *practice["wrong"], *practice["met"], *practice["moot"]]
            says = [rule["says"] for rule in rules]
            assert sorted(says) == sorted(rule["says"] for rule in every)
            assert all(escape(each) in text for each in says)
            for group in groups:
                for rule in group["rules"]:
                    assert {lack["kind"] for lack in rule["missing"]} == {lack["kind"] for lack in group["lacks"]}
                assert len(group["rules"]) == 1 or not any(rule["observed"] for rule in group["rules"])
                together += len(group["rules"]) - 1
            for rule in rules:
                rested = [words for kind in rule["rested"] for words, _ in kind["rows"]]
                assert bool(rested) is (rule["verdict"] != Verdict.NOT_SHOWN), "what is met or not rests on some row"
    assert together > 5


def test_a_farm_opens_its_book_once_and_an_elevator_has_no_farm_pages(cast: Cast) -> None:
    assert cast.client().post(at(cast, "farm")).status_code == 302
    assert Organisation.objects.get(pk=cast.farm.pk).books.count() == 1
    assert cast.client("stranger").get(reverse("farm", args=(cast.elevator.handle,))).status_code == 404
    assert "Nothing is harvested yet" in text_of(cast.client(), at(cast, "farm_todo"))


def test_ticks_are_saved_as_changed_and_none_is_one(season: Cast, owner: Client, farm: FarmBook) -> None:
    found, where = claims_of(farm), at(season, "farm_claims")
    said = {"seen": farm.version, "crop": [one.harvest_id for one in found]}
    claim = [f"{one.harvest_id}/{each}" for one in found for each in one.offered]
    assert owner.post(where, {**said, "claim": claim}).status_code == 302
    assert owner.post(where, {"seen": farm.version, "crop": "none", "claim": "none/no_till"}).status_code == 302
    assert farm_book_of(season.farm).version == farm.version, "nobody changed a tick"
    mine, other = next((one, each) for one in found for each in one.may if each not in one.offered)
    added = {**said, "claim": [*claim, f"{mine.harvest_id}/{other}"]}
    assert owner.post(where, {**added, "seen": 0}).status_code == 409, "another version was seen"
    owner.post(where, added)
    rows = rows_of(season.book)
    assert {key for key, row in rows["harvest"].items() if row.get("claims")} == {mine.harvest_id}
    kinds = ("calculator_run", "operation", "nutrient_application")
    bare = put(season, *(Edit(kind, key, None) for kind in kinds for key in rows[kind]))
    crop = next(one.harvest_id for one in claims_of(bare) if one.may_say_none)
    assert f'name="nothing" value="{crop}"' in text_of(owner, where)
    owner.post(where, {"seen": bare.version, "crop": crop, "nothing": crop})
    assert rows_of(season.book)["harvest"][crop]["claims"] == "none"


def test_every_page_and_call_says_one_number_of_things_before_a_signature(season: Cast, owner: Client) -> None:
    counted = {one.key: one.things for one in standings_of(farm_book_of(season.farm))}
    assert set(counted) == {("corn", 2025), ("sorghum", 2025), ("soybeans", 2025)}
    page = owner.get(at(season, "farm_todo"))
    todo = page.context["lists"]
    assert {(one["draft"].crop, 2025): len(one["things"]) for one in todo} == counted
    assert "chip waiting" not in page.content.decode()
    assert "chip waiting" in text_of(season.client("consultant"), at(season, "farm_todo")), "for the producer"
    listed = {(one["draft"].crop, one["draft"].harvest_year): len(one["things"]) for one in todo if one["blocked"]}
    assert len(listed) > 1
    assert f"{sum(listed.values())} things stand before the signatures of " in progress_of(season.farm).words
    for (crop, year), number in listed.items():
        called = json.loads(get(f"/reports/{crop}/{year}/standing", season.token_secret).content)
        assert len(called["things"]) == number
        report = owner.get(at(season, "farm_report", crop, year))
        things = report.context["todo"]["things"]
        assert len(things) == number
        assert "What blocks a signature" in report.content.decode()
        assert all(f'href="{href.replace("&", "&amp;")}"' in report.content.decode() for _, href, *_ in things)
        assert {owner.get(href).status_code for _, href, *_ in things[:1]} == {200}
    reports = owner.get(at(season, "farm_reports")).context["reports"]
    notes = {(row[0].text, row[2].note) for row in reports.cells}
    assert notes == {("Field corn", "Make a signing key first.")} | {
        (crop.capitalize(), f"{number} to do") for (crop, _), number in listed.items() if crop != "corn"
    }
    tiles = [
        one for one in tiles_of(season.farm, None, season.audit.opened_at.date()) if one.label.startswith("Report")
    ]
    told = [int(found[0]) for one in tiles if (found := re.match(r"\d+(?= to do before)", one.note))]
    assert sorted(told) == sorted(listed.values())
    overview = owner.get(at(season, "organisation"))
    assert f"{counted['soybeans', 2025]} things stand before its signature" in overview.content.decode()
    steps = {one.words: one.why for one in overview.context["next_steps"]}
    for standing in standings_of(farm_book_of(season.farm)):
        words = [why for what, why in steps.items() if what.startswith("Do what") and standing.crop in what]
        for why in words:
            assert why.startswith(f"{listed[standing.crop, standing.harvest_year]} thing")


def answer_of(*arguments: str) -> dict[str, Any]:
    with redirect_stdout(io.StringIO()) as out, suppress(SystemExit):
        run([*arguments, "--json"])
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def test_every_pass_of_a_unit_stands_on_its_day(season: Cast, owner: Client, farm: FarmBook) -> None:
    one = next(found for found in seasons_of(farm) if found["harvest_id"] == CROP)
    dated = [row["day"] for row in one["events"] if row["day"]]
    assert dated == sorted(dated)
    passes = [row["key"] for row in one["events"] if row["kind"] == "operation"]
    assert passes
    assert set(passes) <= {row["operation_id"] for row in farm.records()["operation"] if row["unit_id"] == "G70"}
    sums = [row["sum"] for row in one["events"] if row["sum"]]
    assert sums[-1] == one["stir"]["recorded"]
    assert "Sum of STIR" in text_of(owner, at(season, "farm_season", unit="G70"))
    assert owner.get(at(season, "farm_season", unit="none")).status_code == 404
    assert owner.get(at(season, "farm_plan", crop="none")).status_code == 404


def test_the_average_on_the_page_is_that_of_the_command(whole_season: Cast) -> None:
    farm = farm_book_of(whole_season.farm)
    for one, expected in zip(intensities_of(farm), answer_of("intensity", str(EXAMPLE))["results"], strict=True):
        shown, average = one["official"], expected["average"]["ci_g_per_bu"]
        assert (one["crop"], one["harvest_year"]) == (expected["crop"], expected["harvest_year"])
        assert (shown["ci"] or "").replace(",", "") == (average or "")
        assert shown["missing"] == expected["average"]["missing"]
        if chart := one["estimate"]["chart"]:
            assert "model's own default" in unescape(chart), "its line is no national default"
            assert "national default" not in chart
    text = text_of(whole_season.client(), at(whole_season, "farm_intensity"))
    assert f"National default: {intensities_of(farm)[0]['official']['national_default']} g CO2e/bu" in text


def test_the_options_of_a_unit_are_those_of_the_command(whole_season: Cast) -> None:
    farm, owner = farm_book_of(whole_season.farm), whole_season.client()
    units, told = answer_of("plan", str(EXAMPLE))["units"], []
    for one, expected in zip(plans_of(farm), units, strict=True):
        assert one["unit_id"] == expected["unit_id"]
        found = [((option["ci"] or "").replace(",", ""), option["today"]) for option in one["options"]]
        assert found == [(option["ci_g_per_bu"] or "", option["today"]) for option in expected["options"]]
        assert not [option for option in one["options"] if option["today"] and option["missing"]]
        told += [piece["says"] for option in one["options"] for piece in option["missing"]]
    assert any("not met" in text for text in told)
    assert any("missing" in text for text in told)
    one = next(found for found in plans_of(farm) if found["bushels"])
    bushels = float(one["bushels"].replace(",", ""))
    for option in one["options"]:
        if option["to_today"]:
            grams = float(option["to_today"].replace(",", "")) * bushels
            assert abs(float(option["kilograms"].replace(",", "")) - grams / 1000) <= 1
    (expected,) = (one for one in units if one["unit_id"] == "G70")
    shown = owner.get(at(whole_season, "farm_plan", crop=CROP)).context["one"]["results"]
    assert [one["practices"] for one in shown] == [one["what"] for one in expected["results"]]
    assert len(shown) < len(expected["options"]), "each result once"


FIRST, LAST = "2024-10-01", "2025-10-01"


def event(lane: str, day: str | None, what: str, **more: str | None) -> dict[str, Any]:
    known = {"detail": "", "stir": None, "sum": None, "published_sum": None, "kind": "operation", "key": what}
    return {"lane": lane, "day": day, "what": what, **known, **more}


def crop_season(*events: dict[str, Any], recorded: str = "0", unit: str = "N40") -> dict[str, Any]:
    stir = {"recorded": recorded, "published": "0", "unknown": 0, "no_till_limit": "20", "reduced_till_limit": "80"}
    return {"unit_id": unit, "harvest_id": f"{unit}-2025", "crop": "Corn", "harvest_year": 2025, "starts_on": FIRST,
            "last_day": LAST, "stir": stir, "events": list(events)}  # fmt: skip


def test_days_and_stir_are_drawn_in_proportion_on_a_scale_that_grows_beyond_twenty() -> None:
    tilled = event("Field operations", "2025-04-02", "Chisel", stir="12.5", sum="12.5", published_sum="20")
    drawn = lanes_of([crop_season(tilled, recorded="12.5")], [])
    (lane,) = drawn.lanes
    at = 183 * WIDTH // 365
    assert [(mark.x, mark.shape, mark.key) for mark in lane.marks] == [(at, "pass", "Chisel")]
    half, limit = FLOOR - (FLOOR - LINE - 6) // 2, FLOOR - (FLOOR - LINE - 6) * 20 // 25
    assert (lane.stir, lane.top) == (f"M0 {FLOOR}H{at}V{half}H{WIDTH}", "25")
    assert (lane.limits, lane.published) == (((limit, "20", "no-till"),), f"M0 {FLOOR}H{at}V{limit}H{WIDTH}")
    assert drawn.months[0] == (0, "Oct 2024")
    for recorded, over, top in (("20", "", "25"), ("20.0001", "no-till", "100"), ("80.0001", "reduced till", "100"),
                                ("140", "reduced till", "140")):  # fmt: skip
        one = event("Field operations", "2025-04-02", "Plow", stir=recorded, sum=recorded, published_sum="0")
        (lane,) = lanes_of([crop_season(one, recorded=recorded)], []).lanes
        assert (lane.over, lane.top) == (over, top)
        assert [name for *_, name in lane.limits] == (["no-till"] if top == "25" else ["no-till", "reduced till"])


def test_each_kind_of_thing_has_its_mark_and_undated_things_have_none() -> None:
    events = (
        event("Cover crop", "2024-11-01", "Cover crop seeded", step="seeded", kind="cover_crop", key="C1"),
        event("Cover crop", "2025-04-20", "Cover crop terminated", step="ended", kind="cover_crop", key="C1"),
        event("Field operations", "2025-04-20", "Unheard of", stir="not known", sum="0", published_sum="0"),
        event("Crop", "2025-05-01", "Planted", kind="planting", key="P1"),
        event("Nutrients", "2025-06-01", "UAN", n_lb_per_ac="100", kind="nutrient_application", key="A1"),
        event("Nutrients", "2025-06-09", "Manure", n_lb_per_ac=None, kind="nutrient_application", key="A2"),
        event("Nutrients", None, "Lost note", kind="nutrient_application", key="A3"),
        event("Crop", LAST, "Harvest", kind="harvest", key="H1"),
    )
    photographs = [("N40", date(2024, 12, 1), "E1"), ("S80", date(2024, 12, 1), "E2"), ("N40", date(2026, 1, 1), "E3")]
    (lane,) = lanes_of([crop_season(*events)], photographs).lanes
    shapes = {mark.key: mark.shape for mark in lane.marks}
    assert shapes == {"C1": "cover", "Unheard of": "unknown", "P1": "planting", "A1": "n", "A2": "n", "H1": "harvest",
                      "E1": "photo"}  # fmt: skip
    assert {mark.key: mark.size for mark in lane.marks if mark.shape == "n"} == {"A1": 5, "A2": 3}
    assert lane.strips == ((31 * WIDTH // 365, 201 * WIDTH // 365 - 31 * WIDTH // 365),)
    beside = [mark.x for mark in lane.marks if mark.y == 11 and mark.key in ("C1", "Unheard of")][1:]
    assert len(set(beside)) == 2, "what falls on one day stands side by side"


@pytest.mark.parametrize("days", [
    ["2025-09-29", "2025-09-30", LAST, LAST], ["2024-10-15", "2024-10-15", "2024-10-16"], [LAST] * 9,
    [f"2025-0{month}-0{day}" for month in range(1, 10) for day in range(1, 10)],
])  # fmt: skip
def test_no_mark_hides_another_and_none_leaves_the_line(days: list[str]) -> None:
    events = [event("Field operations", day, f"Pass {at}", stir="1", sum="1", published_sum="1", key=f"O{at}")
              for at, day in enumerate(days)]  # fmt: skip
    (lane,) = lanes_of([crop_season(*events)], [("N40", date.fromisoformat(days[0]), "E1")]).lanes
    places = [mark.x for mark in lane.marks]
    least = min(11, WIDTH // len(places))
    assert all(after - before >= least for before, after in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= WIDTH
    assert sorted(mark.key for mark in lane.marks) == sorted([*(f"O{at}" for at in range(len(days))), "E1"])


def test_what_somebody_typed_draws_nothing_of_its_own_and_no_day_nothing() -> None:
    typed = event(
        "Field operations", "2025-04-02", '<b>"Chisel" & more', stir="1", sum="1", published_sum="1", key="A&1"
    )
    (lane,) = lanes_of([crop_season(typed)], []).lanes
    drawn = lane.marks[0].drawn("/rows/", "%2F")
    assert "<title>Apr 2, 2025: &lt;b&gt;&quot;Chisel&quot; &amp; more, STIR 1</title>" in drawn
    assert 'href="/rows/?row=A%261&amp;next=%2F"' in drawn
    assert "<b>" not in drawn
    bare = crop_season() | {"starts_on": None, "last_day": None}
    assert lanes_of([bare], []).lanes == ()
