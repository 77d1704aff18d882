"""The hash of an event's content: equal for every layout of the same content."""

from provender.custody.requests import Request, write_object
from provender.signing.hashes import document_hash


def plain_event(request: Request) -> dict[str, object]:
    """Return an event as the JSON object that ``read_event`` reads, defaults left out."""
    return {"type": request.type, **write_object(request)}


def digest_of(request: Request) -> str:
    """Return the SHA-256 of an event; who entered it is no part of its content."""
    plain = plain_event(request)
    plain.pop("actor", None)
    return document_hash(plain)
