"""What the pages of an organisation's signing key share: the key made in the browser, taken in, and listed."""

from typing import Any

from django.contrib import messages

from provender.database.actor import today
from provender.services.key_holders import may_replace
from provender.services.organisation_keys import Key, Ring
from provender.signing.keys import PublicKey
from provender.web.access import Access, PersonRequest
from provender.web.signing_json import asked, text_of
from provender.web.tables import Cell, Column, Table, moment


def sealed_key(access: Access, ring: Ring[Key]) -> dict[str, Any]:
    """Return the key in use that lies sealed for whoever looks, for a page that signs; nothing where it does not."""
    own = ring.held_by(access.person, access.organisation) if access.may_sign else None
    return {"own": own, "own_jwk": PublicKey.from_jwk(own.public).jwk if own else None}


def key_context(access: Access, ring: Ring[Key]) -> dict[str, Any]:
    """Return what the form needs in which a key is made or replaced."""
    held = ring.in_use(access.organisation)
    may = access.may_sign and (held is None or may_replace(access.organisation, access.person, held.actor))
    known = {"held": held, "may_replace": may, "today": today().isoformat(), "signer": ring.signer}
    return known | sealed_key(access, ring)


def register_here(
    request: PersonRequest, access: Access, ring: Ring[Key], *, address: str, told: str
) -> dict[str, Any]:
    """Register the key that the page made and sealed, and say so.

    Args:
        request: what the signing script sent.
        access: the open door.
        ring: the keys of this kind of signer.
        address: of the page, to which the browser goes then.
        told: who is to know, said behind the letters and digits of the key.
    """
    found = asked(request)
    made = ring.register_sealed(
        access.organisation, sealed=found.get("sealed"), statement=found.get("statement"),
        lost=text_of(found, "lost") == "yes", today=today(), actor=access.actor,
    )  # fmt: skip
    say_registered(request, made.public, told)
    return {"location": address, "fingerprint": made.fingerprint}


def say_registered(request: PersonRequest, public: dict[str, Any], told: str) -> None:
    """Tell whoever looks that a key is registered, and who is to know."""
    messages.success(request, f"The key {PublicKey.from_jwk(public).short} is registered. {told}")


def keys_table(access: Access, ring: Ring[Key], *, empty: str) -> Table:
    """Return the keys of an organisation, newest first."""
    columns = [Column("Key"), Column("Registered"), Column("By"), Column("How"), Column("Private half"), Column("Now")]
    rows: list[list[Cell]] = []
    for one in ring.of(access.organisation):
        how = "Rotation signed by the key before" if one.statement else one.reason or "First key"
        day = Cell(moment(one.at))
        short = Cell(PublicKey.from_jwk(one.public).short, saved=one.fingerprint)
        where = Cell(f"sealed here for {one.actor}" if one.sealed else "on the holder's machine")
        rows.append([short, day, Cell(str(one.actor)), Cell(how), where, Cell("replaced" if rows else "signs")])
    return Table("keys", columns, rows, empty=empty)
