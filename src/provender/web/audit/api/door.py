"""Doors of audits for programs: of the verifier that leads one, of the party it is about, of both."""

from typing import Annotated, Final

from django.db.models import Q
from django.shortcuts import get_object_or_404
from ninja import Path
from pydantic import Field

from provender.database.models import Audit, Scope
from provender.problem import Problem, Weight
from provender.web.api.auth import Caller, Needs
from provender.web.api.problems import OneProblem
from provender.web.audit.door import check_sampled

READ: Final = Needs(Scope.AUDIT_READ)
WRITE: Final = Needs(Scope.AUDIT_WRITE)
Code = Annotated[str, Path(max_length=12, pattern=r"^[A-Za-z0-9_-]+$", description="Code of the audit.")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
Words = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^\x00]*\S[^\x00]*$")]
Line = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
LineOrNone = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")]


class Doubt(OneProblem):
    """A problem, with how much it weighs."""

    weight: Weight


def doubt(one: Problem) -> Doubt:
    """Return a problem as the API tells it."""
    return Doubt(at=str(one.place), cause=one.cause, remedy=one.remedy, cite=one.cite, code=one.code, weight=one.weight)


def seen_by(caller: Caller) -> Q:
    """Return which audits the caller sees: those it leads, and those of it."""
    return Q(verifier=caller.organisation) | Q(audited=caller.organisation)


def seen(caller: Caller, code: str) -> Audit:
    """Return an audit that the caller leads or that is of it.

    Raises:
        Http404: there is none of this code.
    """
    return get_object_or_404(Audit.objects.select_related("verifier", "audited").filter(seen_by(caller)), handle=code)


def led(caller: Caller, code: str) -> Audit:
    """Return an audit that the caller leads.

    Raises:
        Http404: it leads no such audit.
    """
    audits = Audit.objects.select_related("verifier", "audited")
    return get_object_or_404(audits, handle=code, verifier=caller.organisation)


def sampled(caller: Caller, code: str) -> Audit:
    """Return an audit that the caller leads and whose farms are sampled.

    Raises:
        Http404: it leads no such audit, or the party is no first point of aggregation.
    """
    found = led(caller, code)
    check_sampled(found)
    return found


def of_us(caller: Caller, code: str) -> Audit:
    """Return an audit of the caller.

    Raises:
        Http404: there is none of this code.
    """
    audits = Audit.objects.select_related("verifier", "audited")
    return get_object_or_404(audits, handle=code, audited=caller.organisation)
