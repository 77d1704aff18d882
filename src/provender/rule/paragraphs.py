"""Every paragraph of 2100.001 to 2100.053, down to its lowest level, with what answers it."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import provender
from provender.rule.crops import Cite
from provender.rule.law import data_names, read_data

# What answers a paragraph: a requirement, a record, a document, a procedure, the paragraphs below it, or a reason.
#
# An answer is a string such as ``requirement:no_till_stir_within_limit``. This package only reads and checks how it is
# written: what it names is in higher layers, and a test resolves every one of them there.


class AnswerKind(StrEnum):
    """The forms an answer can take, in the order of reports."""

    requirement = "requirement"
    """A requirement of ``provender.standards`` that gives a verdict."""
    record = "record"
    """A kind of record, or one column of it: ``record:operation`` or ``record:operation.depth_in``."""
    document = "document"
    """A document that provender builds: a dotted name below ``provender``."""
    procedure = "procedure"
    """Code that carries the paragraph out: a dotted name below ``provender``."""
    below = "below"
    """The paragraph introduces those below it, and they are answered one by one."""
    reason = "reason"
    """Nothing can answer it; ``reasons()`` says why."""


@dataclass(frozen=True, slots=True, order=True)
class Answer:
    """One answer."""

    kind: AnswerKind  # what sort of thing it is
    name: str = ""  # which one; empty for ``below``

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``kind:name``, or ``below`` alone.

        Raises:
            ValueError: no such kind, a name is missing, or a reason that nobody explained.
        """
        word, _, name = text.partition(":")
        kind = AnswerKind(word)
        if (kind is AnswerKind.below) == bool(name):
            raise ValueError(f"{text!r} should be written kind:name, or below alone")
        if kind is AnswerKind.reason and name not in reasons():
            raise ValueError(f"{name!r} is not among the reasons of reasons.toml")
        return cls(kind, name)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else str(self.kind)


@cache
def reasons() -> dict[str, str]:
    """Return why a paragraph can have no answer: a sentence by its name."""
    found: dict[str, str] = read_data("reasons.toml")["reasons"]
    return found


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
    """A section of the part."""

    number: str  # ``2100.051``
    title: str  # its heading
    subpart: str  # ``A`` to ``F``
    paragraphs: tuple["Paragraph", ...]  # all of them in the order of the rule, its introductory text first


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, or one definition."""

    cite: Cite  # where it stands; a section alone means its introductory text
    summary: str  # what it says, in our own words
    force: Force  # how strongly it binds
    subjects: tuple[Subject, ...]  # whom it speaks to; empty where it speaks to nobody
    answers: tuple[Answer, ...]  # what answers it; never empty


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


# How much of the rule is answered, and by what: counts by section and by kind of answer.


@dataclass(frozen=True, slots=True)
class SectionCoverage:
    """The counts of one section.

    A paragraph counts once for each kind of answer it has, so the kinds may add up to more than the paragraphs.
    """

    section: Section  # the section counted
    paragraphs: int  # how many paragraphs it has, introductory text included
    by_kind: dict[AnswerKind, int]  # how many of them have an answer of a kind
    not_modelled: dict[str, int]  # paragraphs whose only answer is a reason, by the name of the reason


def _reason_alone(paragraph: Paragraph) -> str:
    """Return the name of the reason that is a paragraph's only answer, or an empty text."""
    kinds = {one.kind for one in paragraph.answers}
    return paragraph.answers[0].name if kinds == {AnswerKind.reason} else ""


def coverage() -> tuple[SectionCoverage, ...]:
    """Count every section, in the order of the rule."""
    return tuple(_count(section) for section in sections())


def _count(section: Section) -> SectionCoverage:
    kinds = Counter(kind for one in section.paragraphs for kind in {answer.kind for answer in one.answers})
    alone = Counter(name for one in section.paragraphs if (name := _reason_alone(one)))
    by_kind = {kind: kinds[kind] for kind in AnswerKind}
    return SectionCoverage(section, len(section.paragraphs), by_kind, dict(alone))


def not_modelled() -> dict[str, tuple[Paragraph, ...]]:
    """Return the paragraphs that have no answer but a reason, by the name of the reason."""
    return _by_reason(alone=True)


def answered_in_part() -> dict[str, tuple[Paragraph, ...]]:
    """Return the paragraphs that have an answer and a reason why it is not whole, by the name of the reason."""
    return _by_reason(alone=False)


def _by_reason(*, alone: bool) -> dict[str, tuple[Paragraph, ...]]:
    found = [one for section in sections() for one in section.paragraphs if bool(_reason_alone(one)) is alone]
    grouped = {
        name: tuple(one for one in found if Answer(AnswerKind.reason, name) in one.answers) for name in reasons()
    }
    return {name: group for name, group in grouped.items() if group}


# How we read the rule where it is silent: the pages of ``docs/interpretations``, by number.

_PACKAGE: Final = Path(provender.__file__).parent
_PLACES: Final = (_PACKAGE.parents[1] / "docs" / "interpretations", _PACKAGE / "interpretations")
"""In a checkout, and where the package was installed as a wheel."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a list where ``listed``: its items as marked text."""

    items: tuple[str, ...]
    listed: bool


@dataclass(frozen=True, slots=True)
class InterpretationSection:
    """What stands under one heading of a page."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One page: the text of the rule, our reading, other readings, what it governs, its status."""

    number: int
    title: str
    sections: tuple[InterpretationSection, ...]


@cache
def interpretation(number: int) -> Interpretation | None:
    """Return an interpretation; None where there is none of this number."""
    path = next((path for place in _PLACES for path in place.glob(f"{number:04d}-*.md")), None)
    if path is None:
        return None
    head, *parts = path.read_text(encoding="utf-8").split("\n## ")
    sections = (part.partition("\n") for part in parts)
    title = head.strip().removeprefix(f"# {number:04d} ")
    return Interpretation(
        number,
        title,
        tuple(
            InterpretationSection(heading, tuple(map(_block, text.strip().split("\n\n"))))
            for heading, _, text in sections
        ),
    )


def _block(text: str) -> Block:
    listed = text.startswith("- ")
    items = re.split(r"^- ", text, flags=re.MULTILINE)[1:] if listed else [text]
    return Block(tuple(" ".join(item.split()) for item in items), listed)
