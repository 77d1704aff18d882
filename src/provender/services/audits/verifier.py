"""What a verifier shows of itself: its accreditation, and the key under which it signs.

A key is registered by an upload, and moved by a rotation that the key before signed.
"""

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from provender.audit.statement.accreditation import Accreditation, check_accreditation
from provender.database.models import Organisation, VerifierKey
from provender.database.store.audits import accreditation_of
from provender.plain import field, view
from provender.problem import Problem, Weight
from provender.services.organisation_keys import Ring

CITE: Final = "2100.041"
KEYS: Final = Ring(VerifierKey, "verifier", CITE, "register verifier key")
"""The keys under which verifiers sign."""


@view
class Doubt:
    """A problem, with how much it weighs."""

    at: str = field("Where")
    cause: str = field("What is wrong")
    remedy: str = field("What to do")
    cite: str = field("Paragraph", default="")
    code: str = field("Code", default="")
    weight: Weight = field("Weight")


@view
class AccreditationView:
    """The accreditation shown last, null before, and what stands against it today."""

    shown: dict[str, Any] | None = field("Accreditation")
    against: tuple[Doubt, ...] = field("What stands against it")


def doubts(problems: Iterable[Problem]) -> tuple[Doubt, ...]:
    """Return problems as doors show them."""
    return tuple(
        Doubt(
            at=str(each.place), cause=each.cause, remedy=each.remedy, cite=each.cite, code=each.code, weight=each.weight
        )
        for each in problems
    )


def accreditation_view(verifier: Organisation, day: date) -> AccreditationView:
    """Return the accreditation that a verifier shows, and what stands against it on a day."""
    shown = accreditation_of(verifier)
    against = doubts(check_accreditation(shown, day)) if shown else ()
    return AccreditationView(shown=shown.document() if shown else None, against=against)


def accreditation_shown(verifier: Organisation) -> Accreditation | None:
    """Return what a verifier shows of its accreditation last, or None."""
    return accreditation_of(verifier)
