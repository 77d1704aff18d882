"""Keeping what settlements said against the tickets, so that the next file is not the only one remembered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from provender.custody.reconcile.ticket_rows import Held
from provender.database.actor import Actor, write_log
from provender.database.models import Organisation, SettlementComparison
from provender.quantity import parse, show
from provender.services.accounts.access import owned
from provender.services.farm.uploads import StoredFile, upload_of


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a file of settlements said against the grain book.

    Attributes:
        handle: its code.
        file: the name of the file.
        at: when it was compared.
        actor: who did it; empty for nobody.
        agree: how many tickets agree.
        off: how many are to be looked at.
        held: the tickets, as they were found; empty in a list.
    """

    handle: str
    file: str
    at: datetime
    actor: str
    agree: int
    off: int
    held: tuple[Held, ...] = ()


@transaction.atomic
def keep_comparison(
    organisation: Organisation, upload: StoredFile, held: Sequence[Held], *, actor: Actor
) -> Comparison:
    """Keep what a file of settlements said against the grain book of its organisation."""
    off = sum(not one.agrees for one in held)
    row = SettlementComparison.objects.create(
        organisation=organisation,
        upload=upload_of(organisation, upload.handle),
        agree=len(held) - off,
        off=off,
        found=[
            {
                "ticket": one.ticket,
                "settlements": list(one.settlements),
                "applied": show(one.applied),
                "net": None if one.net is None else show(one.net),
            }
            for one in held
        ],
        at=timezone.now(),
        actor=actor.person,
    )
    new = {"agree": row.agree, "to look at": row.off}
    write_log(actor, "compare settlements", organisation=organisation, about=upload.name, new=new)
    return _comparison(row, whole=True)


def comparison_of(organisation: Organisation, handle: str) -> Comparison:
    """Return a comparison as it was found; MissingError where the organisation has no such one."""
    return _comparison(owned(organisation, SettlementComparison, handle=handle), whole=True)


def comparisons(organisation: Organisation) -> list[Comparison]:
    """Return what was compared before, newest first."""
    kept = SettlementComparison.objects.filter(organisation=organisation)
    return [_comparison(row, whole=False) for row in kept.select_related("upload", "actor")]


def _comparison(row: SettlementComparison, *, whole: bool) -> Comparison:
    held = tuple(_held_in(row)) if whole else ()
    return Comparison(row.handle, row.upload.name, row.at, str(row.actor or ""), row.agree, row.off, held)


def _held_in(row: SettlementComparison) -> list[Held]:
    return [
        Held(
            one["ticket"],
            parse(one["applied"]),
            None if one["net"] is None else parse(one["net"]),
            tuple(one["settlements"]),
        )
        for one in row.found
    ]
