"""The paragraph that a finding names: which are offered to whom, how one is found, and which are taken."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from provender.audit.programme.items import SUBJECTS
from provender.audit.programme.items import Role as AuditRole
from provender.catalog.picks import Pick
from provender.rule import Cite, Force, Paragraph, Subject, paragraph, paragraphs
from provender.rule.paragraphs import nearest
from provender.services.audits.paragraph_words import words_beside
from provender.services.refused import refusal

BINDING: Final = frozenset({Force.must, Force.should, Force.may})
"""What a finding is usually about; a definition or a heading may be typed all the same."""
ELSEWHERE: Final = frozenset({Subject.verifier, Subject.usda})
MOST: Final = 3
"""How many paragraphs a refusal names."""
SHORT: Final = 3
"""Letters of a word whose last s is its own."""


@cache
def citable(role: AuditRole) -> Mapping[str, Pick]:
    """Return the paragraphs that bind somebody, those of the audited party's part of it first."""
    found = [(_far(one, role), one) for one in paragraphs().values() if one.force in BINDING]
    return {
        str(one.cite): Pick(f"{one.cite}: {one.summary}", words_beside(one.cite), far=far)
        for far, one in sorted(found, key=lambda each: each[0])
    }


def _far(one: Paragraph, role: AuditRole) -> int:
    """Return how far a paragraph is from a party: 0 its own and everybody's, 1 of its trade, 2 of others."""
    heard = frozenset(one.subjects)
    if heard & SUBJECTS[role] or Subject.any_entity in heard:
        return 0
    return 2 if role is not AuditRole.FARM and heard - ELSEWHERE == {Subject.farm_producer} else 1


def cited(text: str, role: AuditRole) -> str:
    """Return a paragraph as it is written, where the rule has it.

    Raises:
        RefusedError: it has no such paragraph; names those that look like it, or whose words were typed.
    """
    try:
        return str(paragraph(Cite.parse(text)).cite)
    except (KeyError, ValueError):
        numbered = any(letter.isdigit() for letter in text)
        said = [] if numbered else _by_words(text, role)
        like = ", ".join(said or map(str, nearest(text, MOST)))
        remedy = f"Did you mean {like}?" if like else "Write it like 2100.051(b)(1)."
        raise refusal("no_paragraph", f"The rule has no paragraph {text.strip()!r}.", remedy, column="cite") from None


def _by_words(text: str, role: AuditRole) -> list[str]:
    """Return the paragraphs with every word of a text, by its beginning or without the s of many, and what they say.

    The script of forms finds them the same way.
    """
    sought = _words_of(text)
    if not sought:
        return []
    found = []
    for cite, pick in citable(role).items():
        words = _words_of(f"{pick.beside} {pick.words}")
        if all(
            any(has.startswith((one, one.removesuffix("s") if len(one) > SHORT else one)) for has in words)
            for one in sought
        ):
            found.append(f"{cite} ({pick.beside.partition(': ')[2].rstrip('.')})")
    return found[:MOST]


def _words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())
