"""Packages of an audit: asking for one, how far each is, taking one away, and what a recomputation found."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from provender.audit.findings import write_log
from provender.audit.package.layout import Part
from provender.audit.package.write import Allowance
from provender.audit.statement.papers import FINDINGS_NAME, PACKAGE_NAME, RECORDS_FOLDER, SAMPLE_NAME, STATEMENT_NAME
from provender.database.actor import Actor, today
from provender.database.models.accounts import Organisation
from provender.database.models.audits import Audit, AuditEntry, EntryKind
from provender.schema import field, view
from provender.services.audits import audits
from provender.services.audits.audits import PackageAsked, record_visit
from provender.services.audits.package_worker import ENTITY, WHOLE
from provender.services.audits.packages import answer_to, ask, choices, order_of, package_file, progress, record_package
from provender.services.audits.programme import entry_of, raised_of
from provender.services.audits.statement import draft_of, records_behind
from provender.services.background import Progress
from provender.services.refused import MissingError, refusal
from provender.signing.canonical import canonical_json

MAY_BE_ABSENT: Final = (Part.EVIDENCE, Part.REPORTS, Part.DOCUMENTS, Part.STATEMENTS, Part.KEYS)


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


_ANSWERED: Final = {
    EntryKind.ASKED: PackageState.NOT_POSSIBLE,
    EntryKind.PACKAGE: PackageState.MADE,
    EntryKind.RESULT: PackageState.RECOMPUTED,
}


@view
class PackageChoiceView:
    """What can be asked for today."""

    what: str = field("Package of")
    label: str = field("In words")


@view
class ProgressView:
    """How far the work is; ``step`` is empty while it waits for a turn."""

    step: str = field("At work on")
    done: int = field("Steps done")
    whole: int = field("Steps")


@view
class PackageView:
    """A package that was asked for; ``result`` is the number of its result once it is recomputed."""

    number: int = field("Number")
    what: str = field("Package")
    recompute: bool = field("Recomputed here")
    asked_at: str = field("Asked for (UTC)")
    asked_by: str = field("Asked by")
    state: PackageState = field("State")
    progress: ProgressView | None = field("Progress")
    made: dict[str, Any] | None = field("Made")
    result: int | None = field("Result")
    problems: tuple[dict[str, Any], ...] = field("Problems")
    downloadable: bool = field("Can be downloaded")


@view
class ResultLineView:
    """A recomputation at a glance; ``clean`` where every number recomputes and nothing is missing."""

    number: int = field("Number")
    at: str = field("Recomputed (UTC)")
    what: str = field("Package")
    subject: str = field("Kind of package")
    mark: str = field("Hash")
    clean: bool = field("Nothing differs")
    differences: int = field("Differences")


@view
class ResultView(ResultLineView):
    """What a recomputation found: its checks, where to look first (most at stake first), what is not shown."""

    made: dict[str, Any] = field("Made")
    problems: tuple[dict[str, Any], ...] = field("Problems")
    checks: tuple[dict[str, Any], ...] = field("Checks")
    places: tuple[dict[str, Any], ...] = field("Where to look first")
    not_shown: tuple[dict[str, Any], ...] = field("Not shown")


@view
class DifferenceView:
    """A claim that does not recompute, by its place in the result; bushels and grams are decimal text or null."""

    index: int = field("Place in the result")
    code: str = field("What differs")
    place: str = field("Where")
    claimed: str = field("Claimed")
    recomputed: str = field("Recomputed")
    cite: str = field("Paragraph")
    effect_bushels: str | None = field("Bushels")
    effect_g_co2e: str | None = field("g CO2e")
    is_finding: bool = field("Is a finding")


@dataclass(frozen=True, slots=True)
class PackageStanding:
    """A package that was asked for."""

    asked: AuditEntry  # what was asked for
    answer: AuditEntry | None  # the entry that says what became of it; None while nothing did
    state: PackageState  # how it stands
    progress: Progress | None  # how far it is; None once it is answered
    there: bool  # its file can be downloaded


def ask_for_package(audit: Audit, said: PackageAsked, view: str, *, verify: bool, actor: Actor) -> AuditEntry:
    """Ask for a package and start the process that makes it; a line in the log of everybody whose records it takes.

    Args:
        audit: the audit.
        said: one of ``choices``, and what may be absent from it: the verifier decides this, never the audited party.
        view: where it was asked for, as the logs say it.
        verify: recompute it here; without, it is taken away.
        actor: who asks.

    Raises:
        ProblemsError: this cannot be asked for today; something may be absent without a reason; errors of ``ask``.
        PermissionDenied: the party does not let the verifier in today.
    """
    known = [name for name, _ in choices(audit, today())]
    if said.what not in known:
        remedy = f"Choose from {', '.join(known)}."
        raise refusal("no_such_package", f"There is no package {said.what!r}.", remedy, column="what")
    if said.absent and not said.reason:
        remedy = "Say why these may be absent; it stands in the package."
        raise refusal("no_reason", "Something may be absent without a reason.", remedy, column="reason")
    _record_visits(audit, said.what, view, actor=actor)
    allowances = tuple(Allowance(part, "", said.reason) for part in dict.fromkeys(said.absent))
    return ask(audit, order_of(audit, said.what, allowances, today(), verify=verify), actor=actor)


def _record_visits(audit: Audit, what: str, view: str, *, actor: Actor) -> None:
    """Leave a line in the log of everybody whose records are taken.

    Raises:
        PermissionDenied: one of them does not let the verifier in today.
    """
    farms = list(audits.open_to(audit.verifier, audits.drawn_farms(audit), today())) if what == WHOLE else [what]
    parties = [audit.audited] if what in (ENTITY, WHOLE) else []
    record_visit(audit, [*parties, *Organisation.objects.filter(handle__in=farms)], view, actor=actor)


def standing_of(asked: AuditEntry) -> PackageStanding:
    """Enter what is ready in an open audit, and return how a package stands."""
    closed = audits.statement_of(asked.audit) is not None
    answer = answer_to(asked) if closed else record_package(asked)
    there = package_file(asked) is not None
    if answer is not None:
        return PackageStanding(asked, answer, _ANSWERED[EntryKind(answer.kind)], None, there)
    far = progress(asked)
    state = PackageState.CLOSED if closed else PackageState.STOPPED if far.lost else PackageState.AT_WORK
    return PackageStanding(asked, None, state, far, there)


def standings_of(audit: Audit) -> list[PackageStanding]:
    """Enter whatever is ready in an open audit, and return every package asked for, the last one first."""
    return [standing_of(entry) for entry in reversed(audits.entries(audit, EntryKind.ASKED)) if _asks(entry)]


def _asks(entry: AuditEntry) -> bool:
    """Tell an entry that asks for a package from one that says why a package is not possible."""
    return "what" in entry.said


def asked_for(audit: Audit, number: int) -> AuditEntry:
    """Return what was asked for.

    Raises:
        MissingError: nothing was, under this number.
    """
    entry = entry_of(audit, EntryKind.ASKED, number)
    if not _asks(entry):
        raise MissingError
    return entry


def take_away(audit: Audit, number: int, view: str, *, actor: Actor) -> Path:
    """Return the file of a package, for whom the party lets in today; a line in the logs of those whose it is.

    Raises:
        MissingError: it is not made, or no longer kept.
        PermissionDenied: somebody whose records are in it lets the verifier in no longer.
    """
    asked = asked_for(audit, number)
    answer, path = answer_to(asked), package_file(asked)
    if answer is None or answer.kind not in (EntryKind.PACKAGE, EntryKind.RESULT) or path is None:
        raise MissingError
    _record_visits(audit, str(asked.said["what"]), view, actor=actor)
    return path


def package_view(standing: PackageStanding) -> PackageView:
    asked, state, far = standing.asked, standing.state, standing.progress
    said, answer = asked.said, standing.answer.said if standing.answer else {}
    recomputed = standing.answer if state is PackageState.RECOMPUTED else None
    return PackageView(
        number=asked.number, what=said["what"], recompute=said["verify"], asked_at=asked.at.isoformat(),
        asked_by=str(asked.actor), state=state,
        progress=ProgressView(step=far.step, done=far.done, whole=far.whole) if far else None,
        made=answer.get("made") if recomputed else answer if state is PackageState.MADE else None,
        result=recomputed.number if recomputed else None,
        problems=tuple(answer.get("problems", ())) if state is PackageState.NOT_POSSIBLE else (),
        downloadable=standing.there,
    )  # fmt: skip


def result_lines(audit: Audit) -> list[ResultLineView]:
    """Return the recomputations of an audit, the last one first."""
    return [ResultLineView(**_glance(entry)) for entry in reversed(audits.entries(audit, EntryKind.RESULT))]


def result_view(result: AuditEntry) -> ResultView:
    """Return what a recomputation found, but for its differences."""
    said = result.said
    checks = ({name: value for name, value in check.items() if name != "differences"} for check in said["checks"])
    eyes = said["needs_eyes"]
    return ResultView(
        **_glance(result), made=said["made"], problems=tuple(said["problems"]), checks=tuple(checks),
        places=tuple(eyes.get("places", ())), not_shown=tuple(eyes["not_shown"]),
    )  # fmt: skip


def _glance(result: AuditEntry) -> dict[str, Any]:
    said = result.said
    return {
        "number": result.number,
        "at": result.at.isoformat(),
        "what": said["what"],
        "subject": said["package"]["subject"],
        "mark": said["made"]["mark"],
        "clean": said["clean"],
        "differences": len(said["differences"]),
    }


def difference_views(audit: Audit, result: AuditEntry) -> list[DifferenceView]:
    """Return what differs, the most bushels at stake first."""
    names = ("code", "place", "claimed", "recomputed", "cite", "effect_bushels", "effect_g_co2e")
    return [
        DifferenceView(index=index, is_finding=known, **{name: difference[name] for name in names})
        for index, (difference, known) in enumerate(raised_of(audit, result))
    ]


# A statement and the papers behind it in one file, for a verifier who signs on a machine of its own.
#
# ``provender audit statement sign`` holds a statement against these papers; a hash that nobody can show the paper of is
# refused there.


def papers_file(audit: Audit, view: str, *, actor: Actor) -> tuple[str, IO[bytes]]:
    """Return a zip of the unsigned statement and its papers, with its file name; the caller closes it.

    Raises:
        MissingError: nothing is drafted, or the statement is signed.
        PermissionDenied: somebody whose records are in the package lets the verifier in no longer.
    """
    draft = draft_of(audit)
    if draft is None or audits.statement_of(audit) is not None:
        raise MissingError
    members = {
        STATEMENT_NAME: canonical_json(draft.document()),
        FINDINGS_NAME: write_log(audits.finding_events(audit)),
    }
    if audits.drawn_farms(audit):
        members[SAMPLE_NAME] = canonical_json(audits.sample_of(audit))
    for number, paper in enumerate(records_behind(audit), 1):
        members[f"{RECORDS_FOLDER}{number}.json"] = canonical_json(paper)
    results = audits.entries(audit, EntryKind.RESULT)
    named = next((one for one in results if one.said["made"]["mark"] == draft.package_mark), None)
    asked = asked_for(audit, int(named.said["asked"])) if named else None
    package = take_away(audit, asked.number, view, actor=actor) if asked and package_file(asked) else None
    target: IO[bytes] = TemporaryFile()  # noqa: SIM115 - the answer reads and closes it
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        if package is not None:
            archive.write(package, PACKAGE_NAME)
    target.seek(0)
    return f"statement-unsigned-{audit.handle}.zip", target
