"""Verification from a zip to the answer, cold start: a farm of forty fields, and an elevator's year."""

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from bench.measure import Measure, at_most
from bench.synthetic import synthetic_book
from provender.custody.book_lines import Header as BookHeader
from provender.custody.book_lines import seal
from provender.custody.documents.build import period_document, slip_document, transfer_document
from provender.custody.documents.sign import sign_document
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.statuses import Status
from provender.custody.store import post
from provender.records.folder import save_book
from provender.report.typ import TYP, TYPE
from provender.signing.jws import sign
from provender.signing.keys import SigningKey

FIELDS: Final = 40
FARMS: Final = 51
LOADS: Final = 40
FARM_SECONDS: Final = 1.5
YEAR_SECONDS: Final = 3.0
RUNS: Final = 3
SHOWN: Final = 2000
"""Letters of what a command said that did not end well."""
UNCOUNTED: Final = frozenset({"nothing_counted"})
"""What verify says of synthetic records: they have neither tickets nor acreage reports (2100.020)."""
SEED: Final = 7
YEAR: Final = 2026
CROP: Final = "soybeans"


def run() -> list[Measure]:
    """Measure the least of three runs each in processor seconds, process start included."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        farm, year = _farm(folder), _year(folder)
        return [
            at_most(
                f"verify a farm of {FIELDS} fields, cold start", _fastest(farm, UNCOUNTED), "s of CPU", FARM_SECONDS
            ),
            at_most(
                f"verify an elevator's year ({FARMS} farms, {FARMS * LOADS} loads), cold start",
                _fastest(year), "s of CPU", YEAR_SECONDS,
            ),
        ]  # fmt: skip


def _provender(*arguments: str, well: tuple[int, ...] = (0,)) -> bytes:
    """Run a command as a user does and return what it said; what is measured must end well.

    Raises:
        RuntimeError: it ended with another exit status.
    """
    command = [sys.executable, "-c", "from provender.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own program
    if done.returncode not in well:
        said = (done.stderr + done.stdout).decode()[-SHOWN:]
        raise RuntimeError(f"{' '.join(arguments)}: exit status {done.returncode}: {said}")
    return done.stdout


def _fastest(package: Path, told: frozenset[str] = frozenset()) -> float:
    """Return the least processor seconds of verifying a package in which nothing differs but what is expected."""
    seconds = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = json.loads(_provender("verify", str(package), "--json", well=(1 if told else 0,)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if {one["code"] for one in said["differences"]} != told:
            raise RuntimeError(f"{package.name}: {said['differences']}")
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(seconds)


def _farm(folder: Path) -> Path:
    book, package = folder / "farm", folder / "farm.zip"
    save_book(synthetic_book(SEED, farms=1, units_per_farm=FIELDS), book)
    _provender(
        "report", str(book), "--crop", "corn", "--calculator", "argonne-2021", "--as-of", "2026-01-10",
        "--out", str(book / "reports"), well=(0, 1),
    )  # fmt: skip
    (book / "evidence").mkdir(exist_ok=True)
    (book / "evidence" / "note.txt").write_text("Synthetic records have no evidence.\n", encoding="utf-8")
    _provender("audit", "package", str(book), "--out", str(package), "--as-of", "2026-11-21")
    return package


def _event(kind: str, name: str, day: date, /, **fields: object) -> dict[str, Any]:
    return {"type": kind, "id": name, "day": day.isoformat(), **fields}


def _year(folder: Path) -> Path:
    """Write an elevator's book of a year: reports, slips, a purchase per load, sales every week, four closes."""
    events = list(_events())
    store = MemoryStore()
    header = BookHeader("coop")
    head, lines = header.head, [header.line().rstrip()]
    for event in events:
        outcome = post(store, read_event(event))
        if outcome.status is not Status.POSTED:
            raise RuntimeError(f"{event['id']}: {outcome.message}")
        head = seal(head, event)
        lines.append(json.dumps({"event": event, "chain": head}))
    book, papers = folder / "coop.jsonl", folder / "papers"
    book.write_text("\n".join([*lines, ""]), encoding="utf-8")
    papers.mkdir()
    for event in events:
        for name, envelope in _papers(store, event):
            (papers / f"{name}.json").write_text(json.dumps(envelope), encoding="utf-8")
    package = folder / "coop.zip"
    _provender("audit", "package", str(book), "--document", str(papers), "--out", str(package), "--as-of", "2027-01-10")
    return package


def _papers(store: MemoryStore, event: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the signed paper behind an event: the farm's report and slips, the elevator's documents and statements."""
    name, last = event["id"], date(YEAR, 12, 31)
    if event["type"] == "report":
        yield name, sign(_report(event), _key(event["entity"]), typ=TYP)
    if event["type"] == "slip":
        yield name, sign_document(slip_document(store, name, as_of=last), _key(event["giver"]))
    if event["type"] == "sale":
        yield name, sign_document(transfer_document(store, name, as_of=last), _key("coop"))
    if event["type"] == "close":
        start = date.fromisoformat(name.removeprefix("close-"))
        yield name, sign_document(period_document(store, "coop", start), _key("coop"))


@cache
def _key(party: str) -> SigningKey:
    del party  # each has its own
    return SigningKey.generate()


def _report(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report as short as its buyer's book reads it."""
    farm = event["entity"]
    origin = f"{farm}/{CROP}/{YEAR - 1}"
    return {
        "type": TYPE, "format": 1, "label": "official", "made_on": event["day"], "rule": {"state": ""},
        "edition": {"version": 1, "replaces": "", "changes": [], "origin_id": origin, "salt": ""},
        "farm": {"farm_id": farm, "name": farm}, "crop": CROP, "harvest_year": YEAR - 1,
        "total_bushels": event["bushels"], "farm_ci_g_per_bu": event["ci"], "attestation": [], "units": [],
        "findings": [], "problems": [],
    }  # fmt: skip


def _events() -> list[dict[str, Any]]:
    before, sites = date(YEAR - 1, 11, 1), ["north"]
    farms = [f"farm-{number:02}" for number in range(FARMS)]
    events = [
        _event("entity", "e-coop", before, entity="coop", name="Coop", roles=["first_point"], sites=sites),
        _event("entity", "e-crush", before, entity="crush", name="Crush", roles=["intermediary"], sites=["plant"]),
        *(_event("entity", f"e-{farm}", before, entity=farm, name=farm, roles=["farm"]) for farm in farms),
    ]
    starts = [date(YEAR, month, 1) for month in (1, 4, 7, 10)] + [date(YEAR + 1, 1, 1)]
    quarters = [(start, after - timedelta(days=1)) for start, after in pairwise(starts)]
    for start, end in quarters:
        days = {"start_day": start.isoformat(), "end_day": end.isoformat()}
        events.append(_event("period", f"p-{start}", before, entity="coop", policy="oldest_first", **days))
    for number, farm in enumerate(farms):
        report = {"entity": farm, "crop": CROP, "harvest_year": YEAR - 1, "ci": str(5000 + number % 7)}
        events.append(_event("report", f"r-{farm}", date(YEAR, 1, 1), bushels=str(900 * LOADS), **report))
    for start, end in quarters:
        events += _quarter(start, end, farms)
    return events


def _quarter(start: date, end: date, farms: list[str]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    loads = LOADS // 4
    for load in range(loads):
        day = start + timedelta(days=6 * load + 1)
        for farm in farms:
            name = f"{farm}-{day}"
            origin = f"{farm}/{CROP}/{YEAR - 1}"
            parties = {"giver": farm, "taker": "coop"}
            events.append(_event("slip", f"slip-{name}", day, origin=origin, bushels="900", **parties))
            tickets = [{"number": f"T-{name}", "bushels": "900"}]
            events.append(_event("purchase", f"buy-{name}", day, slip=f"slip-{name}", tickets=tickets, **parties))
        sold = {"giver": "coop", "taker": "crush", "crop": CROP, "bushels": "40000"}
        ticket = [{"number": f"OUT-{day}", "bushels": "40000"}]
        events.append(_event("sale", f"sale-{day}", day + timedelta(days=2), tickets=ticket, **sold))
    events.append(_event("close", f"close-{start}", end, entity="coop", closed_on=end.isoformat()))
    return events
