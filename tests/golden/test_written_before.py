"""What the version before wrote still opens, replays and verifies: books, documents, reports, packages.

``before/chain.tar.xz`` and ``before/farm.tar.xz`` were written by ``make_before``; the answers over them are recorded
in ``answers/before_*.json``. Everything is asked through the program that the package installs.
"""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.golden.before import FARM, FILES, unpacked
from tests.golden.console import Console
from tests.golden.recorded import assert_as_recorded
from tests.golden.test_answers_of_commands import read

HOUSES: Final = ("bluestem-ethanol", "plains-crush", "prairie-coop", "sod-diesel")
PACKAGES: Final = ("audit", "farm-01", *HOUSES)
DAY: Final = ("--as-of", "2027-01-11")
VERBS: Final = (("check", "--unit", "G70"), ("intensity",))


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the example chain as it was written."""
    return unpacked(FILES, tmp_path_factory.mktemp("before")) / "chain"


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the example farm as it was written, with its signed reports."""
    return unpacked(FARM, tmp_path_factory.mktemp("before")) / "farm"


@pytest.fixture
def console(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Console:
    return Console(capsys, monkeypatch)


def asked(console: Console, folder: Path, *arguments: str) -> dict[str, Any]:
    status, out, err = console(*arguments)
    return {
        "status": status,
        "out": read(out.replace(str(folder), "FOLDER")),
        "err": err.replace(str(folder), "FOLDER"),
    }


def test_books_replay_to_the_same_balances_and_lots(console: Console, chain: Path) -> None:
    found = {}
    for house in HOUSES:
        book = str(chain / "books" / f"{house}.jsonl")
        for verb, more in (("balance", ()), ("lots", ()), ("journal", ()), ("alerts", DAY), ("retention", DAY)):
            found[f"{house} {verb}"] = asked(console, chain, "custody", verb, book, *more, "--json")
        origin = found[f"{house} lots"]["out"]
        found[f"{house} trace"] = asked(console, chain, "custody", "trace", book, *_first_serials(origin), "--json")
    assert_as_recorded("before_books", found)


def _first_serials(lots: Any) -> list[str]:  # noqa: ANN401 - JSON
    rows = lots["lots"] if isinstance(lots, dict) else lots
    return [f"{row['origin']}:{row['start']}-{row['stop']}" for row in rows[:1]]


def test_books_and_signed_documents_agree(console: Console, chain: Path) -> None:
    books = sorted(map(str, (chain / "books").iterdir()))
    papers = sorted(str(path) for kind in ("transfers", "reports") for path in (chain / kind).glob("*.json"))
    keys = [part for path in sorted((chain / "keys").iterdir()) for part in ("--key", str(path))]
    found = asked(console, chain, "custody", "reconcile", *books, *papers, *keys, "--json")
    assert_as_recorded("before_reconciled", {"all": found})


def test_signatures_of_reports_verify(console: Console, chain: Path, farm: Path) -> None:
    found = {}
    for path in sorted((chain / "reports").glob("*.json")):
        key = chain / "keys" / f"{path.name[:7]}.public.json"
        found[path.name] = asked(console, chain, "signature", str(path), "--pinned", str(key), "--json")
    for path in sorted((farm / "reports").glob("*.json")):
        pinned = ("--pinned", str(farm / "ada.public.json"))
        found[path.name] = asked(console, farm, "signature", str(path), *pinned, "--json")
    assert_as_recorded("before_signatures", found)


def test_the_record_book_is_judged_and_reported_as_before(console: Console, farm: Path) -> None:
    book, day = str(farm / "book"), ("--as-of", "2025-12-20", "--json")
    found = {verb: asked(console, farm, verb, book, *more, *day) for verb, *more in VERBS}
    assert_as_recorded("before_farm", found)


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_verify_with_the_same_result(name: str, console: Console, chain: Path) -> None:
    package, pins = str(chain / f"{name}.zip"), ("--pinned", str(chain / "pins.json"))
    found = {
        "--json": asked(console, chain, "verify", package, *pins, "--json"),
        "without pins": asked(console, chain, "verify", package),
    }
    assert_as_recorded(f"before_package_{name}", found)


def test_a_changed_byte_in_a_book_is_found(console: Console, chain: Path, tmp_path: Path) -> None:
    text = (chain / "books" / "sod-diesel.jsonl").read_text(encoding="utf-8")
    path = tmp_path / "changed.jsonl"
    path.write_text(text.replace('"bushels": "', '"bushels": "1', 1), encoding="utf-8")
    assert console("custody", "balance", str(path)).status == 2
