"""Whether a document that somebody sent has the form its readers rely on; anything else is not that document.

Only what the readers walk through is asked for. A form names, for a path of members, the type that must stand there;
``*`` stands for every member of a list, and what is missing or null is let be unless it is asked for.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.quantity import parse

Form = Mapping[str, type]

EVERY: Final = "*"


def fits(document: object, form: Form, asked: tuple[str, ...] = ()) -> bool:
    """Tell whether a document has a form.

    Args:
        document: as read from JSON; anything at all is answered.
        form: type by path, such as ``edition/version`` or ``lines/*``; ``date`` stands for an ISO day.
        asked: paths that must be there and not be null.
    """
    if not isinstance(document, Mapping):
        return False
    there = {path: list(_at(document, path.split("/"))) for path in {*form, *asked}}
    return all(there[path] for path in asked) and all(
        _is(value, kind) for path, kind in form.items() for value in there[path]
    )


def rows_of(value: object) -> list[Mapping[str, Any]]:
    """Return the members of a list that are objects; of anything else, none."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def inside(envelope: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the document in a signed envelope; what is not signed lies bare."""
    inner = envelope.get("document")
    return inner if isinstance(inner, Mapping) else envelope


def scaled(text: object, scale: int) -> int | None:
    """Read a number of a report; None where there is none or it is not readable."""
    try:
        return parse(text, scale) if isinstance(text, str) else None
    except ValueError:
        return None


def _at(value: Any, path: list[str]) -> Iterator[Any]:  # noqa: ANN401 - any JSON
    """Yield what stands at a path; nothing where a step leads nowhere."""
    if not path:
        yield value
    elif path[0] == EVERY:
        for one in value if isinstance(value, list) else ():
            yield from _at(one, path[1:])
    elif isinstance(value, Mapping) and value.get(path[0]) is not None:
        yield from _at(value[path[0]], path[1:])


def _is(value: object, kind: type) -> bool:
    if kind is date:
        return isinstance(value, str) and _day(value)
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
