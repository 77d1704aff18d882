"""An audit on the server: who may verify it, and how large its sample is.

Packages on the server stay while a statement, a draft or the next draft names them, and are cleared a day later.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from provender.audit.fieldwork import CHOICE, SIZE, on_top_said, sample_parts
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.sample import Failure
from provender.database.choices import Role
from provender.database.models.accounts import Membership, Organisation, OrganisationRole, ReadGrant
from provender.database.models.audits import Audit, EntryKind
from provender.services.accounts.access import against_independence
from provender.services.accounts.grants import enter_contract, grant_reading, revoke_reading
from provender.services.accounts.organisations import accept_invitation, add_member, invite_person, remove_member
from provender.services.audits import packages
from provender.services.audits.audits import add_entry
from provender.services.audits.packages import FOLDER, KEPT, named_packages
from provender.services.farm.book import Edit, change_book
from provender.services.refused import RefusedError
from tests.audit.farms import mixed
from tests.audit.sampling.test_draw import DAY, drawn, through_json
from tests.rows import CaseRows
from tests.web.cast import Cast, open_audit

ROWS: Final = CaseRows(__file__)


def grant(cast: Cast, audited: Organisation, verifier: Organisation) -> ReadGrant:
    today = timezone.localdate()
    by = cast.actor("stranger" if audited == cast.elevator else "owner")
    return grant_reading(audited, verifier, first_day=today, last_day=today, purpose="audit", actor=by)


def make_verifier(organisation: Organisation) -> None:
    OrganisationRole.objects.create(organisation=organisation, role=Role.VERIFIER)


def test_a_stranger_to_the_records_may_verify_and_a_firm_whose_consultant_works_there_not(cast: Cast) -> None:
    assert against_independence(cast.verifier, cast.farm) == []
    make_verifier(cast.adviser)
    with pytest.raises(RefusedError, match="member in common"):
        grant(cast, cast.farm, cast.adviser)
    make_verifier(cast.elevator)
    with pytest.raises(RefusedError) as refused:
        grant(cast, cast.elevator, cast.elevator)
    assert [one.cause for one in refused.value.problems] == [f"{cast.elevator} cannot verify itself."]


def test_a_firm_that_prepared_records_may_not_even_after_its_consultant_left(cast: Cast) -> None:
    make_verifier(cast.adviser)
    consultant = cast.membership("consultant")
    by = cast.actor("consultant")
    by = type(by)(by.person, by.via, for_firm=cast.adviser)
    change_book(cast.book, [Edit("harvest", "h9", {"bushels": 1})], reason="advice", actor=by)
    remove_member(consultant, actor=cast.actor("owner"))
    found = against_independence(cast.adviser, cast.farm)
    assert [one.cause for one in found] == ["Good Advice prepared records of Ada's Farm."]


def test_nor_may_it_verify_the_farms_buyer(cast: Cast) -> None:
    make_verifier(cast.adviser)
    assert against_independence(cast.adviser, cast.elevator) == []
    enter_contract(cast.farm, cast.elevator, number="1", signed_on=date(2026, 1, 1), actor=cast.actor("stranger"))
    with pytest.raises(RefusedError) as refused:
        grant(cast, cast.elevator, cast.adviser)
    assert [one.cause for one in refused.value.problems] == [
        f"{tie} Ada's Farm supplies {cast.elevator}."
        for tie in (
            "Good Advice and Ada's Farm have a member in common.",
            "Good Advice advises Ada's Farm.",
        )
    ]


def test_a_verifiers_person_cannot_join_what_it_verifies_nor_a_member_the_verifier(cast: Cast) -> None:
    invitation, _ = invite_person(cast.verifier, label="Ada", right="read", actor=cast.actor("verifier_in"))
    with pytest.raises(RefusedError, match="must stay independent"):
        accept_invitation(invitation, cast.person("owner"), actor=cast.actor("owner"))
    invitation, _ = invite_person(cast.farm, label="Vic", right="read", actor=cast.actor("owner"))
    with pytest.raises(RefusedError, match="must stay independent"):
        accept_invitation(invitation, cast.person("verifier_in"), actor=cast.actor("verifier_in"))
    revoke_reading(cast.grant, actor=cast.actor("owner"))
    accept_invitation(invitation, cast.person("verifier_in"), actor=cast.actor("verifier_in"))
    assert Membership.objects.filter(organisation=cast.farm, person=cast.person("verifier_in")).exists()


def test_the_last_manager_of_the_house_stays(cast: Cast) -> None:
    with pytest.raises(RefusedError, match="last member"):
        remove_member(cast.membership("owner"), actor=cast.actor("owner"))
    remove_member(cast.membership("writer"), actor=cast.actor("owner"))
    add_member(cast.farm, cast.person("writer"), "manage", actor=cast.actor("owner"))
    remove_member(cast.membership("owner"), actor=cast.actor("owner"))


def test_an_invitation_works_once(cast: Cast) -> None:
    by = cast.actor("stranger")
    accept_invitation(cast.invitation, cast.person("stranger"), actor=by)
    with pytest.raises(RefusedError, match="used or withdrawn"):
        accept_invitation(cast.invitation, cast.person("verifier_out"), actor=by)


def adds_up(document: dict[str, Any]) -> list[tuple[int, str, str]]:
    parts = sample_parts(document)
    every = [farm for part in parts for farm in part.farms]
    assert sorted(every) == document["sample"], "each farm of the sample stands in one part"
    return [(len(part.farms), part.why, part.cite) for part in parts]


ON_TOP = (
    "On top, for Jackson County, Kansas: at least 1/8 of all bushels are from there, and none of the 8 farms drawn by "
    "lot is. The first such farm in line joins them, and nobody gives up a place."
)


def test_a_ninth_farm_is_told_with_the_county_it_stands_for() -> None:
    corn, soybeans = [f"farm-1{number}" for number in range(6)], ["farm-06", "farm-48"]
    document: dict[str, Any] = {
        "farms": 51, "minimum": 8, "size_asked": None, "added": {}, "extensions": [], "staying": [],
        "strata": [{"name": "crop corn", "sample": corn}, {"name": "crop soybeans", "sample": soybeans}],
        "on_top": {"farm-46": "county 20085"}, "sample": sorted([*corn, *soybeans, "farm-46"]),
    }  # fmt: skip
    lot = "Drawn by lot: the square root of 51 farms, rounded up, is 8. They are 6 in crop corn, 2 in crop soybeans."
    assert adds_up(document) == [(8, lot, SIZE), (1, ON_TOP, CHOICE)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [None, 12])
def test_the_parts_of_any_sample_add_up(seed: int, size: int | None) -> None:
    population = mixed(51, seed)
    first = drawn(population, size=size).farm_ids[0]
    failure = Failure(first, "Finding 1", "V. Moss", DAY, 2)
    added = {farm.farm_id: "a tip" for farm in population.farms[:2]}
    document = through_json(drawn(population, size=size, added=added), failures=[failure])
    told = adds_up(document)
    assert {cite for _, _, cite in told} <= {SIZE, CHOICE}
    assert ("asked for 12" in told[0][1]) == (size == 12)
    words = " ".join(why for _, why, _ in told)
    assert f"Joined after {first} failed: Finding 1" in words
    on_top = document["on_top"]
    assert all(f"On top, for {on_top_said(trait)}" in words for trait in on_top.values())


@ROWS
def test_for_what_a_farm_on_top_stands(trait: str, said: str) -> None:
    assert on_top_said(trait) == said


@pytest.fixture
def audit(cast: Cast) -> Audit:
    return open_audit(cast.verifier, cast.farm, AuditRole.FARM, actor=cast.actor("verifier_in"), number="V-9")


def recomputed(cast: Cast, audit: Audit, mark: str) -> str:
    """Enter a package that was recomputed, and return its number."""
    asked = add_entry(audit, EntryKind.ASKED, {"what": "x", "verify": True}, actor=cast.actor("verifier_in"))
    facts = {"audited": audit.audited.handle, "roles": []}
    said = {"asked": asked.number, "made": {"mark": mark}, "what": "x", "facts": facts}
    add_entry(audit, EntryKind.RESULT, said, actor=cast.actor("verifier_in"))
    return str(asked.number)


def test_the_last_one_and_what_the_draft_names_stay(cast: Cast, audit: Audit) -> None:
    first, second, third = (recomputed(cast, audit, mark * 64) for mark in "abc")
    assert named_packages(audit) == {third}
    for mark, kept in (("a", {first, third}), ("b", {second, third}), ("c", {third})):
        add_entry(audit, EntryKind.DRAFT, {"package_mark": mark * 64}, actor=cast.actor("verifier_in"))
        assert named_packages(audit) == kept, "an earlier draft keeps nothing"


def test_what_the_signed_statement_names_stays_and_nothing_else(cast: Cast, audit: Audit) -> None:
    first, _ = (recomputed(cast, audit, mark * 64) for mark in "ab")
    signed = {"document": {"package_mark": "a" * 64}, "signature": "x..y"}
    add_entry(audit, EntryKind.STATEMENT, signed, actor=cast.actor("verifier_in"))
    assert named_packages(audit) == {first}


def test_the_rest_is_cleared_after_a_day(cast: Cast, audit: Audit, settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_FOLDER = tmp_path
    first, second = (recomputed(cast, audit, mark * 64) for mark in "ab")
    long_ago = (timezone.now() - KEPT).timestamp() - 60
    for name in (first, second, "99", "100"):
        folder = tmp_path / FOLDER / audit.handle / name
        folder.mkdir(parents=True)
        (folder / "package.zip").write_bytes(b"PK")
        if name != "100":
            os.utime(folder, (long_ago, long_ago))
    # A worker's slot is a file beside the folders of audits.
    (tmp_path / FOLDER / "slot-0").touch()
    # What another request clears is listed still and is there no more.
    (tmp_path / FOLDER / audit.handle / "98").symlink_to(tmp_path / "cleared")
    packages._clear_old()
    assert {one.name for one in (tmp_path / FOLDER / audit.handle).iterdir()} == {second, "100", "98"}


def test_an_audit_without_an_old_folder_is_not_looked_up(audit: Audit, settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_FOLDER = tmp_path
    (tmp_path / FOLDER / audit.handle / "1").mkdir(parents=True)
    with CaptureQueriesContext(connection) as asked:
        packages._clear_old()
    assert len(asked) == 0


@pytest.fixture
def place(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of packages; no process is started for what is asked for."""
    settings.UPLOAD_FOLDER = tmp_path
    monkeypatch.setattr(packages, "spawn", lambda _module, _folder: None)
    return tmp_path / FOLDER


def laid_out(_audit: Audit, _order: object, folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def ask(cast: Cast, audit: Audit) -> int:
    order = packages.order_of(audit, cast.farm.handle, (), timezone.localdate(), verify=False)
    return packages.ask(audit, order, actor=cast.actor("verifier_in")).number


@pytest.mark.django_db(transaction=True)
def test_others_write_while_it_is_made(cast: Cast, audit: Audit, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def beside(one: Audit, asked: object, folder: Path) -> Path:
        assert not connection.in_atomic_block, "on SQLite a transaction of Django has the only lock to write"
        with ThreadPoolExecutor(1) as other:
            assert other.submit(rename_elsewhere, cast.farm.pk).result() == 1
        return laid_out(one, asked, folder)

    monkeypatch.setattr(packages, "_laid_out", beside)
    number = ask(cast, audit)
    assert {one.name for one in (place / audit.handle).iterdir()} == {str(number)}


def rename_elsewhere(key: int) -> int:
    try:
        return Organisation.objects.filter(pk=key).update(county="Rooks")
    finally:
        connection.close()


def test_what_is_refused_leaves_nothing(cast: Cast, audit: Audit, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_laid_out", laid_out)
    add_entry(audit, EntryKind.STATEMENT, {"document": {}, "signature": "x..y"}, actor=cast.actor("verifier_in"))
    with pytest.raises(RefusedError):
        ask(cast, audit)
    assert not any((place / audit.handle).iterdir())
