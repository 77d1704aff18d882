"""Keeping what settlements said against the tickets, so that the next file is not the only one remembered."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from provender.custody.reconcile.ticket_rows import Held
from provender.database.actor import Actor, write_log
from provender.database.models import SettlementComparison, Upload
from provender.quantity import parse, show


@transaction.atomic
def keep_comparison(upload: Upload, held: Sequence[Held], *, actor: Actor) -> SettlementComparison:
    """Keep what a file of settlements said against the grain book of its organisation."""
    off = sum(not one.agrees for one in held)
    row = SettlementComparison.objects.create(
        organisation=upload.organisation,
        upload=upload,
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
    write_log(actor, "compare settlements", organisation=upload.organisation, about=upload.name, new=new)
    return row


def held_in(row: SettlementComparison) -> list[Held]:
    """Return what a comparison found, as it was found."""
    return [
        Held(
            one["ticket"],
            parse(one["applied"]),
            None if one["net"] is None else parse(one["net"]),
            tuple(one["settlements"]),
        )
        for one in row.found
    ]
