"""Files of an organisation, such as evidence: what is stored, their bytes, and storing one more under its hash."""

from base64 import b64decode
from collections.abc import Callable
from typing import Annotated, Any

from django.http import FileResponse, HttpRequest
from ninja import File, Query, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import Field
from pydantic_core import CoreSchema

from provender.services.farm.uploads import MAX_BYTES, OPAQUE, store_upload, upload_of
from provender.services.farm.views import FileView, file_view, files_of
from provender.web.api.auth import FILES_WRITE, RECORDS_READ, caller_of
from provender.web.api.pages import PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Handle, OneLine
from provender.web.api.view_schema import file_of, page_of_schema, schema_of
from provender.web.download import stored

router = Router(tags=["files"])
FILE = schema_of(FileView, name="FileOut")


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


class SentFile(UploadedFile):
    """A file sent as a form sends it. An empty one is refused, and the description says so."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: Callable[..., Any]) -> dict[str, Any]:
        return {**super().__get_pydantic_json_schema__(core_schema, handler), "minLength": 1}


@router.get("/files", response={200: page_of_schema(FILE), **REFUSALS}, auth=RECORDS_READ)
def list_files(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the stored files of the organization."""
    return page_of(files_of(caller_of(request).organisation), page, file_view)


@router.post("/files", response={201: FILE, **REFUSALS}, auth=FILES_WRITE)
def store_file(request: HttpRequest, body: FileIn) -> Status[FileView]:
    """Store a file under the hash of its bytes."""
    caller = caller_of(request)
    made = store_upload(caller.organisation, body.name, b64decode(body.content), actor=caller.actor)
    return Status(201, file_view(made))


@router.post(
    "/files/upload",
    response={201: FILE, **REFUSALS},
    auth=FILES_WRITE,
)
def upload_file(request: HttpRequest, file: File[SentFile]) -> Status[FileView]:
    """Store a file of up to 50 MB, sent as a form sends it, under the hash of its bytes."""
    caller = caller_of(request)
    content = file.read(MAX_BYTES + 1)
    return Status(201, file_view(store_upload(caller.organisation, file.name or "file", content, actor=caller.actor)))


@router.get("/files/{file}", response={200: FILE, **REFUSALS}, auth=RECORDS_READ)
def get_file(request: HttpRequest, file: Handle) -> FileView:
    """Return what is known of a stored file."""
    return file_view(upload_of(caller_of(request).organisation, file))


@router.get(
    "/files/{file}/content",
    response={200: None, **REFUSALS},
    auth=RECORDS_READ,
    openapi_extra=file_of(OPAQUE),
)
def get_file_content(request: HttpRequest, file: Handle) -> FileResponse:
    """Return the bytes of a stored file, as plain bytes whatever they are."""
    found = upload_of(caller_of(request).organisation, file)
    return stored(found, media_type=OPAQUE)
