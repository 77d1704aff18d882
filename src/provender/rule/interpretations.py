"""How we read the rule where it is silent: the pages of ``docs/interpretations``, by number."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import provender

_PACKAGE: Final = Path(provender.__file__).parent
PLACES: Final = (_PACKAGE.parents[1] / "docs" / "interpretations", _PACKAGE / "interpretations")
"""In a checkout, and where the package was installed as a wheel."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a list where ``listed``: its items as marked text."""

    items: tuple[str, ...]
    listed: bool


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading of a page."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One page: the text of the rule, our reading, other readings, what it governs, its status."""

    number: int
    title: str
    sections: tuple[Section, ...]


@cache
def interpretation(number: int) -> Interpretation | None:
    """Return an interpretation; None where there is none of this number."""
    path = next((path for place in PLACES for path in place.glob(f"{number:04d}-*.md")), None)
    if path is None:
        return None
    head, *parts = path.read_text(encoding="utf-8").split("\n## ")
    sections = (part.partition("\n") for part in parts)
    title = head.strip().removeprefix(f"# {number:04d} ")
    return Interpretation(number, title, tuple(Section(heading, _blocks(text)) for heading, _, text in sections))


def _blocks(text: str) -> tuple[Block, ...]:
    return tuple(map(_block, text.strip().split("\n\n")))


def _block(text: str) -> Block:
    listed = text.startswith("- ")
    items = re.split(r"^- ", text, flags=re.MULTILINE)[1:] if listed else [text]
    return Block(tuple(" ".join(item.split()) for item in items), listed)
