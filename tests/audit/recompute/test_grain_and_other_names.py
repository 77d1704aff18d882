"""Claims sold before their grain, and acts in another's name, told out of a package made anew by who holds its key."""

import json
from random import Random

from provender.custody.book_file import Header, seal
from tests.audit.chain import book, clean, verify
from tests.audit.forge import Found
from tests.audit.tamper_entity import Edit, Tampering, applied
from tests.custody.world import Event


def _told(edit: Edit, *, shared: bool = False) -> Found:
    files = clean("coop")
    applied(Tampering("remade", "coop", edit, (), remake=True), Random(1), files)
    if shared:
        header = Header("coop", shared=True)
        head, lines = header.head, [header.line().rstrip()]
        for line in files[book("coop")].decode().splitlines()[1:]:
            event = json.loads(line)["event"]
            head = seal(head, event)
            lines.append(json.dumps({"event": event, "chain": head}))
        files[book("coop")] = "\n".join([*lines, ""]).encode()
    return verify(files, "coop")


def _without_tickets(*purchases: str) -> Edit:
    def edit(rng: Random, events: list[Event]) -> str:
        del rng
        for event in events:
            if event["id"] in purchases:
                event["tickets"] = []
        return ""

    return edit


def _untouched(rng: Random, events: list[Event]) -> str:
    del rng, events
    return ""


def _returned_in_the_buyers_name(rng: Random, events: list[Event]) -> str:
    del rng
    at = next(place for place, event in enumerate(events) if event["id"] == "s1")
    back = {"type": "return", "id": "back", "giver": "crush", "taker": "coop", "movement": "s1", "site": ""}
    events.insert(at + 1, {**back, "day": events[at]["day"]})
    return ""


def test_claims_sold_on_a_day_beyond_the_grain_of_that_day_are_told_also_when_cured_at_the_close() -> None:
    assert not any("beyond the grain" in one for one in _told(_untouched).told)
    told = [one for one in _told(_without_tickets("buy-ada", "buy-ben")).told if "beyond the grain" in one]
    assert [one for one in told if "From 2026-02-01 on claims on 2,000 bu of soybeans" in one] == told
    assert len(told) == 1
    # One load less leaves 9,000 bu behind claims on 7,000: nothing to tell.
    assert not any("beyond the grain" in one for one in _told(_without_tickets("buy-ben")).told)


def test_a_return_entered_in_the_buyers_name_is_told_where_the_book_says_that_it_was_shared() -> None:
    told = [one for one in _told(_returned_in_the_buyers_name, shared=True).told if "return back" in one]
    assert len(told) == 1
    assert "the other party's signed paper is not there" in told[0]
    assert not any("signed paper is not there" in one for one in _told(_untouched, shared=True).told)
