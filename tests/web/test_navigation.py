"""The menu says where one is: every page stands under an entry, on the phone's bar too."""

import re
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from provender.web.navigation import ICONS, LINKS, SLOTS
from tests.web.cast import Cast
from tests.web.test_everyone_at_every_address import ANSWERS

FILES = {
    "audit_of_us_later", "audit_of_us_statement", "audit_package_file", "audit_package_progress", "audit_sample_file",
    "audit_statement_file", "audit_work_file", "custody_manual", "farm_exchange_file", "farm_field_book",
    "farm_import_progress", "farm_report_file", "farm_slip_file", "farm_template",
}  # fmt: skip
"""Addresses whose GET is no page of its own."""


def test_every_page_of_a_farm_a_trader_and_a_verifier_stands_under_an_entry() -> None:
    rooms = ("farm", "custody", "audit")
    pages = {
        name for (name, method), given in ANSWERS.items()
        if method == "GET" and name.startswith(rooms) and "405" not in given
    }  # fmt: skip
    under = {view for link in LINKS for view in (link.view, *link.also)}
    assert pages - FILES - under == set()
    assert not under & FILES


def test_every_entry_has_a_drawing_and_every_slot_an_entry() -> None:
    assert {link.icon for link in LINKS} <= set(ICONS)
    assert set(SLOTS) <= {link.view for link in LINKS}


def test_the_entry_of_a_page_is_marked_in_menu_and_bar(cast: Cast) -> None:
    verifier = cast.client("verifier_in")
    for name in ("audit_engagement", "audit_statement", "audit_key"):
        more = () if name == "audit_key" else (cast.audit.handle,)
        page = verifier.get(reverse(name, args=(cast.verifier.handle, *more)))
        assert [one.label for group in page.context["menu"] for one in group.entries if one.current] == ["Audits"], name
    page = cast.client().get(reverse("farm_todo", args=(cast.farm.handle,)))
    for entries in (page.context["bar"], [one for group in page.context["menu"] for one in group.entries]):
        assert [one.label for one in entries if one.current] == ["To do"]


def test_the_frame_of_a_page_takes_no_name_that_a_page_gives() -> None:
    """What it keeps under a name would stand in the place of the page's own."""
    frame = (Path(settings.TEMPLATES[0]["DIRS"][0]) / "base.html").read_text(encoding="utf-8")
    assert re.findall(r" as (\w+) %\}", frame) == ["printed_on"]
