"""What a person is asked about rows that they type or send, before anything is written: is it meant?

A second row of a crop, and a name that its list does not have while all its words stand for listed ones: the list's
words in another order, or ``UAN``, which is sold at three grades. Nothing is exchanged: whoever writes the row chooses.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from provender.catalog.asking import asked_names
from provender.catalog.picks import with_facts
from provender.catalog.words import About, listed_name, meaning
from provender.formats.importing.words import COLUMNS, NO_NAME
from provender.formats.parsed import listed
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records import KINDS, Kind
from provender.services.farm.book import Edit, FarmBook
from provender.services.farm.second_rows import second_rows

NAME: Final = "name_asked"
_SHOWN: Final = 8
_AS_TYPED: Final = "as_typed"


def asked_of(farm: FarmBook, edits: Iterable[Edit]) -> list[Problem]:
    """Return what is asked of rows to be written, each at its edit's number."""
    given = list(edits)
    return [*second_rows(farm, given), *_names(farm, given)]


def in_words_of_lists(kind: Kind, texts: Mapping[str, str]) -> dict[str, str]:
    """Return a row with a common name of one species, such as cereal rye, as its list has it, and what was typed.

    Names of implements and products stay: sizes and makers tell there, and whoever wrote them is asked.
    """
    found = dict(texts)
    for column, about in COLUMNS.get(kind.name, {}).items():
        text = found.get(column, "")
        if about is not About.SPECIES or not text:
            continue
        name = listed_name(about, text) or meaning(about, text).one
        if name and name != text:
            found[column] = name
            found[_AS_TYPED] = found.get(_AS_TYPED) or text
    return found


def understood(farm: FarmBook, edits: Iterable[Edit]) -> Iterator[str]:
    """Say of each name that was just typed and is recorded as a list has it, what it was taken for."""
    for edit in edits:
        row, stands = edit.row or {}, farm.of(KINDS[edit.kind]).get(edit.key, {})
        typed = row.get(_AS_TYPED) or ""
        for column, about in COLUMNS.get(edit.kind, {}).items():
            name = row.get(column) or ""
            if about is About.SPECIES and typed and name not in (typed, stands.get(column)):
                yield f"{name} is recorded for what you typed, {typed}: the list calls it so."


def check_asked(farm: FarmBook, edits: Iterable[Edit], *, looked: bool) -> None:
    """Let nobody write what is asked about without saying that it is meant.

    Raises:
        ProblemsError: something is asked, and nobody has looked.
    """
    asked = [] if looked else asked_of(farm, edits)
    if asked:
        raise ProblemsError(asked)


def _names(farm: FarmBook, edits: Iterable[Edit]) -> Iterator[Problem]:
    for at, edit in enumerate(edits):
        columns = COLUMNS.get(edit.kind, {}) if edit.row is not None else {}
        stands = farm.of(KINDS[edit.kind]).get(edit.key, {}) if columns else {}
        for column, about in columns.items():
            text = str((edit.row or {}).get(column) or "").strip()
            if not text or text == stands.get(column) or text.casefold() in NO_NAME:
                continue
            if meant := asked_names(about, text):
                names = listed([repr(with_facts(about, one)) for one in meant], _SHOWN)
                cause = f"The list of names has no {text!r}."
                remedy = f"Did you mean {names}? Write that one, or keep what is typed: no list knows more of it."
                yield Problem(Place(f"edits.{at}", column=column), cause, remedy, weight=Weight.CONFIRM, code=NAME)
