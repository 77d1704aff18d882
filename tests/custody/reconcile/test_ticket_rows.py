"""Tickets keep the bushels as printed beside ours, whatever another program calls them."""

import json
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.cli.app import run
from provender.custody.book_file import open_book
from provender.custody.model.grain import grain_on
from provender.custody.reconcile.ticket_rows import dry_bushels, grain_events, read_ticket, says_way, splits
from provender.problem import ProblemsError, Weight
from provender.rule.crops import Crop
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

pytestmark = pytest.mark.usefixtures("parsed_here")

DAY = date(2026, 1, 10)


def row(number: str = "1001", place: int = 2, **more: str) -> tuple[int, dict[str, str]]:
    return place, {"number": number, "day": "2026-01-10", "crop": "yellow corn", "net_bushels": "900", **more}


def read(*rows: tuple[int, dict[str, str]]):  # type: ignore[no-untyped-def]  # noqa: ANN201
    found = [read_ticket(*one, "t.csv") for one in rows]
    return splits([ticket for ticket, _ in found if ticket], "t.csv")


@pytest.mark.parametrize(
    ("moisture", "bushels"),
    [(15_500, 1_000_000), (15_499, 1_000_000), (15_501, 999_988), (12_000, 1_000_000), (None, 1_000_000)],
)
def test_bushels_shrink_to_the_basis_moisture_and_never_stretch(moisture: int | None, bushels: int) -> None:
    assert dry_bushels(56_000_000, moisture, Crop.field_corn, DAY) == bushels


def test_a_thousand_pounds_of_wet_corn_are_the_bushels_of_the_published_check() -> None:
    assert dry_bushels(1_000_000, 25_500, Crop.field_corn, DAY) == 15_743  # 17.857 wet less 11.83 %


@pytest.mark.parametrize(("printed", "doubt"), [("1000", []), ("980", []), ("979.9", ["ticket_shrink"])])
def test_printed_bushels_far_from_ours_are_told_and_still_used(printed: str, doubt: list[str]) -> None:
    one, problems = read_ticket(*row(net_bushels=printed, net_lb="56000", moisture_pct="15.5"), "t.csv")
    assert one
    assert (one.ours, one.net == one.printed) == (1_000_000, True)
    assert [problem.code for problem in problems] == doubt


def test_net_pounds_come_from_gross_and_tare_and_must_agree_with_them() -> None:
    one, problems = read_ticket(*row(net_bushels="", gross_lb="80000", tare_lb="24000"), "t.csv")
    assert one
    assert (one.net, problems) == (1_000_000, [])
    _, problems = read_ticket(*row(gross_lb="80000", tare_lb="24000", net_lb="55000"), "t.csv")
    assert "ticket_weights" in {problem.code for problem in problems}


def test_a_ticket_without_any_amount_is_told() -> None:
    assert read_ticket(*row(net_bushels=""), "t.csv")[1][0].code == "ticket_empty"


@pytest.mark.parametrize(("name", "text"), [("day", "01/10/2026"), ("net_lb", "a lot"), ("net_bushels", "9,00")])
def test_a_field_that_cannot_be_read_leaves_the_ticket_out_and_is_told(name: str, text: str) -> None:
    one, problems = read_ticket(2, {**row()[1], name: text}, "t.csv")
    assert one is None
    assert [problem.place.column for problem in problems] == [name]


@pytest.mark.parametrize("crop", ["wheat", "seed corn", "Forage Sorghum", "sorghum forage", ""])
def test_a_crop_of_another_kind_is_left_out_with_a_word(crop: str) -> None:
    one, problems = read_ticket(*row(crop=crop), "t.csv")
    assert one is None
    assert problems[0].code == "crop"


@given(st.integers(1, 2_000_000), st.integers(1, 99_999))
def test_the_parts_of_a_split_ticket_add_up_to_it(bushels: int, share: int) -> None:
    text = f"{bushels // 1000}.{bushels % 1000:03}"
    first = row(net_bushels=text, customer="Ada", split_pct=f"{share / 1000:.3f}")
    rest = 100_000 - share
    second = row(place=3, net_bushels=text, customer="Ben", split_pct=f"{rest // 1000}.{rest % 1000:03}")
    parts, problems = read(first, second)
    assert problems == []
    assert sum(part.bushels for part in parts["", "1001"]) == bushels


@pytest.mark.parametrize(("second", "good"), [("40", True), ("39.999", False), ("40.001", False)])
def test_splits_must_add_up_to_the_whole(second: str, good: bool) -> None:
    _, problems = read(row(customer="Ada", split_pct="60"), row(place=3, customer="Ben", split_pct=second))
    assert (problems == []) is good


@pytest.mark.parametrize(
    ("word", "outbound"),
    [("In", False), ("RECEIPT", False), ("", False), ("Out", True), (" shipped ", True), ("o", True)],
)
def test_a_word_says_whether_a_load_came_or_left(word: str, outbound: bool) -> None:
    found, problems = read_ticket(*row(direction=word), "t.csv")
    assert found is not None
    assert (found.outbound, problems) == (outbound, [])


@pytest.mark.parametrize("word", ["xfer", "0", "Inn", "outt", "?"])
def test_a_word_that_says_neither_leaves_the_load_out_and_is_told(word: str) -> None:
    found, (problem,) = read_ticket(*row(direction=word), "t.csv")
    assert found is None
    assert (problem.code, problem.place.column) == ("ticket_field", "direction")
    assert word in problem.cause


@pytest.mark.parametrize("word", ["", "  "])
def test_an_empty_cell_among_rows_that_say_their_way_is_no_load_in(word: str) -> None:
    said = says_way([{"direction": "Out"}, {"direction": word}, {}])
    found, (problem,) = read_ticket(*row(direction=word), "t.csv", ways=said)
    assert found is None
    assert (problem.code, problem.place.row, problem.place.column) == ("ticket_field", 2, "direction")
    assert "empty" in problem.cause
    assert not says_way([{"direction": word}, {}])
    assert read_ticket(*row(direction="Out"), "t.csv", ways=said)[0]


def test_a_days_incoming_is_entered_before_its_outgoing_however_little_it_is() -> None:
    parts, _ = read(row("2", direction="Outbound"), row("1", place=3, net_bushels="0.001"))
    entered = [(event["type"], event["amount"]) for event in grain_events(parts, "coop")]
    assert entered == [("receipt", "0.001"), ("shipment", "900")]


TEXT = """Ticket #,Location,In/Out,Date,Customer,Commodity,Gross Wt,Tare Wt,Net Wt,Moisture,Net Bushels,Contract,Void
1001,north,In,01/20/2026,Ada,Yellow Corn,80000,24000,56000,15.5,1000,,
1002,north,In,01/20/2026,Ben,Yellow Corn,81000,25000,56000,15.0,1000,K-7,
1003,north,Out,01/20/2026,Mill,Yellow Corn,60000,32000,28000,15.0,500,,
"""


def cli(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        run(["custody", *words])
    return int(ended.value.code or 0)


def imported(tmp_path: Path, *texts: str) -> Path:
    """Read one export after the other into a new book, by the map that the first one suggests."""
    book, file, saved = tmp_path / "coop.jsonl", tmp_path / "tickets.csv", tmp_path / "map.json"
    options = ("--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "north")
    assert cli("init", str(book), *options, "--as-of", "2025-12-01") == 0
    file.write_text(texts[0], encoding="utf-8")
    cli("tickets", str(file), "--save-map", str(saved), "--as-of", "2026-02-01")
    for text in texts:
        file.write_text(text, encoding="utf-8")
        cli("tickets", str(file), "--into", str(book), "--map", str(saved), "--as-of", "2026-02-01", "--json")
    return book


def stock(book: Path) -> int | None:
    with open_book(book) as opened:
        return grain_on(opened.store, ("coop", "north", "corn"), date(2026, 1, 31))


def test_tickets_enter_only_by_a_map_that_somebody_saved(tmp_path: Path) -> None:
    book = imported(tmp_path, TEXT)
    with pytest.raises(ProblemsError, match="nobody has confirmed"):
        run(["custody", "tickets", str(tmp_path / "tickets.csv"), "--into", str(book), "--as-of", "2026-02-01"])


def test_an_export_read_again_after_contracts_were_applied_changes_nothing(tmp_path: Path) -> None:
    book = imported(tmp_path, TEXT, TEXT.replace("15.5,1000,,", "15.5,1000,K-9,"))
    with open_book(book) as opened:
        assert len(opened.store.events()) == 4
    assert stock(book) == 1_500_000


def test_a_ticket_voided_later_leaves_the_physical_book(tmp_path: Path) -> None:
    assert stock(imported(tmp_path, TEXT, TEXT.replace("K-7,", "K-7,yes"))) == 500_000


VOIDED = TEXT.partition("\n")[0] + "\n{}\n"


@ROWS
def test_a_void_row_with_the_weights_taken_out_takes_the_tickets_grain_back(tmp_path: Path, line: str) -> None:
    assert stock(imported(tmp_path, TEXT, VOIDED.format(line))) == 500_000


@pytest.mark.parametrize("word", ["Zeta", "maybe"])
def test_a_file_with_a_word_that_nobody_explained_enters_nothing(tmp_path: Path, word: str) -> None:
    assert stock(imported(tmp_path, TEXT.replace("K-7,", f"K-7,{word}"))) is None


@pytest.mark.parametrize("head", [("Transaction ID", "Station", "Crop"), ("Ticket ID", "Location", "Commodity")])
def test_the_suggested_map_enters_the_file_with_its_words(
    tmp_path: Path, head: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = TEXT.replace("Void\n", "Status\n").replace("North", "north").splitlines()
    number, site, crop = head
    heading = lines[0].replace("Ticket #", number).replace("Location", site).replace("Commodity", crop)
    words = ("SB", "YSB", "Beans"), ("Open", "Posted", "VOID")
    rows = [line.replace("Yellow Corn", crop) + state for line, crop, state in zip(lines[1:], *words, strict=True)]
    text = "\n".join([heading, *rows, ""]).replace("01/20/2026", "01/10/2026").replace("north", "NORTH")
    book = imported(tmp_path, text)
    assert json.loads((tmp_path / "map.json").read_text("utf-8"))["words"] == {
        "crop": {"SB": "soybeans", "YSB": "soybeans", "Beans": "soybeans"},
        "status": {"Open": "delivered", "Posted": "delivered", "VOID": "void"},
    }
    with open_book(book) as opened:
        assert grain_on(opened.store, ("coop", "north", "soybeans"), date(2026, 1, 31)) == 2_000_000


def test_a_void_row_takes_back_the_ticket_that_was_typed(tmp_path: Path) -> None:
    book = imported(tmp_path, TEXT)
    event = {"type": "receipt", "id": "typed", "day": "2026-01-20", "entity": "coop", "form": "corn",
             "amount": "700", "number": "2001", "site": "north"}  # fmt: skip
    (tmp_path / "typed.jsonl").write_text(json.dumps(event), encoding="utf-8")
    assert cli("add", str(book), str(tmp_path / "typed.jsonl")) == 0
    assert stock(book) == 2_200_000
    (tmp_path / "tickets.csv").write_text(VOIDED.format("2001,north,In,01/20/2026,,Yellow Corn,,,,,,,yes"), "utf-8")
    cli("tickets", str(tmp_path / "tickets.csv"), "--into", str(book), "--map", str(tmp_path / "map.json"),
        "--as-of", "2026-02-01")  # fmt: skip
    assert stock(book) == 1_500_000


def test_a_ticket_void_from_the_start_never_enters(tmp_path: Path) -> None:
    assert stock(imported(tmp_path, TEXT.replace("K-7,", "K-7,yes"))) == 500_000


@ROWS
def test_rows_of_one_ticket_that_print_their_own_shares_add_up(shares: tuple[dict[str, str], dict[str, str]]) -> None:
    one, other = shares
    parts, problems = read((2, row()[1] | {"net_bushels": "600"} | one), (3, row()[1] | {"net_bushels": "400"} | other))
    assert problems == []
    assert [part.bushels for part in parts["", "1001"]] == [600_000, 400_000]
    (event,) = grain_events(parts, "E")
    assert event["amount"] == "1000"


def test_rows_of_the_whole_ticket_with_percents_are_not_added_up() -> None:
    rows = (row(customer="Ada", split_pct="60"), row(place=3, customer="Ben", split_pct="40"))
    parts, problems = read(*rows)
    assert problems == []
    assert [part.bushels for part in parts["", "1001"]] == [540_000, 360_000]


def test_unequal_doubles_of_one_owner_are_asked_about_and_equal_ones_count_once() -> None:
    parts, (problem,) = read(row(customer="Ada"), row(place=3, customer="Ada", net_bushels="400"))
    assert (problem.code, parts) == ("ticket_double", {})
    assert "900 bu (row 2) and 400 bu (row 3)" in problem.cause
    assert problem.weight is Weight.ERROR
    parts, problems = read(row(customer="Ada"), row(place=3, customer="Ada"))
    assert problems == []
    assert [part.bushels for part in parts["", "1001"]] == [900_000]


def test_a_void_row_takes_the_ticket_back() -> None:
    parts, problems = read(row(customer="Ada"), row(place=3, customer="Ada", void="yes"))
    assert problems == []
    assert [part.ticket.void for part in parts["", "1001"]] == [True]


VOID = ["Void", "VOID", "Voided", "Yes", "Y", "X", "1", "True", "t", "v", "\u2713", "\uff39\uff45\uff53", " yes. ",
        "Cancelled", "VOID_",
        "VOID - see 1002", "01/21/2026", "2026-01-21"]  # fmt: skip
DELIVERED = ["", "No", "N", "0", "False", "f", "-", "Not void", "non-void"]
UNKNOWN = ["Z", "2", "VD", "maybe", "?", "Pending", "unvoid", "see note", "nein"]


@pytest.mark.parametrize("word", VOID)
@pytest.mark.parametrize("column", ["void", "status"])
def test_a_word_of_taking_back_is_void(column: str, word: str) -> None:
    if column == "void" or "void" in word.casefold() or "cancel" in word.casefold():
        one, problems = read_ticket(*row("1001", 2, **{column: word}), "t.csv")
        assert one is not None
        assert (one.void, problems) == (True, [])


@pytest.mark.parametrize("word", DELIVERED)
def test_a_word_of_none_taken_back_is_not_void(word: str) -> None:
    one, problems = read_ticket(*row(void=word), "t.csv")
    assert one is not None
    assert (one.void, problems) == (False, [])


@pytest.mark.parametrize("word", UNKNOWN)
@pytest.mark.parametrize("column", ["void", "status"])
def test_a_word_outside_the_vocabulary_is_asked_and_never_read_as_no(column: str, word: str) -> None:
    one, (problem,) = read_ticket(*row("1001", 2, **{column: word}), "t.csv")
    assert one is None
    assert (problem.code, problem.place.column) == ("load_state", column)
    assert word in problem.cause


@pytest.mark.parametrize("word", ["Open", "closed", "POSTED", "On Hold", "Delivered"])
def test_a_status_of_a_load_that_came_is_delivered(word: str) -> None:
    one, problems = read_ticket(*row(status=word), "t.csv")
    assert one is not None
    assert (one.void, problems) == (False, [])


@pytest.mark.parametrize(("word", "void"), [("Rejected", True), ("replaced", True), ("Planned", None), ("Test", None)])
def test_a_status_of_no_load_takes_back_or_is_none(word: str, void: bool | None) -> None:
    one, problems = read_ticket(*row(status=word), "t.csv")
    assert (one and one.void) == void
    assert [each.code for each in problems] == ([] if void else ["no_load"])


@pytest.mark.parametrize(
    "more",
    [{"net_bushels": "0"}, {"net_bushels": ""}, {"net_lb": "0", "gross_lb": "0", "tare_lb": "0"}, {"crop": ""},
     {"day": ""}, {"day": "", "crop": "", "net_bushels": ""}, {"direction": "?"}, {"net_bushels": "none"}],
    ids=repr,
)  # fmt: skip
def test_a_void_row_without_what_a_load_has_blocks_no_file(more: dict[str, str]) -> None:
    one, problems = read_ticket(*row("1001", 2, void="VOID", **more), "t.csv")
    assert one is not None
    assert (one.void, problems) == (True, [])


@pytest.mark.parametrize("place", [1, 5])
def test_a_void_row_takes_its_ticket_back_on_either_side_of_it(place: int) -> None:
    parts, problems = read(*sorted([row(customer="Ada"), row(place=place, customer="Ada", void="x")]))
    assert problems == []
    assert [[part.ticket.void for part in each] for each in parts.values()] == [[True]]


def test_a_void_row_without_a_name_takes_back_every_owners_part_and_one_of_a_part_is_asked() -> None:
    shares = row(customer="Ada", split_pct="60"), row(place=3, customer="Ben", split_pct="40")
    parts, problems = read(*shares, row(place=4, void="x", net_bushels="0"))
    assert problems == []
    assert [part.ticket.void for part in parts["", "1001"]] == [True]
    parts, (problem,) = read(*shares, row(place=4, void="x", customer="Ben", split_pct="40"))
    assert (problem.code, parts) == ("ticket_void", {})


MANGLED = {
    "zeros lost": ("1001", [1_500_000, 4]),
    "guarded": ('"=""0001001"""', [1_500_000, 4]),
    "an apostrophe": ("'0001001", [1_500_000, 4]),
    "a fraction of zeros": ("1001.00", [1_500_000, 4]),
    "thousands": ('"1,001"', [1_500_000, 4]),
    "another ticket": ("0002001", [2_500_000, 5]),
    "digits lost": ("2.02601E+11", [1_500_000, 4]),
    "beyond fifteen digits": ("2026011600010000", [1_500_000, 4]),
    "a date": ("10-Jan", [1_500_000, 4]),
}


@pytest.mark.parametrize("name", MANGLED)
def test_a_ticket_that_a_spreadsheet_mangled_is_the_same_or_told_and_never_another(tmp_path: Path, name: str) -> None:
    number, held = MANGLED[name]
    whole = TEXT.replace("1001,", "0001001,")
    book = imported(tmp_path, whole, whole.replace("0001001", number))
    bushels = stock(book)
    with open_book(book) as opened:
        assert [bushels, len(opened.store.events())] == held


@pytest.mark.parametrize("part", ["1001 A", "1001A", "1001-b", "1001/A", "#01001 A"])
def test_a_part_beside_the_whole_is_asked_and_parts_alone_are_not(part: str) -> None:
    parts, problems = read(row("1001"), row(part, place=3, net_bushels="400"), row("1002", place=4))
    assert [one.code for one in problems] == ["ticket_part"] * len(problems) != []
    assert "1001" in problems[0].cause
    assert list(parts) == [("", "1002")]
    parts, problems = read(row("1001 A"), row("1001 B", place=3))
    assert (problems, len(parts)) == ([], 2)


def test_a_part_of_a_ticket_that_the_book_has_is_asked(tmp_path: Path) -> None:
    book = imported(tmp_path, TEXT, TEXT.replace("1001,", "1001 A,"), TEXT.replace("1001,", "1001A,"))
    assert stock(book) == 1_500_000


@pytest.mark.parametrize("number", ["#1001", "01001", "\uff11\uff10\uff10\uff11", "No. 1001"])
def test_one_load_in_another_spelling_is_there_already(tmp_path: Path, number: str) -> None:
    assert stock(imported(tmp_path, TEXT, TEXT.replace("1001,", f"{number},"))) == 1_500_000


def test_two_numbers_of_a_file_that_differ_in_zeros_alone_are_one_load_or_one_question() -> None:
    parts, problems = read(row("0001001"), row("1001", place=3))
    assert (problems, [[one.bushels for one in each] for each in parts.values()]) == ([], [[900_000]])
    parts, (problem,) = read(row("0001001", customer="Ada"), row("1001", place=3, customer="Ben", net_bushels="400"))
    assert (problem.code, parts) == ("ticket_double", {})
