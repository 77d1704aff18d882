"""What an organisation entered before, for whoever enters the next of its kind: what is likely to be the same again."""

from dataclasses import fields
from enum import StrEnum
from typing import Final, NamedTuple

from provender.custody.model.digest import plain_event
from provender.custody.model.event import Event
from provender.database.store.custody_lists import entered_lately
from provender.plain import infos
from provender.services.custody.context import CustodyContext
from provender.wire import types_of

MOST: Final = 3
PARTIES: Final = frozenset({"partners", "buyers"})
SAME: Final = PARTIES | {"sites", "forms", "crops"}
"""Choices that are likely to be made again; a slip or a purchase that waits is one of its own."""


class Before(NamedTuple):
    """An entry that a new one may begin with: its id, and what it is called."""

    key: str
    called: str


def events_to_begin_with(context: CustodyContext, cls: type[Event]) -> list[Before]:
    """Return the entries made last on these pages that differ in what a new one would take from them."""
    found: dict[tuple[str, ...], Before] = {}
    for event in entered_lately(cls.type, _start(context, cls)):
        taken = _taken(event)
        if taken:
            said = infos(cls)
            order = sorted(taken, key=lambda name: said[name].choices not in PARTIES)
            named = ", ".join(
                context.named(taken[name]) if said[name].choices in PARTIES else taken[name].replace("_", " ")
                for name in order
            )
            found.setdefault(tuple(taken.values()), Before(event.id, f"{named} ({event.day})"))
        if len(found) == MOST:
            break
    return list(found.values())


def as_last_time(context: CustodyContext, cls: type[Event], key: str) -> dict[str, str]:
    """Return what a new entry takes from one of the organisation's own: whom, what, where; no amount, no paper."""
    if not key.startswith(_start(context, cls)):
        return {}
    event = next((one for one in entered_lately(cls.type, _start(context, cls)) if one.id == key), None)
    return _taken(event) if event else {}


def _start(context: CustodyContext, cls: type[Event]) -> str:
    """Return how the ids begin that these pages give to entries of a type."""
    return f"{context.organisation.handle}-{cls.type.replace('_', '-')}-"


def _taken(event: Event) -> dict[str, str]:
    """Return what was chosen in an event and is left at no default."""
    cls, plain = type(event), plain_event(event)
    own = cls.entered_by()
    kinds = types_of(cls)
    return {
        each.name: str(plain[each.name])
        for each in fields(cls)
        if each.name in plain and each.name != own and isinstance(plain[each.name], str) and plain[each.name]
        and (infos(cls)[each.name].choices in SAME or _is_word(kinds[each.name]))
    }  # fmt: skip


def _is_word(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)
