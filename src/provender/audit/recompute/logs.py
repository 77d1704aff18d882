"""Proofs from transparency logs: which documents stand in whose log, and since when (the construction of RFC 6962).

A proof lies beside its document as ``NAME.logproof``. That the document stands under the head is arithmetic; that the
head is the log's rests on a key that the verifier pinned, and that the log never changed on the heads he was given
before (``--held``). What a proof does not fit, a log that shrank and one told in two ways are differences; what is only
not shown, such as a log whose key nobody pinned, is told and shows nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import HELD, PackageContents
from provender.audit.package.layout import LOG_PROOF
from provender.audit.shape import inside
from provender.problem import ProblemsError
from provender.signing.jws import Checked, Status, check
from provender.signing.transparency import HEAD, LogHead, Objection, apart, check_proof, differs_from, is_head, mark_of

CITE: Final = "2100.030(d)"
_WHOLE: Final = frozenset({Status.VALID, Status.SIGNER_UNKNOWN})


@dataclass(frozen=True, slots=True)
class Logged:
    """A document that is shown to stand in a log.

    Attributes:
        path: the file; log: what the log calls itself; keepers: to whom the key of the log is pinned.
        on: the day of the head under which it stands; size: documents in the log then.
        held: a head that the verifier holds was held against it.
    """

    path: str
    log: str
    keepers: tuple[str, ...]
    on: date
    size: int
    held: bool

    def __str__(self) -> str:
        """Write it as one line."""
        since = "" if self.held else "; no head you hold was held against it"
        return (
            f"{self.path}: in the log {self.log} since {self.on} ({self.size} documents, "
            f"key of {' and '.join(self.keepers)}{since})"
        )

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"file": self.path, "log": self.log, "keepers": list(self.keepers), "since": str(self.on),
                "size": self.size, "held_against": self.held}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Head:
    """A signed head, where it was found, and whose its key is."""

    path: str
    head: LogHead
    kid: str
    keepers: frozenset[str]

    def of_log(self, other: "_Head") -> bool:
        """Tell whether two heads are of one log: of one name, under one key or keys of one party."""
        return self.head.log == other.head.log and (self.kid == other.kid or bool(self.keepers & other.keepers))


def logged(case: PackageContents) -> tuple[Logged, ...]:
    """Return every document that stands in a log whose key the verifier pinned."""
    return case.once(_judged)[0]


def recompute(case: PackageContents) -> CheckResult:
    """Check every proof against the document beside it, the pinned keys, and the heads that the verifier holds."""
    _, differences, told, computed = case.once(_judged)
    return CheckResult("transparency logs", (CITE,), computed, tuple(differences), tuple(told))


def _judged(case: PackageContents) -> tuple[tuple[Logged, ...], list[Difference], list[str], int]:
    differences: list[Difference] = []
    told: list[str] = []
    proofs = [path for path in case if path.endswith(LOG_PROOF)]
    held = [head for path in case if path.startswith(HELD) for head in _held(case, path, told)]
    inside_package = {path: head for path in proofs if (head := _head(case, path, _signed(case, path))) is not None}
    found: list[Logged] = []
    for path in proofs:
        about, mine = path.removesuffix(LOG_PROOF), inside_package.get(path)
        if about not in case:
            words = (f"the proof of {about} from a log", "there is no such file")
            differences.append(Difference("log_proof_of_nothing", CITE, path, *words))
            continue
        before = [one for one in held if mine is not None and one.of_log(mine)]
        wrong = check_proof(
            case.json(path), mark_of(case[about]), case.pins.keys, [one.head for one in before],
            days=case.pins.days_of_log(mine.head.log if mine is not None else ""), revoked=case.key_statements.revoked,
        )  # fmt: skip
        differences += [_difference(about, one) for one in wrong if one.shown]
        told += [_told(about, one) for one in wrong if not one.shown]
        if not wrong and mine is not None:
            found += _counted(case, about, mine, told, held=bool(before))
    differences += [*_told_in_two_ways(case, inside_package), *_held_apart(held)]
    for one in held:
        if not any(one.of_log(mine) for mine in inside_package.values()):
            told.append(
                f"Nothing in the package is shown to stand in the log {one.head.log}, of which you hold a head."
            )
    return tuple(found), differences, told, len(proofs)


def _signed(case: PackageContents, path: str) -> object:
    proof = case.json(path)
    return proof.get("head") if isinstance(proof, dict) else None


def _held(case: PackageContents, path: str, told: list[str]) -> Iterator[_Head]:
    """Yield a head that the verifier brought; one that was changed since it was signed is told, and does not count."""
    envelope = case.json(path)
    if not is_head(envelope):
        return
    head = _head(case, path, envelope)
    if head is not None:
        yield head
    else:
        told.append(f"{path.removeprefix(HELD)}: this head of a log is not as it was signed; it shows nothing.")


def _head(case: PackageContents, path: str, envelope: object) -> _Head | None:
    checked: Checked = check(envelope, case.pins.keys, typ=HEAD)
    if checked.status not in _WHOLE:
        return None
    try:
        head = LogHead.read(inside(envelope), path)  # type: ignore[arg-type]  # a whole envelope is a mapping
    except ProblemsError:
        return None
    return _Head(path, head, checked.kid, case.pins.keepers(checked.kid, head.log))


def _difference(about: str, one: Objection) -> Difference:
    return Difference(one.code, CITE, about, "a document that stands in a log", one.words)


def _told(about: str, one: Objection) -> str:
    remedy = " Pin the key of the log, if you trust who keeps it." if one.code == "log_head_not_signed" else ""
    return f"{about}: {one.words}{remedy}"


def _counted(case: PackageContents, about: str, mine: _Head, told: list[str], *, held: bool) -> Iterator[Logged]:
    """Yield what a whole proof shows by a list of keys that is the verifier's own."""
    if not case.pins.own:
        told.append(f"{about}: in the log {mine.head.log} by the package's own list of keys; pin the key of the log.")
    else:
        yield Logged(about, mine.head.log, tuple(sorted(mine.keepers)), mine.head.on, mine.head.size, held)


def _told_in_two_ways(case: PackageContents, heads: dict[str, _Head]) -> Iterator[Difference]:
    """Yield heads of one log, all in the package, that cannot both be of it."""
    one_each = {(mine.kid, mine.head): mine for mine in heads.values()}.values()
    for mine in one_each:
        for other in one_each:
            if other is mine or not mine.of_log(other):
                continue
            for wrong in differs_from(case.json(mine.path), mine.head, other.head):
                if wrong.shown:
                    yield _difference(mine.path.removesuffix(LOG_PROOF), wrong)


def _held_apart(held: list[_Head]) -> Iterator[Difference]:
    """Yield heads of one log, all in the verifier's hands, that cannot both be of it."""
    for one, other in combinations(held, 2):
        for wrong in apart(one.head, other.head) if one.of_log(other) else ():
            yield _difference(other.path, wrong)
