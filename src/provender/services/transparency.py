"""The server's transparency log: what was signed stands in it from the moment it is kept, and nothing leaves it.

Whoever holds one signed head, on paper if need be, can tell later whether a report, slip, statement or closing was
exchanged. The heads are signed by the operator at a command: a server that could sign them could sign a second log.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from django.db import connections, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from provender.audit.package.layout import LOG_PROOF
from provender.database.actor import Actor, write_log
from provender.database.models.accounts import Organisation
from provender.database.models.farm import LogHeadSigned, LogLeaf
from provender.database.store.custody import ALONE
from provender.schema import field, view
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json
from provender.signing.jws import Status, check
from provender.signing.transparency import HEAD, LogHead, LogTree, mark_of
from provender.whole_file import write_whole

_CITE: Final = "2100.030(d)"
Leaf = LogLeaf
"""A document in the log, as a page shows it."""
_APPENDING: Final = 2100_031
"""The number of the advisory lock under which places are given."""
_EARLIER: Final = 12
"""Signed heads before the newest out of which a proof in a package shows the log to have grown; others by the API."""

_PAPERS: Final = ("documents", "statements", "reports")
"""Folders of a package in the making in which signed documents lie."""


@view
class LogState:
    """How large the log is, and what was signed of it last."""

    documents: int = field("Documents", help="Documents that stand in the log.")
    log: str = field("Log", help="What the log calls itself in its signed head; empty before the first.")
    signed: int = field("Signed", help="Documents under the newest signed head; later ones wait for the next.")
    signed_on: date | None = field("Signed on", help="The day of the newest signed head.")
    root: str = field("Root", help="The root of the newest signed head, 64 hexadecimal digits.")
    key: str = field("Key", help="Fingerprint of the key that signed it; compare it with what the operator gave out.")


def append(
    organisation: Organisation, kind: str, about: str, envelope: Mapping[str, object], *, using: str = "default"
) -> None:
    """Enter a signed document, once. Call it last in the transaction that keeps it: all others wait for its end."""
    connection, leaves = connections[using], LogLeaf.objects.using(using)
    mark = mark_of(canonical_json(dict(envelope)))
    with transaction.atomic(using=using):
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(ALONE, [_APPENDING])
        last = leaves.aggregate(last=Max("number"))["last"]
        if not leaves.filter(mark=mark).exists():
            leaves.create(
                number=0 if last is None else last + 1,
                mark=mark,
                organisation=organisation,
                kind=kind[:60],
                about=about[:200],
                at=timezone.now(),
            )


def leaves_of(organisation: Organisation) -> QuerySet[LogLeaf]:
    """Return the documents of an organisation in the log, newest first."""
    return LogLeaf.objects.filter(organisation=organisation).order_by("-number")


def tree() -> LogTree:
    return LogTree(list(LogLeaf.objects.order_by("number").values_list("mark", flat=True)))


def state() -> LogState:
    """Return how large the log is, and its newest signed head."""
    newest = LogHeadSigned.objects.first()
    if newest is None:
        return LogState(documents=LogLeaf.objects.count(), log="", signed=0, signed_on=None, root="", key="")
    head = _read(newest)
    return LogState(
        documents=LogLeaf.objects.count(),
        log=head.log,
        signed=head.size,
        signed_on=head.on,
        root=head.root,
        key=newest.fingerprint,
    )


def _read(kept: LogHeadSigned) -> LogHead:
    return LogHead.read(json.loads(kept.text)["document"], "head")


def head_to_sign(name: str, day: date) -> LogHead:
    """Return the head of the log as it is, for its operator to sign.

    Raises:
        RefusedError: nothing stands in the log, or it calls itself otherwise.
    """
    found, newest = tree(), LogHeadSigned.objects.first()
    if not found.marks:
        raise refusal("empty_log", "Nothing was signed on this server yet.", "Sign a head later.", cite=_CITE)
    log = name or (_read(newest).log if newest else "")
    if not log.strip() or (newest is not None and _read(newest).log != log):
        cause = f"The log calls itself {_read(newest).log}." if newest else "The log has no name yet."
        raise refusal("log_name", cause, "Give its name (--name), the same each time.", cite=_CITE)
    return found.head(log, day)


@transaction.atomic
def keep_head(envelope: Mapping[str, object], *, actor: Actor) -> LogHeadSigned:
    """Keep a signed head, if it is one of this log.

    Raises:
        ProblemsError: it is no head; RefusedError: its signature does not fit, or it is of another log.
    """
    checked = check(envelope, {}, typ=HEAD)
    head = LogHead.read(envelope.get("document"), "head")
    if checked.status is not Status.SIGNER_UNKNOWN or not tree().begins_with(head):
        raise refusal("other_log", "This is no signed head of this log.", "Sign the head again.", cite=_CITE)
    known = LogHeadSigned.objects.filter(size=head.size).first()
    if known is not None:
        return known
    text = canonical_json(dict(envelope)).decode()
    made = LogHeadSigned.objects.create(size=head.size, text=text, fingerprint=checked.kid, at=timezone.now())
    write_log(actor, "sign head of the log", organisation=None, about=f"{head.size} documents", new={"root": head.root})
    return made


def signed_head() -> dict[str, Any]:
    """Return the newest signed head.

    Raises:
        RefusedError: none was signed yet.
    """
    newest = LogHeadSigned.objects.first()
    if newest is None:
        remedy = "Ask who runs this server to sign one (`provender log sign`)."
        raise refusal("no_head", "No head of this log was signed yet.", remedy, cite=_CITE)
    found: dict[str, Any] = json.loads(newest.text)
    return found


def proof(mark: str, since: Iterable[int] = ()) -> dict[str, Any]:
    """Return the proof of a document under the newest signed head.

    Args:
        mark: hash of the document as it stands in the log.
        since: sizes of heads that the reader holds.

    Raises:
        ProblemsError: no head is signed, or the document is not under it.
    """
    return tree().prove(mark, signed_head(), {*since} or _earlier())


def growth(since: Iterable[int]) -> dict[str, Any]:
    """Return the newest signed head with what shows that it grew out of heads of these sizes; errors as ``proof``."""
    head = signed_head()
    size = LogHead.read(head["document"], "head").size
    return {"head": head, "grew_from": tree().growth(size, [one for one in since if one <= size])}


def _earlier() -> list[int]:
    return list(LogHeadSigned.objects.values_list("size", flat=True)[1 : _EARLIER + 1])


def write_proofs(folder: Path) -> None:
    """Lay beside each document in a folder the proof that it stands in the log, where a signed head covers it."""
    newest = LogHeadSigned.objects.first()
    if newest is None:
        return
    found, head, earlier = tree(), json.loads(newest.text), _earlier()
    for path in sorted(one for name in _PAPERS for one in folder.rglob(f"{name}/*.json")):
        mark = mark_of(path.read_bytes())
        if found.holds(mark, newest.size):
            write_whole(path.with_name(path.name + LOG_PROOF), canonical_json(found.prove(mark, head, earlier)))
