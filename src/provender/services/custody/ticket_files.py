"""Uploaded files of tickets: read, entered, and what their columns mean remembered.

What the columns of a layout mean is asked once, and remembered among the organisation's files.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import BoundedSemaphore
from typing import Any, Final

from provender.catalog.places import zones_of
from provender.custody.events.registry import problem_of
from provender.custody.model.event import Event, Status
from provender.custody.model.store_view import Decision
from provender.custody.reconcile.ticket_rows import LeftOut, mark_of, said_of
from provender.database.models.farm import Upload
from provender.formats.columns import target
from provender.formats.parsed import ColumnMap
from provender.problem import Place, Problem, Weight
from provender.services.custody import tickets
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.entry import post_events, read_fields
from provender.services.farm.files import StoredFile, path_of, store_upload
from provender.services.farm.folder import for_page
from provender.services.refused import refusal

READ_AT_ONCE: Final = BoundedSemaphore(4)
"""Files read at the same time, each in the thread of its request: a process of the server has twice as many."""
PATIENCE_SECONDS: Final = 5.0
MOST: Final = 5_000
LEFT_OUT: Final = "loads_left_out"
NAMED: Final = f"columns-of-{tickets.TICKET}-"
"""How the names of stored maps begin."""
LARGEST_MAP: Final = 2**20
"""Bytes: whoever stores files may call any of them so, and a map is read whenever tickets are."""
_REMEDIES: Final = {
    "no_unit": "If it is another one, write it into the heading, such as Net (kg), and upload the file again.",
    "columns_by_position": "Choose below what each column is; the next file of this layout is then read so.",
    "crop": "If the word means one of the three, say so below or in the file; else leave the load out.",
    "weak_match": "Look below at what it was taken for; choose something else if it is not that.",
    "ignored_columns": "No action needed, unless one of them is: choose below what it is.",
    "load_state": "Say below what the word means, or leave the load out.",
    "no_site": "Say below which site the word means, or leave the load out.",
    "day_order": "Look at the days, or say below how they are written.",
}
"""By the code of a problem: what an interface without a choice of units offers instead."""


@dataclass(frozen=True, slots=True)
class TicketsEntered:
    """What became of the tickets of a file."""

    new: int  # how many were entered
    known: int  # how many were there already
    refused: Sequence[Problem]  # what the book refused, and why
    doubts: Sequence[Problem]  # what could not be read of the file, or may be wrong, of what was taken
    left_out: Sequence[LeftOut] = ()  # the loads that were left out, as was confirmed
    # the sites and forms under which the tickets stand, those with most of them first
    places: Sequence[tuple[str, str]] = ()


def tickets_in(
    context: CustodyContext, upload: StoredFile, site: str, saved: Sequence[ColumnMap] | None = None
) -> tickets.TicketFile:
    """Read an uploaded file of tickets, by maps that were confirmed before or by those given.

    Raises:
        RefusedError: others read such files in as many threads as may, so that the rest answer everybody else.
    """
    maps = kept_maps(context) if saved is None else saved
    zones = zones_of(context.organisation.county, context.organisation.state)
    if not READ_AT_ONCE.acquire(timeout=PATIENCE_SECONDS):
        raise refusal("busy", "Other files are being read just now.", "Try again in a minute.")
    try:
        return tickets.read_tickets(
            path_of(upload.sha256), name=upload.name, day=context.today, site=site, saved=maps, zones=zones,
            sites=context.entity.sites,
        )  # fmt: skip
    finally:
        READ_AT_ONCE.release()


def enter_tickets(
    context: CustodyContext, upload: StoredFile, read: tickets.TicketFile, chosen: ColumnMap, leave_out: str = ""
) -> TicketsEntered | list[Problem]:
    """Enter the tickets of a file, each standing or falling by itself, and remember what its columns mean.

    ``leave_out`` is the mark of the loads that somebody saw and leaves out (``ticket_rows.mark_of``).

    Returns:
        What became of them; or, where nothing was entered, the problems of the file: none of its rows makes a ticket,
        one cannot be read, loads would be left out and nobody said so, or there are more than ``MOST``.
    """
    if read.parts and mark_of(read.left_out) != leave_out:
        return [unconfirmed(read, upload), *read.problems]
    with READER.reading() as store:
        parts, beside = tickets.ask_parts(read.parts, store, context.id, upload.name)
        plain = list(tickets.ticket_events(parts, store, context.id, prefix=f"{context.id}-"))
    events = [read_fields(str(each["type"]), {name: each[name] for name in each if name != "type"}) for each in plain]
    unread = [event for event in events if isinstance(event, Decision)]
    if not events or unread or len(events) > MOST:
        return [*read.problems, *beside, *(problem_of(decision, file=upload.name) for decision in unread)]
    keep_map(context, chosen)
    asked = [event for event in events if isinstance(event, Event)]
    decisions = post_events(asked, organisation=context.organisation, actor=context.actor, whole=False)
    with READER.reading() as store:
        refused = [
            problem_of(tickets.explained(decision, each, store), file=str(each["id"]))
            for each, decision in zip(plain, decisions, strict=True)
            if not decision.status.well
        ]
    return TicketsEntered(
        new=sum(decision.status is Status.POSTED for decision in decisions),
        known=sum(decision.status is Status.EXISTS for decision in decisions),
        refused=[*refused, *beside],
        doubts=[problem for problem in told_beside(read) if problem.weight is Weight.ERROR],
        left_out=read.left_out,
        places=_places(context, plain, decisions),
    )


def _places(
    context: CustodyContext, events: Sequence[Mapping[str, Any]], decisions: Sequence[Decision]
) -> list[tuple[str, str]]:
    """Return the sites and forms of the tickets that stand; who has one site need not have named it."""
    only = context.entity.sites[0] if len(context.entity.sites) == 1 else ""
    stand = zip(events, decisions, strict=True)
    found = Counter((str(one.get("site", only)), str(one["form"])) for one, decision in stand if decision.status.well)
    return [place for place, _ in found.most_common()]


def unconfirmed(read: tickets.TicketFile, upload: StoredFile) -> Problem:
    """Return the problem of a file of which loads would be left out, or others than were confirmed."""
    remedy = "Correct them in the file and upload it again, or confirm that they stay out."
    if not read.left_out:
        cause, remedy = "Every load of the file is taken now.", "Look at it again; nothing is to be left out."
    else:
        cause = said_of(read.left_out)
    return Problem(Place(upload.name), cause, remedy, "2100.031(b)", code=LEFT_OUT)


def told_beside(read: tickets.TicketFile) -> list[Problem]:
    """Return the problems of a file that are not of a load which is left out."""
    rows = {one.row for one in read.left_out}
    return [problem for problem in read.problems if problem.place.row not in rows]


def reworded(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems of a file with remedies that fit an upload."""
    return [replace(for_page(each), remedy=_REMEDIES.get(each.code, for_page(each).remedy)) for each in problems]


def map_in(text: str) -> ColumnMap | None:
    """Return the map that a text holds, or None where it is none for files of tickets."""
    try:
        read = ColumnMap.from_text(text)
        fits = read.target == tickets.TICKET and {rule.field for rule in read.columns} <= set(
            target(tickets.TICKET).fields
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return read if fits else None


def kept_maps(context: CustodyContext) -> list[ColumnMap]:
    """Return the maps that people of the organisation confirmed for files of tickets, the latest first."""
    maps = []
    uploads = Upload.objects.filter(organisation=context.organisation, name__startswith=NAMED, size__lte=LARGEST_MAP)
    for upload in uploads.order_by("-id"):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            read = map_in(path_of(upload.sha256).read_text("utf-8"))
            maps += [read] if read and read.confirmed else []
    return maps


def keep_map(context: CustodyContext, confirmed: ColumnMap) -> None:
    """Remember a map under the layout it fits, unless the latest one says the same."""
    fitting = (each for each in kept_maps(context) if each.fingerprint == confirmed.fingerprint)
    latest = next(fitting, None)
    if latest is None or replace(latest, name=confirmed.name) != confirmed:
        name = f"{NAMED}{confirmed.fingerprint}.json"
        # The same bytes under the same name would stay where they are: what was confirmed last has to come last.
        times = Upload.objects.filter(organisation=context.organisation, name=name).count() + 1
        numbered = replace(confirmed, name=f"{tickets.TICKET}, confirmed {times}")
        store_upload(context.organisation, name, numbered.to_text().encode(), actor=context.actor)
