"""What became of the packages of an audit: how far each is, and the file of one that was made."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.http import Http404

from provender.database.actor import Actor
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.database.store.audits import data_of, entries, statement_of
from provender.services.audits.package_asked import record_visits
from provender.services.audits.packages import answer_to, package_file, progress, record_package
from provender.services.background import Progress
from provender.web.audit.door import entry_of


class PackageState(StrEnum):
    """How a package stands that was asked for."""

    AT_WORK = "at work"
    STOPPED = "stopped"
    """The process is gone without an answer: ask for the package once more."""
    CLOSED = "closed"
    """The statement was signed before it was ready, so it was not entered any more."""
    NOT_POSSIBLE = "not possible"
    MADE = "made"
    RECOMPUTED = "recomputed"


_ANSWERED = {
    EntryKind.ASKED: PackageState.NOT_POSSIBLE,
    EntryKind.PACKAGE: PackageState.MADE,
    EntryKind.RESULT: PackageState.RECOMPUTED,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """A package that was asked for.

    Attributes:
        asked: what was asked for.
        answer: the entry that says what became of it; None while nothing did.
        state: how it stands.
        progress: how far it is; None once it is answered.
        there: its file can be downloaded.
    """

    asked: AuditEntry
    answer: AuditEntry | None
    state: PackageState
    progress: Progress | None
    there: bool


def standing_of(asked: AuditEntry) -> Standing:
    """Enter what is ready in an open audit, and return how a package stands."""
    closed = statement_of(asked.audit) is not None
    answer = answer_to(asked) if closed else record_package(asked)
    there = package_file(asked) is not None
    if answer is not None:
        return Standing(asked, answer, _ANSWERED[EntryKind(answer.kind)], None, there)
    far = progress(asked)
    state = PackageState.CLOSED if closed else PackageState.STOPPED if far.lost else PackageState.AT_WORK
    return Standing(asked, None, state, far, there)


def standings_of(audit: Audit) -> list[Standing]:
    """Enter whatever is ready in an open audit, and return every package asked for, the last one first."""
    return [standing_of(one) for one in reversed(_asked(entries(audit, EntryKind.ASKED)))]


def _asked(found: Iterable[AuditEntry]) -> list[AuditEntry]:
    """Leave out the entries that say why a package is not possible."""
    return [one for one in found if "what" in data_of(one)]


def asked_for(audit: Audit, number: int) -> AuditEntry:
    """Return what was asked for.

    Raises:
        Http404: nothing was, under this number.
    """
    found = entry_of(audit, EntryKind.ASKED, number)
    if not _asked([found]):
        raise Http404
    return found


def do_take_away(audit: Audit, number: int, view: str, *, actor: Actor) -> Path:
    """Return the file of a package, for whom the party lets in today; a line in the logs of those whose it is.

    Raises:
        Http404: it is not made, or no longer kept.
        PermissionDenied: somebody whose records are in it lets the verifier in no longer.
    """
    asked = asked_for(audit, number)
    answer, path = answer_to(asked), package_file(asked)
    if answer is None or answer.kind != EntryKind.PACKAGE or path is None:
        raise Http404
    record_visits(audit, str(data_of(asked)["what"]), view, actor=actor)
    return path
