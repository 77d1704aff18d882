"""Verification statements in a package against the book that rests on them (2100.030(d), .032(b)(2), .032(c)(1)).

A book says whose statement it knows, over which days and crops, with what opinion. The statement itself must be there,
signed by its verifier, whole, by an accredited verifier, and say the same. What a transfer document says of its
seller's verification is held against the seller's book as it was on the day of the document.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import zip_longest
from typing import Any, Final

from provender.audit.findings import Event, Stage, findings_now, read_log
from provender.audit.outcome import Answer, Difference, brief, check, inside, rows_of
from provender.audit.package.contents import FORUMS, HELD, PackageContents, once
from provender.audit.package.custody_section import EntityBook, PaperFile, books, papers
from provender.audit.package.layout import FINDINGS, REQUEST, Part, part_of
from provender.audit.recompute.papers import flat
from provender.audit.sampling.draw import KIND as LIST_KIND
from provender.audit.sampling.population import sample_hash
from provender.audit.sampling.sample import KIND as SAMPLE_KIND
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import check_sample, draw_notes
from provender.audit.statement import statement as stated
from provender.audit.statement.papers import TAKEN_BACK, UNKNOWN_SIGNER, Received, proof_problems, receive
from provender.custody.documents.build import TRANSFER
from provender.custody.documents.build import statement_data as booked_data
from provender.custody.events.parties import StatementEvent
from provender.custody.model.entities import Opinion
from provender.custody.model.entities import Verification as Booked
from provender.problem import ProblemsError, Weight, refuse
from provender.signing.canonical import document_hash, read_json
from provender.signing.jws import check as check_signature
from provender.signing.jws import envelope_hash

_RECEIVED: Final = "2100.032(b)(2)"
KEPT: Final = "2100.030(d)"
SAID: Final = "2100.032(c)(1)"


@check("statements", _RECEIVED, SAID)
def statements(case: PackageContents) -> Iterator[Answer]:
    """Check every statement, hold books and transfer documents against them."""
    there: dict[tuple[str, str], tuple[str, stated.VerificationStatement]] = {}
    for path, received in statements_of(case).items():
        if one := received.statement:
            there[one.audited, one.number] = (path, one)
            yield from (f"{path}: {note.cause}" for note in received.notes)
        if not case.pins.own and any(problem.code == UNKNOWN_SIGNER for problem in received.problems):
            yield f"{path}: no key of its verifier is pinned; compare {received.kid[:12]} with the verifier."
    yield len(there)
    yield from _unsound(case)
    for found in books(case).values():
        yield sum(isinstance(event, StatementEvent) for event in found.requests)
        yield from _booked(found, there, statements_of(case))
        for paper in papers(case):
            if paper.kind == TRANSFER and paper.issuer == found.entity:
                yield from _said(found, paper)
    for path, one in there.values():
        yield from _sample(case, path, one)


@once
def statements_of(case: PackageContents) -> Mapping[str, Received]:
    """Return every statement of the package and of the verifier's own papers, checked, by path."""
    envelopes: dict[str, Mapping[str, Any]] = {}
    for path in case:
        if path.endswith(".json") and (part_of(path) is Part.STATEMENTS or path.startswith(HELD)):
            try:
                data = read_json(case[path], file=path)
            except ProblemsError:
                continue
            if isinstance(data, dict) and _kind(data) in (stated.KIND, stated.ADDENDUM_KIND):
                envelopes[path] = data
    addenda = [one for one in envelopes.values() if _kind(one) == stated.ADDENDUM_KIND]
    day = case.header.made_on if case.header else date.max
    return {
        # Only keys of the verifier that it names can have signed it.
        path: receive(one, case.pins.keys_of(str(inside(one).get("verifier"))), addenda=_about(one, addenda), as_of=day)
        for path, one in envelopes.items()
        if _kind(one) == stated.KIND
    }


def _kind(envelope: Mapping[str, Any]) -> str:
    return str(inside(envelope).get("kind"))


def _about(envelope: Mapping[str, Any], addenda: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    mark = envelope_hash(envelope) if "document" in envelope else ""
    return [
        one for one in addenda if isinstance(one.get("document"), Mapping) and one["document"].get("statement") == mark
    ]


def _unsound(case: PackageContents) -> Iterator[Answer]:
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
        read = flat(one.statement.document()) if one.statement else {}
        for unknown in flat(inside(case.object(path))).keys() - read.keys() if read else ():
            words = ("what a statement says", f"a member {'/'.join(unknown)} that no statement has")
            yield Difference("statement_member_unknown", SAID, path, *words)
        known = one.statement is not None and (one.statement.audited, one.statement.number) in ended
        for problem in one.problems:
            if known and problem.code in TAKEN_BACK:
                yield f"{path}: {problem.cause} The book holds it as adverse since."
            elif problem.weight is Weight.ERROR and (case.pins.own or problem.code != UNKNOWN_SIGNER):
                yield Difference(f"statement_{problem.code}", SAID, path, "a verification statement", problem.cause)


def _booked(
    found: EntityBook,
    there: Mapping[tuple[str, str], tuple[str, stated.VerificationStatement]],
    received: Mapping[str, Received],
) -> Iterator[Answer]:
    """Yield where a book names a statement that is not here, or says of it what it does not say."""
    for event in found.requests:
        if not isinstance(event, StatementEvent):
            continue
        place = f"book of {found.entity}, statement {event.number} about {event.entity}"
        if event.opinion.contracted:
            yield f"{place}: only a contract for an audit to come; see the contract and its days."
            continue
        path, one = there.get((event.entity, event.number), ("", None))
        if one is None or not _kept(found, event, received):
            cite = KEPT if event.entity == found.entity else _RECEIVED
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
                yield Difference("statement_differs", _RECEIVED, place, *words)


def _kept(found: EntityBook, event: StatementEvent, received: Mapping[str, Received]) -> bool:
    """Tell whether a party holds a statement itself: the verifier's own copy shows nothing of what it kept."""
    own = (one.statement for path, one in received.items() if path.startswith(f"{found.prefix}/"))
    return any(one is not None and (one.audited, one.number) == (event.entity, event.number) for one in own)


def _opinion(one: stated.VerificationStatement, ends_on: date | None, day: date) -> Opinion:
    """Return how a book enters a statement on a day: adverse once it is taken back."""
    stands = stated.favourable([], one) and (ends_on is None or day < ends_on)
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


def _sample(case: PackageContents, path: str, one: stated.VerificationStatement) -> Iterator[Difference]:
    """Yield where a statement about the audited days rests on another sample than the one here."""
    head = case.header
    if SAMPLE not in case or head is None or one.audited != head.audited or not one.sample_hash:
        return
    if (one.covered_first, one.covered_last) != (head.first, head.last):
        return  # another year's statement rests on another year's sample
    mark = sample_hash(case.object(SAMPLE))
    if mark != one.sample_hash:
        words = (f"sample {one.sample_hash[:12]}", f"{SAMPLE} has {mark[:12]}")
        yield Difference("statement_of_other_sample", "2100.040(a)(3)", path, *words)


# Who accredited the verifiers of a package's statements, against the forum list that a verifier keeps (2100.041).


@check("accreditation", stated.ACCREDITATION_CITE)
def accreditation(case: PackageContents) -> Iterator[Answer]:
    """Look up the accreditation body of every statement, as of the day on which the statement was issued."""
    known = stated.read_forums(case[FORUMS], "the list of forum members") if FORUMS in case else None
    for path, received in statements_of(case).items():
        if one := received.statement:
            shown = one.accreditation
            if known is not None:
                yield 1
                yield from _looked_up(path, one, known)
                continue
            yield (
                f"{shown.body or 'The body'} accredited {shown.verifier}; that it belongs to a forum is the "
                "statement's word. Bring the list that you keep (--forums)."
            )


def _looked_up(path: str, one: stated.VerificationStatement, known: stated.ForumList) -> Iterator[Answer]:
    shown, day = one.accreditation, one.issued_on
    places = known.of(shown.body)
    if any(place.holds(day) for place in places):
        return
    if any(place.carried_over(day) for place in places):
        was = f"{path}: {shown.body} was a member of the IAF when it ended"
        yield f"{was}; your list does not have it in the successor."
        return
    found = f"by your list it was no member of a forum on {day}"
    if not places:
        found = "your list of forum members does not have it"
    words = (f"{shown.verifier} accredited by {shown.body or 'nobody'}", found)
    yield Difference("body_not_on_list", stated.ACCREDITATION_CITE, path, *words)


# What the verifier decided, as the audited party hands it back: seed, borrowed audits, findings, leave to leave out.
#
# Whoever packs a whole audit holds the sample file, and could try seeds until the draw suits, spare a farm, or forget a
# finding: the file would still agree with itself. So it is held against the verifier's own copy, and every decision in
# it is told to the one whose decision it should be (interpretations 52, 53, 56).

_LEFT_OUT: Final = "2100.030(d)"
FOUND: Final = "2100.040(a)(2)"
_INPUTS: Final[Mapping[str, str]] = {
    "population_hash": "2100.040(a)(3)(i)",
    "seed": "2100.040(a)(3)(iii)",
    "size_asked": "2100.040(a)(3)(ii)",
    "added": "2100.040(a)(3)(iii)",
    "audited_before": "2100.040(a)(3)(iii)",
    "proofs": "2100.040(a)(3)(iii)",
    "earlier": "2100.040(a)(3)(iii)",
    "year": "2100.040(b)(2)",
    "treatments": "2100.040(b)(2)",
    "extensions": "2100.040(b)(1)",
}
"""What a sample follows from; all else in its file is drawn again."""
_SHOWN: Final = 120


@check("verifier's decisions", "2100.040(b)(2)")
def decisions(case: PackageContents) -> Iterator[Answer]:
    """Hold sample and findings against the verifier's own copies, and tell every decision in them."""
    yield (SAMPLE in case) + (FINDINGS in case) + len(case.header.left_out if case.header else ())
    yield from (*_decisions_sample(case), *_findings(case), *_left_out(case))


def _decisions_sample(case: PackageContents) -> Iterator[Answer]:
    document = case.object(SAMPLE)
    if not document:
        return
    brought = map(case.object, _held(case, ".json"))
    own = next((one for one in brought if one.get("kind") == SAMPLE_KIND), None)
    if own is None:
        yield "Seed and decisions are those of the sample file in the package; bring your own copy (--held)."
    yield from _decided(document)
    yield from _another_list(case, document)
    for name, cite in _INPUTS.items():
        if own is not None and document.get(name) != own.get(name):
            words = (brief(document.get(name), _SHOWN), f"{brief(own.get(name), _SHOWN)} in the verifier's own copy")
            yield Difference("sample_not_the_verifiers", cite, f"{SAMPLE}, {name.replace('_', ' ')}", *words)


def _another_list(case: PackageContents, document: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield each list of farms that the verifier holds of this point and year, and that the sample says nothing of."""
    frozen = document.get("frozen")
    mine = frozen if isinstance(frozen, Mapping) else {}
    for path in _held(case, ".json"):
        other = case.object(path)
        if other.get("kind") != LIST_KIND:
            continue
        same = all(other.get(name) == mine.get(name) for name in ("audited", "year"))
        mark, of_other = document_hash(dict(other)), other.get("verifier") != mine.get("verifier")
        later = of_other and document.get("frozen_hash") in (other.get("earlier") or ())
        if same and not later and mark not in (document.get("frozen_hash"), *(mine.get("earlier") or ())):
            by = f" by another verifier, {other.get('verifier')}" if of_other else ""
            words = (
                f"list {str(document.get('frozen_hash'))[:12]}",
                f"list {mark[:12]} of {other.get('frozen_on')}{by}, too",
            )
            yield Difference("frozen_twice", "2100.040(a)(3)(iii)", f"{SAMPLE}, frozen; {path}", *words)


def _decided(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the decisions about drawn farms, each with whose it is and why."""
    added = document.get("added")
    for farm, why in added.items() if isinstance(added, Mapping) else ():
        yield f"{farm} was added to the draw by judgment: {why}"
    for one in rows_of(document.get("treatments")):
        left = f" Still to do: {one['still_to_do']}." if one.get("still_to_do") else ""
        yield (
            f"{one.get('farm_id')} is {one.get('extent')} by decision of {one.get('decided_by')} on "
            f"{one.get('decided_on')}: {one.get('reason')}. See the audit {one.get('borrowed_audit')} of "
            f"{one.get('verifier')}.{left}"
        )
    for one in rows_of(document.get("extensions")):
        said = one.get("decision")
        decision = said if isinstance(said, Mapping) else {}
        joined = ", ".join(map(str, one.get("added") or ())) or "no farm"
        yield (
            f"{decision.get('farm_id')} failed: {decision.get('reason')}. {one.get('held_bushels')} bu are on hold, "
            f"{one.get('extrapolated_bushels')} bu of farms like it may be touched; added: {joined}."
        )


def _findings(case: PackageContents) -> Iterator[Answer]:
    brought: dict[str, list[Event]] = {}
    for path in _held(case, ".jsonl"):
        with suppress(ProblemsError):  # what is no log is told with the other copies
            brought[path.removeprefix(HELD)] = read_log(case[path], path)
    try:
        log = read_log(case.get(FINDINGS, b""), FINDINGS)
        found = findings_now(log, FINDINGS)
    except ProblemsError as refused:
        for wrong in refused.problems:
            yield Difference("findings_damaged", FOUND, str(wrong.place), "a log that only grew", wrong.cause)
        return
    for one in found.values():
        if one.stage is not Stage.RESOLVED:
            yield f"Finding {one.number}, {one.severity}, is {one.stage}, due {one.due}: {one.subject}. {one.text}"
    for name, own in brought.items():
        yield from _other_log(case, log, own, name)


def _other_log(case: PackageContents, log: Sequence[Event], own: Sequence[Event], name: str) -> Iterator[Answer]:
    """Yield the first line in which two logs differ; what was found after the package was made cannot stand in it."""
    made = case.header.made_on.isoformat() if case.header else ""
    for line, (here, there) in enumerate(zip_longest(log, own), 1):
        if here is None and there is not None and str(there["on"]) > made:
            yield f"The findings in the package end {len(own) - len(log)} lines before your own copy."
            return
        if here != there:
            words = (_event(here), f"{_event(there)} in {name}")
            yield Difference("findings_differ", FOUND, f"{FINDINGS}, line {line}", *words)
            return


def _event(event: Event | None) -> str:
    return "nothing" if event is None else f"finding {event.get('finding')}, {event.get('deed')}, by {event.get('by')}"


def _left_out(case: PackageContents) -> Iterator[str]:
    out = case.header.left_out if case.header else ()
    for one in out:
        yield f"Left out: {one.path} ({one.reason or 'no reason'}), SHA-256 {one.sha256[:12]}."
    envelope = case.object(REQUEST)
    if out and envelope and not case.pins.own:
        said = envelope.get("document")
        who = said.get("verifier") if isinstance(said, Mapping) else "nobody"
        kid = check_signature(envelope, {}).kid[:12] or "none"
        yield f"Leave was given in the name of {who} with key {kid}; is it yours? Bring your keys (--pinned)."


def _held(case: PackageContents, ending: str) -> Iterator[str]:
    return (path for path in case if path.startswith(HELD) and path.endswith(ending))


# The draw of the farm sample, computed again from its own file (2100.040(a)(3)).


@check("sample", "2100.040(a)(3)(ii)", "2100.040(a)(3)(iii)", nothing="The package holds no farm sample.")
def sample(case: PackageContents) -> Iterator[Answer]:
    """Draw again; a package without a sample settles nothing.

    Raises:
        ProblemsError: the file is not JSON or no object.
    """
    if SAMPLE not in case:
        return
    document = read_json(case[SAMPLE], file=SAMPLE)
    if not isinstance(document, dict):
        raise refuse(SAMPLE, "The file holds no JSON object.", "Use the file as the program wrote it.")
    yield 1
    problems = check_sample(document)
    for one in problems:
        yield Difference("sample_differs", one.cite, f"{SAMPLE}, {one.place.column}", "see cause", one.cause)
    if not problems:
        yield from draw_notes(document)
        yield from _proofs(case, document)


def _proofs(case: PackageContents, document: Mapping[str, Any]) -> Iterator[Answer]:
    """Yield each statement that lowers the chance of farms and is by no accredited verifier whose key is pinned."""
    day = case.header.made_on if case.header else date.max
    for signer, one in proof_problems(document, case.pins.keys_of, day):
        place = f"{SAMPLE}, audited before, {one.place}"
        if one.code == UNKNOWN_SIGNER and not case.pins.own:
            yield f"{place}: no key of {signer} is pinned; farms are drawn less often by its word."
        else:
            yield Difference("audited_before_not_proved", one.cite, place, f"{signer}'s statement", one.cause)
