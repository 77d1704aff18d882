"""Long tables, a page at a time, and the few rows that somebody looks for: by links and a form, without scripts.

Several tables may stand on one page, so every word in the address carries the table's name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict
from django.utils.text import slugify

EVERY: Final = "every"
ROWS: Final = 25
"""Rows on a page of a long table."""
PRINTED: Final = 1_000
"""A table of up to so many rows is shown whole to whoever asks for it: paper turns no pages."""
WHOLE: Final = 35
"""A table of up to so many rows is shown whole: nobody turns a page for the last few."""


@dataclass(frozen=True, slots=True)
class Turning:
    """What stands around one page of a table.

    Attributes:
        anchor: id of the table on the page.
        name: of the search field in the address.
        sought: what is looked for.
        others: further words of the address, which searching keeps.
        first: number of the first row shown, from 1; 0 when nothing was found.
        last: number of the last row shown.
        found: rows that have what is looked for.
        whole: rows of the whole table.
        before: address of the page before; empty on the first.
        after: address of the next page; empty on the last.
        all: address of the table without a search.
        every: address of all rows found, on one page; empty where they stand there or are too many.
    """

    anchor: str
    name: str
    sought: str
    others: tuple[tuple[str, str], ...]
    first: int
    last: int
    found: int
    whole: int
    before: str
    after: str
    all: str
    every: str = ""


def page_rows(name: str, texts: Sequence[str], asked: QueryDict) -> tuple[Turning, Sequence[int]]:
    """Choose the rows of a long table that a page shows.

    Args:
        name: of the table.
        texts: what each row says, in order; a row is found when it says every word looked for, in any case.
        asked: the page's address after the question mark: ``find-NAME`` and ``page-NAME``, from 1, or ``every``.

    Returns:
        What stands around the page, and the indexes of its rows. A page beyond the end is the last one.
    """
    anchor = slugify(name)
    find, page = f"find-{anchor}", f"page-{anchor}"
    sought = " ".join(asked.get(find, "").split())
    wanted = sought.casefold().split()
    found = [index for index, text in enumerate(texts) if all(word in text.casefold() for word in wanted)]
    number = asked.get(page, "")
    last = max(0, (len(found) - 1) // ROWS)
    here = min(max(0, int(number) - 1), last) if number.isascii() and number.isdecimal() else 0
    every = number == EVERY and len(found) <= PRINTED
    here, last = (0, 0) if every else (here, last)
    shown = found if every else found[here * ROWS : (here + 1) * ROWS]
    others = tuple((key, str(text)) for key, text in asked.items() if key not in (find, page))
    turning = Turning(
        anchor=anchor,
        name=find,
        sought=sought,
        others=others,
        first=here * ROWS + 1 if shown else 0,
        last=here * ROWS + len(shown),
        found=len(found),
        whole=len(texts),
        before=_address(asked, anchor, {page: str(here)}) if here else "",
        after=_address(asked, anchor, {page: str(here + 2)}) if here < last else "",
        all=_address(asked, anchor, {find: "", page: ""}),
        every=_address(asked, anchor, {page: EVERY}) if ROWS < len(found) <= PRINTED and not every else "",
    )
    return turning, shown


def _address(asked: QueryDict, anchor: str, changed: dict[str, str]) -> str:
    """Return the address of the page with some words changed; an empty one is left out."""
    words = asked.copy()
    for name, text in changed.items():
        words.pop(name, None)
        if text:
            words[name] = text
    return f"?{words.urlencode()}#{anchor}"
