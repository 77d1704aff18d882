"""``provender custody`` as its user meets it."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.cli.output import today
from provender.problem import ProblemsError

EXAMPLES = Path("src/provender/custody/data/example_events.jsonl")
runner = CliRunner()


def call(*arguments: str, status: int = 0) -> str:
    result = runner.invoke(app, list(arguments))
    assert result.exit_code == status, result.output
    return result.stdout


def ask(*arguments: str, status: int = 0) -> Any:  # noqa: ANN401 - whatever JSON a command prints
    return json.loads(call(*arguments, "--json", status=status))


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = str(tmp_path / "coop.jsonl")
    early = ("--as-of", "2025-11-01")
    call("init", path, "--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "north", *early)
    call("add", path, "entity", "entity=ada", "name=Ada", 'roles=["farm"]', *early)
    call("add", path, "entity", "entity=crush", "name=Crush", 'roles=["intermediary"]', 'sites=["plant"]', *early)
    call("add", path, "period", "start_day=2026-01-01", "end_day=2026-03-31", "policy=oldest_first", *early)
    soy = ("entity=ada", "crop=soybeans", "harvest_year=2025", "bushels=10000", "ci=5500.25")
    call("add", path, "report", *soy, "--as-of", "2026-01-02")
    slip = ("giver=ada", "taker=coop", "origin=ada/soybeans/2025", "bushels=500")
    call("add", path, "slip", "id=slip-1", *slip, "--as-of", "2026-01-03")
    call("buy", path, "--from", "ada", "--slip", "slip-1", "--ticket", "T1=500.5", "--as-of", "2026-01-04")
    return path


def test_help_names_every_verb_on_one_screen() -> None:
    words = call("--help")
    verbs = "init add buy sell move process release retire return correct close balance trace journal lots bins alerts"
    assert all(f"{verb} " in words for verb in f"{verbs} retention manual tickets contracts run reconcile".split())
    assert len(words.splitlines()) <= 47


def test_buying_selling_and_closing_show_in_the_balance(book: str) -> None:
    call("sell", book, "--to", "crush", "--crop", "soybeans", "--bushels", "200", "--as-of", "2026-02-01")
    named = "ada/soybeans/2025:400-410.5"
    call("sell", book, "--to", "crush", "--crop", "soybeans", "--lot", named, "--as-of", "2026-02-01")
    call("release", book, "--crop", "soybeans", "--bushels", "5", "--lost", "--as-of", "2026-02-02")
    call("close", book, "2026-03-31", "--as-of", "2026-04-01")
    line = ask("balance", book)["balances"][0]["lines"][0]
    assert (line["incoming_bu"], line["outgoing_bu"], line["ending_bu"]) == ("500", "215.5", "284.5")
    assert line["outgoing"] == {"lost": "5", "sold": "210.5"}
    assert "5500.25" in call("balance", book)


def test_what_came_in_has_a_mean_weighted_by_bushels(book: str) -> None:
    soy = ("entity=ada", "crop=soybeans", "harvest_year=2024", "bushels=900", "ci=6100.5")
    call("add", book, "report", *soy, "--as-of", "2026-01-05")
    slip = ("giver=ada", "taker=coop", "origin=ada/soybeans/2024", "bushels=100")
    call("add", book, "slip", "id=slip-2", *slip, "--as-of", "2026-01-06")
    call("buy", book, "--from", "ada", "--slip", "slip-2", "--ticket", "T2=100", "--as-of", "2026-01-07")
    found = ask("came-in", book, "--as-of", "2026-02-01")
    assert (found["start"], found["end"]) == ("2026-01-01", "2026-02-01")
    # 500 bu at 5500.25 and 100 bu at 6100.5, by hand.
    assert [(one["supplier"], one["bushels"], one["mean_ci_g_per_bu"]) for one in found["sums"]] == [
        ("", "600", "5600.29"), ("ada", "600", "5600.29"),
    ]  # fmt: skip
    assert [one["bushels"] for one in found["came_in"]] == ["100", "500"]
    assert ask("came-in", book, "--since", "2026-01-05", "--on", "2026-01-31")["sums"][0]["bushels"] == "100"
    assert "5,600.29" in call("came-in", book, "--as-of", "2026-02-01")


def test_a_refusal_is_said_and_has_status_one(book: str) -> None:
    answer = ask(
        "sell", book, "--to", "crush", "--crop", "soybeans", "--bushels", "501", "--as-of", "2026-02-01", status=1
    )
    assert answer["statuses"][0]["status"] == "exceeds_stock"
    assert ask("lots", book)["lots"][0]["bushels"] == "500"


def test_a_sale_is_corrected_and_returned_and_the_chain_shows_it(book: str) -> None:
    sold = ask("sell", book, "--to", "crush", "--crop", "soybeans", "--bushels", "20", "--as-of", "2026-02-01")
    name = sold["statuses"][0]["id"]
    call("correct", book, name, "--reason", "wrong buyer", "--as-of", "2026-02-02")
    chain = ask("trace", book, "ada/soybeans/2025:0-1")["chains"][0]
    assert [link["type"] for link in chain["links"]] == ["report", "purchase", "sale", "correct"]
    assert "purchase" in call("trace", book, "ada/soybeans/2025:0-1")
    call("return", book, "purchase-7", "--to", "ada", "--amount", "100", "--as-of", "2026-02-03")
    assert [lot["bushels"] for lot in ask("lots", book)["lots"]] == ["400"]


def test_alerts_retention_and_manual_answer(book: str, tmp_path: Path) -> None:
    kinds = {one["kind"] for one in ask("alerts", book, "--as-of", "2026-03-30", status=1)["alerts"]}
    assert {"no_contract", "no_verification", "period_ends"} <= kinds
    kept = ask("retention", book, "--as-of", "2026-03-30")["keep"]
    assert [(one["type"], one["until"]) for one in kept] == [("purchase", None)]
    assert "# How Coop keeps its chain of custody" in call("manual", book, "--as-of", "2026-03-30")
    paper = tmp_path / "manual.pdf"
    assert call("manual", book, "--as-of", "2026-03-30", "--out", str(paper)) == ""
    assert paper.read_bytes().startswith(b"%PDF")
    call("manual", book, "--out", str(tmp_path / "manual.doc"), status=2)


def test_an_event_file_is_added_and_a_wrong_line_does_not_stop_it(book: str, tmp_path: Path) -> None:
    lines = tmp_path / "more.jsonl"
    good = {
        "type": "receipt",
        "id": "g",
        "day": "2026-01-05",
        "entity": "coop",
        "form": "corn",
        "amount": "5",
        "number": "T9",
    }
    lines.write_text("not json\n\n[1, 2]\n" + json.dumps(good) + "\n", encoding="utf-8")
    answers = ask("add", book, str(lines), status=1)["statuses"]
    found = [(one["line"], one["status"]) for one in answers]
    assert found == [(1, "line_unreadable"), (3, "line_unreadable"), (4, "posted")]


def test_run_prints_one_status_a_line_and_every_balance() -> None:
    rows = [json.loads(line) for line in call("run", str(EXAMPLES), "--json").splitlines()]
    statuses = [row for row in rows if "status" in row]
    assert len(statuses) == len(EXAMPLES.read_text(encoding="utf-8").splitlines())
    assert {row["status"] for row in statuses} == {"posted"}
    balances = [row["balance"] for row in rows if "balance" in row]
    assert [one["entity"] for one in balances] == ["coop", "crush", "fuel"]
    words = call("run", str(EXAMPLES))
    assert "coop, 2026-01-01 to 2026-03-31" in words
    assert f"{len(statuses)} events, 0 refused." in words


def test_run_has_status_one_when_an_event_was_refused_and_two_when_there_is_no_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n", encoding="utf-8")
    assert json.loads(call("run", str(bad), "--json", status=1))["status"] == "field_missing"
    assert runner.invoke(app, ["run", str(tmp_path / "none")]).exception is not None


@pytest.mark.parametrize("text", [":", "ada/soybeans/2025:x-y", "ada/soybeans/2025:"])
def test_serials_written_wrongly_are_a_wrong_call(book: str, text: str) -> None:
    call("trace", book, text, status=2)


def test_a_lot_or_ticket_written_wrongly_is_a_wrong_call(book: str) -> None:
    call("sell", book, "--to", "crush", "--crop", "soybeans", "--lot", "nonsense", status=2)
    call("buy", book, "--from", "ada", "--slip", "slip-1", "--ticket", "nonsense", status=2)
    call("add", book, "slip", "nonsense", status=2)


def test_a_book_that_could_not_begin_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    call("init", str(path), "--entity", "x", "--name", "X", "--role", "emperor", status=1)
    assert not path.exists()


def test_lots_stand_in_one_piece_as_trace_takes_them_and_trace_names_the_movements(book: str) -> None:
    first, serials = call("lots", book).splitlines()
    assert " ".join(first.split()) == "500 bu soybeans 2025 CI 5500.25 north held since 2026-01-04 from ada"
    assert serials.strip() == "ada/soybeans/2025:0-500"
    chain = call("trace", book, serials.strip())
    assert "2026-01-04  purchase   ada -> coop" in chain
    assert chain.splitlines()[-1].endswith("purchase-7")
    call("trace", book, status=2)
    call("release", book, "--crop", "soybeans", "--bushels", "500", "--as-of", "2026-02-01")
    assert call("lots", book) == "Nothing with a claim is in stock.\n"


def test_no_figure_of_a_balance_is_cut_on_a_narrow_screen(book: str) -> None:
    name = "ada/soybeans/2025:0-499.999"
    call("sell", book, "--to", "crush", "--crop", "soybeans", "--lot", name, "--as-of", "2026-02-01")
    shown = call("balance", book)
    assert "…" not in shown
    assert " ".join(shown.splitlines()[-2].split()) == "soybeans 2025 5500.25 0 500.000 499.999 0.001"


def test_the_journal_lists_the_names_that_other_commands_take(book: str) -> None:
    words = call("journal", book)
    assert "2026-01-04  purchase-7  purchase  ada to coop  slip-1" in words
    call("correct", book, "purchase-7", "--reason", "twice", "--as-of", "2026-01-05")
    (bought,) = ask("journal", book, "--type", "purchase")["events"]
    assert (bought["id"], bought["corrected_by"]) == ("purchase-7", "correct-8")
    assert "taken back by correct-8" in call("journal", book, "--type", "purchase")
    assert call("journal", book, "--type", "sale") == "The book has no event of type 'sale'.\n"


def test_an_event_stands_again_in_the_journal_once_its_correction_is_taken_back(book: str) -> None:
    call("correct", book, "purchase-7", "--reason", "twice", "--as-of", "2026-01-05")
    call("correct", book, "correct-8", "--reason", "it was one purchase", "--as-of", "2026-01-06")
    taken_back = {each["id"]: each["corrected_by"] for each in ask("journal", book)["events"]}
    assert (taken_back["purchase-7"], taken_back["correct-8"], taken_back["correct-9"]) == ("", "correct-9", "")
    assert "taken back" not in call("journal", book, "--type", "purchase")


def test_what_is_no_list_no_text_or_no_file_is_said_and_nothing_is_entered(book: str, tmp_path: Path) -> None:
    before = Path(book).read_bytes()
    call("add", book, "entity", "entity=x", "name=X", "roles=[farm", status=2)
    binary = tmp_path / "more.jsonl"
    binary.write_bytes(b"\x7fELF\xff\xfe\n")
    assert ask("add", book, str(binary), status=1)["statuses"][0]["status"] == "line_unreadable"
    missing = runner.invoke(app, ["add", book, str(tmp_path / "none.jsonl")])
    assert isinstance(missing.exception, ProblemsError)
    assert Path(book).read_bytes() == before


def test_a_ticket_that_changed_is_told_with_both_contents_and_one_without_bushels_is_left_out(
    book: str, tmp_path: Path
) -> None:
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


def test_nothing_compared_is_not_called_nothing_found(tmp_path: Path) -> None:
    assert "Nothing was compared" in call("reconcile", str(tmp_path / "none.json"), status=1)


def test_books_in_which_nothing_is_amiss_get_a_sentence_and_not_an_empty_table(book: str, tmp_path: Path) -> None:
    asked = "No report here is shown to be signed: ask for those of ada."
    assert asked in " ".join(call("reconcile", book, status=1).split())
    call("init", str(tmp_path / "new.jsonl"), "--entity", "ada", "--name", "Ada", "--role", "farm")
    assert call("reconcile", str(tmp_path / "new.jsonl")).strip() == "Nothing found in 1 file."


def test_a_book_that_has_only_begun_answers_every_question_in_a_sentence(tmp_path: Path) -> None:
    path, early = str(tmp_path / "ada.jsonl"), ("--as-of", "2025-11-01")
    call("init", path, "--entity", "ada", "--name", "Ada", "--role", "farm", *early)
    assert call("alerts", path, *early) == "Nothing needs a look.\n"
    assert "Nothing was bought or sold yet" in call("retention", path, *early)
    assert "No mass balance time period is declared" in call("balance", path)
    assert "Nothing with a claim is in stock" in call("lots", path)
    assert "entity-1" in call("journal", path)


def test_a_line_of_a_book_that_is_cut_off_is_said_in_one_sentence(book: str) -> None:
    path = Path(book)
    path.write_text(path.read_text(encoding="utf-8")[:-40] + "\n", encoding="utf-8")
    result = runner.invoke(app, ["lots", book])
    assert result.exit_code == 1
    assert "The line cannot be read: " in result.stderr
    result = runner.invoke(app, ["balance", book])
    assert isinstance(result.exception, ProblemsError)
    assert result.exception.problems[0].cause.startswith("The line cannot be read: ")


def test_two_books_of_one_house_that_sold_the_same_serials_are_told_whole_and_that_they_part(book: str) -> None:
    call("add", book, "entity", "entity=mill", "name=Mill", 'roles=["intermediary"]', "--as-of", "2026-01-05")
    second = Path(book).with_name("second.jsonl")
    second.write_bytes(Path(book).read_bytes())
    for path, buyer, bushels in ((book, "crush", "300"), (str(second), "mill", "200.5")):
        fields = (f"id=to-{buyer}", "giver=coop", f"taker={buyer}", "crop=soybeans", f"bushels={bushels}")
        call("add", path, "sale", *fields, "--as-of", "2026-02-01")
    told, parted, _ = call("reconcile", book, str(second), status=1).splitlines()[1:]
    assert told.startswith("200.5 bu, double sale: ada/soybeans/2025, serials 0 to 200.5: ")
    assert "coop to crush (to-crush, 2026-02-01)" in told
    assert "coop to mill (to-mill, 2026-02-01)" in told
    assert parted == (
        "0 bu, book rewritten: coop has two books: coop.jsonl and second.jsonl are the same up to line 9 and differ "
        "from there on."
    )


def test_a_file_with_a_move_that_is_refused_is_answered_to_its_end(book: str, tmp_path: Path) -> None:
    call("add", book, "entity", "entity=coop", "name=Coop", 'roles=["first_point"]', 'sites=["north","south"]')
    move = {"type": "move", "day": "2026-01-10", "entity": "coop", "site": "north", "to_site": "south",
            "crop": "soybeans", "out_ticket": "O1", "out_amount": "0.1"}  # fmt: skip
    events = [
        {**move, "id": "m1", "in_amount": "99999999999"},
        {**move, "id": "m2", "out_amount": "0"},
        {**move, "id": "m3", "in_day": "2026-01-09"},
        {**move, "id": "m4", "in_ticket": "I1"},
    ]
    sent, answered = tmp_path / "moves.jsonl", tmp_path / "answers.jsonl"
    sent.write_text("".join(f"{json.dumps(one)}\n" for one in events), encoding="utf-8")
    said = call("add", book, str(sent), "--answers", str(answered), status=1)
    answers = [json.loads(line) for line in answered.read_text(encoding="utf-8").splitlines()]
    assert [one["status"] for one in answers] == ["weights_differ", "ticket_missing", "dates_reversed", "posted"]
    assert [one.get("field") for one in answers] == ["reason", "out_amount", "in_day", None]
    assert "(more than 100 %) more came than left" in answers[0]["message"]
    assert "m1: weights_differ." in said


def test_the_clock_says_whether_a_closing_is_for_a_coming_day(book: str) -> None:
    """Claims lie at north: it is closed for a day to come, and for no other, whatever the entry says."""
    shut = ("close_site", "entity=coop", "site=north")
    for day in ("2026-02-01", today().isoformat()):
        (answer,) = ask("add", book, *shut, "id=now", f"day={day}", "ahead=true", status=1)["statuses"]
        assert answer["status"] == "site_in_use"
    soon = (*shut, "id=soon", f"day={today() + timedelta(days=1)}")
    for said in ("posted", "exists"):
        (answer,) = ask("add", book, *soon)["statuses"]
        assert answer["status"] == said


def test_a_lot_is_taken_by_its_id_and_by_its_code_as_it_is_printed(book: str) -> None:
    whole = call("trace", book, "ada/soybeans/2025:0-500")
    name = ask("lots", book)["lots"][0]["lot"]
    assert call("trace", book, "ada/soybeans/2025").startswith(whole), "without serials, all that the book has of it"
    for typed in (name, "ada/soybeans/2025 0-500", "ada/soybeans/2025, 0 to 500 bu"):
        assert call("trace", book, typed) == whole, typed
    call("trace", book, "nobody/1", status=1)
