"""Names in the rows of an import of which nobody can tell, or only a person, what they mean."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from provender.catalog.names import lookup_name
from provender.catalog.picks import with_facts
from provender.catalog.words import About, listed_name, listed_names, meaning, suggested
from provender.formats.importing.words import COLUMNS, NO_NAME
from provender.services.imports.request import ImportResult

_CHOICES = 8


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A name to be settled.

    Attributes:
        about: what it is a name of.
        typed: as typed.
        choices: listed names it can mean, or that are nearest to it; the whole list where none is.
        rows: how many rows have it.
    """

    about: str
    typed: str
    choices: tuple[str, ...]
    rows: int

    @property
    def told(self) -> list[tuple[str, str]]:
        """Return each choice with what is said of it: a product with its grade."""
        return [(name, with_facts(About(self.about), name)) for name in self.choices]


def asked_words(found: ImportResult) -> list[AskedWord]:
    """Return the names that are asked about, each once, in the order of the rows."""
    counted: dict[tuple[About, str], list[str]] = {}
    for about, text in _names(found):
        counted.setdefault((about, lookup_name(text)), []).append(text)
    return [
        AskedWord(str(about), texts[0], _choices(about, texts[0]), len(texts)) for (about, _), texts in counted.items()
    ]


def _names(found: ImportResult) -> Iterator[tuple[About, str]]:
    for row in found.rows:
        for column, about in COLUMNS.get(row.kind, {}).items():
            text = row.texts.get(column, "")
            if text and text != row.was.get(column) and text.casefold() not in NO_NAME and not listed_name(about, text):
                yield about, text


def _choices(about: About, text: str) -> tuple[str, ...]:
    return meaning(about, text).names or suggested(about, text, _CHOICES) or listed_names(about)


def words_said(said: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the words of ``ImportChoices`` as readers of files take them."""
    pairs = ((key.partition("|"), means) for key, means in said.items())
    return {(about, lookup_name(typed)): means for (about, _, typed), means in pairs}
