"""Handing files over, to pages and to programs: always as a download, never as something a browser would run."""

from typing import Final

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET

from provender.database.choices import Area
from provender.services.farm.uploads import StoredFile, path_of, upload_of
from provender.services.imports.evidence import check_is_evidence
from provender.web.access import Access, PersonRequest, of_organisation

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PDF: Final = "application/pdf"
JSON: Final = "application/json"
ZIP: Final = "application/zip"


def download(content: bytes | str, media_type: str, name: str) -> HttpResponse:
    """Return a file under a name; the name holds no quotation marks."""
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def stored(upload: StoredFile, *, media_type: str = "") -> FileResponse:
    """Send the bytes of a stored file.

    Args:
        upload: which.
        media_type: to say instead of the type that the bytes show.

    Raises:
        Http404: its bytes are gone.
    """
    path = path_of(upload.sha256)
    if not path.is_file():
        raise Http404
    response = FileResponse(
        path.open("rb"), as_attachment=True, filename=upload.name, content_type=media_type or upload.media_type
    )
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def stored_file(request: PersonRequest, access: Access, file: str) -> HttpResponseBase:
    """Send a stored file.

    Raises:
        Http404: the organisation has no such file, its bytes are gone, or it is no evidence and a reviewer asks.
    """
    if access.review is not None:
        check_is_evidence(access.organisation, file)
    return stored(upload_of(access.organisation, file))
