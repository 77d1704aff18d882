"""As what a party is audited, read from its own package: a farm by its records, a house by its book."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from provender.audit.package.layout import Part, entity_path
from provender.audit.package.write import Header, Subject
from provender.audit.statement.statement import Role
from provender.custody.model.entities import Role as CustodyRole

_OF: Final[Mapping[str, Role]] = {
    CustodyRole.FIRST_POINT: Role.FIRST_POINT,
    CustodyRole.INTERMEDIARY: Role.INTERMEDIARY,
    CustodyRole.REFINER: Role.REFINER,
    CustodyRole.FARM: Role.FARM,
}


def roles_of(header: Header, files: Mapping[str, bytes]) -> tuple[Role, ...]:
    """Return the roles that decide which tasks an audit has, in the order of ``Role``.

    A house has the roles under which it stands in its own book, and is a processor besides where the book processes
    crop (2100.040(d), (e)); a first point where the book says nothing. The farms of a whole audit bring theirs.
    """
    if header.subject is Subject.FARM_REPORT:
        return (Role.FARM,)
    found = set(_in_book(header.audited, files)) or {Role.FIRST_POINT}
    if any(folder.startswith("farms/") for folder in header.parties):
        found.add(Role.FARM)
    return tuple(role for role in Role if role in found)


def _in_book(entity: str, files: Mapping[str, bytes]) -> Iterator[Role]:
    path = entity_path(entity, Part.BOOK)
    for event in _events(files.get(path, b"")):
        if event.get("type") == "process" and event.get("entity") == entity:
            yield Role.PROCESSOR
        if event.get("type") == "entity" and event.get("entity") == entity:
            named = event.get("roles")
            yield from (_OF[str(one)] for one in (named if isinstance(named, list) else ()) if str(one) in _OF)


def _events(book: bytes) -> Iterator[Mapping[str, Any]]:
    for line in book.splitlines():
        if b'"process"' not in line and b'"entity"' not in line:
            continue  # most lines are loads and sales
        try:
            data = json.loads(line)
            event = data.get("event")
        except (ValueError, AttributeError):
            continue
        if isinstance(event, dict):
            yield event
