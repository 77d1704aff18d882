"""Access to audits for people: the verifier's side and the audited party's side."""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.http import HttpRequest, HttpResponseBase

from provender.database.choices import Area
from provender.services.accounts.access import Access
from provender.services.audits import programme
from provender.services.audits.programme import AuditAccess
from provender.web.access import PersonRequest, of_organisation

PAGES: Final = {
    "Engagement": "audit_engagement",
    "Farm sample": "audit_sample",
    "Work program": "audit_work",
    "Packages and recomputation": "audit_package",
    "Findings": "audit_findings",
    "Statement": "audit_statement",
}
"""By the step of an audit, and what is missing of one: its page."""
Rest = ParamSpec("Rest")
Page = Callable[Concatenate[PersonRequest, AuditAccess, Rest], HttpResponseBase]


def _of_audit(
    find: Callable[[Any, str], Any], areas: Collection[Area] = ()
) -> Callable[[Page[Rest]], Callable[..., HttpResponseBase]]:
    """Make a view of one audit: it is called with the access instead of the codes in the address."""

    def decorate(page: Page[Rest]) -> Callable[..., HttpResponseBase]:
        @of_organisation("read", areas=areas)
        @wraps(page)
        def view(
            request: PersonRequest, access: Access, /, audit: str, *args: Rest.args, **kwargs: Rest.kwargs
        ) -> HttpResponseBase:
            return page(request, programme.at_audit(access, find(access.organisation, audit)), *args, **kwargs)

        return view

    return decorate


at_audit_led = _of_audit(programme.audit_led)
at_audit_sampled = _of_audit(programme.audit_sampled)
at_audit_to_answer = _of_audit(programme.audit_to_answer, (Area.AUDITS,))
at_audit_of_us = _of_audit(programme.audit_of_us, (Area.AUDITS,))


def view_of(request: HttpRequest) -> str:
    """Return the name of the view that is asked, as it stands in the logs of those who are looked at."""
    match = request.resolver_match
    return match.view_name if match else ""
