"""Verification statements in a package against the book that rests on them (2100.030(d), .032(b)(2), .032(c)(1)).

A book says whose statement it knows, over which days and crops, with what opinion. The statement itself must be there,
signed by its verifier, whole, by an accredited verifier, and say the same. What a transfer document says of its
seller's verification is held against the seller's book as it was on the day of the document.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import HELD, PackageContents
from provender.audit.package.custody_section import EntityBook, PaperFile, books, papers
from provender.audit.package.layout import Part, part_of
from provender.audit.sampling.sample_file import PATH as SAMPLE
from provender.audit.shape import inside
from provender.audit.statement.receive import TAKEN_BACK, Received, receive
from provender.audit.statement.statement import ADDENDUM_KIND, KIND, VerificationStatement, favourable
from provender.custody.documents.build import TRANSFER
from provender.custody.documents.build import statement_data as booked_data
from provender.custody.events.statement import StatementEvent
from provender.custody.model.entities import Opinion
from provender.custody.model.entities import Verification as Booked
from provender.problem import ProblemsError, Weight
from provender.signing.canonical import read_json
from provender.signing.hashes import document_hash

CITES: Final = ("2100.032(b)(2)", "2100.032(c)(1)")
RECEIVED: Final = "2100.032(b)(2)"
KEPT: Final = "2100.030(d)"
SAID: Final = "2100.032(c)(1)"
UNKNOWN: Final = "signature_signer_unknown"


def recompute(case: PackageContents) -> CheckResult:
    """Check every statement, hold books and transfer documents against them."""
    told: list[str] = []
    there = {(one.audited, one.number): (path, one) for path, one in _sound(case, told)}
    differences = [*_unsound(case, told)]
    for found in books(case).values():
        differences += _booked(found, there, statements_of(case), told)
        for paper in papers(case):
            if paper.kind == TRANSFER and paper.issuer == found.entity:
                differences += _said(found, paper)
    for path, one in there.values():
        differences += _sample(case, path, one)
    computed = len(there) + sum(
        isinstance(one, StatementEvent) for each in books(case).values() for one in each.requests
    )
    return CheckResult("statements", CITES, computed, tuple(differences), tuple(told))


def statements_of(case: PackageContents) -> Mapping[str, Received]:
    """Return every statement of the package and of the verifier's own papers, checked, by path."""
    return case.once(_statements)


def _statements(case: PackageContents) -> Mapping[str, Received]:
    envelopes: dict[str, Mapping[str, Any]] = {}
    for path in case:
        if path.endswith(".json") and (part_of(path) is Part.STATEMENTS or path.startswith(HELD)):
            try:
                data = read_json(case[path], file=path)
            except ProblemsError:
                continue
            if isinstance(data, dict) and _kind(data) in (KIND, ADDENDUM_KIND):
                envelopes[path] = data
    addenda = [one for one in envelopes.values() if _kind(one) == ADDENDUM_KIND]
    day = case.header.made_on if case.header else date.max
    return {
        path: receive(one, case.pins.keys_of(_verifier(one)), addenda=_about(one, addenda), as_of=day)
        for path, one in envelopes.items()
        if _kind(one) == KIND
    }


def _verifier(envelope: Mapping[str, Any]) -> str:
    """Return whose statement an envelope says it is: only that verifier's keys can have signed it."""
    return str(inside(envelope).get("verifier"))


def _kind(envelope: Mapping[str, Any]) -> str:
    return str(inside(envelope).get("kind"))


def _about(envelope: Mapping[str, Any], addenda: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    from provender.signing.jws import envelope_hash

    mark = envelope_hash(envelope) if "document" in envelope else ""
    return [
        one for one in addenda if isinstance(one.get("document"), Mapping) and one["document"].get("statement") == mark
    ]


def _sound(case: PackageContents, told: list[str]) -> Iterator[tuple[str, VerificationStatement]]:
    for path, one in statements_of(case).items():
        if one.statement is not None:
            yield path, one.statement
            told += [f"{path}: {note.cause}" for note in one.notes]
        if not case.pins.own and any(problem.code == UNKNOWN for problem in one.problems):
            told.append(f"{path}: no key of its verifier is pinned; compare {one.kid[:12]} with the verifier.")


def _unsound(case: PackageContents, told: list[str]) -> Iterator[Difference]:
    ended = {
        (one.entity, one.number)
        for found in books(case).values()
        for one in found.requests
        if isinstance(one, StatementEvent) and one.opinion is Opinion.ADVERSE
    }
    for path, one in statements_of(case).items():
        named = one.statement.verifier if one.statement else ""
        if others := case.pins.others(one.kid, named):
            words = (f"signed by {named}", f"signed with the key of {', '.join(others)}")
            yield Difference("statement_signed_by_other", SAID, path, *words)
        known = one.statement is not None and (one.statement.audited, one.statement.number) in ended
        for problem in one.problems:
            if known and problem.code in TAKEN_BACK:
                told.append(f"{path}: {problem.cause} The book holds it as adverse since.")
            elif problem.weight is Weight.ERROR and (case.pins.own or problem.code != UNKNOWN):
                yield Difference(f"statement_{problem.code}", SAID, path, "a verification statement", problem.cause)


def _booked(
    found: EntityBook,
    there: Mapping[tuple[str, str], tuple[str, VerificationStatement]],
    received: Mapping[str, Received],
    told: list[str],
) -> Iterator[Difference]:
    """Yield where a book names a statement that is not here, or says of it what it does not say."""
    for event in found.requests:
        if not isinstance(event, StatementEvent):
            continue
        place = f"book of {found.entity}, statement {event.number} about {event.entity}"
        if event.opinion.contracted:
            told.append(f"{place}: only a contract for an audit to come; see the contract and its days.")
            continue
        path, one = there.get((event.entity, event.number), ("", None))
        if one is None or not _kept(found, event, received):
            cite = KEPT if event.entity == found.entity else RECEIVED
            where = "the statement is not here" if one is None else f"the party has it not; it is in {path}"
            yield Difference("statement_missing", cite, place, f"opinion {event.opinion}", where)
        if one is None:
            continue
        for what, said, right in (
            ("verifier", event.verifier, one.verifier),
            ("first day", event.start_day, one.covered_first),
            ("last day", event.end_day, one.covered_last),
            ("crops", ", ".join(sorted(event.crops)), ", ".join(sorted(one.crops))),
            ("opinion", event.opinion, _opinion(one, received[path].ends_on, event.day)),
        ):
            if str(said) != str(right):
                words = (f"{what} {said}", f"{right} in {path}")
                yield Difference("statement_differs", RECEIVED, place, *words)


def _kept(found: EntityBook, event: StatementEvent, received: Mapping[str, Received]) -> bool:
    """Tell whether a party holds a statement itself: the verifier's own copy shows nothing of what it kept."""
    own = (one.statement for path, one in received.items() if path.startswith(f"{found.prefix}/"))
    return any(one is not None and (one.audited, one.number) == (event.entity, event.number) for one in own)


def _opinion(one: VerificationStatement, ends_on: date | None, day: date) -> Opinion:
    """Return how a book enters a statement on a day: adverse once it is taken back."""
    stands = favourable([], one) and (ends_on is None or day < ends_on)
    return Opinion.FAVOURABLE if stands else Opinion.ADVERSE


def _said(found: EntityBook, paper: PaperFile) -> Iterator[Difference]:
    """Yield where a transfer document claims a verification that its seller's book did not have on that day."""
    claimed = paper.document.get("verification")
    named = claimed.get("statement") if isinstance(claimed, Mapping) else None
    if not isinstance(claimed, Mapping) or named is None:
        return
    made_on = str(paper.document.get("made_on", ""))
    known = [one for one in found.store.many(Booked, found.entity) if one.issued.isoformat() <= made_on]
    if not any((str(one.opinion), booked_data(one)) == (claimed.get("status"), named) for one in known):
        words = (f"{claimed.get('status')}, statement {named.get('number')}", "the book had no such statement that day")
        yield Difference("verification_differs", SAID, f"{paper.name}, in {paper.path}", *words, None)


def _sample(case: PackageContents, path: str, one: VerificationStatement) -> Iterator[Difference]:
    """Yield where a statement about the audited days rests on another sample than the one here."""
    head = case.header
    if SAMPLE not in case or head is None or one.audited != head.audited or not one.sample_hash:
        return
    if (one.covered_first, one.covered_last) != (head.first, head.last):
        return  # another year's statement rests on another year's sample
    document = read_json(case[SAMPLE], file=SAMPLE)
    if document_hash(document) != one.sample_hash:
        words = (f"sample {one.sample_hash[:12]}", f"{SAMPLE} has {document_hash(document)[:12]}")
        yield Difference("statement_of_other_sample", "2100.040(a)(3)", path, *words)
