"""Which farms were audited before: by the signed statement about this point of an earlier year, and its sample.

*Audited before* lowers a farm's chance, so it counts with its proof alone (interpretation 88): the statement names its
sample by hash, the sample is of this point and of an earlier year, and the statement says which of its farms were seen.
Whether the signer was an accredited verifier is for whoever holds pinned keys to say; that the signature fits the words
is checked here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from provender.audit.outcome import inside, rows_of
from provender.days import iso_day
from provender.problem import Problem, ProblemsError, refuse
from provender.signing.canonical import document_hash
from provender.signing.jws import MEANING, Status, check

CITE: Final = "2100.040(a)(3)(iii)"
FILE: Final = "audited before"
SEEN: Final = frozenset({"visit", "video", "records"})
"""How a statement says that a farm itself was audited, not exempted for another audit."""
Judge = Callable[[Mapping[str, Any]], Iterable[Problem]]
"""Tells what stands against a signed statement: its signer, its accreditation."""


@dataclass(frozen=True, slots=True)
class Proof:
    """That farms of a point were audited in an earlier year."""

    statement: Mapping[str, Any]  # the signed envelope
    sample: Mapping[str, Any]  # the sample file that it names, without its own proofs


def bare(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sample file without the proofs in it: what a statement's ``sample_hash`` is of.

    So a file that proves something next year carries no file of the year before it.
    """
    left = {name: value for name, value in sample.items() if name != "proofs"}
    return left | {"earlier": [bare(one) for one in rows_of(left.get("earlier"))]} if left.get("earlier") else left


def sample_hash(sample: Mapping[str, Any]) -> str:
    """Return the hash by which a statement names a sample file."""
    return document_hash(bare(sample))


def pair_proofs(files: Iterable[Mapping[str, Any]]) -> list[Proof]:
    """Put signed statements and sample files together by the hash that the statement names.

    Raises:
        ProblemsError: a statement's sample is not among them, or a sample is named by none.
    """
    given = list(files)
    samples = {sample_hash(one): one for one in given if "signature" not in one and "frozen" in one}
    signed = [one for one in given if "signature" in one]
    named = [str(inside(one).get("sample_hash")) for one in signed]
    if len(samples) + len(signed) < len(given) or samples.keys() != set(named):
        cause = "A statement without the sample that it names, or a sample that no signed statement names, is no proof."
        raise _refuse(cause, "Give last year's signed statement and the sample file that it rests on.", "no_proof")
    return [Proof(one, bare(samples[name])) for one, name in zip(signed, named, strict=True)]


def proofs_of(point: str, proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    """Return, of proofs about several points, those whose statement is about one."""
    return tuple(one for one in proofs if inside(one.statement).get("audited") == point)


def years_shown(proofs: Sequence[Proof], point: str, year: int, day: date) -> dict[str, tuple[int, ...]]:
    """Return farm -> years in which an audit of a point saw it, before a year and as known on a day.

    Raises:
        ProblemsError: a statement is not signed or its signature does not fit; it or its sample is of another point,
            of this or a coming year, or rests on another sample; it was issued after the day; it names a farm that
            was not drawn.
    """
    years: dict[str, set[int]] = {}
    for proof in proofs:
        of = _year(proof, point, year, day)
        for farm in _seen(proof):
            years.setdefault(farm, set()).add(of)
    return {farm: tuple(sorted(own)) for farm, own in sorted(years.items())}


def _year(proof: Proof, point: str, year: int, day: date) -> int:
    """Return the year of a proof that can stand; errors as ``years_shown``."""
    said, sample = inside(proof.statement), proof.sample
    status = check(proof.statement, {}).status
    if status is not Status.SIGNER_UNKNOWN:
        cause, remedy = MEANING[status]
        raise _refuse(f"The statement {said.get('number')}: {cause}", remedy, "proof_not_signed")
    frozen = sample.get("frozen")
    points = {said.get("audited"), frozen.get("audited") if isinstance(frozen, Mapping) else None}
    if points != {point}:
        cause = f"The proof is of {', '.join(sorted(map(str, points)))}, not of {point}."
        raise _refuse(cause, "Give the statement of this very point.", "proof_of_other_point")
    if said.get("sample_hash") != sample_hash(sample):
        cause = f"The statement {said.get('number')} rests on another sample than the file beside it."
        raise _refuse(cause, "Give the file that it names.", "proof_of_other_sample")
    of, issued = sample.get("year"), iso_day(said.get("issued_on"))
    if not isinstance(of, int) or of >= year or issued is None or issued > day:
        cause = f"The proof is of {of}, issued on {issued}; the audit is of {year}, its farms frozen on {day}."
        raise _refuse(cause, "Only an audit of an earlier year counts.", "proof_not_before")
    return of


def _seen(proof: Proof) -> Iterable[str]:
    drawn = proof.sample.get("sample")
    work = inside(proof.statement).get("work")
    for row in rows_of(work.get("farms") if isinstance(work, Mapping) else None):
        at = row.get("farm")
        if not isinstance(drawn, list) or not isinstance(at, int) or not 0 < at <= len(drawn):
            raise _refuse(f"Farm {at} of the statement was not drawn.", "Ask its verifier.", "proof_of_other_sample")
        if row.get("way") in SEEN:
            yield str(drawn[at - 1])


def judge_proof(proof: Proof, judge: Judge) -> None:
    """Make sure that a proof is signed by an accredited verifier.

    Raises:
        ProblemsError: with what stands against the statement.
    """
    if against := list(judge(proof.statement)):
        raise ProblemsError(against)


def _refuse(cause: str, remedy: str, code: str) -> ProblemsError:
    return refuse(FILE, cause, remedy, cite=CITE, code=code)
