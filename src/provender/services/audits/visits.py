"""A verifier's visit into the records of a party: only as long as the party lets it in, and never unseen."""

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied

from provender.database.actor import Actor
from provender.database.models import Audit, Organisation, ReadGrant
from provender.database.store.audits import open_grant
from provender.services.accounts.grants import log_look
from provender.services.audits.audits import today


def record_visit(audit: Audit, parties: Iterable[Organisation], what: str, *, actor: Actor) -> list[ReadGrant]:
    """Enter the records of parties, and leave a line in the log of each of them.

    Args:
        audit: for which audit.
        parties: the audited party, drawn farms.
        what: what is looked at, as their logs say it.
        actor: who looks.

    Raises:
        PermissionDenied: one of them does not let the verifier in today; then nothing is written.
    """
    found = []
    for party in parties:
        grant = open_grant(audit.verifier, party, today())
        if grant is None:
            raise PermissionDenied(f"{party} does not let you read today.")
        found.append(grant)
    for grant in found:
        log_look(grant, what, actor=actor)
    return found
