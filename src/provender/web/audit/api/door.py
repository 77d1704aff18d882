"""What the calls of audits share: scopes, the parts of their addresses, texts, and audits of whoever calls."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from django.http import HttpRequest
from ninja import Path
from pydantic import Field

from provender.database.choices import Scope
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


Found = TypeVar("Found")


def _of_caller(find: Callable[[Any, str], Found]) -> Callable[[HttpRequest, str], Found]:
    """Make what finds an audit of an organisation find one of whoever calls."""
    return lambda request, code: find(caller_of(request).organisation, code)


seen = _of_caller(lookup.audit_seen)
led = _of_caller(lookup.audit_led)
sampled = _of_caller(lookup.audit_sampled)
of_us = _of_caller(lookup.audit_of_us)
to_answer = _of_caller(lookup.audit_to_answer)
with_findings = _of_caller(lookup.audit_with_findings)
