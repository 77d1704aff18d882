"""Answers that are a file: how a call tells its media types in the description, and how the file is given."""

from typing import Any

from django.http import HttpResponse


def file_of(*media_types: str) -> dict[str, Any]:
    """Return, as ``openapi_extra`` of a call with ``response={200: None, ...}``, that its answer is a file."""
    content = {one: {"schema": {"type": "string", "format": "binary"}} for one in media_types}
    return {"responses": {200: {"content": content}}}


def file_answer(content: bytes, media_type: str, name: str) -> HttpResponse:
    """Return a file under a name; the name holds no quotation marks."""
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
