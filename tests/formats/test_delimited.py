"""Delimited text in any encoding, and no row that vanishes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.formats.delimited import decode_text, guess_delimiter, read_delimited
from provender.problem import Weight


def rows(data: bytes | str, **options: str) -> tuple[list[tuple[str, ...]], list[str]]:
    sheet, problems = read_delimited(data.encode() if isinstance(data, str) else data, "a.csv", **options)
    return [line.cells for line in sheet.lines] if sheet else [], [problem.code for problem in problems]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_text_reads_alike_in_every_unicode_encoding(encoding: str) -> None:
    assert rows("field,crop\nMüller,maïs\n".encode(encoding)) == ([("field", "crop"), ("Müller", "maïs")], [])


def test_windows_text_is_read_and_a_person_is_asked() -> None:
    sheet, problems = read_delimited("field,crop\nN40,corn\nMüller,maïs\n".encode("cp1252"), "a.csv")
    assert sheet is not None
    assert sheet.lines[2].cells == ("Müller", "maïs")
    assert [(problem.code, problem.weight, problem.place.row) for problem in problems] == [
        ("guessed_encoding", Weight.CONFIRM, 3)
    ]


def test_text_in_no_known_encoding_is_refused() -> None:
    assert rows(b"a,b\n\x81\x8d\x8f,\xff\n") == ([], ["unreadable_encoding"])


def test_a_stated_encoding_is_tried_alone() -> None:
    assert decode_text("ü".encode("cp1252"), "a", "utf-8")[0] is None
    assert decode_text("ü".encode("cp850"), "a", "cp850")[0] == "ü"
    assert decode_text(b"a", "a", "no-such-encoding")[0] is None


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_separator_is_found(delimiter: str) -> None:
    text = "\n".join(
        delimiter.join(row) for row in (["field", "acres", "note"], ["N40", "80", "a b"], ["S40", "79", "c"])
    )
    assert guess_delimiter(text) == delimiter


def test_a_decimal_comma_does_not_pass_for_a_separator() -> None:
    assert rows("field;acres\nN40;80,25\nS40;79,5\n")[0][1] == ("N40", "80,25")


def test_a_declared_separator_wins_and_its_line_is_no_row() -> None:
    assert rows("sep=;\na;b\n1,5;2\n")[0] == [("a", "b"), ("1,5", "2")]


def test_line_breaks_commas_and_quotes_inside_quotes_are_kept() -> None:
    assert rows('a,b\n"x, ""y""\nz",2\n') == ([("a", "b"), ('x, "y"\nz', "2")], [])


def test_rows_after_an_open_quotation_mark_are_not_lost_in_silence() -> None:
    found, problems = rows('a,b\n1,2\n"3,4\n5,6\n')
    assert found == [("a", "b"), ("1", "2")]
    assert problems == ["unreadable_rows"]


def test_zero_bytes_are_told_by_row() -> None:
    sheet, problems = read_delimited(b"a,b\n1,2\n3,4\x00\n", "a.csv")
    assert sheet is not None
    assert sheet.lines[2].cells == ("3", "4")
    assert [(problem.code, problem.place.row) for problem in problems] == [("zero_bytes", 3)]


def test_rows_of_uneven_length_are_kept_as_they_are() -> None:
    assert rows("a,b\n1\n1,2,3\n")[0] == [("a", "b"), ("1",), ("1", "2", "3")]


@given(st.binary(max_size=400))
def test_no_bytes_whatever_end_in_an_error(data: bytes) -> None:
    sheet, problems = read_delimited(data, "a.csv")
    assert sheet is not None or problems


TEXT = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12
)


@given(st.lists(st.lists(TEXT.filter(lambda text: bool(text.strip())), min_size=2, max_size=5), min_size=1, max_size=8))
def test_every_cell_that_was_written_is_read(table: list[list[str]]) -> None:
    text = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in table)
    found, problems = rows(text, delimiter=",", encoding="utf-8")
    assert (found, problems) == ([tuple(row) for row in table], [])
