"""One package that was asked for: how far it is, what became of it, and the file."""

from django.http import FileResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from provender.database.store.audits import data_of
from provender.services.background import Progress
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.door import audit_led, view_of
from provender.web.audit.package_progress import PackageState, asked_for, do_take_away, standing_of


@require_GET
@of_organisation("read")
def audit_package_work(request: PersonRequest, access: Access, audit: str, number: int) -> HttpResponseBase:
    """Show how far a package is; then its result, its file, or why there is none."""
    found = audit_led(access, audit)
    one = standing_of(asked_for(found, number))
    if one.answer is not None and one.state is PackageState.RECOMPUTED:
        return redirect("audit_result", access.organisation.handle, found.handle, one.answer.number)
    context = {
        "audit": found,
        "asked": one.asked,
        "said": data_of(one.asked),
        "closed": one.state is PackageState.CLOSED,
        "progress": one.progress,
        "made": data_of(one.answer) if one.answer else None,
        "there": one.there,
    }
    return render(request, "audit/package_work.html", context)


@require_GET
@of_organisation("read")
def audit_package_progress(request: PersonRequest, access: Access, audit: str, number: int) -> HttpResponseBase:
    """Answer how far a package is, as a part of its page; when it is done or lost, tell the page to load anew."""
    found = audit_led(access, audit)
    one = standing_of(asked_for(found, number))
    context = {"audit": found, "asked": one.asked, "progress": one.progress or Progress()}
    response = render(request, "audit/package_progress.html", context)
    if one.state is not PackageState.AT_WORK:
        response.headers["HX-Refresh"] = "true"
    return response


@require_GET
@of_organisation("read")
def audit_package_file(request: PersonRequest, access: Access, audit: str, number: int) -> HttpResponseBase:
    """Give the package as a zip, to whom the party lets in today."""
    found = audit_led(access, audit)
    path = do_take_away(found, number, view_of(request), actor=access.actor)
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="application/zip")
