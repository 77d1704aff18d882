"""Every paragraph of 2100.001 to 2100.053, down to its lowest level, with what answers it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from provender.rule.answers import Answer
from provender.rule.cite import Cite
from provender.rule.parameters import data_names, read_data


class Force(StrEnum):
    """How strongly a paragraph binds."""

    must = "must"
    """It can fail."""
    should = "should"
    """It is reported and never fails."""
    may = "may"
    """It allows something."""
    definition = "definition"
    """It says what a word, a term or a list means."""
    reserved = "reserved"
    """It holds no text."""
    none = "none"
    """A heading, or a purpose."""


class Subject(StrEnum):
    """Whom a paragraph speaks to."""

    farm_producer = "farm producer"
    first_point = "first point of aggregation"
    intermediary = "intermediary entity"
    processor = "processor"
    refiner = "biofuel refiner"
    any_entity = "any entity"
    verifier = "verifier"
    usda = "USDA"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the part.

    Attributes:
        number: ``2100.051``.
        title: its heading.
        subpart: ``A`` to ``F``.
        paragraphs: all of them in the order of the rule, its introductory text first.
    """

    number: str
    title: str
    subpart: str
    paragraphs: tuple["Paragraph", ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, or one definition.

    Attributes:
        cite: where it stands; a section alone means its introductory text.
        summary: what it says, in our own words.
        force: how strongly it binds.
        subjects: whom it speaks to; empty where it speaks to nobody.
        answers: what answers it; never empty.
    """

    cite: Cite
    summary: str
    force: Force
    subjects: tuple[Subject, ...]
    answers: tuple[Answer, ...]


_KEYS: Final = {"cite", "summary", "force", "subjects", "answers"}


class ParagraphsError(ValueError):
    """The packaged paragraphs cannot be read; the message names the paragraph."""


def _paragraph(entry: Mapping[str, Any], section: str) -> Paragraph:
    """Read one entry of a section's file."""
    if set(entry) != _KEYS:
        raise ValueError(f"needs exactly {', '.join(sorted(_KEYS))}")
    cite = Cite.parse(entry["cite"])
    if cite.section != section:
        raise ValueError(f"stands in the file of {section}")
    if not entry["answers"]:
        raise ValueError("has no answer; give at least a reason")
    return Paragraph(
        cite=cite,
        summary=entry["summary"],
        force=Force(entry["force"]),
        subjects=tuple(Subject(one) for one in entry["subjects"]),
        answers=tuple(Answer.parse(one) for one in entry["answers"]),
    )


def read_section(data: Mapping[str, Any]) -> Section:
    """Read the table of one section's file.

    Raises:
        ParagraphsError: an entry is incomplete, stands in the wrong file, or is out of order or doubled.
    """
    number, found = data["section"], []
    for entry in data["paragraph"]:
        try:
            found.append(_paragraph(entry, number))
        except ValueError as wrong:
            raise ParagraphsError(f"{entry.get('cite', number)}: {wrong}") from wrong
    cites = [one.cite for one in found]
    if cites != sorted(set(cites)):
        raise ParagraphsError(f"{number}: its paragraphs are not in the order of the rule, each once")
    return Section(number, data["title"], data["subpart"], tuple(found))


@cache
def sections() -> tuple[Section, ...]:
    """Return all sections in the order of the rule, read once."""
    return tuple(read_section(read_data(name)) for name in data_names("paragraphs"))


@cache
def paragraphs() -> Mapping[Cite, Paragraph]:
    """Return every paragraph by its citation, in the order of the rule."""
    return {one.cite: one for section in sections() for one in section.paragraphs}


def paragraph(cite: Cite) -> Paragraph:
    """Return one paragraph.

    Raises:
        KeyError: the rule has no such paragraph.
    """
    return paragraphs()[cite]


def children(cite: Cite) -> tuple[Paragraph, ...]:
    """Return the paragraphs directly below one, in order."""
    return tuple(one for one in paragraphs().values() if one.cite.parent == cite)


def nearest(text: str, most: int = 5) -> tuple[Cite, ...]:
    """Return the paragraphs whose citations look most like a text, for the person who mistyped one."""
    from difflib import get_close_matches  # only a mistyped citation pays for it

    known = {cite.term or str(cite): cite for cite in paragraphs()}
    wanted = text.strip().lower().removeprefix("7 cfr").strip(" §")
    if '"' in wanted:
        wanted = wanted.partition('"')[2].rstrip('"')
    begun = [written for written in known if wanted and (written.startswith(wanted) or wanted in written)]
    shortened = [written for written in reversed(known) if "(" in written and wanted.startswith(written)]
    whole = re.compile(rf"\b{re.escape(wanted)}\b" if wanted else "(?!)", re.IGNORECASE)
    said = [written for written, cite in known.items() if cite.term and whole.search(paragraphs()[cite].summary)]
    alike = get_close_matches(wanted, known, n=most, cutoff=0.6)
    return tuple(known[written] for written in list(dict.fromkeys([*begun, *shortened, *said, *alike]))[:most])
