"""Handing a stored file back: always as a download, never as something a browser would run."""

from django.http import FileResponse, Http404, HttpResponseBase
from django.views.decorators.http import require_GET

from provender.database.deeds.uploads import path_of
from provender.database.models import Upload
from provender.web.access import Access, PersonRequest, access_owned, of_organisation


@require_GET
@of_organisation("read")
def stored_file(request: PersonRequest, access: Access, file: str) -> HttpResponseBase:
    """Send a stored file.

    Raises:
        Http404: the organisation has no such file, or its bytes are gone.
    """
    upload = access_owned(access, Upload, handle=file)
    path = path_of(upload.sha256)
    if not path.is_file():
        raise Http404
    response = FileResponse(path.open("rb"), as_attachment=True, filename=upload.name, content_type=upload.media_type)
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
