"""What the command line prints has not changed: books of custody, records, and what is refused.

The committed files are ``answers/commands_*.json``; ``python -m tests.golden.make answers`` writes it anew.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from provender.custody.book_file import Header
from tests.cli.calling import called
from tests.golden.book import committed
from tests.golden.recorded import assert_as_recorded

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
DAY: Final = ("--as-of", "2026-06-30")
OF_BOOK: Final = {
    "balance": ("balance",),
    "lots": ("lots",),
    "journal": ("journal",),
    "journal of sales": ("journal", "--type", "sale"),
    "alerts": ("alerts", *DAY),
    "retention": ("retention", *DAY),
}
REFUSED: Final = {
    "an unknown verb": ("custody", "give"),
    "a book that is not there": ("custody", "lots", "BOOK.not"),
    "serials nobody has": ("custody", "trace", "BOOK", "ada/soybeans/1999:0-5"),
    "a record book that is not there": ("check", "BOOK.not"),
}
SALE: Final = {"type": "sale", "id": "x", "day": "2026-06-30", "giver": "coop", "taker": "crush", "crop": "soybeans"}
REFUSED_EVENTS: Final[Mapping[str, Mapping[str, str]]] = {
    "an unknown event": {**SALE, "type": "gift"},
    "a field that is missing": {"type": "sale", "id": "x", "day": "2026-06-30", "taker": "crush"},
    "an amount that is none": {**SALE, "bushels": "x"},
    "more than there is": {**SALE, "bushels": "9e9"},
    "more than the stock": {**SALE, "crop": "corn", "bushels": "999999"},
    "a buyer nobody knows": {**SALE, "taker": "who", "bushels": "1"},
    "a correction of nothing": {
        "type": "correct", "id": "x", "day": "2026-06-30", "entity": "coop", "movement": "nothing", "reason": "wrong",
    },
}  # fmt: skip


Console = Callable[..., tuple[int, str, str]]


@pytest.fixture
def console(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Console:
    monkeypatch.setenv("COLUMNS", "160")
    return partial(called, capsys)


@pytest.fixture
def lines(tmp_path: Path) -> str:
    """Return a file with the events of the golden examples that stand."""
    recorded, _ = committed()["examples"]
    path = tmp_path / "events.jsonl"
    path.write_text("".join(f"{event['text']}\n" for event in recorded.events), encoding="utf-8")
    return str(path)


@pytest.fixture
def book(console: Console, lines: str, tmp_path: Path) -> str:
    """Return a shared book on disk into which the events were entered."""
    path = str(tmp_path / "coop.jsonl")
    Path(path).write_text(Header("coop", shared=True).line(), encoding="utf-8")  # whose parties sign elsewhere
    assert console("custody", "add", path, lines)[0] == 0
    return path


def read(text: str) -> Any:  # noqa: ANN401 - JSON
    """Return JSON, or lines of JSON, or the text itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()]
    except json.JSONDecodeError:
        return text.splitlines()


def printed(console: Console, folder: Path, *arguments: str) -> dict[str, Any]:
    """Run one command and return all that it prints, with the folder of the test left out."""
    status, out, err = console(*arguments)
    texts = [text.replace(str(folder), "FOLDER").replace(str(EXAMPLES), "EXAMPLES") for text in (out, err)]
    return {"status": status, "out": read(texts[0]), "err": texts[1].splitlines()}


def test_views_of_a_book_are_as_recorded(console: Console, book: str, lines: str, tmp_path: Path) -> None:
    found = {}
    for name, (verb, *more) in OF_BOOK.items():
        found[f"{name} --json"] = printed(console, tmp_path, "custody", verb, book, *more, "--json")
        found[name] = printed(console, tmp_path, "custody", verb, book, *more)
    found["trace"] = printed(console, tmp_path, "custody", "trace", book)
    found["manual"] = printed(console, tmp_path, "custody", "manual", book, "--as-of", "2026-11-22")
    found["run"] = printed(console, tmp_path, "custody", "run", lines, "--json")
    assert_as_recorded("commands_custody", found)


def test_refusals_are_as_recorded(console: Console, book: str, tmp_path: Path) -> None:
    found = {}
    for name, arguments in REFUSED.items():
        asked = [argument.replace("BOOK", book) for argument in arguments]
        found[name] = printed(console, tmp_path, *asked)
    for name, event in REFUSED_EVENTS.items():
        file = tmp_path / "one.jsonl"
        file.write_text(json.dumps(event), encoding="utf-8")
        found[name] = printed(console, tmp_path, "custody", "add", book, str(file))
    assert_as_recorded("commands_refused", found)


@pytest.mark.parametrize("verb", ["check", "intensity", "plan"])
def test_judgements_of_the_example_farm_are_as_recorded(verb: str, console: Console, tmp_path: Path) -> None:
    farm = str(EXAMPLES / "bluestem-farm")
    found = {
        "--json": printed(console, tmp_path, verb, farm, "--as-of", "2026-01-15", "--json"),
        "as people read it": printed(console, tmp_path, verb, farm, "--as-of", "2026-01-15"),
    }
    assert_as_recorded(f"commands_{verb}", found)


def test_reports_of_the_example_farm_are_as_recorded(console: Console, tmp_path: Path) -> None:
    farm, out = str(EXAMPLES / "bluestem-farm"), tmp_path / "out"
    found = {
        "printed": printed(console, tmp_path, "report", farm, "--out", str(out), "--as-of", "2026-01-15", "--json")
    }
    for path in sorted(out.glob("*.json")):
        found[path.name] = read(path.read_text(encoding="utf-8"))
    assert_as_recorded("commands_report", found)
