"""What a growing crop asks for stands on To do with its day and is counted, apart from what a signature waits for."""

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from provender.practices.explain import Standing
from provender.services.clients import Urgency, client_progress, farm_steps, progress_of
from provender.services.farm import growing
from provender.services.farm import growing as asking
from provender.services.farm.book import Edit, FarmBook, change_book, farm_book_of
from provender.services.farm.growing import Ask, Grows, When, growing_asks, growing_needs, growing_of
from provender.services.farm.verdicts import verdicts_of
from provender.services.reports.checklist import left_of
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.replayed import replayed

NEXT = {"harvest_id": "N40-next", "unit_id": "N40", "crop": "corn", "ending": "not_yet"}
RYE = {
    "cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-next", "seeded_on": "2025-10-10", "seeded_acres": "",
    "method": "drilled",
}  # fmt: skip
MIX = {"cover_id": "RYE", "species": "Cereal Rye, Winter", "as_typed": "cereal rye"}


@pytest.fixture
def owner(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Client:
    fill_season(cast)
    on(monkeypatch, date(2025, 11, 28))
    return cast.client()


def on(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr(asking, "today", lambda: day)


def write(cast: Cast, *edits: Edit) -> FarmBook:
    change_book(cast.book, list(edits), reason="typed", actor=cast.actor("owner"))
    return farm_book_of(cast.farm)


def sow(cast: Cast, **changed: str) -> FarmBook:
    """Sow the cover and the crop after it: made once, as the book is judged once then."""
    edits = [
        Edit("harvest", "N40-next", NEXT), Edit("cover_crop", "RYE", {**RYE, **changed}),
        Edit("cover_species", "RYE/Cereal Rye, Winter", MIX),
    ]  # fmt: skip
    actor = cast.actor("owner")
    replayed(("sown", tuple(changed.items())), lambda: change_book(cast.book, edits, reason="typed", actor=actor))
    return farm_book_of(cast.farm)


def page_of(client: Client, cast: Cast, name: str, **asked: str) -> str:
    answer = client.get(reverse(name, args=(cast.farm.handle,)), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def asked(asks: tuple[Ask, ...]) -> dict[tuple[str, str], asking.Time]:
    return {(one.record["kind"], one.record["column"]): one.time for one in asks}


def practices(farm: FarmBook) -> dict[str, dict[str, Any]]:
    (one,) = growing_of(farm)
    return {each["name"]: each for each in one["practices"]}


def test_what_has_a_day_is_asked_for_by_it_and_what_comes_later_is_not_missing(
    cast: Cast, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    farm = sow(cast)
    (one,) = growing_asks(farm)
    now, later = asked(one.asks), asked(one.later)
    photograph = now["cover_crop", "established_photo"]
    assert (photograph.when, photograph.day) == (When.BY, date(2026, 6, 30))
    assert now["cover_species", "rate_lb_per_ac"].when is When.NOW
    assert now["cover_crop", "seeded_acres"].when is When.NOW
    assert {("cover_crop", "terminated_on"), ("planting", "planted_on")} <= later.keys()
    assert not {ask.record["said"] for ask in one.asks} & {
        ask.record["said"] for ask in one.later if not ask.record["column"]
    }
    on(monkeypatch, date(2026, 3, 1))
    (one,) = growing_asks(farm)
    assert asked(one.asks)["cover_crop", "terminated_on"] == asking.Time(When.BY, "in spring", date(2026, 6, 30))
    on(monkeypatch, date(2026, 7, 1))
    (one,) = growing_asks(farm)
    assert asked(one.asks)["cover_crop", "terminated_on"].when is When.NOW
    assert asked(one.asks)["planting", "planted_on"].when is When.NOW


def test_a_cover_that_was_ended_was_photographed_before_its_last_day(
    cast: Cast, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    farm = sow(cast, terminated_on="2026-04-20", termination_method="herbicide")
    on(monkeypatch, date(2026, 4, 1))
    (one,) = growing_asks(farm)
    assert asked(one.asks)["cover_crop", "established_photo"].day == date(2026, 4, 20)


def test_to_do_has_it_apart_and_the_signatures_wait_for_as_much_as_before(cast: Cast, owner: Client) -> None:
    before = [(one.name, one.things) for one in left_of(farm_book_of(cast.farm))]
    page = page_of(owner, cast, "farm_todo")
    assert "What grows now" not in page
    assert re.search(r'cover_crop/row/\?row=[^"]*#id_established_photo"', page), "a thing opens the very field"
    assert not [one for one in farm_steps(cast.farm) if "growing" in one.words]
    farm = sow(cast)
    assert [(one.name, one.things) for one in left_of(farm)] == before
    page = page_of(owner, cast, "farm_todo")
    section = page[page.index('id="growing"') :]
    assert "Due by Jun 30, 2026" in section
    assert "Say what field corn 2026 claims on N40" in section
    (href,) = re.findall(r'href="([^"]*cover_species/row/[^"]*)"', section)
    assert href.endswith("#id_rate_lb_per_ac")
    assert "/farm/evidence/?unit_id=N40" in section, "no photograph was taken since it was seeded"
    later = section[section.index("What comes later") :]
    assert "termination date" in later
    assert [one.page for one in farm_steps(cast.farm) if "growing crops" in one.words] == ["farm_todo"]


def test_a_claim_that_the_records_of_a_growing_crop_speak_against_is_told(cast: Cast, owner: Client) -> None:
    farm = sow(cast, terminated_on="2026-04-14", termination_method="tillage")
    farm = write(cast, Edit("harvest", "N40-next", {**NEXT, "claims": "cover_crop"}))
    (one,) = growing_asks(farm)
    assert [each[0] for each in one.wrong] == ["cover_crop"]
    assert "stop claiming cover crop" in page_of(owner, cast, "farm_todo")
    assert "claims on N40" not in page_of(owner, cast, "farm_todo"), "it says what it claims"


def test_what_nobody_claims_of_a_growing_crop_is_grey_and_counted_as_such(cast: Cast, owner: Client) -> None:
    matrix = page_of(owner, cast, "farm")
    farm = sow(cast)
    stands = {name: each["standing"] for name, each in practices(farm).items() if each["claimable"]}
    assert stands.pop("cover_crop") == Standing.NOT_SHOWN
    assert Standing.NOT_SHOWN not in stands.values()
    asked_of = re.compile(r"(\d+) of (\d+) met")
    before, after = (asked_of.findall(one[one.rindex(">All<") :]) for one in (matrix, page_of(owner, cast, "farm")))
    assert sum(int(every) for _, every in after) == sum(int(every) for _, every in before) + 1
    farm = write(cast, Edit("harvest", "N40-next", {**NEXT, "claims": "no_till"}))
    stands = {name: each["standing"] for name, each in practices(farm).items()}
    assert (stands["no_till"], stands["cover_crop"]) == (Standing.NOT_SHOWN, Standing.NOT_CLAIMED)


def test_the_page_of_a_growing_crop_says_each_thing_once_and_calls_nothing_missing_that_comes_later(
    cast: Cast, owner: Client
) -> None:
    farm = sow(cast)
    page = page_of(owner, cast, "farm_crop", crop="N40-next")
    cover = next(one for one in page.split("<section") if 'id="cover_crop"' in one)
    missing = cover[cover.index("What is missing") : cover.index("Later:")]
    assert "ermination date" not in missing
    assert missing.count("acres seeded") == 1
    assert "suits soil and site (by whose guidance)" in missing
    assert "with By" not in page
    assert "0 acres seeded" not in page
    assert "termination date" in cover[cover.index("Later:") :]
    legume = [each for each in practices(farm)["cover_crop"]["findings"] if each["says"].startswith("With a legume")]
    assert [each["moot"] for each in legume] == ["No species of the mix is a legume, so nothing is asked here."] * 2
    assert cover.count("Does not apply:") == len(legume)
    for label in ("Termination date", "Planting date"):
        lines = re.findall(rf"<p>([^<:]*):?\s*<a[^>]*>[^<]*: {label}</a>", page)
        assert lines
        assert all(line.startswith("Later, ") for line in lines), label


def test_a_legume_is_asked_for_its_nitrogen(cast: Cast, owner: Client) -> None:
    sow(cast)
    farm = write(cast, Edit("cover_species", "RYE/Clover, Crimson", {"cover_id": "RYE", "species": "Clover, Crimson"}))
    assert not any(each["moot"] for each in practices(farm)["cover_crop"]["findings"])
    assert all(
        "moot" in each for one in verdicts_of(farm)["intervals"] for p in one["practices"] for each in p["findings"]
    )


def test_whoever_saves_a_cover_is_told_what_is_missing_now_alone(cast: Cast, owner: Client) -> None:
    write(cast, Edit("harvest", "N40-next", NEXT))
    where = reverse("farm_row", args=(cast.farm.handle, "cover_crop"))
    sent = {**RYE, "seen_version": str(farm_book_of(cast.farm).version)}
    page = owner.post(where, sent, follow=True).content.decode()
    (told,) = re.findall(r"Still missing[^<]*", page)
    assert "photograph of establishment" in told
    assert "termination" not in told


def test_passes_between_two_days_that_are_not_there_were_not_counted(cast: Cast, owner: Client) -> None:
    found = {each["says"]: each["observed"] for each in practices(sow(cast))["cover_crop"]["findings"]}
    assert found["Residue stays on the surface from termination to planting."] == ""
    assert found["The cover crop stands on the whole unit."] == ""
    half = {
        each["says"]: each["observed"] for each in practices(sow(cast, seeded_acres="20"))["cover_crop"]["findings"]
    }
    assert half["The cover crop stands on the whole unit."] == "20 acres seeded"


def test_a_client_whose_crops_grow_has_something_to_do(
    cast: Cast,
    owner: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = progress_of(cast.farm)
    farm = sow(cast)
    needs = growing_needs(farm)
    assert needs.things > 1
    assert needs.day == date(2026, 6, 30)
    after = progress_of(cast.farm)
    assert after.things == before.things + needs.things
    assert "Do what the growing crops ask for." in after.words
    far, near = date(2026, 5, 1), date(2026, 6, 18)
    assert client_progress(cast.farm, far).urgency == after.urgency != Urgency.NOTHING
    on(monkeypatch, near)
    found = client_progress(cast.farm, near)
    assert (found.urgency, found.days) == (Urgency.BY_DAY, 12)
    assert found.why.startswith("Growing crops: due in 12 days, ")
    assert found.words.count("Do what the growing crops ask for.") == 1


def test_to_do_asks_once_and_counts_them_and_each_of_its_links_leads_back_to_its_head(
    cast: Cast, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = growing_needs(sow(cast))
    asked, real = [], growing.growing_asks

    def counted(farm: FarmBook) -> list[Grows]:
        asked.append(farm)
        return real(farm)

    monkeypatch.setattr(growing, "growing_asks", counted)
    page = page_of(owner, cast, "farm_todo")
    assert len(asked) == 1
    assert f"What grows now: {needs.things} things" in page
    step = next(one for one in farm_steps(cast.farm) if "growing crops" in one.words)
    assert f"these {needs.things} things" in step.why
    assert "The first is due by 2026-06-30." in step.why
    for back in re.findall(r"next=([^&\"]*)", page):
        assert "%23" not in back, "what was saved is told at the head of the page"


def test_the_question_of_a_growing_crop_opens_at_it_and_comes_back(cast: Cast, owner: Client) -> None:
    sow(cast)
    (href,) = re.findall(r'href="([^"]*claims/[^"]*)"', page_of(owner, cast, "farm_todo").partition("What else")[0])
    assert href.endswith("#asked")
    path = href.replace("&amp;", "&").partition("#")[0]
    page = owner.get(path).content.decode()
    (asked,) = re.findall(r'<tr id="asked".*?</tr>', page, re.DOTALL)
    assert "N40-next" in asked
    sent = {"crop": "N40-next", "nothing": "N40-next", "seen": farm_book_of(cast.farm).version}
    assert owner.post(path, sent)["Location"].endswith("/farm/todo/")
