"""Papers of subpart D against books: statements of periods, transfer documents, slips, and who signed them."""

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.audit.outcome import Answer, Difference, all_about, check, effect_g_co2e, scaled
from provender.audit.package.contents import FarmPart, PackageContents, ReportFile
from provender.audit.package.custody_section import EntityBook, PaperFile, books, contract_keys, papers, signatures_of
from provender.audit.package.layout import ENTRIES
from provender.custody.documents import build
from provender.custody.documents.consents import NOTICE, again, decided, passed_over
from provender.custody.events.outside import DocumentEvent
from provender.custody.events.trade import SaleEvent
from provender.custody.model.event import Footing, plain_event
from provender.custody.model.lots import Slip
from provender.custody.model.store_view import taken_back_by
from provender.exact import CI_SCALE, SCALE, show
from provender.intensity.calculator import SIGNABLE
from provender.problem import ProblemsError, listed
from provender.report.typ import TYP
from provender.signing.canonical import document_hash
from provender.signing.jws import MEANING, WHOLE, Checked, Status
from provender.signing.jws import check as check_signature

# Plain documents as one text per named place, so that two of them can be laid side by side.
#
# A member of a list is named by what it is about (unit, crop entry, requirement, serials), not by its place, so the
# order of rows never matters.

Path = tuple[str, ...]

NAMED_BY: Final[tuple[tuple[str, ...], ...]] = (
    ("unit_id",),
    ("harvest_id",),
    ("run_id",),
    ("operation_id",),
    ("evidence_id",),
    ("practice",),
    ("grade",),
    ("kind", "row", "reason"),
    ("name",),
    ("unit",),
    ("origin", "start"),
    ("crop", "harvest_year", "ci_g_per_bu"),
    ("ci_g_per_bu",),
    ("ticket",),
    ("number",),
    ("start",),
    ("form",),
    ("cite",),
    ("step",),
)
"""What tells the members of a list apart: the first of these that all of them carry."""


_LEFT_OUT_DEPTH: Final = 2
_AS_LIST: Final = " (as a list)"


class Listed(str):
    """The text of a list of plain values: a value in a list is none by itself, though both are spelled the same."""

    __slots__ = ()


def _kinds_told(left: dict[Path, str], right: dict[Path, str]) -> None:
    """Let the texts of one place say which is a list, where only that tells them apart."""
    for path in left.keys() & right.keys():
        of_list = isinstance(left[path], Listed), isinstance(right[path], Listed)
        if of_list[0] is not of_list[1] and left[path] == right[path]:
            one = left if of_list[0] else right
            one[path] += _AS_LIST


def flat(document: Mapping[str, Any], leave_out: Collection[str] = ()) -> dict[Path, str]:
    """Return a document as one text per named place; what is null has no line.

    Args:
        document: plain data.
        leave_out: names at the top, or of the next level joined by ``/``, that are not compared.
    """
    return dict(_lines((), document, leave_out))


def _unlike(left: Mapping[str, Any], right: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two documents without the members at the top that both spell the same: nearly all of an honest one."""
    same = {name for name in left.keys() & right.keys() if _text(left[name]) == _text(right[name])}
    kept, again = ({name: value for name, value in one.items() if name not in same} for one in (left, right))
    return kept, again


def _lines(path: Path, value: Any, leave_out: Collection[str]) -> Iterator[tuple[Path, str]]:  # noqa: ANN401 - any JSON
    if 0 < len(path) <= _LEFT_OUT_DEPTH and "/".join(path) in leave_out:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _lines((*path, str(name)), inner, leave_out)
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        for name, one in _named(value):
            yield from _lines((*path, name), one, leave_out)
    elif isinstance(value, list):
        members = sorted(map(str, value))
        plain = not any(", " in one for one in members)  # else where one ends and the next begins is not to be seen
        yield path, Listed(", ".join(members) if plain else json.dumps(members, ensure_ascii=False))
    elif value is not None:
        yield path, ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _named(rows: list[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name the members of a list; those of one name are counted in the order of their content."""
    by = next((names for names in NAMED_BY if all(set(names) <= set(row) for row in rows)), None)
    seen: dict[str, int] = {}
    for row in sorted(rows, key=_text):
        name = " ".join(_short(row[part]) for part in by) if by else "line"
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name} ({seen[name]})"), row


def _text(row: object) -> str:
    return json.dumps(row, sort_keys=True)


def _short(value: object) -> str:
    text = str(value)
    return f"{text[:_HASH_SHOWN]}..." if len(text) == _HASH_DIGITS and text.isalnum() else text


_HASH_DIGITS: Final = 64
_HASH_SHOWN: Final = 12


def laid_together(
    claimed: Mapping[str, Any], recomputed: Mapping[str, Any], leave_out: Collection[str]
) -> tuple[dict[Path, str], dict[Path, str], list[Path]]:
    """Return two documents flat, and the places at which they differ, in the order of the first."""
    left, right = (flat(one, leave_out) for one in _unlike(claimed, recomputed))
    _kinds_told(left, right)
    return left, right, [path for path in dict.fromkeys([*left, *right]) if left.get(path) != right.get(path)]


# A document of subpart D laid beside the same document made again from a book, or held by somebody else.

_NOT_COMPARED: Final = frozenset({"made_on", "format", "warnings", "rule", "matched", "verification", build.MARK})
"""What the day of making decides; ``recompute.statements`` holds the verification against the book of that day."""

_CITES: Final[Mapping[str, str]] = {
    "amount": "2100.032(c)(2)",
    "crop_used_bu": "2100.033(b)(1)",
    "cis": "2100.032(c)(3)",
    "ci_g_per_bu": "2100.032(a)(1)(iii)",
    "lines": "2100.032(a)",
    "yield_lb_per_bu": "2100.033(a)(1)",
    "product_lb": "2100.033(a)(2)",
    "verification": "2100.032(c)(1)",
    "seller": "2100.032(a)(1)(ii)",
    "buyer": "2100.032(a)(1)(ii)",
    "title_date": "2100.032(a)(1)(iv)",
    "day": "2100.032(a)(1)(iv)",
    "shipments": "2100.032(a)(1)(i)",
    "bushels": "2100.032(a)(1)(i)",
    "spans": "2100.032(a)",
    "balance": "2100.034(d)",
    "balance_sha256": "2100.034(c)",
    "start": "2100.034(b)",
    "end": "2100.034(b)",
    "closed_on": "2100.034(b)",
    "policy": "2100.034(b)",
}
_ELSE: Final = "2100.032(a)(1)"


def _rests_on_less(claimed: object, recomputed: object) -> bool:
    """Tell whether a document says that papers stand behind its claims where the book has what was typed.

    Papers that came in later change what a sale rests on by now, not what its document said on its day.
    """
    said, now = (str(one.get("weakest", "")) if isinstance(one, Mapping) else "" for one in (claimed, recomputed))
    return said not in set(Footing) or (now == Footing.TYPED and said != Footing.TYPED)


def compare_papers(
    claimed: Mapping[str, Any], recomputed: Mapping[str, Any], name: str, *, code: str
) -> list[Difference]:
    """Return every field in which two documents differ.

    Args:
        claimed: the document as signed.
        recomputed: the same made again from the book, or as another party holds it.
        name: what a person calls it.
        code: what the code of each difference begins with.
    """
    unknown = [
        Difference(
            f"{code}:unknown_member", _ELSE, f"{name}: {part.replace('_', ' ')}", f"a member {member}", "no such"
        )
        for part in ("rule", "verification", "rests_on")
        if isinstance(said := claimed.get(part), Mapping) and isinstance(again := recomputed.get(part), Mapping)
        for member in sorted(said.keys() - again.keys())
    ]
    if "rests_on" in claimed and not _rests_on_less(claimed["rests_on"], recomputed.get("rests_on")):
        recomputed = {**recomputed, "rests_on": claimed["rests_on"]}
    left, right, changed = laid_together(claimed, recomputed, _NOT_COMPARED)
    if len(changed) > 1:  # the hash of the balance only says that the balance differs
        changed = [path for path in changed if path != ("balance_sha256",)]
    return unknown + [_difference(path, left, right, (claimed, recomputed), name, code) for path in changed]


def _difference(
    path: Path,
    left: Mapping[Path, str],
    right: Mapping[Path, str],
    pair: tuple[Mapping[str, Any], Mapping[str, Any]],
    name: str,
    code: str,
) -> Difference:
    said, again = left.get(path, ""), right.get(path, "")
    cite = _CITES.get(path[-1]) or _CITES.get(path[0], _ELSE)
    place = f"{name}: {', '.join(part.replace('_', ' ') for part in path)}"
    bushels = _bushels(path, said, again, *pair)
    grams = _grams(path, said, again, bushels)
    return Difference(f"{code}:{path[-1]}", cite, place, said, again, bushels, grams)


def _bushels(
    path: Path, said: str, again: str, claimed: Mapping[str, Any], recomputed: Mapping[str, Any]
) -> int | None:
    """Return how many bushels hang on a field: its own change where it counts bushels, else the whole document."""
    if (
        path[-1] in ("crop_used_bu", "bushels", "start", "stop")
        or path[-1].endswith("_bu")
        or "incoming" in path
        or "outgoing" in path
    ):
        pair = scaled(said, SCALE), scaled(again, SCALE)
        if pair != (None, None):
            return abs((pair[0] or 0) - (pair[1] or 0))
    for one in (claimed, recomputed):
        if (
            one.get("type") not in (build.PERIOD, build.RESTATEMENT)
            and (found := scaled(one.get("crop_used_bu", one.get("bushels")), SCALE)) is not None
        ):
            return found
    return None


def _grams(path: Path, said: str, again: str, bushels: int | None) -> int | None:
    old, new = scaled(said, CI_SCALE), scaled(again, CI_SCALE)
    if path[-1] != "ci_g_per_bu" or bushels is None or old is None or new is None:
        return None
    return effect_g_co2e(bushels, old, new)


_NO_PAPERS: Final = "The package holds no such documents."


@check(
    "balances", "2100.034(c)", "2100.034(d)", "2100.034(d)(1)(ii)", "2100.034(d)(1)(iv)", nothing=_NO_PAPERS
)  # fmt: skip
def periods(case: PackageContents) -> Iterator[Answer]:
    """Make the statement of every closed period, and each restatement, again and compare it, equation by equation."""
    for paper in papers(case):
        found = books(case).get(paper.issuer)
        if paper.kind in (build.PERIOD, build.RESTATEMENT) and found is not None:
            yield 1
            yield from _again(found, paper, "balance_differs")


@check(
    "transfers", "2100.032(a)(1)(i)", "2100.032(a)(1)(ii)", "2100.032(a)(1)(iii)", "2100.032(a)(1)(iv)",
    "2100.032(c)(2)", "2100.032(c)(3)", "2100.033", nothing=_NO_PAPERS,
)  # fmt: skip
def transfers(case: PackageContents) -> Iterator[Answer]:
    """Make every other paper again from the book of its signer, what moves bushels from its buyer's too; compare."""
    for paper in papers(case):
        for found in books(case).values() if paper.kind not in (build.PERIOD, build.RESTATEMENT) else ():
            yield from _made_again(found, paper)
    yield from _two_texts(papers(case))


def _made_again(found: EntityBook, paper: PaperFile) -> Iterator[Answer]:
    if paper.kind == build.SLIP:
        if found.entity in (paper.issuer, paper.document["buyer"]["id"]):
            yield 1
            yield from _again(found, paper, "slip_differs")
    elif paper.kind != build.TRANSFER:
        yield from _of_signer(found, paper)
    elif found.entity == paper.issuer and (by := _corrected_by(found, paper.number)):
        yield f"{paper.name}: the sale was taken back by {by}. Ask whether its buyer gave the paper back."
    elif found.entity == paper.issuer:
        yield 1
        yield from _again(found, paper, "transfer_differs")
    elif found.entity == paper.document["buyer"]["id"]:
        yield 1
        yield from _received(found, paper)


def _of_signer(found: EntityBook, paper: PaperFile) -> Iterator[Answer]:
    """Hold a notice, a consent or figures against its signer's book; a buyer's may not pass a notice over."""
    if found.entity == paper.issuer:
        yield 1
        yield from _again(found, paper, "paper_differs")
    elif paper.kind == NOTICE and found.entity == paper.document["buyer"]["id"]:
        yield 1
        if left := passed_over(found.store, paper.document):
            words = ("a notice received", "the book has its bushels as if it had not come")
            place = f"{paper.name}, book of {found.entity}"
            yield Difference("document_not_booked", "2100.032(a)", place, *words, left).of((found.entity,))


def _again(found: EntityBook, paper: PaperFile, code: str) -> list[Difference]:
    name = f"{paper.name}, book of {found.entity}"
    try:
        claimed, made = decided(paper.document), again(found.store, paper.document)
        tried = [compare_papers(claimed, decided(one), name, code=code) for one in made]
    except ProblemsError as refused:
        why = " ".join(problem.cause for problem in refused.problems)
        return [
            Difference(
                f"{code}:missing", "2100.032(a)(1)", f"{paper.name}, in {paper.path}", "a document", why, _size(paper)
            ).of((found.entity,))
        ]
    return [one.of((found.entity,)) for one in next((one for one in tried if not one), tried[0])]


def _size(paper: PaperFile) -> int | None:
    return scaled(paper.document.get("crop_used_bu", paper.document.get("bushels")), SCALE)


def _received(found: EntityBook, paper: PaperFile) -> Iterator[Difference]:
    """Compare a supplier's transfer document with what the buyer booked of it, line by line."""
    event = next(
        (
            one
            for one in found.requests
            if isinstance(one, DocumentEvent) and (one.giver, one.number) == (paper.issuer, paper.number)
        ),
        None,
    )
    if event is None:
        if found.store.posted(paper.number) is None:  # one shared book holds the sale itself
            words = ("a document received", "the book has not taken it in")
            yield Difference(
                "document_not_booked", "2100.035(b)(1)", f"{paper.name}, book of {found.entity}", *words, _size(paper)
            )
        else:
            yield from _again(found, paper, "transfer_differs")
        return
    said = {
        (str(line["origin"]), str(line["start"])): (
            str(line["crop_used_bu"]),
            str(line["ci_g_per_bu"]),
            str(line["product_lb"] or "0"),
            str(line["harvest_year"]),
        )
        for line in paper.document["lines"]
    }
    booked = {
        (line.origin, show(line.start)): (
            show(line.bushels), show(line.ci, CI_SCALE), show(line.pounds), str(line.harvest_year)
        )
        for line in event.lines
    }  # fmt: skip
    if event.report and event.report != document_hash(paper.document):
        place = f"{paper.name}, book of {found.entity}"
        words = (f"a document with hash {event.report[:12]}", f"{document_hash(paper.document)[:12]} in {paper.path}")
        yield Difference("other_document_than_received", "2100.035(b)(1)", place, *words, _size(paper))
    for key in sorted({*said, *booked}):
        if said.get(key) != booked.get(key):
            place = f"{paper.name}, book of {found.entity}: origin {key[0][:12]} from {key[1]}"
            yield Difference(
                "booked_otherwise", "2100.035(b)(1)", place, _line(booked.get(key)), _line(said.get(key)), _size(paper)
            ).of((found.entity,))


def _line(values: tuple[str, str, str, str] | None) -> str:
    return "" if values is None else f"{values[0]} bu at {values[1]} g CO2e/bu, {values[2]} lb, harvest {values[3]}"


def _two_texts(found: tuple[PaperFile, ...]) -> Iterator[Difference]:
    """Yield documents of one number that two parties hold with different texts."""
    first: dict[tuple[str, str, str], PaperFile] = {}
    for one in found:
        other = first.setdefault((one.kind, one.issuer, one.number), one)
        if other is not one and document_hash(other.document) != document_hash(one.document):
            name = f"{one.name}, {other.path} beside {one.path}"
            pair = compare_papers(other.document, one.document, name, code="copies_differ")
            yield from (difference.of((one.issuer,)) for difference in pair)


@check("papers kept", "2100.032(b)", nothing=_NO_PAPERS)
def kept(case: PackageContents) -> Iterator[Answer]:
    """Look for the papers an entity must hold: slips and reports of its farms, documents of its suppliers."""
    # What another party or the verifier holds shows nothing of what this one kept.
    there = {(paper.prefix, paper.kind, paper.issuer, paper.number) for paper in papers(case)}
    for found in books(case).values():
        for kind, party, number, cite, bushels in _wanted(found):
            yield 1
            if (found.prefix, kind, party, number) not in there:
                words = (f"{kind.removeprefix('custody-').replace('-', ' ')} {number} of {party}", "it is not here")
                yield Difference("paper_missing", cite, f"book of {found.entity}", *words, bushels)


def _wanted(found: EntityBook) -> Iterator[tuple[str, str, str, str, int | None]]:
    mine = found.entity
    for event in found.requests:
        if isinstance(event, DocumentEvent) and event.taker == mine and any(line.origin for line in event.lines):
            yield build.TRANSFER, event.giver, event.number, "2100.032(b)(2)", sum(line.bushels for line in event.lines)
        if isinstance(event, SaleEvent) and event.giver == mine and not _corrected_by(found, event.id):
            yield build.TRANSFER, mine, event.id, "2100.032(c)", event.bushels or None
        slip = found.store.one(Slip, event.id)
        if slip is not None and slip.taker == mine:
            yield build.SLIP, slip.giver, slip.id, "2100.032(b)(1)", sum(stop - start for start, stop in slip.spans)


def _corrected_by(found: EntityBook, sale: str) -> str:
    """Return by what a sale was taken back; empty where it stands or is not known."""
    posted = found.store.posted(sale)
    return taken_back_by(found.store, posted) if posted else ""


@check("papers signed", "2100.032(a)")
def signed(case: PackageContents) -> Iterator[Answer]:
    """Check who signed each paper: the issuer, with the key a contract or the verifier's list binds to it."""
    if not papers(case):
        yield _NO_PAPERS
    for paper in papers(case):
        checked = signatures_of(case)[paper.path]
        place = f"{paper.name}, in {paper.path}"
        if checked.status is Status.NOT_SIGNED or "document" not in paper.envelope:
            yield Difference("not_signed", "2100.032(a)", place, "a signed paper", "no signature", _size(paper))
            continue
        yield 1
        if checked.status not in WHOLE:
            words = ("signed", MEANING[checked.status][0])
            yield Difference(f"signature_{checked.status}", "2100.032(a)", place, *words, _size(paper))
            continue
        known = [("the list of pinned keys", case.pins.of(paper.issuer)), *contract_keys(case, paper.issuer)]
        for where, keys in known:
            if keys and checked.kid not in keys:
                words = (f"signed with key {checked.kid}", f"{where} has {', '.join(sorted(keys))}")
                yield Difference("signed_with_other_key", "2100.032(a)", place, *words, _size(paper))
        if not any(keys for _, keys in known):
            yield f"{place}: no key is pinned to {paper.issuer}."


# Books against the heads that papers carry: what was changed since a paper was made, and what came in afterwards.
#
# A party can change its book and seal it again, but not in the papers that its customers hold and its statements that
# it signed. Each of them says how many lines the book had and what hash they gave (interpretation 72).

SHOWN: Final = 5
_NOT_IN_EVERY_BOOK: Final = frozenset({"storage", "reject", "correct", "settle"})
"""What a party may enter of goods or movements that its own book does not see."""
_NAMED_BY_BOOK: Final = frozenset(
    {"lots", "spans", "sold", "accepted", "movement", "returned", "amount", "bushels", "pounds"}
)
"""What a book taken out of a shared one names where it could not find it by itself; replaying decides these again."""


@check("book and papers", "2100.032(a)", "2100.034(c)")
def book_heads(case: PackageContents) -> Iterator[Answer]:
    """Hold every book against the heads in the papers that were made from it."""
    for found in books(case).values():
        mine = [paper for paper in papers(case) if paper.issuer == found.entity and paper.kind != build.SLIP]
        marked = [paper for paper in mine if paper.document.get(build.MARK)]
        of_other = [one for one in marked if (one.document[build.MARK].get("of") == build.SHARED) != found.shared]
        with_head = sorted((one for one in marked if one not in of_other), key=_book_heads_lines)
        yield len(with_head)
        yield from (f"{paper.name}: made from another book of {found.entity} than this one." for paper in of_other)
        yield from all_about((*_changed(found, with_head), *_entered(found)), (found.entity,))
        for paper in with_head:
            if paper.kind == build.PERIOD:
                yield from all_about((*_roots(found, paper), *_afterwards(found, paper)), (found.entity,))
        if bare := len(mine) - len(marked):
            yield f"{bare} papers of {found.entity} carry no head of its book: it may have been changed since."


def _entered(found: EntityBook) -> Iterator[Difference]:
    """Yield what the entity entered into the shared book and its own book has not, or has otherwise.

    Which serials were moved, and what the shared book saw of others, the book names where the entry did not.
    """
    booked = {event.id: plain_event(event) for event in found.requests}
    faulty = {str(fault.event.get("id")) for fault in found.faults}
    for number, entry in enumerate(found.entries, 2):
        name, kind = str(entry.event["id"]), entry.line.kind
        if name in faulty or kind in _NOT_IN_EVERY_BOOK:
            continue
        place = f"book of {found.entity}, {kind.replace('_', ' ')} {name}"
        words = f"line {number} of {ENTRIES}"
        if name not in booked:
            yield Difference("entry_not_in_book", "2100.032(a)", place, words, "no such event in the book")
            continue
        for field in sorted(entry.event.keys() - _NAMED_BY_BOOK):
            said, kept = entry.event[field], booked[name].get(field)
            if said != kept:
                yield Difference(
                    "entered_otherwise", "2100.032(a)", f"{place}, {field}", f"{said} in {words}", f"{kept}"
                )


def _book_heads_lines(paper: PaperFile) -> int:
    lines: int = paper.document[build.MARK].get("lines") or 0
    return lines


def _head_then(found: EntityBook, lines: int) -> str:
    return found.bound[lines - 1].head if 0 < lines <= len(found.bound) else ""


def _changed(found: EntityBook, with_head: list[PaperFile]) -> Iterator[Difference]:
    """Yield the first stretch of lines that is not as a paper saw it, and each paper whose own head fits nowhere."""
    fitting = 0
    for paper in with_head:
        lines = _book_heads_lines(paper)
        if _head_then(found, lines) == paper.document[build.MARK].get("head"):
            fitting = lines
            continue
        # Another paper of the same length may fit where the papers of this package were made anew.
        place = f"book of {found.entity}, lines {min(fitting, lines - 1) + 2} to {lines + 1}"
        said = f"head {str(paper.document[build.MARK].get('head'))[:12]} after {lines} events in {paper.name}"
        again = _head_then(found, lines)
        now = f"head {again[:12]}" if again else f"the book has {len(found.bound)} events"
        yield Difference("book_changed_since", "2100.032(a)", place, said, now)


def _roots(found: EntityBook, paper: PaperFile) -> Iterator[Difference]:
    """Yield the kinds of record of a period that are not as its statement bound them."""
    said: dict[str, Any] = paper.document[build.MARK].get("roots") or {}
    first, last = (date.fromisoformat(str(paper.document[name])) for name in ("start", "end"))
    now = build.roots_of(found.bound[: _book_heads_lines(paper)], first, last)
    for kind in sorted({*said, *now}):
        if said.get(kind) != now.get(kind):
            place = f"{paper.name}: {kind.replace('_', ' ')} records of the period"
            words = (f"root {str(said.get(kind, ''))[:12]}", f"root {now.get(kind, '')[:12]}")
            yield Difference("period_records_changed", "2100.034(c)", place, *words)


def _afterwards(found: EntityBook, paper: PaperFile) -> Iterator[str]:
    """Yield what was entered into a period after its statement was made."""
    first, last = str(paper.document["start"]), str(paper.document["end"])
    after = [
        f"line {number + 2} ({line.kind.replace('_', ' ')} of {line.day})"
        for number, line in enumerate(found.bound)
        if number >= _book_heads_lines(paper) and first <= line.day <= last
    ]
    if after:
        yield f"{paper.name}: entered into the period after it was stated: {listed(after, SHOWN)}."


# Who signed each report, statement and request, against the keys pinned to the parties (interpretation 33).
#
# Whoever changes a report can sign it again, but only with a key of his own: that key is not the one the supply
# contract binds to the farm. Keys are asked for in three places, each held by somebody else: the verifier's own list,
# the contracts in the books of those who bought the crop, and the producer's record in the farm's package.

CITE: Final = "2100.031(c)(3)"


@check("signatures", CITE)
def signatures(case: PackageContents) -> Iterator[Answer]:
    """Check every report's signature against every key that is known of its farm."""
    some = False
    for farm in case.farms:
        yield from _unreadable(farm)
    mine = [(one, farm) for farm in case.farms for one in farm.reports]
    for one, owner in [*mine, *((copy, None) for copy in case.held_reports)]:
        checked = check_signature(one.envelope, case.pins.keys, typ=TYP)
        if checked.status is Status.NOT_SIGNED or "document" not in one.envelope:
            yield f"{one.name} is {one.document.get('label')} and not signed."
            if one.document.get("label") in SIGNABLE:
                words = ("an official report", "it carries no signature")
                yield Difference("not_signed", CITE, one.name, *words, one.bushels)
            continue
        some = True
        yield 1
        yield from _signature(case, owner, one, checked)
        if not (case.pins.of(one.key[0]) or contract_keys(case, one.key[0])):
            yield f"{one.name}: no key is pinned to {one.key[0]}; compare {checked.kid[:12]} with the farm."
    if some and not case.pins.own:
        yield "Keys were taken from the package's own word; bring those of the supply contracts (--pinned)."


def _unreadable(farm: FarmPart) -> Iterator[Difference]:
    read = {one.path for one in farm.reports}
    for path in farm.report_paths:
        if path not in read:
            yield Difference("report_unreadable", "2100.031(c)", path, "a Biofuel Feedstock Report", "not readable")
    for path in farm.idle_openings:
        words = ("what opens the roots of a report", "not readable, or of no report here")
        yield Difference("leaves_unreadable", "2100.031(c)", path, *words)


def _signature(
    case: PackageContents, owner: FarmPart | None, one: ReportFile, checked: Checked
) -> Iterator[Difference]:
    if checked.status not in WHOLE:
        cause = MEANING[checked.status][0]
        yield Difference(f"signature_{checked.status}", CITE, one.name, "signed by the producer", cause, one.bushels)
        return
    pinned = case.pins.of(one.key[0])
    if pinned and checked.kid not in pinned:
        yield _other_key(one, checked.kid, pinned, "the list of pinned keys")
    elif others := case.pins.others(checked.kid, one.key[0]):
        words = (f"signed by {one.key[0]}", f"signed with the key of {', '.join(others)}")
        yield Difference("signed_with_other_key", CITE, one.name, *words, one.bushels)
    elif case.pins.pins and not pinned and checked.status is Status.SIGNER_UNKNOWN:
        words = (f"signed with key {checked.kid}", "nobody pinned this key to anyone")
        yield Difference("signer_unknown", CITE, one.name, *words, one.bushels)
    for where, keys in contract_keys(case, one.key[0]):
        if checked.kid not in keys:
            yield _other_key(one, checked.kid, keys, where)
    on_file = _key_of_producer(owner, one) if owner else ""
    if on_file and checked.kid not in case.key_statements.family([on_file]):
        yield _other_key(one, checked.kid, frozenset({on_file}), "the producer's record")


def _other_key(one: ReportFile, kid: str, keys: frozenset[str], where: str) -> Difference:
    words = (f"signed with key {kid}", f"{where} has {', '.join(sorted(keys))}")
    return Difference("signed_with_other_key", CITE, one.name, *words, one.bushels)


def _key_of_producer(farm: FarmPart, one: ReportFile) -> str:
    producer = one.document["producer"]["producer_id"]
    return next((row["key_fingerprint"] or "" for row in farm.rows("producer") if row["producer_id"] == producer), "")
