"""A database written by the version before is brought up to date by ``migrate`` and gives the same answers.

``before/database.tar.xz`` is the example chain on a server in November of its year: reports, slips, contracts, sales,
closed periods, signed documents, a suspended report, a purchase that waits, an audit begun. What is asked goes over the
API; the recorded answers are in ``answers/before_database.json``.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connections
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.golden.before import DATABASE, unpacked
from tests.golden.doors_api import ALL, without_keys
from tests.golden.reading import Page
from tests.golden.recorded import assert_as_recorded
from tests.golden.world import HASH

NOW: Final = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PEOPLE: Final = {
    "farm-01": "ada@farm.example",
    "prairie-coop": "eli@elevator.example",
    "plains-crush": "cora@crusher.example",
    "sod-diesel": "ray@diesel.example",
    "verifiers": "vic@verifier.example",
}
PAGES: Final = {
    "farm-01": ("", "farm/", "farm/reports/", "farm/sales/", "farm/intensity/", "log/"),
    "verifiers": ("", "audits/", "log/"),
}
TRADER_PAGES: Final = (
    "", "custody/", "custody/lots/", "custody/grain/", "custody/incoming/", "custody/sales/", "custody/movements/",
    "custody/periods/", "custody/partners/", "custody/checks/", "custody/retention/", "custody/manual/", "log/",
)  # fmt: skip
SCOPES: Final = (
    "organisation:read", "organisation:write", "members:write", "access:write", "tokens:write", "records:read",
    "records:write", "custody:read", "custody:write", "audit:read", "audit:write",
)  # fmt: skip
FARM_CALLS: Final = (
    "/records", f"/records/changes?{ALL}", f"/reports?{ALL}", f"/bushels-left?{ALL}", f"/slips?{ALL}", f"/keys?{ALL}",
    f"/intensity?{ALL}", f"/boundaries?{ALL}", f"/evidence?{ALL}", f"/files?{ALL}",
)  # fmt: skip
TRADER_CALLS: Final = (
    "/custody/entity", f"/custody/stock?{ALL}", f"/custody/lots?{ALL}", f"/custody/movements?{ALL}",
    f"/custody/periods?{ALL}", "/custody/periods/due", f"/custody/contracts?{ALL}", f"/custody/statements?{ALL}",
    "/custody/waiting", f"/custody/alerts?{ALL}", f"/custody/retention?{ALL}", f"/custody/grain/sites?{ALL}",
    f"/custody/stock/history?{ALL}", f"/log?{ALL}",
)  # fmt: skip
VERIFIER_CALLS: Final = ("/verifier/accreditation", f"/verifier/parties?{ALL}", f"/audits?{ALL}", "/rhythm")
CALLS: Final = {"farm-01": FARM_CALLS, "verifiers": VERIFIER_CALLS}


@contextmanager
def connected(path: Path) -> Iterator[None]:
    """Let the site work on a database of its own for a while."""
    connection = connections["default"]
    connection.close()
    name = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(path)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name


@pytest.fixture
def old_server(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Unpack the database, bring it up to date, and stop the clock in its November."""
    folder = unpacked(DATABASE, tmp_path / "server")
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    with django_db_blocker.unblock(), connected(folder / "provender.sqlite3"):
        call_command("migrate", verbosity=0)
        with override_settings(UPLOAD_FOLDER=folder / "uploads"):
            yield folder


class Party:
    """Somebody who has signed in, and a token made on the page of tokens."""

    def __init__(self, handle: str) -> None:
        self.handle, self.client = handle, Client()
        self.client.force_login(get_user_model().objects.get(email=PEOPLE[handle]))
        body = {"name": "golden", "scopes": list(SCOPES), "expires_on": "2026-11-20"}
        page = self.client.post(f"/o/{handle}/tokens/", body, follow=True).content.decode()
        self.secret = page.partition("pvd_")[2][:200]
        self.secret = "pvd_" + "".join(_leading(self.secret))

    def reads(self, path: str) -> Any:  # noqa: ANN401 - JSON
        """Return what the API answers."""
        answer = Client().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {self.secret}"})
        return {"http": answer.status_code, **json.loads(answer.content)}

    def sees(self, page: str) -> dict[str, Any]:
        """Return the text of a page, and its tables as they are saved."""
        address = f"/o/{self.handle}/{page}"
        response = self.client.get(address)
        read = Page(response.content.decode())
        saved = [link for link in read.links if "save=csv" in link]
        tables = {link: self.client.get(address + link).content.decode("utf-8-sig").splitlines() for link in saved}
        return {"http": response.status_code, "text": read.sentences, "tables": tables}


def _leading(text: str) -> Iterator[str]:
    """Yield the letters of a secret up to whatever follows it on the page."""
    for letter in text:
        if not (letter.isalnum() or letter in "_-"):
            return
        yield letter


def masked(plain: object) -> Any:  # noqa: ANN401 - JSON
    """Hide hashes and numbers of rows."""
    return without_keys(json.loads(HASH.sub("#", json.dumps(plain, ensure_ascii=False))))


def calls_of(party: Party) -> list[str]:
    """Return the calls of a party, with its movements, balances and audits one by one."""
    calls = list(CALLS.get(party.handle, TRADER_CALLS))
    if party.handle in CALLS:
        return calls
    movements = party.reads(f"/custody/movements?{ALL}")["items"]
    calls += [f"/custody/movement?event={one['event']}" for one in movements[::8]]
    starts = [one["start"] for one in party.reads(f"/custody/periods?{ALL}")["items"]]
    calls += [f"/custody/periods/{start}/balance" for start in starts]
    return calls + [f"/custody/papers/period?start={start}" for start in starts[:1]]


def test_a_database_of_the_version_before_answers_the_same(old_server: Path) -> None:
    found: dict[str, Any] = {}
    for handle in PEOPLE:
        party = Party(handle)
        for call in calls_of(party):
            found[f"{handle} {call}"] = masked(party.reads(call))
        for page in PAGES.get(handle, TRADER_PAGES):
            found[f"{handle} page {page}"] = masked(party.sees(page))
    assert_as_recorded("before_database", found)


def test_no_migration_is_left_and_every_guard_stands(old_server: Path) -> None:
    call_command("migrate", check_unapplied=True, verbosity=0)
    call_command("check", databases=["default"], fail_level="WARNING")
