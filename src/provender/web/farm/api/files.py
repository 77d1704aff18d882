"""Files of an organisation, such as evidence: what is stored, their bytes, and storing one more under its hash."""

from base64 import b64decode
from datetime import datetime
from typing import Annotated

from django.http import FileResponse, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import File, Query, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import Field

from provender.database.models import Scope, Upload
from provender.services.farm.uploads import MAX_BYTES, OPAQUE, store_upload
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Handle, OneLine
from provender.web.api.view_schema import file_of
from provender.web.download import stored

router = Router(tags=["files"])


class FileOut(Schema):
    """A stored file. A row of evidence names it by ``name`` and ``sha256``."""

    file: str
    name: str
    sha256: str
    size: int
    media_type: str
    at: datetime


class FileIn(Schema):
    """A file to store: its name, and its bytes in Base64."""

    name: OneLine
    content: Annotated[
        str,
        Field(
            min_length=4,
            pattern=r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$",
            description="Base64. The whole call holds at most 5 MB; a larger file goes through `/files/upload`.",
        ),
    ]


def _file(row: Upload) -> FileOut:
    return FileOut(
        file=row.handle, name=row.name, sha256=row.sha256, size=row.size, media_type=row.media_type, at=row.at
    )


@router.get("/files", response={200: Page[FileOut], **REFUSALS}, auth=Needs(Scope.RECORDS_READ))
def list_files(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the stored files of the organisation."""
    return page_of(Upload.objects.filter(organisation=caller_of(request).organisation), page, _file)


@router.post("/files", response={201: FileOut, **REFUSALS}, auth=Needs(Scope.RECORDS_WRITE, Scope.CUSTODY_WRITE))
def store_file(request: HttpRequest, body: FileIn) -> Status[FileOut]:
    """Store a file under the hash of its bytes."""
    caller = caller_of(request)
    made = store_upload(caller.organisation, body.name, b64decode(body.content), actor=caller.actor)
    return Status(201, _file(made))


@router.post(
    "/files/upload",
    response={201: FileOut, **REFUSALS},
    auth=Needs(Scope.RECORDS_WRITE, Scope.CUSTODY_WRITE),
)
def upload_file(request: HttpRequest, file: File[UploadedFile]) -> Status[FileOut]:
    """Store a file of up to 50 MB, sent as a form sends it, under the hash of its bytes."""
    caller = caller_of(request)
    content = file.read(MAX_BYTES + 1)
    return Status(201, _file(store_upload(caller.organisation, file.name or "file", content, actor=caller.actor)))


@router.get("/files/{file}", response={200: FileOut, **REFUSALS}, auth=Needs(Scope.RECORDS_READ))
def get_file(request: HttpRequest, file: Handle) -> FileOut:
    """Return what is known of a stored file."""
    return _file(get_object_or_404(Upload, organisation=caller_of(request).organisation, handle=file))


@router.get(
    "/files/{file}/content",
    response={200: None, **REFUSALS},
    auth=Needs(Scope.RECORDS_READ),
    openapi_extra=file_of(OPAQUE),
)
def get_file_content(request: HttpRequest, file: Handle) -> FileResponse:
    """Return the bytes of a stored file, as plain bytes whatever they are."""
    found = get_object_or_404(Upload, organisation=caller_of(request).organisation, handle=file)
    return stored(found, media_type=OPAQUE)
