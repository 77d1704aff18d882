"""Handing a stored file back."""

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.database.models import Upload
from provender.web.access import Access, PersonRequest, access_owned, of_organisation
from provender.web.download import stored


@require_GET
@of_organisation("read")
def stored_file(request: PersonRequest, access: Access, file: str) -> HttpResponseBase:
    """Send a stored file.

    Raises:
        Http404: the organisation has no such file, or its bytes are gone.
    """
    return stored(access_owned(access, Upload, handle=file))
