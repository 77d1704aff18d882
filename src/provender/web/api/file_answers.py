"""Answers that are a file: how a call tells its media types in the description."""

from typing import Any


def file_of(*media_types: str) -> dict[str, Any]:
    """Return, as ``openapi_extra`` of a call with ``response={200: None, ...}``, that its answer is a file."""
    content = {one: {"schema": {"type": "string", "format": "binary"}} for one in media_types}
    return {"responses": {200: {"content": content}}}
