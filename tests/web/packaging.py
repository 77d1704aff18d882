"""Waiting for a package that a process beside the server makes, as the page does that asks how far it is."""

import time
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client

from provender.custody.events.closing import Closing
from provender.database.actor import Actor, today
from provender.database.choices import Right
from provender.database.models.accounts import Membership
from provender.database.models.audits import Audit, EntryKind
from provender.database.store.custody import SqlStore
from provender.services import background
from provender.services.audits import package_requests, package_worker, packages, statement
from provender.services.audits.audits import LineMark, Mark, add_entry
from provender.services.audits.programme import items_of, mark_line

SECONDS: Final = 300
TOLD: Final = date(2027, 1, 20)
"""A day on which the whole year of the example lies behind: a package of an earlier one would hold papers to come."""


def asked_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let packages be asked for, and statements be made, on a day after the last paper of the example's whole year."""
    for module in (package_requests, statement):
        monkeypatch.setattr(module, "today", lambda: TOLD)


@pytest.fixture
def packed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process make the package at once; the real process beside the server, tests without this show."""

    def at_once(module: str, folder: Path) -> None:
        assert module == package_worker.__name__
        package_worker.main(folder)

    monkeypatch.setattr(background, "_limit_self", lambda *_: None)
    monkeypatch.setattr(packages, "spawn", at_once)


def finished(client: Client, asked: Any) -> Any:  # noqa: ANN401 - Django has no name for a test answer
    """Return where the page of a package leads once the process is done; ``asked`` is the answer to its form."""
    assert asked.status_code == 302, asked.content.decode()[:3000]
    page = asked["Location"]
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if "HX-Refresh" in client.get(f"{page}progress/").headers:
            return client.get(page)
        time.sleep(0.3)
    raise AssertionError(f"{page} is still at work after {SECONDS} seconds")


def answers_every_line(audit: str) -> None:
    """Mark each line of the programme as done, as its verifier's person."""
    opened = Audit.objects.get(handle=audit.rpartition("/")[2])
    vic = Membership.objects.filter(organisation=opened.verifier, right=Right.MANAGE).order_by("pk")[0].person
    for item in items_of(opened):
        mark_line(opened, item, LineMark(state=Mark.DONE, note="Seen"), actor=Actor(vic, "test"))


def closed_periods(party: str, today: date) -> tuple[date, date]:
    """Return the first and the last day of a party's closed periods, of those that have passed."""
    with SqlStore(Actor(None, "test")).reading() as facts:
        closed = facts.many(Closing, party)
    return min(one.start for one in closed), max(one.end for one in closed if one.end < today)


def farm_recomputed(audit: Audit) -> None:
    """Enter that a farm's package was recomputed and shows nothing against its audit; the process is tested apart."""
    asked = add_entry(audit, EntryKind.ASKED, {"what": audit.audited.handle, "verify": True}, actor=Actor(None, "test"))
    facts = {
        "audited": audit.audited.handle, "audited_name": audit.audited.name, "subject": "farm report",
        "first": str(audit.covered_first), "last": str(audit.covered_last), "made_on": str(today()), "own_keys": True,
        "roles": ["farm"], "crops": ["corn"],
    }  # fmt: skip
    found = {"checks": [], "differences": [], "problems": [], "needs_eyes": {"places": [], "not_shown": []}}
    made = {"made": {"mark": "ab" * 32}, "what": asked.said["what"], "asked": asked.number, "clean": True}
    said = {**found, **made, "package": {"subject": "farm report"}, "facts": facts}
    add_entry(audit, EntryKind.RESULT, said, actor=Actor(None, "test"))
