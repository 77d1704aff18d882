"""The days of a package against each other: what rests on something is not older than it (interpretation 75).

A report is made after the harvest it is about, a slip after its report, a statement after the visits it rests on, and
a paper made from a book that knows events of a later day is told: sales and moves may be entered ahead. What a key
signed out of its time is told below.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Any, Final

from provender.audit.outcome import Answer, Difference, all_about, check, inside
from provender.audit.package.contents import HELD, ROOTS, FarmPart, PackageContents, ReportFile, once
from provender.audit.package.custody_section import EntityBook, PaperFile, books, contract_keys, papers, signatures_of
from provender.audit.package.layout import KEYS, LOG_PROOF, STAMP, Part, part_of, stamped
from provender.audit.recompute.cross_party import CLOCKS
from provender.audit.recompute.statements import statements_of
from provender.audit.sampling.population import sample_hash
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.statement.opinion import Engagement, Way, Work, days_of_work, read_part
from provender.audit.statement.statement import VerificationStatement
from provender.custody.documents.build import MARK, PERIOD, SLIP, TRANSFER
from provender.custody.events.parties import StatementEvent
from provender.custody.events.reports import ReportEvent
from provender.problem import Problem, ProblemsError, counted
from provender.report.typ import TYP
from provender.report.versions import ENDING
from provender.signing import transparency
from provender.signing.jws import WHOLE, Checked, Span
from provender.signing.jws import check as check_signature
from provender.signing.timestamps import UNPROVED, Proof, read_roots

CITE: Final = "2100.030(d)"


@check("days", CITE, "2100.031(c)", "2100.034(c)")
def order(case: PackageContents) -> Iterator[Answer]:
    """Hold every stated day against the days of what it rests on."""
    reports = {one.digest: one for one in case.all_reports}
    yield len(reports) + len(papers(case)) + len(statements_of(case))
    for farm in case.farms:
        for claimed in farm.latest:
            yield from all_about(_report(farm, claimed), (claimed.name,))
    for found in books(case).values():
        yield from all_about(_entered(case, found, reports), (found.entity,))
    for paper in papers(case):
        yield from all_about(_paper(case, paper, reports), (paper.issuer,))
    for path, received in statements_of(case).items():
        if received.statement is not None:
            yield from _statement(case, path, received.statement)
    asked, head = case.request, case.header
    if asked and head and head.made_on < asked.asked_on - CLOCKS:
        words = (f"made on {head.made_on}", f"asked for on {asked.asked_on}")
        yield Difference("asked_after_made", CITE, "package.json, made_on", *words)


def _day(document: Mapping[str, Any], *names: str) -> date | None:
    """Return the first of these days that a document states."""
    for name in names:
        try:
            return date.fromisoformat(str(document[name]))
        except (KeyError, ValueError):
            continue
    return None


def _report(farm: FarmPart, claimed: ReportFile) -> Iterator[Difference]:
    """Yield a report older than its harvest, or than evidence that it names."""
    made = _day(claimed.document, "made_on")
    last = max(farm.harvest_days(claimed), default=None)
    if made is None:
        return
    if last is not None and made < last:
        words = (f"made on {made}", f"harvested until {last}")
        yield Difference("report_before_harvest", "2100.031(c)", claimed.name, *words, claimed.bushels)
    named = {line["evidence_id"] for line in claimed.document.get("rests_on", {}).get("evidence", ())}
    for row in farm.rows("evidence"):
        if row["evidence_id"] in named and row["taken_on"] is not None and row["taken_on"] > made:
            place = f"{claimed.name}: evidence {row['evidence_id']}"
            words = (f"named on {made}", f"taken on {row['taken_on']}")
            yield Difference("evidence_after_report", CITE, place, *words, claimed.bushels)


def _entered(case: PackageContents, found: EntityBook, reports: Mapping[str, ReportFile]) -> Iterator[Difference]:
    """Yield what a book has on a day on which its paper was not yet made."""
    by_mark = {mark: one for one in reports.values() for mark in (one.digest, one.mark)}
    issued = {(one.audited, one.number): one for each in statements_of(case).values() if (one := each.statement)}
    for event in found.requests:
        if isinstance(event, ReportEvent) and event.report in by_mark:
            made = _day(by_mark[event.report].document, "made_on")
            if made is not None and event.day < made - CLOCKS:
                place = (
                    f"book of {found.entity}, report of {event.entity}, {event.crop} {event.harvest_year}, "
                    f"version {event.version}"
                )
                yield Difference("entered_before_made", CITE, place, f"entered on {event.day}", f"made on {made}")
        known = issued.get((event.entity, event.number)) if isinstance(event, StatementEvent) else None
        if known is not None and event.day < known.issued_on - CLOCKS:
            place = f"book of {found.entity}, statement {known.number} about {known.audited}"
            words = (f"entered on {event.day}", f"issued on {known.issued_on}")
            yield Difference("entered_before_made", CITE, place, *words)


def _paper(case: PackageContents, paper: PaperFile, reports: Mapping[str, ReportFile]) -> Iterator[Answer]:
    """Yield a paper older than what it states: its report, its period; tell of a sale or an event that lay ahead."""
    document, place = paper.document, f"{paper.name}, in {paper.path}"
    made = _day(document, "made_on", "closed_on")
    if made is None:
        return
    if paper.kind == SLIP and (report := reports.get(str(document.get("report")))):
        signed = _day(report.document, "made_on")
        if signed is not None and made < signed - CLOCKS:
            words = (f"made on {made}", f"its report was made on {signed}")
            yield Difference("delivered_before_report", "2100.031(c)", place, *words)
    title = _day(document, "title_date") if paper.kind == TRANSFER else None
    if title is not None and made < title - CLOCKS:  # a train under way: its paper is made when it leaves
        yield f"{place}: made on {made}, before title passed on {title}."
    end = _day(document, "end") if paper.kind == PERIOD else None
    closed = _day(document, "closed_on")
    if end is not None and closed is not None and closed < end:
        yield Difference("closed_before_end", "2100.034(b)", place, f"closed on {closed}", f"the period ends {end}")
    found = books(case).get(paper.issuer)
    if found is not None and paper.kind == TRANSFER:  # a period's statement may be printed long after its close
        yield from _known_then(found, paper, made, place)


def _known_then(found: EntityBook, paper: PaperFile, made: date, place: str) -> Iterator[str]:
    """Tell of the first event of a later day that the book already had when a paper was made from it."""
    lines = paper.document.get(MARK, {}).get("lines") or 0
    last = (made + CLOCKS).isoformat()
    for number, line in enumerate(found.bound[:lines], 2):
        if line.day > last:
            yield f"{place}: made on {made}, and line {number} of the book before it is a {line.kind} of {line.day}."
            return


def _statement(case: PackageContents, path: str, one: VerificationStatement) -> Iterator[Answer]:
    """Yield a statement older than its engagement, visits, review or draw."""
    engagement, _ = read_part(Engagement, one.engagement or {})
    work, _ = read_part(Work, one.work or {})
    if engagement is not None and work is not None:  # whoever receives a statement does not ask this
        for gap in days_of_work(one, engagement, work):
            yield Difference(f"statement_{gap.code}", gap.cite, path, f"issued on {one.issued_on}", gap.cause)
    elif work is not None:
        days = [row.on for row in (*work.sites, *work.farms)]
        if late := [day for day in days if day > one.issued_on]:
            words = (f"issued on {one.issued_on}", f"it tells of work on {min(late)}")
            yield Difference("statement_before_visit", "2100.032(c)(1)", path, *words)
    document = case.json(SAMPLE)
    if not isinstance(document, dict) or sample_hash(document) != one.sample_hash:
        return
    frozen = document.get("frozen")
    drawn = _day(frozen, "frozen_on") if isinstance(frozen, Mapping) else None
    if drawn is not None and one.issued_on < drawn - CLOCKS:
        words = (f"issued on {one.issued_on}", f"its farms were frozen on {drawn}")
        yield Difference("statement_before_draw", "2100.040(a)(3)", path, *words)
    early = [row for row in (work.farms if work else ()) if row.way is not Way.EXEMPT and drawn and row.on < drawn]
    if early:
        seen = counted(len(early), "farm was", "farms were")
        yield f"{path}: {seen} seen before the list to draw from was frozen on {drawn}."


# Trusted timestamps of a package: which documents are proved to have existed, and on which day (interpretation 75).
#
# An answer of an authority lies beside its document as ``NAME.tsr``. It is about the bytes of that file, or about the
# same document in canonical form, so that laying JSON out anew takes no proof away. What the answer chains to are the
# roots of the verifier, judged as of the moment that was stamped.

_DATED: Final = frozenset({Part.REPORTS, Part.DOCUMENTS, Part.STATEMENTS, Part.SAMPLE, Part.BOOK, Part.KEYS})
_DAYS: Final = ("made_on", "closed_on", "issued_on", "signed_on", "drawn_on", "on", "day")


@dataclass(frozen=True, slots=True)
class DocumentDay:
    """A document, the day it states, and the day on which it is proved to have existed."""

    path: str  # the file
    stated: date | None  # the day in it; None where it has none
    proof: Proof | None  # none where it is the signer's word alone

    def __str__(self) -> str:
        stated = f", stated {self.stated}" if self.stated else ""
        if self.proof is None:
            return f"{self.path}: day stated by the signer{f', {self.stated}' if self.stated else ''}"
        return f"{self.path}: proved to exist on {self.proof.on} ({self.proof.authority}){stated}"

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.path,
            "stated_on": str(self.stated) if self.stated else None,
            "proved_on": str(self.proof.on) if self.proof else None,
            "at": self.proof.at.isoformat() if self.proof else None,
            "authority": self.proof.authority if self.proof else None,
        }


def days_of(case: PackageContents) -> tuple[DocumentDay, ...]:
    """Return every document of a package that people date, with what proves its day."""
    return tuple(one for one in _dated(case) if isinstance(one, DocumentDay))


@check("timestamps", CITE)
def timestamps(case: PackageContents) -> Iterator[Answer]:
    """Check every answer of an authority against the file beside it and the verifier's roots."""
    return (one for one in _dated(case) if not isinstance(one, DocumentDay))


@once
def _dated(case: PackageContents) -> list[Answer | DocumentDay]:
    stamps = [path for path in case if path.endswith(STAMP)]
    roots = case.roots if stamps else []
    found: list[Answer | DocumentDay] = [len(stamps), *(_bad_roots(case) if stamps and not roots else ())]
    for path in filter(_is_dated, case):
        proof, wrong = stamped(case, path, roots)
        found += _not_proved(path, wrong)
        day = DocumentDay(path, _stated(case, path), proof)
        found.append(day)
        # A day is given for the clocks of two places.
        if day.proof and day.stated and day.proof.on < day.stated - CLOCKS:
            words = (f"made on {day.stated}", f"it existed on {day.proof.on} already")
            found.append(Difference("stated_after_proof", CITE, day.path, *words))
    for path in stamps:
        if path.removesuffix(STAMP) not in case:
            words = (f"a timestamp of {path.removesuffix(STAMP)}", "there is no such file")
            found.append(Difference("timestamp_of_nothing", CITE, path, *words))
    return found


def _is_dated(path: str) -> bool:
    signed = path.endswith((".json", ".jsonl")) and not path.endswith(ENDING)
    return signed and path != KEYS and (part_of(path) in _DATED or path.startswith(HELD))


def _bad_roots(case: PackageContents) -> Iterator[str]:
    """Yield why the roots that the verifier brought cannot be read."""
    try:
        read_roots(case.get(ROOTS, b""))
    except ProblemsError as refused:
        yield from (f"{one.cause} {one.remedy}" for one in refused.problems)


def _not_proved(path: str, wrong: Sequence[Problem]) -> Iterator[Answer]:
    """Yield why an answer proves nothing; other bytes than these are a difference, another root is the verifier's."""
    chained = next((problem for problem in wrong if problem.code == UNPROVED), None)
    if chained is not None:
        yield f"{path}: {chained.cause} Give the root of its authority with --roots, if you trust it."
    elif wrong:
        yield Difference(wrong[0].code, CITE, path, "stamped by an authority", wrong[0].cause)


def _stated(case: PackageContents, path: str) -> date | None:
    return _day(inside(case.object(path)), *_DAYS) if path.endswith(".json") else None


# Each signed document against the days of its key: pinned days, rotations, revocations (interpretation 33).
#
# A day is stated by the signer unless a trusted timestamp, or the counter-signature of somebody known, proves that the
# document existed on it. After its last day a key signs nothing; what a revoked key signed counts only where it is
# proved to be older than the revocation.

_KEY_DAYS_CITE: Final = "2100.031(c)(3)"


@dataclass(frozen=True, slots=True)
class _Signed:
    """A signed document: what a person calls it, its file, whose it is, what its signature is."""

    name: str
    path: str
    party: str
    checked: Checked
    bushels: int | None = None


@check("days of keys", _KEY_DAYS_CITE)
def of_keys(case: PackageContents) -> Iterator[Answer]:
    """Hold every signature against the days of its key; follow what keys say of themselves."""
    for fault in case.key_statements.faults:
        yield Difference(fault.code, _KEY_DAYS_CITE, fault.path, fault.claimed, fault.found)
    yield from (*_unreadable(case), *_strangers(case))
    undated: Counter[tuple[str, str, date]] = Counter()
    stated = {day.path: (day.stated, day.proof.on if day.proof else None) for day in days_of(case)}
    for one in _signed(case):
        if one.checked.status not in WHOLE:
            continue
        yield 1
        day, proved = stated.get(one.path, (None, None))
        proofs = [at for at in (proved, one.checked.proved_on) if at is not None]
        yield from _key_days_judged(case, one, day, min(proofs, default=None), undated)
    for (party, kid, last), count in sorted(undated.items()):
        yield (
            f"Key {kid[:12]} of {party} signed until {last}: nothing but its own word shows that "
            f"{count} documents under it are as old as that."
        )


def _signed(case: PackageContents) -> Iterator[_Signed]:
    keys = case.pins.keys
    for one in case.all_reports:
        yield _Signed(one.name, one.path, one.key[0], check_signature(one.envelope, keys, typ=TYP), one.bushels)
    for paper in papers(case):
        yield _Signed(f"{paper.name}, in {paper.path}", paper.path, paper.issuer, signatures_of(case)[paper.path])
    for path, received in statements_of(case).items():
        if received.statement is not None:
            yield _Signed(path, path, received.statement.verifier, check_signature(case.json(path), keys))


def _key_days_judged(
    case: PackageContents, one: _Signed, day: date | None, proved: date | None,
    undated: Counter[tuple[str, str, date]],
) -> Iterator[Answer]:  # fmt: skip
    kid, by = one.checked.kid, f"signed with key {one.checked.kid[:12]}"
    gone = case.key_statements.revoked.get(kid)
    spans = case.pins.days_of(kid, one.party) or [case.key_statements.days(kid)]
    last = _ended(spans, day) if day else None
    if gone is not None and (proved is None or proved >= gone):
        words = (by, f"the key was revoked from {gone} on, and nothing proves that this is older")
        yield Difference("signed_with_revoked_key", _KEY_DAYS_CITE, one.name, *words, one.bushels)
    elif last is not None:
        words = (f"{by} on {day}", f"its last day was {last}")
        yield Difference("signed_after_last_day", _KEY_DAYS_CITE, one.name, *words, one.bushels)
    elif (until := _ended(spans, proved)) is not None:
        undated[one.party, kid, until] += 1
    first = min((start or date.min for start, _ in spans), default=date.min)
    if day is not None and day < first:
        yield f"{one.name}: dated {day}, {by}, which signs from {first} on: it was signed later than its date."


def _ended(spans: Sequence[Span], day: date | None) -> date | None:
    """Return the last day of a key where it had ended by a day, or ends at all for None; None while it signs."""
    begun = [span for span in spans if day is None or min(span[0] or date.min, span[1] or date.max) <= day]
    last = max((end or date.max for _, end in begun), default=date.max)
    return last if last < (day or date.max) else None


def _unreadable(case: PackageContents) -> Iterator[Difference]:
    """Yield files that lie among the statements of keys and are none."""
    known = case.key_statements.read
    for path in case:
        if part_of(path) is Part.KEYS and path != KEYS and path.endswith(".json") and path not in known:
            words = ("what a key says of itself", "it cannot be read as that")
            yield Difference("key_statement_unreadable", _KEY_DAYS_CITE, path, *words)


def _strangers(case: PackageContents) -> Iterator[Answer]:
    """Yield rotations between keys that nobody bound to anyone."""
    bound = set(case.pins.keys)
    for farm in case.farms:
        bound |= {row["key_fingerprint"] for row in farm.rows("producer") if row["key_fingerprint"]}
        bound |= {kid for _, keys in contract_keys(case, farm.farm_id) for kid in keys}
    issuers = {paper.issuer for paper in papers(case)} if case.key_statements.rotations else set()
    bound |= {kid for issuer in issuers for _, keys in contract_keys(case, issuer) for kid in keys}
    known = case.key_statements.family(bound)
    for one in case.key_statements.rotations:
        if one.old.fingerprint in known:
            continue
        words = (f"{one.new.fingerprint[:12]} takes over from {one.old.fingerprint[:12]}", "nobody pinned either key")
        if case.pins.own or one.path.startswith(HELD):
            yield Difference("rotation_by_stranger", _KEY_DAYS_CITE, one.path, *words)
        else:
            yield f"{one.path}: {words[0]}; {words[1]}."


# Proofs from transparency logs: which documents stand in whose log, and since when (the construction of RFC 6962).
#
# A proof lies beside its document as ``NAME.logproof``. That the document stands under the head is arithmetic; that the
# head is the log's rests on a key that the verifier pinned, and that the log never changed on the heads he was given
# before (``--held``). What a proof does not fit, a log that shrank and one told in two ways are differences; what is
# only not shown, such as a log whose key nobody pinned, is told and shows nothing.


@dataclass(frozen=True, slots=True)
class Logged:
    """A document that is shown to stand in a log."""

    path: str  # the file; log: what the log calls itself; keepers: to whom the key of the log is pinned
    log: str
    keepers: tuple[str, ...]
    on: date  # the day of the head under which it stands; size: documents in the log then
    size: int
    held: bool  # a head that the verifier holds was held against it

    def __str__(self) -> str:
        since = "" if self.held else "; no head you hold was held against it"
        return (
            f"{self.path}: in the log {self.log} since {self.on} ({self.size} documents, "
            f"key of {' and '.join(self.keepers)}{since})"
        )

    def as_json(self) -> dict[str, Any]:
        return {"file": self.path, "log": self.log, "keepers": list(self.keepers), "since": str(self.on),
                "size": self.size, "held_against": self.held}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Head:
    """A signed head, where it was found, and whose its key is."""

    path: str
    head: transparency.LogHead
    kid: str
    keepers: frozenset[str]

    def of_log(self, other: "_Head") -> bool:
        """Tell whether two heads are of one log: of one name, under one key or keys of one party."""
        return self.head.log == other.head.log and (self.kid == other.kid or bool(self.keepers & other.keepers))


def logged(case: PackageContents) -> tuple[Logged, ...]:
    """Return every document that stands in a log whose key the verifier pinned."""
    return tuple(one for one in _logs_judged(case) if isinstance(one, Logged))


@check("transparency logs", CITE)
def logs(case: PackageContents) -> Iterator[Answer]:
    """Check every proof against the document beside it, the pinned keys, and the heads that the verifier holds."""
    return (one for one in _logs_judged(case) if not isinstance(one, Logged))


@once
def _logs_judged(case: PackageContents) -> list[Answer | Logged]:
    proofs = [path for path in case if path.endswith(LOG_PROOF)]
    found: list[Answer | Logged] = [len(proofs)]
    held = [one for path in case if path.startswith(HELD) for one in _held(case, path)]
    found += [one for one in held if isinstance(one, str)]
    before = [one for one in held if isinstance(one, _Head)]
    heads = {path: head for path in proofs if (head := _head(case, path, case.object(path).get("head"))) is not None}
    for path in proofs:
        found += _proof(case, path, heads.get(path), before)
    found += _told_in_two_ways(case, heads)
    for one, other in combinations(before, 2):  # all in the verifier's hands
        wrong = transparency.apart(one.head, other.head) if one.of_log(other) else []
        found += [_difference(other.path, each) for each in wrong]
    for head in before:
        if not any(head.of_log(mine) for mine in heads.values()):
            found.append(
                f"Nothing in the package is shown to stand in the log {head.head.log}, of which you hold a head."
            )
    return found


def _proof(case: PackageContents, path: str, mine: _Head | None, held: Sequence[_Head]) -> Iterator[Answer | Logged]:
    """Yield what a proof shows by a list of keys that is the verifier's own, or why it shows nothing."""
    about = path.removesuffix(LOG_PROOF)
    if about not in case:
        words = (f"the proof of {about} from a log", "there is no such file")
        yield Difference("log_proof_of_nothing", CITE, path, *words)
        return
    before = [one for one in held if mine is not None and one.of_log(mine)]
    wrong = transparency.check_proof(
        case.json(path), transparency.mark_of(case[about]), case.pins.keys, [one.head for one in before],
        days=case.pins.days_of_log(mine.head.log if mine is not None else ""), revoked=case.key_statements.revoked,
    )  # fmt: skip
    for one in wrong:
        remedy = " Pin the key of the log, if you trust who keeps it." if one.code == "log_head_not_signed" else ""
        yield _difference(about, one) if one.shown else f"{about}: {one.words}{remedy}"
    if wrong or mine is None:
        return
    if case.pins.own:
        yield Logged(about, mine.head.log, tuple(sorted(mine.keepers)), mine.head.on, mine.head.size, bool(before))
    else:
        yield f"{about}: in the log {mine.head.log} by the package's own list of keys; pin the key of the log."


def _held(case: PackageContents, path: str) -> Iterator[_Head | str]:
    """Yield a head that the verifier brought; one that was changed since it was signed is told, and does not count."""
    envelope = case.json(path)
    if transparency.is_head(envelope):
        told = f"{path.removeprefix(HELD)}: this head of a log is not as it was signed; it shows nothing."
        yield _head(case, path, envelope) or told


def _head(case: PackageContents, path: str, envelope: object) -> _Head | None:
    checked: Checked = check_signature(envelope, case.pins.keys, typ=transparency.HEAD)
    if checked.status not in WHOLE:
        return None
    try:
        head = transparency.LogHead.read(inside(envelope), path)  # type: ignore[arg-type]  # a whole envelope is a mapping
    except ProblemsError:
        return None
    return _Head(path, head, checked.kid, case.pins.keepers(checked.kid, head.log))


def _difference(about: str, one: transparency.Objection) -> Difference:
    return Difference(one.code, CITE, about, "a document that stands in a log", one.words)


def _told_in_two_ways(case: PackageContents, heads: dict[str, _Head]) -> Iterator[Difference]:
    """Yield heads of one log, all in the package, that cannot both be of it."""
    one_each = {(mine.kid, mine.head): mine for mine in heads.values()}.values()
    for mine in one_each:
        for other in one_each:
            if other is mine or not mine.of_log(other):
                continue
            for wrong in transparency.differs_from(case.json(mine.path), mine.head, other.head):
                if wrong.shown:
                    yield _difference(mine.path.removesuffix(LOG_PROOF), wrong)
