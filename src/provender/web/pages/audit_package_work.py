"""One package that was asked for: how far it is, what became of it, and the file."""

from django.http import FileResponse, Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from provender.database.audits import data_of, statement_of
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.packages.start import answer_to, package_file, progress, take_in
from provender.web.pages.audit_door import audit_led, entry_of
from provender.web.pages.audit_package import visit_all


def _asked(audit: Audit, number: int) -> AuditEntry:
    """Return what was asked for.

    Raises:
        Http404: nothing was, under this number.
    """
    found = entry_of(audit, EntryKind.ASKED, number)
    if "what" not in data_of(found):
        raise Http404
    return found


def _answer(audit: Audit, asked: AuditEntry) -> AuditEntry | None:
    """Return what became of it; an audit that was closed meanwhile takes nothing in any more."""
    return answer_to(asked) if statement_of(audit) else take_in(asked)


@require_GET
@of_organisation("read")
def audit_package_work(request: PersonRequest, access: Access, audit: str, number: int) -> HttpResponseBase:
    """Show how far a package is; then its result, its file, or why there is none."""
    found = audit_led(access, audit)
    asked = _asked(found, number)
    answer = _answer(found, asked)
    if answer is not None and answer.kind == EntryKind.RESULT:
        return redirect("audit_result", access.organisation.handle, found.handle, answer.number)
    context = {
        "audit": found,
        "asked": asked,
        "said": data_of(asked),
        "closed": answer is None and statement_of(found) is not None,
        "progress": None if answer else progress(asked),
        "made": data_of(answer) if answer else None,
        "there": package_file(asked) is not None,
    }
    return render(request, "audit/package_work.html", context)


@require_GET
@of_organisation("read")
def audit_package_progress(request: PersonRequest, access: Access, audit: str, number: int) -> HttpResponseBase:
    """Answer how far a package is, as a part of its page; when it is done or lost, tell the page to load anew."""
    found = audit_led(access, audit)
    asked = _asked(found, number)
    answer, far = _answer(found, asked), progress(asked)
    response = render(request, "audit/package_progress.html", {"audit": found, "asked": asked, "progress": far})
    if far.lost or answer is not None:
        response.headers["HX-Refresh"] = "true"
    return response


@require_GET
@of_organisation("read")
def audit_package_file(request: PersonRequest, access: Access, audit: str, number: int) -> HttpResponseBase:
    """Give the package as a zip, to whom the party lets in today.

    Raises:
        Http404: it is not made, or no longer kept.
    """
    found = audit_led(access, audit)
    asked = _asked(found, number)
    answer, path = answer_to(asked), package_file(asked)
    if answer is None or answer.kind != EntryKind.PACKAGE or path is None:
        raise Http404
    visit_all(request, access, found, data_of(asked)["what"])
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="application/zip")
