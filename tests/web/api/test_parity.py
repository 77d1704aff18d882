"""What a person can do on a page, a program can do by a call: ``parity/pages.txt`` says by which, or why not.

The lines are held against the addresses, against what each address answers to (``answers/*.txt``), and against the
description of the API.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from provender.web.urls import api
from tests.web.addresses import all_names
from tests.web.test_everyone_at_every_address import ANSWERS

TABLE: Final = Path(__file__).parent / "parity" / "pages.txt"
ANY: Final = "ANY"
NOT_THERE: Final = "405"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: which pages, and the calls that do the same, or why there is none."""

    name: str
    method: str
    calls: tuple[str, ...]
    reason: str

    def is_of(self, page: tuple[str, str]) -> bool:
        """Tell whether the line is about a page asked by a method."""
        name, method = page
        return fnmatchcase(name, self.name) and self.method in (ANY, method)


def lines() -> Iterator[Line]:
    """Read the table."""
    for text in TABLE.read_text(encoding="utf-8").splitlines():
        if not text.strip() or text.startswith("#"):
            continue
        name, method, mark, rest = text.split(maxsplit=3)
        assert mark in ("->", "-"), text
        assert (method == ANY) == ("*" in name), f"{text}: a `*` goes with {ANY}"
        calls = tuple(one.strip() for one in rest.split(",")) if mark == "->" else ()
        yield Line(name, method, calls, "" if calls else rest)


def pages() -> set[tuple[str, str]]:
    """Return every page with the methods it answers to; the API's own addresses are no pages."""
    named = {name for name in all_names() if not name.startswith("api:")}
    return {page for page, answers in ANSWERS.items() if page[0] in named and NOT_THERE not in answers}


def described() -> set[str]:
    """Return the operationId of every call."""
    paths = api.get_openapi_schema()["paths"]
    return {call["operationId"] for path in paths.values() for call in path.values()}


def test_every_page_has_one_line_for_each_method() -> None:
    table = list(lines())
    found = {page: sum(line.is_of(page) for line in table) for page in pages()}
    assert {page: times for page, times in found.items() if times != 1} == {}


def test_every_line_is_about_a_page_that_is_there() -> None:
    there = pages()
    assert [line for line in lines() if not any(line.is_of(page) for page in there)] == []


def test_every_call_that_a_line_names_is_in_the_description() -> None:
    assert {call for line in lines() for call in line.calls} - described() == set()


def test_a_page_without_a_call_says_why() -> None:
    assert [line for line in lines() if not line.calls and len(line.reason) < len("a reason")] == []


def test_no_page_waits_for_its_call() -> None:
    """What is promised is no reason: ``being built``, ``later`` and their like stand in no line."""
    promises = ("being built", "later", "not yet", "soon", "to do", "planned")
    assert [line for line in lines() if any(one in line.reason.casefold() for one in promises)] == []
