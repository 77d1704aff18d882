"""One package that was asked for: how far it is, what became of it, and the file."""

from django.http import FileResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from provender.database.models import Audit
from provender.database.store.audits import data_of
from provender.services.audits.package_requests import PackageState, asked_for, standing_of, take_away
from provender.services.background import Progress
from provender.web.access import Access, PersonRequest
from provender.web.audit.door import at_audit_led, view_of


@require_GET
@at_audit_led
def audit_package_work(request: PersonRequest, access: Access, audit: Audit, number: int) -> HttpResponseBase:
    """Show how far a package is; then its result, its file, or why there is nstanding."""
    standing = standing_of(asked_for(audit, number))
    if standing.answer is not None and standing.state is PackageState.RECOMPUTED:
        return redirect("audit_result", access.organisation.handle, audit.handle, standing.answer.number)
    context = {
        "audit": audit,
        "asked": standing.asked,
        "said": data_of(standing.asked),
        "closed": standing.state is PackageState.CLOSED,
        "progress": standing.progress,
        "made": data_of(standing.answer) if standing.answer else None,
        "there": standing.there,
    }
    return render(request, "audit/package_work.html", context)


@require_GET
@at_audit_led
def audit_package_progress(request: PersonRequest, access: Access, audit: Audit, number: int) -> HttpResponseBase:
    """Answer how far a package is, as a part of its page; when it is done or lost, tell the page to load anew."""
    standing = standing_of(asked_for(audit, number))
    context = {"audit": audit, "asked": standing.asked, "progress": standing.progress or Progress()}
    response = render(request, "audit/package_progress.html", context)
    if standing.state is not PackageState.AT_WORK:
        response.headers["HX-Refresh"] = "true"
    return response


@require_GET
@at_audit_led
def audit_package_file(request: PersonRequest, access: Access, audit: Audit, number: int) -> HttpResponseBase:
    """Give the package as a zip, to whom the party lets in today."""
    path = take_away(audit, number, view_of(request), actor=access.actor)
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="application/zip")
