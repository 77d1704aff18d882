"""The paragraph that a finding names: how it is found by the words of the trade, and which are offered."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from provender.audit.programme import SUBJECTS
from provender.audit.programme import Role as AuditRole
from provender.catalog.words import Pick
from provender.rule.crops import Cite
from provender.rule.paragraphs import Force, Paragraph, Subject, nearest, paragraphs
from provender.services.refused import refusal

WORDS: Final[Mapping[str, str]] = {
    "2100.020": "carbon intensity calculator calculation average",
    "2100.020(a)": "carbon intensity calculator input run",
    "2100.030(a)": "traceability mass balance records documents",
    "2100.030(d)": "retention archive papers records files statement missing lost",
    "2100.031(a)": "practice log logbook documents evidence",
    "2100.031(b)": "sales sold ticket scale slip invoice settlement bushels contract",
    "2100.031(c)": "biofuel feedstock report document statement",
    "2100.031(c)(2)(i)": "calculator printout screenshot run",
    "2100.031(c)(3)": "attestation statement signature signed",
    "2100.032(a)": "documents system software bookkeeping records double sold twice trail",
    "2100.032(a)(1)": "scale ticket weight slip load truck delivery receipt purchase sale settlement invoice book "
    "inbound outbound records documents movement",
    "2100.032(a)(1)(i)": "bushels quantity pounds weight",
    "2100.032(a)(1)(ii)": "supplier buyer seller name",
    "2100.032(a)(1)(iii)": "carbon intensity",
    "2100.032(a)(1)(iv)": "day time",
    "2100.032(a)(2)": "contract supplier customer partner list agreement",
    "2100.032(a)(3)": "contract subcontractor service provider accountant software storage warehouse hauler",
    "2100.032(b)": "documents records file supplier statement",
    "2100.032(b)(1)": "report of the farm supplier document missing",
    "2100.032(b)(2)": "verification statement opinion certificate supplier document",
    "2100.032(c)": "sale delivery documents records papers buyer",
    "2100.032(c)(1)": "verification statement opinion certificate document",
    "2100.032(c)(2)": "bushels quantity sale slip",
    "2100.032(c)(3)": "carbon intensity sale slip",
    "2100.033(a)": "crush crushing mill plant oil meal processing records documents",
    "2100.033(a)(1)": "yield log crush",
    "2100.033(a)(2)": "yield crush oil meal gallons pounds",
    "2100.033(b)": "records documents papers sale purchase",
    "2100.033(b)(2)": "carbon intensity",
    "2100.033(b)(3)": "oil meal gallons pounds quantity",
    "2100.034(a)": "mass balance carbon intensity reconcile reconciliation",
    "2100.034(b)": "quarter month days balance period",
    "2100.034(c)": "mass balance calculation documents records",
    "2100.034(d)": "mass balance inventory bin stock short shortage overage difference measured books",
    "2100.034(d)(1)(ii)": "sale shrink loss spill dust moisture waste",
    "2100.034(d)(1)(iii)": "stock inventory bin silo storage warehouse elevator measured",
    "2100.034(d)(1)(iv)": "inventory bin opening closing carry over",
    "2100.034(d)(2)": "crush oil meal conversion balance",
    "2100.035(b)": "documents records statement supplier",
    "2100.035(b)(1)": "scale ticket load delivery receipt purchase weight bushels records documents",
    "2100.035(b)(2)": "verification statement opinion certificate document",
    "2100.035(c)": "carbon intensity records documents stock inventory book",
    "2100.040(a)(1)": "yearly annual statement contract",
    "2100.040(a)(3)(i)": "list of farms supplier sample population",
    "2100.040(c)(1)": "yearly annual statement contract",
    "2100.040(f)(1)": "yearly annual statement contract",
    "2100.051(c)": "tillage log documents evidence pass",
    "2100.051(c)(6)": "yield scale ticket bin harvest",
    "2100.052(b)": "cover log documents evidence",
    "2100.052(b)(1)": "seed invoice receipt ticket purchase bin",
    "2100.052(b)(5)": "photo picture evidence",
    "2100.052(b)(7)": "yield scale ticket bin harvest",
    "2100.053(e)": "nutrient fertilizer log documents evidence",
    "2100.053(e)(2)": "laboratory lab soil test report",
    "2100.053(e)(4)": "invoice receipt product label fertilizer",
    "2100.053(e)(8)": "yield scale ticket bin harvest",
}  # fmt: skip
"""By paragraph: words for it; they hold for the paragraphs below it too."""


@cache
def words_beside(cite: Cite) -> str:
    """Return the words by which a paragraph is found besides its summary: its own, of those above it, and its number.

    A section is called 32 as well as 032 by those who know it.
    """
    found = [WORDS.get(str(cite), ""), str(int(cite.section.partition(".")[2]))]
    above = cite.parent
    while above is not None:
        found.append(WORDS.get(str(above), ""))
        above = above.parent
    return " ".join(dict.fromkeys(" ".join(found).split()))


# The paragraph that a finding names: which are offered to whom, how one is found, and which are taken.

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
        return str(paragraphs()[Cite.parse(text)].cite)
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
