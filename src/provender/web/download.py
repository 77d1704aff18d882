"""Handing stored files back, to pages and to programs: always as a download, never as something a browser would run."""

from django.http import FileResponse, Http404

from provender.database.models import Upload
from provender.services.farm.uploads import path_of


def stored(upload: Upload, *, media_type: str = "") -> FileResponse:
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
