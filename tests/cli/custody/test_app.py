"""``provender custody`` as its user meets it.

What books say is put together from what each says alone; of copies the one that goes on counts.
"""

import csv
import json
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.cli.custody.reconcile import read_book
from provender.cli.output import today
from provender.cli.portfolio import _custody
from provender.custody.book_file import Header, create_book, open_book
from provender.custody.documents.build import marked, transfer_document
from provender.custody.documents.read import read_transfer
from provender.custody.events.registry import read_event
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput, put_together
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError
from tests.custody import world
from tests.custody.papers import ADA, DAY, buyer_book, elevator_book, letter, take, told_of
from tests.custody.test_book_file import EXAMPLES as BOOK_EXAMPLES
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, Event, as_received, bought, ev, favourable, on_paper

EXAMPLES = Path("src/provender/custody/data/example_events.jsonl")

runner = CliRunner()


def call(*arguments: str, status: int = 0) -> str:
    result = runner.invoke(app, list(arguments))
    assert result.exit_code == status, result.output
    return result.stdout


def ask(*arguments: str, status: int = 0) -> Any:  # noqa: ANN401 - whatever JSON a command prints
    return json.loads(call(*arguments, "--json", status=status))


def put(path: str, *events: Event, status: int = 0) -> list[dict[str, Any]]:
    file = Path(path).with_suffix(".events")
    file.write_text("".join(f"{json.dumps(one)}\n" for one in events), encoding="utf-8")
    return list(ask("add", path, str(file), status=status)["statuses"])


def sale(name: str, bushels: str = "", day: str = "2026-02-01", **more: object) -> Event:
    amount = {"bushels": bushels} if bushels else {}
    return ev("sale", name, day, giver="coop", taker="crush", crop="soybeans", **amount, **more)


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = str(tmp_path / "coop.jsonl")
    early = ("--as-of", "2025-11-01")
    call("init", path, "--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "north", *early)
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
    put(
        path,
        ev("entity", "e-ada", "2025-11-01", entity="ada", name="Ada", roles=["farm"]),
        ev("entity", "e-crush", "2025-11-01", entity="crush", name="Crush", roles=["intermediary"], sites=["plant"]),
        ev("period", "p-1", "2025-11-01", entity="coop", policy="oldest_first", **days),
    )
    both = {"giver": "ada", "taker": "coop"}
    soy = {"entity": "ada", "crop": "soybeans", "harvest_year": 2025, "bushels": "10000", "ci": "5500.25"}
    bought_of_ada = [
        ev("report", "report-1", "2026-01-02", **soy),
        ev("slip", "slip-1", "2026-01-03", **both, origin="ada/soybeans/2025", bushels="500"),
        ev("purchase", "purchase-1", "2026-01-04", **both, slip="slip-1", tickets=[{"number": "T1", "bushels": "500"}]),
    ]
    with open_book(Path(path)) as opened:
        for one in as_received("coop", map(read_event, bought_of_ada)):
            assert opened.post(one).status == "posted"
    return path


def test_a_close_shows_what_it_would_release_and_enters_nothing_before_that_is_wanted(book: str) -> None:
    grain = {"entity": "coop", "form": "soybeans", "number": "M1", "amount": "420.5"}
    put(book, ev("measurement", "m", "2026-03-30", **grain))
    closing = ("close", book, "2026-03-31", "--as-of", "2026-04-01")
    refused = runner.invoke(app, [*closing])
    assert "releases without claim: 79.5 bu at north" in str(refused.exception)
    assert ask("balance", book)["balances"][0]["lines"][0]["ending_bu"] == "500"
    assert "Released without claim: 79.5 bu at north." in call(*closing, "--yes")
    assert ask("balance", book)["balances"][0]["lines"][0]["ending_bu"] == "420.5"


def test_no_period_is_closed_on_a_day_to_come(book: str) -> None:
    after = today() + timedelta(days=1)
    assert "period_not_ended" in call("close", book, "2026-03-31", "--as-of", str(after), "--json", status=1)
    call("close", book, "2026-03-31", "--as-of", str(today()))


def test_an_event_file_is_added_and_a_wrong_line_does_not_stop_it(book: str, tmp_path: Path) -> None:
    lines = tmp_path / "more.jsonl"
    good = {
        "type": "receipt", "id": "g", "day": "2026-01-05", "entity": "coop", "form": "corn", "amount": "5",
        "number": "T9",
    }  # fmt: skip
    lines.write_text("not json\n\n[1, 2]\n" + json.dumps(good) + "\n", encoding="utf-8")
    answers = ask("add", book, str(lines), status=1)["statuses"]
    found = [(one["line"], one["status"]) for one in answers]
    assert found == [(1, "line_unreadable"), (3, "line_unreadable"), (4, "posted")]


def test_run_and_init_tell_by_their_status_what_was_refused_and_leave_no_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n", encoding="utf-8")
    assert json.loads(call("run", str(bad), "--json", status=1))["status"] == "field_missing"
    assert runner.invoke(app, ["run", str(tmp_path / "none")]).exception is not None
    path = tmp_path / "x.jsonl"
    call("init", str(path), "--entity", "x", "--name", "X", "--role", "emperor", status=1)
    assert not path.exists()


@pytest.mark.parametrize("text", [":", "ada/soybeans/2025:x-y", "ada/soybeans/2025:"])
def test_serials_written_wrongly_are_a_wrong_call(book: str, text: str) -> None:
    call("trace", book, text, status=2)


def test_what_is_no_text_or_no_file_is_said_and_nothing_is_entered(book: str, tmp_path: Path) -> None:
    before = Path(book).read_bytes()
    binary = tmp_path / "more.jsonl"
    binary.write_bytes(b"\x7fELF\xff\xfe\n")
    assert ask("add", book, str(binary), status=1)["statuses"][0]["status"] == "line_unreadable"
    missing = runner.invoke(app, ["add", book, str(tmp_path / "none.jsonl")])
    assert isinstance(missing.exception, ProblemsError)
    assert Path(book).read_bytes() == before


def test_a_changed_ticket_is_told_and_one_without_bushels_left_out(book: str, tmp_path: Path) -> None:
    heading = "Ticket No,Date,Location,Commodity,Customer,In/Out,Split %,Net Lbs,Moisture %,Net Bu\n"
    file, saved = tmp_path / "t.csv", str(tmp_path / "map.json")
    rows = "7,2026-01-06,north,Soybeans,Ada,In,,60000,13,{}\n8,2026-01-06,north,Soybeans,Ada,In,,,,\n"
    file.write_text(heading + rows.format("1000"), encoding="utf-8")
    call("tickets", str(file), "--save-map", saved, "--as-of", "2026-02-01", status=1)
    enter = ["tickets", str(file), "--map", saved, "--into", book, "--as-of", "2026-02-01"]
    before = Path(book).read_bytes()
    asked = call(*enter, status=1)
    assert "1 load is not taken, 0 bu as far as the file says. Nothing was entered" in " ".join(asked.split())
    assert [one["row"] for one in ask(*enter, status=1)["left_out"]] == [3]
    assert Path(book).read_bytes() == before
    enter.append("--leave-out")
    assert "Entered: 1; in the book already: 0; refused: 0." in call(*enter, status=1)
    file.write_text(heading + rows.format("990"), encoding="utf-8")
    said = call(*enter, status=1)
    assert "amount 990 here, 1000 in the book" in said
    assert "Entered: 0; in the book already: 0; refused: 1." in said
    assert call("tickets", str(tmp_path / "none.csv"), status=1) == ""


def test_books_without_fault_get_a_sentence_and_nothing_compared_another(book: str, tmp_path: Path) -> None:
    asked = "Nothing here is shown to be signed: ask for the reports of ada, sale slips of ada."
    assert asked in " ".join(call("reconcile", book, status=1).split())
    call("init", str(tmp_path / "new.jsonl"), "--entity", "ada", "--name", "Ada", "--role", "farm")
    assert call("reconcile", str(tmp_path / "new.jsonl")).strip() == "Nothing found in 1 file."
    assert "Nothing was compared" in call("reconcile", str(tmp_path / "none.json"), status=1)


def test_a_line_of_a_book_that_is_cut_off_is_said_in_one_sentence(book: str) -> None:
    path = Path(book)
    path.write_text(path.read_text(encoding="utf-8")[:-40] + "\n", encoding="utf-8")
    result = runner.invoke(app, ["lots", book])
    assert result.exit_code == 1
    assert "The line cannot be read: " in result.stderr
    result = runner.invoke(app, ["balance", book])
    assert isinstance(result.exception, ProblemsError)
    assert result.exception.problems[0].cause.startswith("The line cannot be read: ")


def test_answers_are_saved_one_a_line_and_lots_and_an_order_exclude_one_another(book: str, tmp_path: Path) -> None:
    sent, answered = tmp_path / "sales.jsonl", tmp_path / "answers.jsonl"
    low = {"order": "lowest_ci_first"}
    both = sale("s3", **low, lots=[{"origin": "ada/soybeans/2025", "start": "0", "stop": "1"}])
    sent.write_text("".join(f"{json.dumps(one)}\n" for one in (sale("s2", "10", **low), both)), encoding="utf-8")
    assert "s3: lots_and_order." in call("add", book, str(sent), "--answers", str(answered), status=1)
    first, second = map(json.loads, answered.read_text(encoding="utf-8").splitlines())
    assert (first["status"], second["status"], second["field"]) == ("posted", "lots_and_order", "order")
    assert "the lowest carbon intensity first" in first["message"]


def test_the_clock_says_whether_a_closing_is_for_a_coming_day(book: str) -> None:
    """Claims lie at north: it is closed for a day to come, and for no other, whatever the entry says."""
    shut = {"entity": "coop", "site": "north"}
    for day in ("2026-02-01", today().isoformat()):
        (answer,) = put(book, ev("close_site", "now", day, **shut, ahead=True), status=1)
        assert answer["status"] == "site_in_use"
    soon = ev("close_site", "soon", str(today() + timedelta(days=1)), **shut)
    for said in ("posted", "exists"):
        (answer,) = put(book, soon)
        assert answer["status"] == said


def test_a_lot_is_taken_by_its_id_and_by_its_code_as_it_is_printed(book: str) -> None:
    whole = call("trace", book, "ada/soybeans/2025:0-500")
    name = ask("lots", book)["lots"][0]["lot"]
    assert call("trace", book, "ada/soybeans/2025").startswith(whole), "without serials, all that the book has of it"
    for typed in (name, "ada/soybeans/2025 0-500", "ada/soybeans/2025, 0 to 500 bu"):
        assert call("trace", book, typed) == whole, typed
    call("trace", book, "nobody/1", status=1)


# What a command on a book lists is saved as it is printed: CSV, XLSX, any day, the sheet of a day.


@pytest.fixture(scope="module")
def listed_book(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("book") / "coop.jsonl"
    path.write_text(Header("coop", shared=True).line(), encoding="utf-8")
    with open_book(path) as opened:
        for line in BOOK_EXAMPLES:
            assert opened.post(read_event(json.loads(line))).status == "posted"
    return str(path)


def asked(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout


def saved(folder: Path, *arguments: str) -> list[dict[str, str]]:
    asked(*arguments, "--csv", str(folder / "table.csv"), "--xlsx", str(folder / "table.xlsx"))
    rows = list(csv.DictReader((folder / "table.csv").read_text(encoding="utf-8-sig").splitlines()))
    sheet = load_workbook(BytesIO((folder / "table.xlsx").read_bytes())).worksheets[0]
    cells = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert any(list(rows[0]) == [value for value in row if value is not None] for row in cells) if rows else True
    return rows


@pytest.mark.parametrize("command", ["balance", "lots", "journal", "retention", "alerts", "day"])
def test_each_list_is_saved_with_the_rows_of_its_json(command: str, listed_book: str, tmp_path: Path) -> None:
    rows = saved(tmp_path, command, listed_book)
    _, printed = asked(command, listed_book, "--json")
    first = next(value for value in json.loads(printed).values() if isinstance(value, list))
    inner = [line for row in first for line in row.get("lines", [row])]
    assert len(rows) == len(inner)
    for row, line in zip(rows, inner, strict=True):
        for name, value in line.items():
            if isinstance(value, str):
                assert row[name].lstrip("'") == value


def test_a_balance_as_of_any_day_is_the_sum_of_what_was_entered_by_then(listed_book: str) -> None:
    def balances(*days: str) -> Any:  # noqa: ANN401 - JSON
        return json.loads(asked("balance", listed_book, *days, "--json")[1])["balances"]

    period = balances()[0]
    (interim,) = balances("--on", period["end"])
    assert interim["lines"] == period["lines"]
    assert "nothing is closed by it" in interim["interim"]
    (begun,) = balances("--on", period["start"])
    (rest,) = balances("--since", "2026-01-02", "--on", period["end"])
    assert begun["lines"] != rest["lines"]
    ends = {(one["crop"], one["ci_g_per_bu"]): one["ending_bu"] for one in begun["lines"]}
    begins = {(one["crop"], one["ci_g_per_bu"]): one["beginning_bu"] for one in rest["lines"]}
    assert {one for one in begins.items() if one[1] != "0"} == {one for one in ends.items() if one[1] != "0"}
    assert asked("balance", listed_book, "--since", "2026-01-02")[0] == 2


def test_a_day_holds_claims_against_grain_and_says_where_they_are_not_covered(listed_book: str, tmp_path: Path) -> None:
    _, lots = asked("lots", listed_book, "--json")
    days = sorted(one["since"] for one in json.loads(lots)["lots"])
    status, text = asked("day", listed_book, "--as-of", days[-1], "--json")
    sheet = json.loads(text)
    short = [one for one in sheet["places"] if one["light"] != "covered"]
    assert status == (1 if short else 0)
    for one in sheet["places"]:
        grain, claims = float(one["grain_amount"] or 0), float(one["claims_amount"])
        assert (one["light"] == "covered") == (claims <= grain)
    paper = tmp_path / "day.pdf"
    asked("day", listed_book, "--as-of", days[-1], "--out", str(paper))
    assert paper.read_bytes().startswith(b"%PDF")
    assert asked("day", listed_book, "--out", "day.txt")[0] == 2


# ``custody reconcile FOLDER --report``: many books in one report, the most bushels first, with a picture.


def make_book(folder: Path, owner: str, *more: dict[str, object]) -> None:
    create_book(folder / f"{owner}.jsonl", owner)
    cast = [{**one, "name": "Ada <b>& Sons"} if one["id"] == "entity-ada" else one for one in CAST]
    with open_book(folder / f"{owner}.jsonl") as opened:
        events = [*cast, *REPORTS, favourable("coop", "soybeans"), *more]
        for event in as_received(owner, map(read_event, events)):
            assert opened.post(event).status == "posted", event


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two buyers of the same 300 bushels of ada, 50 of them sold on to a party whose book is missing them."""
    made = tmp_path_factory.mktemp("books")
    sale = {"giver": "coop", "taker": "crush", "crop": "soybeans", "bushels": "50"}
    make_book(made, "coop", *bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-05", site="north"),
         ev("sale", "s1", "2026-01-06", **sale))  # fmt: skip
    make_book(made, "mill", *bought("b2", "ada", "mill", ADA_SOY, "300", day="2026-01-05", site="mill"),
         *bought("b3", "ben", "mill", BEN_SOY, "70", day="2026-01-06", site="mill"))  # fmt: skip
    make_book(made, "crush")
    (made / "notes.txt").write_text("no book")
    return made


def test_a_folder_stands_for_its_books_and_the_report_has_every_finding(folder: Path, tmp_path: Path) -> None:
    told = runner.invoke(app, ["reconcile", str(folder), "--report", str(tmp_path / "all.html"), "--json"])
    assert told.exit_code == 1, told.output
    data = json.loads(told.stdout)
    assert sorted(data["files"]) == ["coop.jsonl", "crush.jsonl", "mill.jsonl"]
    one_by_one = runner.invoke(app, ["reconcile", *map(str, sorted(folder.glob("*.jsonl"))), "--json"])
    assert json.loads(one_by_one.stdout)["findings"] == data["findings"]
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    places = [page.index(one["message"].replace("&", "&amp;").replace("'", "&#x27;")) for one in data["findings"]]
    assert places == sorted(places)
    stakes = [float(one["bushels"]) for one in data["findings"]]
    assert stakes == sorted(stakes, reverse=True)
    assert stakes[0] == 250, "what both have; where the other 50 went tells more"
    assert "<svg" in page
    assert "<b>" not in page.replace("<body>", ""), "names of others are text, never markup"
    assert "http" not in page.replace("http://www.w3.org/2000/svg", ""), "it needs nothing from anywhere"


def test_it_is_printed_and_other_kinds_of_file_are_refused(folder: Path, tmp_path: Path) -> None:
    told = runner.invoke(app, ["reconcile", str(folder), "--report", str(tmp_path / "all.pdf")])
    assert told.exit_code == 1
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")
    assert runner.invoke(app, ["reconcile", "nowhere", "--report", "all.doc"]).exit_code == 2


def stores() -> list[tuple[str, MemoryStore]]:
    seller, buyer = elevator_book(), buyer_book()
    take(buyer, letter(seller))
    return [("elevator", seller), ("crush", buyer)]


@pytest.fixture
def books(tmp_path: Path) -> list[Path]:
    """Return two books, a copy of one with a changed line, and a file that is not there."""
    paths = []
    for owner, store in stores():
        create_book(path := tmp_path / f"{owner}.jsonl", owner)
        with open_book(path) as book:
            for one in as_received(owner, (posted.event for posted in store.events())):
                book.post(one)
        paths.append(path)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(paths[0].read_bytes().replace(b'"bushels": "', b'"bushels": "1', 1))
    garbage = tmp_path / "garbage.jsonl"
    garbage.write_bytes(b'{"book" garbage\n')
    return [paths[0], changed, tmp_path / "absent.jsonl", garbage, paths[1]]


def test_a_book_that_cannot_be_read_is_handed_back_with_its_problem(books: list[Path]) -> None:
    reads = [read_book(path) for path in books]
    assert [len(read.problems) for read in reads] == [0, 1, 1, 1, 0]
    assert reads[3].problems[0].cause == "The file is no book of this program."
    assert reads[1].problems[0].code == "book_broken"


def test_what_is_gathered_apart_is_what_is_gathered_in_one() -> None:
    one, gathered = ReconcileInput(), {first: ReconcileInput() for first in (0, 1, 7)}
    for name, store in stores():
        one.add_book(name, store, store.events(), name)
        for first in (0, 1, 7):
            apart = ReconcileInput(first=first)
            apart.add_book(name, store, store.events(), name)
            gathered[first].add(apart)
    assert all(together == one for together in gathered.values())
    together = gathered[7]
    assert {claim.source for claim in together.claims} == {0, 1}


def test_a_copy_that_goes_on_otherwise_and_a_paper_of_lines_that_are_gone_are_told(tmp_path: Path) -> None:
    seller = elevator_book()
    create_book(path := tmp_path / "coop.jsonl", "coop")
    with open_book(path) as book:
        for one in as_received("coop", (posted.event for posted in seller.events())):
            book.post(one)
        made = marked(transfer_document(book.store, "s1", as_of=DAY), book.lines)
    older, other = tmp_path / "older.jsonl", tmp_path / "other.jsonl"
    older.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    other.write_bytes(older.read_bytes())
    loss = ev("loss", "l", "2026-02-01", entity="coop", crop="soybeans", bushels="5")
    for copy in (path, other):
        with open_book(copy) as book:
            assert book.enter(loss if copy == other else {**loss, "bushels": "9"}).status.well

    def told(*paths: Path) -> list[str]:
        gathered = put_together([read_book(one).gathered for one in paths])
        transfer, _ = read_transfer(made, "letter.json")
        assert transfer is not None
        gathered.add_transfer("letter.json", transfer)
        gathered.add_mark("coop", made)
        kinds = (DiscrepancyKind.BOOK_REWRITTEN, DiscrepancyKind.LINK_NOT_SHOWN)
        return [f"{one.kind}: {one.said}" for one in told_of(gathered) if one.kind in kinds]

    lines = len(path.read_bytes().splitlines()) - 1
    assert told(path) == []
    was = f"letter.json was made from {lines - 1} lines of the book of coop"
    assert told(path, older) == told(older, path) == told(path, path) == []
    (asked,) = told(older)
    assert asked.startswith(f"link_not_shown: {was}: older.jsonl has {lines - 2} lines. It is an older copy")
    two = "book_rewritten: coop has two books: coop.jsonl and other.jsonl are the same up to line"
    assert told(path, other) == [
        f"{two} {lines - 1} and differ from there on.",
        f"book_rewritten: {was}: other.jsonl differs up to there.",
    ]


def test_an_older_copy_of_a_book_says_nothing_that_the_newer_one_took_back(tmp_path: Path) -> None:
    """A return that was in dispute, and a ticket behind a purchase that was taken back: settled since."""
    store = elevator_book()
    tickets = [{"number": "T-9", "bushels": "10"}]
    first, second = (bought(name, "ada", "coop", ADA, "10", day="2026-01-12", site="north") for name in ("p8", "p9"))
    first[1]["tickets"], second[1]["tickets"] = tickets, [{**tickets[0], "number": "t9"}]
    undo = ev("correct", "c", "2026-01-13", entity="coop", movement="p8", reason="x")
    create_book(path := tmp_path / "coop.jsonl", "coop")
    with open_book(path) as book:
        before = [*(posted.event for posted in store.events()), *map(read_event, first)]
        for one in as_received("coop", before):
            assert book.post(one).status.well
        older = (tmp_path / "older.jsonl").write_bytes(path.read_bytes())
        for one in map(world.read, (undo, on_paper(second[0], "a key"), *second[1:])):
            assert book.post(one).status.well, one
    reads = [read_book(tmp_path / name).gathered for name in ("older.jsonl", "coop.jsonl")]
    assert older
    assert [str(one.kind) for one in reconcile(put_together(reads))] == [
        str(one.kind) for one in reconcile(put_together(reads[1:]))
    ]
    both, alone = (
        _custody([tmp_path / name for name in names])[0] for names in (("older.jsonl", "coop.jsonl"), ("coop.jsonl",))
    )
    assert {name: rows.height for name, rows in both.items()} == {name: rows.height for name, rows in alone.items()}
    apart = ReconcileInput()
    for read in reads:
        apart.add(read)
    assert "look_alike" in {str(one.kind) for one in reconcile(apart)}
