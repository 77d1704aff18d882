"""Makes what ``before/`` holds: things written by today's version, which every later version must open and verify.

It was run once, before the first refactoring, and is kept to show how the files came to be. A file that is made anew is
written by the version of that day and proves nothing about older ones: add a new file beside the old one instead.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from tests.golden.before import DATABASE, FARM, FILES

FARMS: Final = "5"
DAY: Final = ("--as-of", "2027-01-11")
HOUSES: Final = ("prairie-coop", "plains-crush", "sod-diesel", "bluestem-ethanol")
DROPPED: Final = ("*.svg", "*.xlsx", "README.md", ".made-by-provender-demo")
LOAD: Final = """
import datetime, django, sys
django.setup()
from django.core.management import call_command
from provender.demo.server import load_demo
call_command("migrate", verbosity=0)
list(load_demo(5, datetime.date(2026, 11, 20)))
from provender.database.actor import Actor
from provender.custody.events.registry import read_event
from provender.custody.store import post
from provender.database.store.custody import SqlStore
from django.db import connection
store = SqlStore(Actor(None, "demo"))
slips = [e.request for e in store.events() if e.request.type == "slip"]
for event in (
    {"type": "slip", "id": "slip-open", "giver": slips[-1].giver, "taker": slips[-1].taker,
     "origin": slips[-1].origin, "bushels": "1"},
    {"type": "purchase_pending", "id": "pending-1", "giver": "farm-03", "taker": "prairie-coop", "crop": "corn",
     "harvest_year": 2026, "bushels": "70", "site": sys.argv[1], "tickets": [{"number": "P-1", "bushels": "70"}]},
    {"type": "suspend", "id": "suspend-1", "origin": slips[0].origin},
):
    answer = post(store, read_event({"day": "2026-11-19", **event}))
    print(event["id"], answer.status, answer.message)
connection.cursor().execute("VACUUM")
"""


def provender(folder: Path, *arguments: str) -> str:
    """Run the program in a folder and return what it prints."""
    program = Path(sys.executable).parent / "provender"
    return subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout  # noqa: S603


def make_files(folder: Path) -> None:
    """Write the example chain with its packages, and the example farm with its signed reports."""
    provender(folder, "demo", "chain", "--farms", FARMS, "--out", ".", "--json")
    chain = folder / "chain"
    for house in HOUSES:
        package = ("--document", f"papers/{house}", "--out", f"{house}.zip", *DAY)
        provender(chain, "audit", "package", f"books/{house}.jsonl", *package)
    papers = ("--report", "papers/prairie-coop", "--out", "farms.csv")
    provender(chain, "audit", "population", "books/prairie-coop.jsonl", *papers)
    sample = provender(chain, "audit", "sample", "--farms", "farms.csv", "--seed", "20270108", "--json")
    (chain / "sample.json").write_text(sample, encoding="utf-8")
    drawn = ("farm-01", "farm-03", "farm-05")
    for farm in drawn:
        provender(chain, "audit", "package", f"farms/{farm}", "--out", f"{farm}.zip", *DAY)
    whole = ("--document", "papers/prairie-coop", "--sample", "sample.json", "--out", "audit.zip", *DAY)
    farms = [part for farm in drawn for part in ("--farm", f"{farm}.zip")]
    provender(chain, "audit", "package", "books/prairie-coop.jsonl", *whole, *farms)
    provender(folder, "demo", "farm", "--out", ".", "--json")


def pack(folder: Path, names: list[str], target: Path) -> None:
    """Write files into an archive whose bytes depend on nothing but their content."""
    with tarfile.open(target, "w:xz", preset=9) as archive:
        for name in sorted(names):
            for path in sorted((folder / name).rglob("*")) or [folder / name]:
                if path.is_file() and not any(path.match(wild) for wild in DROPPED):
                    info = tarfile.TarInfo(str(path.relative_to(folder)))
                    info.size = path.stat().st_size
                    with path.open("rb") as stream:
                        archive.addfile(info, stream)


def make_database(folder: Path) -> None:
    """Write the example chain on a server, in November of its year, with an audit begun."""
    environment = {**os.environ, "PROVENDER_FOLDER": str(folder), "DJANGO_SETTINGS_MODULE": "provender.web.settings"}
    environment |= {"PROVENDER_MODE": "embedded", "PROVENDER_SECRET_KEY": "k" * 60}
    site = "north"
    made = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", LOAD, site], env=environment, check=True, capture_output=True, text=True
    )
    sys.stderr.write(made.stdout)


def make_before() -> None:
    """Write both archives."""
    FILES.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder)
        shutil.copy(folder / "farm" / "key" / "ada.public.json", folder / "farm" / "ada.public.json")
        shutil.rmtree(folder / "farm" / "key")
        pack(folder, ["chain"], FILES)
        pack(folder, ["farm"], FARM)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_database(folder)
        files = [path.name for path in folder.iterdir() if "secret" not in path.name]
        pack(folder, files, DATABASE)


if __name__ == "__main__":
    make_before()
