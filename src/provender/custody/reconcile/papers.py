"""Signed papers laid beside the book of whoever signed them: what it says otherwise, or not at all (2100.032(a))."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from provender.custody.documents.again import again, decided, issuer_of, passed_over
from provender.custody.documents.build import PERIOD, RESTATEMENT
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.trade import CONSENT
from provender.custody.model.store_view import StoreView
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.exact import SCALE, parse
from provender.problem import ProblemsError, listed

HELD_AGAINST_BOOKS: Final = (PERIOD, RESTATEMENT, NOTICE, CONSENT, FIGURES)
"""Kinds that are made again from the signer's book; transfer documents and slips are compared leg by leg."""
_OF_MAKING: Final = frozenset({"made_on", "book", "number", "format", "rule", "warnings"})
SPOILED: Final = (KeyError, TypeError, ValueError, AttributeError, LookupError)
"""What a paper makes of whoever reads it as what it claims to be."""


def paper_discrepancies(name: str, document: Mapping[str, Any], book: str, facts: StoreView) -> Iterator[Discrepancy]:
    """Yield what a paper and a book of its signer, or of whom it tells, say differently.

    Args:
        name: of the paper's file.
        document: the paper, of a kind of ``HELD_AGAINST_BOOKS``.
        book: the name of the book's file.
        facts: the book, of one of the two parties.
    """
    try:
        yield from _compared(name, document, book, facts)
    except SPOILED as wrong:
        said = f"{name} is not of the form it claims ({type(wrong).__name__}: {wrong})."
        yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, 0, said)


def _compared(name: str, document: Mapping[str, Any], book: str, facts: StoreView) -> Iterator[Discrepancy]:
    kind, issuer, stake = str(document["type"]), issuer_of(document), _stake(document)
    what = f"{name}, {_words(kind)} signed by {issuer}"
    if facts.owner not in ("", issuer):
        if kind == NOTICE and (left := passed_over(facts, document)):
            said = f"{what}: {book} has bushels of it as if it had not come."
            yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, left, said)
        return
    try:
        made = [decided(one) for one in again(facts, document)]
    except ProblemsError as refused:
        why = " ".join(problem.cause for problem in refused.problems)
        yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, stake, f"{what}: {book} does not have it. {why}")
        return
    mine = decided(document)
    differing = min(
        ([part for part in mine if part not in _OF_MAKING and mine[part] != one.get(part)] for one in made), key=len
    )
    if differing and kind != PERIOD:  # two statements of one period are compared with each other
        parts = listed([part.replace("_", " ") for part in differing])
        yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, stake, f"{what}: {book} says otherwise of its {parts}.")


def _words(kind: str) -> str:
    return kind.removeprefix("custody-").replace("-", " ")


def _stake(document: Mapping[str, Any]) -> int:
    """Return how many bushels a paper is about, in thousandths."""
    kind = document["type"]
    if kind == FIGURES:
        return sum(parse(one["retired_bu"], SCALE) for one in document["crops"])
    if kind == NOTICE:
        return sum(parse(one["bushels"], SCALE) for one in document["changes"])
    if kind == CONSENT:
        return sum(parse(one["stop"], SCALE) - parse(one["start"], SCALE) for one in document["spans"])
    lines = document["balance"]["lines"]
    return sum(parse(one["beginning_bu"], SCALE) + parse(one["incoming_bu"], SCALE) for one in lines)
