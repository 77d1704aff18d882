"""The farm's book on pages says what the core says, and writes what the core can read."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from provender.database.choices import Role
from provender.database.models.accounts import LogRow, Organisation
from provender.database.models.farm import Change, VerdictCache
from provender.database.store.record_books import rows_of
from provender.practices.assess import assess
from provender.practices.requirement import REQUIREMENTS
from provender.practices.to_do import missing_record
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.services.accounts.organisations import create_organisation
from provender.services.farm.book import FarmBook
from provender.services.farm.verdicts import AS_BOOL, verdicts_of
from provender.web.farm.forms import RowForm
from provender.web.navigation import LINKS
from tests.web.cast import Cast
from tests.web.farm_season import CROP, EXAMPLE, fill_season


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    return cast.client()


def where(cast: Cast, name: str, *more: str) -> str:
    return reverse(name, args=(cast.farm.handle, *more))


def farm_of(cast: Cast) -> FarmBook:
    return FarmBook(cast.book, Change.objects.filter(book=cast.book).count())


OPERATION = "Planter, double disk opnr"
NEW_PASS = {"operation_id": "X1", "unit_id": "G70", "operation": OPERATION, "day": "2025-05-01", "depth_in": "2.50"}


def test_the_book_in_the_database_is_judged_as_the_folder_is(cast: Cast, owner: Client) -> None:
    from_folder = assess(load_book(EXAMPLE)).intervals
    shown = verdicts_of(farm_of(cast))["intervals"]
    assert [one["harvest_id"] for one in shown] == [one.harvest_id for one in from_folder]
    for one, expected in zip(shown, from_folder, strict=True):
        found = [(each["implementation"], each["records"]) for each in one["practices"]]
        assert found == [(AS_BOOL[each.implementation], AS_BOOL[each.records]) for each in expected.practices]


def test_a_version_of_the_book_is_judged_once(cast: Cast, owner: Client) -> None:
    first = owner.get(where(cast, "farm")).content
    assert VerdictCache.objects.count() == 1
    VerdictCache.objects.update(content=b'{"intervals": [], "findings": [], "totals": [], "problems": []}')
    assert owner.get(where(cast, "farm")).content != first
    owner.post(where(cast, "farm_row", "operation"), {**NEW_PASS, "seen_version": farm_of(cast).version})
    assert b"G70" in owner.get(where(cast, "farm")).content


def test_every_gap_of_every_requirement_leads_to_a_kind_and_a_column() -> None:
    for one in REQUIREMENTS.values():
        for gap in one.gaps:
            found = missing_record(gap.record)
            assert not found["column"] or found["column"] in KINDS[found["kind"]].fields, gap.record


def test_every_kind_has_a_form_with_all_its_columns(cast: Cast, owner: Client) -> None:
    farm = farm_of(cast)
    for name, kind in KINDS.items():
        form = RowForm(kind, farm, None, initial={})
        assert set(kind.typed_fields) - set(form.fields) <= {"farm_id"}, name
        assert owner.get(where(cast, "farm_row", name)).status_code == 200, name
        assert owner.get(where(cast, "farm_kind", name)).status_code == 200, name


def test_a_pass_that_is_typed_stands_in_the_records_and_takes_no_other_s_place(cast: Cast, owner: Client) -> None:
    seen = farm_of(cast).version
    assert owner.post(where(cast, "farm_row", "operation"), {**NEW_PASS, "seen_version": seen}).status_code == 302
    found = farm_of(cast).records()["operation"].filter(operation_id="X1").row(0, named=True)
    assert (found["depth_in"], found["unit_id"], found["farm_id"]) == (2500, "G70", farm_of(cast).farm_id)
    again = owner.post(where(cast, "farm_row", "operation"), {**NEW_PASS, "seen_version": farm_of(cast).version})
    assert "identifier already" in str(again.context["form"].errors)
    late = owner.post(where(cast, "farm_row", "operation"), {**NEW_PASS, "operation_id": "X2", "seen_version": seen})
    assert "Somebody else changed this book" in str(late.context["form"].errors)
    assert "X2" not in farm_of(cast).of(KINDS["operation"])


def test_a_wrong_cell_is_told_beside_its_field(cast: Cast, owner: Client) -> None:
    farm = farm_of(cast)
    data = {**NEW_PASS, "seen_version": str(farm.version)}
    for column, text, told in (
        ("depth_in", "60", ""),
        ("depth_in", "60.001", "cannot be right"),
        ("depth_in", "deep", "Write the number alone"),
        ("day", "5/1/2025", ""),
        ("day", "31/31/2025", "no day of the calendar"),
        ("operation", "", "Operation is blank. Fill it in."),
        ("unit_id", "", "Management unit is blank"),
        ("operation_id", "", "Operation number is blank"),
    ):
        form = RowForm(KINDS["operation"], farm, None, initial={}, data={**data, column: text})
        assert form.is_valid() is not bool(told), (column, text)
        assert told in str(form.errors.get(column, "")), (column, text)
    answer = owner.post(where(cast, "farm_row", "operation"), {**data, "depth_in": "deep"})
    assert "Write the number alone" in " ".join(answer.context["form"].errors["depth_in"])
    assert farm_of(cast).version == farm.version


def test_a_correction_needs_a_reason_and_keeps_what_stood_before(cast: Cast, owner: Client) -> None:
    address = f"{where(cast, 'farm_row', 'harvest')}?row={CROP}"
    before = farm_of(cast)
    texts = before.texts(KINDS["harvest"], CROP)
    assert texts is not None
    data = {**texts, "bushels": "1234.5", "seen_version": before.version}
    assert "Say why" in str(owner.post(address, data).context["form"].errors)
    assert owner.post(address, {**data, "reason_for_change": "ticket found", "looked": "yes"}).status_code == 302
    assert farm_of(cast).texts(KINDS["harvest"], CROP) == {**texts, "bushels": "1234.5"}
    page = owner.get(address).content.decode()
    assert f"Bushels: {texts['bushels']} → 1234.5" in page
    assert "ticket found" in page
    assert rows_of(cast.book, before.version)["harvest"][CROP]["bushels"] == texts["bushels"]


def test_the_identifier_of_a_row_that_stands_cannot_be_changed(cast: Cast, owner: Client) -> None:
    farm = farm_of(cast)
    texts = farm.texts(KINDS["harvest"], CROP)
    assert texts is not None
    more = {"harvest_id": "other", "seen_version": farm.version, "reason_for_change": "try"}
    owner.post(f"{where(cast, 'farm_row', 'harvest')}?row={CROP}", {**texts, **more})
    assert "other" not in farm_of(cast).of(KINDS["harvest"])
    assert farm_of(cast).texts(KINDS["harvest"], CROP) == texts


def test_a_removed_row_keeps_its_page_and_can_be_put_back_as_it_was(cast: Cast, owner: Client) -> None:
    said, before = farm_of(cast).texts(KINDS["harvest"], CROP), farm_of(cast).version
    remove, page = (f"{where(cast, name, 'harvest')}?row={CROP}" for name in ("farm_row_remove", "farm_row"))
    shown = owner.get(remove)
    removal = shown.context["removal"]
    assert "gone" in {one.after for one in removal.verdicts}
    assert removal.orphans
    assert "This is what would happen" in shown.content.decode()
    assert owner.post(remove, {"seen": str(before - 1)}).status_code == 409
    assert (farm_of(cast).version, farm_of(cast).texts(KINDS["harvest"], CROP)) == (before, said)
    removed = owner.post(remove, {"seen": str(before)})
    assert (removed.status_code, removed.headers["Location"]) == (302, page)
    assert CROP not in farm_of(cast).of(KINDS["harvest"])
    assert CROP in rows_of(cast.book, before)["harvest"]
    row = LogRow.objects.filter(organisation=cast.farm, deed="change book").latest("id")
    assert row.old is not None
    assert row.old["harvest_id"] == CROP, "the log shows the values of a row that was changed"
    gone = owner.get(page)
    assert "was removed" in gone.content.decode()
    assert "Removed: " in gone.content.decode(), "its history shows the values"
    assert owner.post(remove, {"seen": before + 1, "do": "restore"}).status_code == 302
    assert farm_of(cast).texts(KINDS["harvest"], CROP) == said
    assert owner.post(remove, {"seen": before + 2, "do": "restore"}).status_code == 404
    assert owner.get(f"{where(cast, 'farm_row', 'harvest')}?row=never").status_code == 404


def test_a_gap_opens_the_row_that_lacks_the_value_and_comes_back(cast: Cast, owner: Client) -> None:
    page = owner.get(where(cast, "farm_crop"), {"crop": CROP})
    links = [kind["href"] for one in page.context["one"]["practices"] if one["claimable"] for kind, _ in one["gaps"]]
    assert links
    for link in links:
        assert "next=" in link
        form = owner.get(link, follow=True)
        assert form.status_code == 200
        row, _, box = link.partition("#")
        assert bool(box) == ("row=" in row), "the form of a row opens at the box that is blank"
        assert not box or f'id="{box}"' in form.content.decode()
    texts = farm_of(cast).texts(KINDS["harvest"], CROP)
    assert texts is not None
    said = {**texts, "seen_version": farm_of(cast).version, "reason_for_change": "try"}
    here = where(cast, "farm_crop")
    for asked, to in ((here, here), ("https://elsewhere.example/", where(cast, "farm_kind", "harvest"))):
        said["seen_version"] = farm_of(cast).version
        saved = owner.post(f"{where(cast, 'farm_row', 'harvest')}?row={CROP}&next={asked}", said)
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


def test_a_missing_record_leads_to_the_row_that_lacks_it_or_to_a_new_one(cast: Cast, owner: Client) -> None:
    standing = owner.get(f"{where(cast, 'farm_row', 'declaration')}?harvest_id={CROP}&unit_id=G70")
    assert standing.status_code == 302
    assert standing.headers["Location"].endswith(f"?row={CROP}")
    new = owner.get(f"{where(cast, 'farm_row', 'operation')}?unit_id=G70")
    assert new.context["form"].initial["unit_id"] == "G70"


def test_requirements_that_the_same_records_leave_open_stand_together_and_none_is_lost(
    cast: Cast, owner: Client
) -> None:
    together = 0
    for one in verdicts_of(farm_of(cast))["intervals"]:
        shown = owner.get(where(cast, "farm_crop"), {"crop": one["harvest_id"]})
        text = shown.content.decode()
        for practice in shown.context["one"]["practices"]:
            if not practice["claimable"]:
                continue
            assert f'id="{practice["name"]}"' in text
            moot = [{**each, "rules": [each]} for each in practice["moot"]]
            groups = [*practice["open"], *practice["met"], *moot]
            says = [rule["says"] for group in groups for rule in group["rules"]]
            assert sorted(says) == sorted(finding["says"] for finding in practice["findings"])
            assert all(escape(each) in text for each in says)
            for group in groups:
                for rule in group["rules"]:
                    assert all(record in group["missing"] for record in rule["missing"])
                    assert {record["kind"] for record in rule["missing"]} == {each["kind"] for each in group["missing"]}
                assert len(group["rules"]) == 1 or not (group["observed"] or group["limit"] or group["verdict"])
                together += len(group["rules"]) - 1
    assert together > 20


def test_somebody_who_may_only_read_sees_values_and_no_form(cast: Cast, owner: Client) -> None:
    reader = cast.client("reader")
    page = reader.get(f"{where(cast, 'farm_row', 'harvest')}?row={CROP}").content.decode()
    assert "Whole harvest" not in page
    assert "<dt>Bushels (bu)</dt>" in page


def test_an_elevator_has_no_farm_pages(cast: Cast) -> None:
    client = cast.client("stranger")
    assert client.get(reverse("farm", args=(cast.elevator.handle,))).status_code == 404


def test_a_farm_opens_its_book_once(cast: Cast, owner: Client) -> None:
    assert Organisation.objects.get(pk=cast.farm.pk).books.count() == 1
    assert owner.post(where(cast, "farm")).status_code == 302
    assert Organisation.objects.get(pk=cast.farm.pk).books.count() == 1
