"""The same book given to programs for plain text accounting: Beancount with lot booking, hledger, ledger.

Each reads one file with one transaction a movement, in which every lot goes from its giver's account to its taker's.
Beancount books every removal against its lot by the label; hledger and ledger, which know no lots, have one subaccount
a lot, with an assertion on both sides of what it holds afterwards. A time counts when the balances at the end are
those of our own columns, and a file in which one lot is given twice is refused. (Beancount refuses it because the
giver has other lots: from an empty account it lets a lot be taken, as a short position.)
"""

import csv
import importlib.util
import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from bench.measure import Measure, at_most, children_seconds, is_so, peer

Balances = dict[str, int]
"""Whole bushels by party, ``P7``."""
BUSHEL: Final = 1_000
PRICE: Final = 5_000
"""What stands for the carbon intensity in a program that knows costs: this and the number of the equation."""
BEANCOUNT: Final = """
import collections, json, sys
from beancount import loader
from beancount.core import data
entries, errors, _ = loader.load_file(sys.argv[1])
held = collections.Counter()
for entry in data.filter_txns(entries):
    for posting in entry.postings:
        held[posting.account] += int(posting.units.number)
json.dump({name.split(":")[1]: n for name, n in held.items() if n and name.startswith("Assets:")}, sys.stdout)
sys.exit(bool(errors))
"""


class Ledger(NamedTuple):
    """One program."""

    name: str  # what to call it, and how it keeps lots
    command: Callable[[Path], list[str]] | None  # how to run it on a file, or None where it is not installed
    write: Callable[[pl.DataFrame], Iterator[str]]  # a book as its file
    read: Callable[[str], Balances]  # what it printed as balances


def beancount_lines(frame: pl.DataFrame) -> Iterator[str]:
    """Yield a book for Beancount: a lot is named by its label and its cost, in every account it comes to."""
    yield "2025-01-01 open Equity:Other"
    for party in sorted(set(frame["owner"])):
        yield f'2025-01-01 open Assets:P{party} BU "STRICT"'
    for row in frame.iter_rows(named=True):
        amount = (row["stop"] - row["start"]) // BUSHEL
        cost = f'{{{PRICE + row["key"]} USD, 2026-01-01, "L{row["origin"]}"}}'
        yield f'{row["day"]} * "m{row["movement"]}"'
        yield f"  Assets:P{row['owner']}  {amount} BU {cost}"
        yield "  Equity:Other" if row["giver"] is None else f"  Assets:P{row['giver']}  -{amount} BU {cost}"


def subaccount_lines(frame: pl.DataFrame) -> Iterator[str]:
    """Yield a book for hledger and ledger: a subaccount a lot, and after each posting what it must hold."""
    for row in frame.iter_rows(named=True):
        amount, lot = (row["stop"] - row["start"]) // BUSHEL, f"L{row['origin']}"
        yield f"{row['day']} m{row['movement']}"
        yield f"    stock:P{row['owner']}:{lot}  {amount} BU = {amount} BU"
        yield "    other" if row["giver"] is None else f"    stock:P{row['giver']}:{lot}  -{amount} BU = 0 BU"
        yield ""


def _beancount() -> Ledger:
    found = importlib.util.find_spec("beancount") is not None
    command = (lambda path: [sys.executable, "-c", BEANCOUNT, str(path)]) if found else None
    return Ledger("Beancount, lot booking", command, beancount_lines, json.loads)


def _subaccounts(program: str, *arguments: str) -> Ledger:
    found = shutil.which(program)
    command = (lambda path: [found, "-f", str(path), "balance", *arguments]) if found else None
    return Ledger(f"{program}, a subaccount a lot and assertions", command, subaccount_lines, _printed)


def _printed(text: str) -> Balances:
    """Read ``stock:P7,10000 BU`` a line, whatever else is printed around it."""
    rows = [row for row in csv.reader(io.StringIO(text)) if row and row[0].startswith("stock:")]
    return {name.split(":")[1]: int(amount.split()[0]) for name, amount in rows if amount.split()[0] != "0"}


def ledgers() -> list[Ledger]:
    """Return the programs, installed or not."""
    by_party = ("--depth", "2", "--no-total", "stock")
    return [
        _beancount(),
        _subaccounts("hledger", *by_party, "--flat", "--output-format", "csv"),
        _subaccounts("ledger", *by_party, "--format", '%(account),"%(display_total)"\n'),
    ]


def balances_of(frame: pl.DataFrame) -> Balances:
    """Return what each party holds at the end, from columns."""
    amount = (pl.col("stop") - pl.col("start")) // BUSHEL
    came = frame.select(pl.col("owner").alias("party"), amount.alias("bushels"))
    went = frame.filter(pl.col("giver").is_not_null()).select(
        pl.col("giver").alias("party"), (-amount).alias("bushels")
    )
    held = pl.concat([came, went]).group_by("party").agg(pl.col("bushels").sum())
    return {f"P{party}": bushels for party, bushels in held.iter_rows() if bushels}


def given_twice(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a book in which the giver of the last movement gives the same lot once more."""
    return pl.concat([frame, frame.tail(1).with_columns(pl.col("movement") + 1)])


def compare(frame: pl.DataFrame, ours: float) -> list[Measure]:
    """Return each program's seconds for a book that takes us ``ours``, and whether it tells a second sale.

    One that is not installed is named.
    """
    made: list[Measure] = []
    with tempfile.TemporaryDirectory() as folder:
        for one in ledgers():
            if one.command is None:
                made.append(peer(f"{one.name}: not installed", 0.0, ""))
                continue
            made += _measured(one, one.command, frame, Path(folder), ours)
    return made


def _measured(
    one: Ledger, command: Callable[[Path], list[str]], frame: pl.DataFrame, folder: Path, ours: float
) -> list[Measure]:
    sound, forged = folder / "book", folder / "forged"
    for path, book in ((sound, frame), (forged, given_twice(frame))):
        path.write_text("\n".join(one.write(book)) + "\n", encoding="utf-8")
    before = children_seconds()
    done = _run(command(sound))
    taken = children_seconds() - before
    equal = done.returncode == 0 and one.read(done.stdout) == balances_of(frame)
    refused = _run(command(forged)).returncode != 0
    return [
        peer(f"{one.name}, {frame.height:,} movements", taken, "s of CPU"),
        at_most(f"ours beside {one.name.split(',')[0]}", ours / taken, "x", 1.0),
        is_so(f"{one.name}: balances are ours, a lot given twice is refused", answer=equal and refused),
    ]


def _run(command: list[str]) -> "subprocess.CompletedProcess[Any]":
    return subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - our own arguments
