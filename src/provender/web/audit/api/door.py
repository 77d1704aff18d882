"""What the calls of audits share: scopes, the parts of their addresses, texts, and audits of whoever calls."""

from typing import Annotated, Final

from django.http import HttpRequest
from ninja import Path
from pydantic import Field

from provender.database.models import Audit, Scope
from provender.problem import Weight
from provender.services.audits import lookup
from provender.web.api.auth import Needs, caller_of
from provender.web.api.view_schema import shared

shared(Weight)
READ: Final = Needs(Scope.AUDIT_READ)
WRITE: Final = Needs(Scope.AUDIT_WRITE)
Code = Annotated[str, Path(max_length=12, pattern=r"^[A-Za-z0-9_-]+$", description="Code of the audit.")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
Words = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^\x00]*\S[^\x00]*$")]
Line = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
LineOrNone = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")]


def seen(request: HttpRequest, code: str) -> Audit:
    """Return an audit that the caller leads or that is of it."""
    return lookup.audit_seen(caller_of(request).organisation, code)


def led(request: HttpRequest, code: str) -> Audit:
    """Return an audit that the caller leads."""
    return lookup.audit_led(caller_of(request).organisation, code)


def sampled(request: HttpRequest, code: str) -> Audit:
    """Return an audit that the caller leads and whose farms are sampled."""
    return lookup.audit_sampled(caller_of(request).organisation, code)


def of_us(request: HttpRequest, code: str) -> Audit:
    """Return an audit of the caller."""
    return lookup.audit_of_us(caller_of(request).organisation, code)
