"""Books against the heads that papers carry: what was changed since a paper was made, and what came in afterwards.

A party can change its book and seal it again, but not in the papers that its customers hold and its statements that it
signed. Each of them says how many lines the book had and what hash they gave (interpretation 72).
"""

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.custody_section import EntityBook, PaperFile, books, papers
from provender.audit.package.layout import ENTRIES
from provender.custody.documents.book_mark import MARK, SHARED, roots_of
from provender.custody.documents.build import PERIOD, SLIP
from provender.custody.model.digest import plain_event

CITES: Final = ("2100.032(a)", "2100.034(c)")
SHOWN: Final = 5
_NOT_IN_EVERY_BOOK: Final = frozenset({"storage", "reject", "correct", "settle"})
"""What a party may enter of goods or movements that its own book does not see."""
_NAMED_BY_BOOK: Final = frozenset(
    {"lots", "spans", "sold", "accepted", "movement", "returned", "amount", "bushels", "pounds"}
)
"""What a book taken out of a shared one names where it could not find it by itself; replaying decides these again."""


def recompute(case: PackageContents) -> CheckResult:
    """Hold every book against the heads in the papers that were made from it."""
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for found in books(case).values():
        mine = [paper for paper in papers(case) if paper.issuer == found.entity and paper.kind != SLIP]
        of_other = [paper for paper in mine if paper.document.get(MARK) and _is_of_shared(paper) != found.shared]
        told += [f"{paper.name}: made from another book of {found.entity} than this one." for paper in of_other]
        with_head = sorted((paper for paper in mine if paper.document.get(MARK) and paper not in of_other), key=_lines)
        computed += len(with_head)
        differences += [one.of((found.entity,)) for one in (*_changed(found, with_head), *_entered(found))]
        for paper in with_head:
            if paper.kind == PERIOD:
                differences += [one.of((found.entity,)) for one in _roots(found, paper)]
                told += _afterwards(found, paper)
        if bare := len(mine) - len(with_head) - len(of_other):
            told.append(f"{bare} papers of {found.entity} carry no head of its book: it may have been changed since.")
    return CheckResult("book and papers", CITES, computed, tuple(differences), tuple(dict.fromkeys(told)))


def _is_of_shared(paper: PaperFile) -> bool:
    return bool(paper.document[MARK].get("of") == SHARED)


def _entered(found: EntityBook) -> Iterator[Difference]:
    """Yield what the entity entered into the shared book and its own book has not, or has otherwise.

    Which serials were moved, and what the shared book saw of others, the book names where the entry did not.
    """
    booked = {event.id: plain_event(event) for event in found.requests}
    faulty = {fault.event.get("id") for fault in found.faults}
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


def _lines(paper: PaperFile) -> int:
    lines: int = paper.document[MARK].get("lines") or 0
    return lines


def _head_then(found: EntityBook, lines: int) -> str:
    return found.bound[lines - 1].head if 0 < lines <= len(found.bound) else ""


def _changed(found: EntityBook, with_head: list[PaperFile]) -> Iterator[Difference]:
    """Yield the first stretch of lines that is not as a paper saw it, and each paper whose own head fits nowhere."""
    fitting = 0
    for paper in with_head:
        lines = _lines(paper)
        if _head_then(found, lines) == paper.document[MARK].get("head"):
            fitting = lines
            continue
        # Another paper of the same length may fit where the papers of this package were made anew.
        place = f"book of {found.entity}, lines {min(fitting, lines - 1) + 2} to {lines + 1}"
        said = f"head {str(paper.document[MARK].get('head'))[:12]} after {lines} events in {paper.name}"
        again = _head_then(found, lines)
        now = f"head {again[:12]}" if again else f"the book has {len(found.bound)} events"
        yield Difference("book_changed_since", "2100.032(a)", place, said, now)


def _roots(found: EntityBook, paper: PaperFile) -> Iterator[Difference]:
    """Yield the kinds of record of a period that are not as its statement bound them."""
    said: dict[str, Any] = paper.document[MARK].get("roots") or {}
    first, last = (date.fromisoformat(str(paper.document[name])) for name in ("start", "end"))
    now = roots_of(found.bound[: _lines(paper)], first, last)
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
        if number >= _lines(paper) and first <= line.day <= last
    ]
    if after:
        more = f" and {len(after) - SHOWN} more" if len(after) > SHOWN else ""
        yield f"{paper.name}: entered into the period after it was stated: {', '.join(after[:SHOWN])}{more}."
