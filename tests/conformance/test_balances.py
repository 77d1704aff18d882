"""The equation of 2100.034(d) and the length of periods, over every kind of store."""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from provender.audit.package.write import open_package
from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import balances_of_book, line_document, period_balances
from provender.custody.model.entities import Period, latest_end
from provender.custody.model.store_view import Store
from provender.exact import parse, show
from tests.conformance.kit import KIT, differences
from tests.custody.test_cases import PROVEN, close, sale
from tests.custody.world import CAST, STORES, Event, bought, ev, period, posted, report, status

FARMS = ("ada", "ben")


def events(at: int, asked: dict[str, str], farm: str) -> list[Event]:
    """Return a movement of the kit as the events of a book: a purchase is a slip and its acceptance."""
    day, bushels, name = asked["day"], asked["bushels"], f"m{at}"
    if asked["what"] == "bought":
        return bought(name, farm, "coop", f"{farm}/soybeans/2025", bushels, day=day, site="north")
    if asked["what"] == "sold":
        return [sale(name, bushels, day, ci_min=asked["ci"], ci_max=asked["ci"])]
    return [ev("loss", name, day, entity="coop", crop="soybeans", bushels=bushels)]


def closings(periods: list[list[str]], day: str) -> Iterator[Event]:
    """Close every period that ended before a day, on the day after its last."""
    for _, end in periods:
        if end < day:
            yield close(f"close-{end}", end, end)


def balanced(asked: dict[str, Any], store: Store) -> dict[str, object]:
    """Post the movements, count what is refused, and read the equations of every period."""
    periods = asked["periods"]
    cis = sorted({one["ci"] for one in asked["movements"]})
    farm_of = dict(zip(cis, FARMS, strict=False))
    cast = [one for one in CAST if not str(one["id"]).startswith("period-coop")]
    reports = [report(farm_of[ci], "soybeans", "100000", ci) for ci in cis]
    posted(store, [*cast, *[period("coop", *days) for days in periods], *PROVEN, *reports])
    refused, done = [], set()
    for at, one in enumerate(asked["movements"], start=1):
        for event in closings(periods, one["day"]):
            if event["id"] not in done:
                done.add(event["id"])
                posted(store, [event])
        if any(status(store, event) != "posted" for event in events(at, one, farm_of[one["ci"]])):
            refused.append(at)
    with store.reading() as facts:
        books = period_balances(facts.steps("coop"), "coop", facts.many(Period, "coop"))
    return {"refused": refused, "lines": [one for at, book in enumerate(books, 1) for one in lines(at, book, cis)]}


def lines(at: int, book: Any, cis: list[str]) -> list[dict[str, object]]:  # noqa: ANN401 - a Balance
    """Return the line of each CI in a period; noughts where the book has none."""
    held = {one.key.ci: one for one in book.lines}
    found = []
    for ci in cis:
        one = held.get(parse(ci, 2))
        amounts = (one.beginning, one.total_incoming, one.total_outgoing, one.ending) if one else (0, 0, 0, 0)
        names = ("beginning", "incoming", "outgoing", "ending")
        shown = {name: show(amount) for name, amount in zip(names, amounts, strict=True)}
        found.append({"period": at, "ci": ci, **shown})
    return found


def length(asked: dict[str, str]) -> str:
    last = latest_end(date.fromisoformat(asked["start"]))
    return "accepted" if date.fromisoformat(asked["end"]) <= last else "too long"


def packaged(asked: dict[str, str]) -> list[dict[str, object]]:
    """Replay the book of a package and read the equations of the period that begins on a day."""
    files = open_package(KIT / "packages" / asked["package"]).files
    raw = next(files[path] for path in files if path.endswith("/book.jsonl"))
    store = MemoryStore()
    posted(store, [json.loads(line)["event"] for line in raw.decode().splitlines()[1:]])
    balance = next(one for one in balances_of_book(store, asked["entity"]) if str(one.start) == asked["start"])
    kept = ("ci_g_per_bu", "beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu")
    return [
        {name: line[name] for name in kept}
        | {"forms": {one["form"]: {way: one[way] for way in ("incoming", "outgoing", "ending")} for one in forms}}
        for line in map(line_document, balance.lines)
        if isinstance(forms := line["forms"], list)
    ]


def test_the_books_of_the_packages_give_the_equations_made_by_hand() -> None:
    assert differences("balances/houses", packaged) == []


@pytest.mark.parametrize("kind", sorted(STORES))
def test_each_equation_balances_and_what_would_break_it_is_refused(kind: str) -> None:
    assert differences("balances/equation", lambda asked: balanced(asked, STORES[kind]())) == []


def test_a_period_is_three_months_at_most() -> None:
    assert differences("balances/periods", length) == []
