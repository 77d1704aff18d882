"""How much of the rule is answered, and by what: counts by section and by kind of answer."""

from collections import Counter
from dataclasses import dataclass

from provender.rule.answers import Answer, AnswerKind, reasons
from provender.rule.paragraphs import Paragraph, Section, sections


@dataclass(frozen=True, slots=True)
class SectionCoverage:
    """The counts of one section.

    A paragraph counts once for each kind of answer it has, so the kinds may add up to more than the paragraphs.

    Attributes:
        section: the section counted.
        paragraphs: how many paragraphs it has, introductory text included.
        by_kind: how many of them have an answer of a kind.
        not_modelled: paragraphs whose only answer is a reason, by the name of the reason.
    """

    section: Section
    paragraphs: int
    by_kind: dict[AnswerKind, int]
    not_modelled: dict[str, int]


def reason_alone(paragraph: Paragraph) -> str:
    """Return the name of the reason that is a paragraph's only answer, or an empty text."""
    kinds = {one.kind for one in paragraph.answers}
    return paragraph.answers[0].name if kinds == {AnswerKind.reason} else ""


def coverage() -> tuple[SectionCoverage, ...]:
    """Count every section, in the order of the rule."""
    return tuple(_count(section) for section in sections())


def _count(section: Section) -> SectionCoverage:
    kinds = Counter(kind for one in section.paragraphs for kind in {answer.kind for answer in one.answers})
    alone = Counter(name for one in section.paragraphs if (name := reason_alone(one)))
    by_kind = {kind: kinds[kind] for kind in AnswerKind}
    return SectionCoverage(section, len(section.paragraphs), by_kind, dict(alone))


def not_modelled() -> dict[str, tuple[Paragraph, ...]]:
    """Return the paragraphs that have no answer but a reason, by the name of the reason."""
    return _by_reason(alone=True)


def answered_in_part() -> dict[str, tuple[Paragraph, ...]]:
    """Return the paragraphs that have an answer and a reason why it is not whole, by the name of the reason."""
    return _by_reason(alone=False)


def _by_reason(*, alone: bool) -> dict[str, tuple[Paragraph, ...]]:
    found = [one for section in sections() for one in section.paragraphs if bool(reason_alone(one)) is alone]
    grouped = {
        name: tuple(one for one in found if Answer(AnswerKind.reason, name) in one.answers) for name in reasons()
    }
    return {name: group for name, group in grouped.items() if group}
