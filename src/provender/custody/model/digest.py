"""The hash of an event's content: equal for every layout of the same content."""

from provender.custody.model.event import Event
from provender.plain import infos, write
from provender.signing.canonical import canonical_json
from provender.signing.hashes import document_hash, sha256_hex


def plain_event(request: Event) -> dict[str, object]:
    """Return an event as the JSON object that ``read_event`` reads, in the order of its fields, defaults left out."""
    plain = write(request)
    return {"type": request.type, **{name: plain[name] for name in infos(type(request)) if name in plain}}


def digest_of(request: Event) -> str:
    """Return the SHA-256 of an event; who entered it is no part of its content."""
    plain = plain_event(request)
    plain.pop("actor", None)
    return document_hash(plain)


def written(request: Event) -> tuple[str, str]:
    """Return an event in canonical JSON, as a store keeps it, and its digest."""
    text = canonical_json(plain_event(request))
    return text.decode(), digest_of(request) if request.actor else sha256_hex(text)
