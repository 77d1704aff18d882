"""What answers a paragraph: a requirement, a record, a document, a procedure, the paragraphs below it, or a reason.

An answer is a string such as ``requirement:no_till_stir_within_limit``. This room only reads and checks how it is
written: what it names lies on higher floors, and a test resolves every one of them there.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Self

from provender.rule.parameters import read_data


class AnswerKind(StrEnum):
    """The forms an answer can take, in the order of reports."""

    requirement = "requirement"
    """A requirement of ``provender.practices`` that gives a verdict."""
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
    """One answer.

    Attributes:
        kind: what sort of thing it is.
        name: which one; empty for ``below``.
    """

    kind: AnswerKind
    name: str = ""

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
