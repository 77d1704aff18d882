"""Packages on the server stay while a statement, a draft or the next draft names them, and are cleared a day later."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from provender.audit.programme import Role
from provender.database.models.accounts import Organisation
from provender.database.models.audits import Audit, EntryKind
from provender.services.audits import packages
from provender.services.audits.audits import add_entry
from provender.services.audits.packages import FOLDER, KEPT, named_packages
from provender.services.refused import RefusedError
from tests.web.cast import Cast, open_audit


@pytest.fixture
def audit(cast: Cast) -> Audit:
    return open_audit(cast.verifier, cast.farm, Role.FARM, actor=cast.actor("verifier_in"), number="V-9")


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
