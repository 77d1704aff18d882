"""What books side by side can show, and the paragraph that each kind is about."""

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, Self, TypeVar
from unicodedata import combining, normalize

from provender.custody.events.farm_trade import PendingEvent, PurchaseEvent, SlipEvent, Terms
from provender.custody.events.outside import DocumentEvent, OpeningEvent
from provender.custody.events.parties import ContractEvent, EntityEvent, StatementEvent, as_stated
from provender.custody.events.reports import ReportEvent
from provender.custody.events.trade import SaleEvent
from provender.custody.model.entities import Verification, fingerprint_of, months_on
from provender.custody.model.event import Event
from provender.custody.model.lots import slip_number
from provender.custody.model.store_view import Posted, StoreView, taken_back_by
from provender.exact import show
from provender.rule.law import rule_version
from provender.schema import frozen
from provender.signing.canonical import sha256_hex


class DiscrepancyKind(StrEnum):
    """What books side by side can show, and the paragraph that each kind is about."""

    def __new__(cls, value: str, cite: str = "2100.032(a)") -> Self:
        """Give the member its paragraph beside its value."""
        member = str.__new__(cls, value)
        member._value_, member.cite = value, cite
        return member

    cite: str

    DOUBLE_SALE = "double_sale"
    OVERLAP = "overlap"
    BROKEN_CHAIN = "broken_chain"
    LINK_NOT_SHOWN = "link_not_shown"
    """No fault: the books that may hold a link between two claims were not given."""
    SHORTFALL_DIFFERS = "shortfall_differs"
    """No fault of either: a book that did not know of a sale took sold bushels for unsold when a report shrank."""
    CHANGED_LATER = "changed_later", "2100.031(c)"
    """No fault: bushels were sold before their report's change, for an earlier day, was entered anywhere."""
    SECOND_ORIGIN = "second_origin", "2100.031(c)"
    REPORTS_DIFFER = "reports_differ", "2100.031(c)"
    SAME_TICKET = "same_ticket", "2100.031(b)"
    SAME_FIELD = "same_field", "2100.031(c)"
    MISSING_COUNTERPART = "missing_counterpart", "2100.032(a)(1)"
    CIRCULAR_TRADE = "circular_trade"
    UNBALANCED_PERIOD = "unbalanced_period", "2100.034(d)"
    LEGS_DIFFER = "legs_differ", "2100.032(a)(1)"
    IN_DISPUTE = "in_dispute"
    ORIGIN_DIFFERS = "origin_differs", "2100.032(a)(1)"
    LOOK_ALIKE = "look_alike"
    ONE_FOR_TWO = "one_for_two"
    """One name, key, number or id behind two parties, or one file behind two statements."""
    STATEMENTS_DIFFER = "statements_differ", "2100.032(b)(2)"
    LATE_TICKET = "late_ticket", "2100.031(b)"
    BOOK_REWRITTEN = "book_rewritten"
    TYPED_ENTRY = "typed_entry"
    """Something stands for another party's paper or measurement, and the book has none."""
    ENTERED_OTHERWISE = "entered_otherwise"
    """An entry says that it is signed, and its paper has another key or other words."""
    PRODUCT_EXCEEDED = "product_exceeded", "2100.033(a)(2)"
    """Claims of a campaign beyond their share of what its batches gave."""


@frozen
class Discrepancy:
    """One thing that does not fit."""

    kind: DiscrepancyKind  # what it is
    bushels: int  # at stake, thousandths
    said: str  # in whole sentences

    def as_json(self) -> dict[str, object]:
        return {"kind": str(self.kind), "bushels": show(self.bushels), "message": self.said, "cite": self.kind.cite}


# Names that look alike and are not the same: by case, width, accents, separators or letters of another script.

K = TypeVar("K", bound=Hashable)

_PAIRS: Final = (files("provender.custody") / "data" / "look_alikes.txt").read_text(encoding="utf-8").split()
_ALIKE: Final = str.maketrans(dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)))
"""Letters of other scripts that are printed like a Latin one; the commonest of Unicode's list of confusables."""
_DIGITS: Final = str.maketrans("oil|", "0111")
_APART: Final = re.compile(r"(?<=\d)[^0-9a-z]+(?=\d)")
_SEPARATORS: Final = re.compile(r"[^0-9a-z\-]+")


@lru_cache(maxsize=1 << 17)
def skeleton(name: str) -> str:
    """Return what a name looks like at a glance: equal for ``INV-77``, ``inv 77`` and one in another script.

    Between digits a separator stays: 1-12 and 11-2 are two numbers.
    """
    # Width and ligatures first, then accents; letters of other scripts in lower case, then those like digits.
    bare = name.lower()
    if not name.isascii():
        wide = normalize("NFKD", name.casefold())
        bare = "".join(letter for letter in wide if not combining(letter)).translate(_ALIKE).lower()
    apart = _APART.sub("~", bare.translate(_DIGITS))
    return _SEPARATORS.sub("", apart.replace("-", "").replace("~", "-"))


def look_alikes(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield groups of different names that look alike, sorted."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[skeleton(name)].add(name)
    for shape in sorted(groups):
        if len(groups[shape]) > 1 and shape:
            yield tuple(sorted(groups[shape]))


def under_two(held: Mapping[K, Collection[object]]) -> Iterator[tuple[K, tuple[str, ...]]]:
    """Yield keys that stand for more than one thing, with these in words."""
    for key, things in held.items():
        if len(things) > 1 and len(words := tuple(sorted({str(one) for one in things}))) > 1:
            yield key, words


# Who is who, who vouches for whom and when: what several books say of a name, a key or a statement (2100.032(a)).
#
# One name, key or number behind two parties, and one statement that says two things, can make a stranger pass for a
# verified party. A name by itself is no evidence (interpretation 59): two farms may share one; nobody takes another's.

Sets = dict[str, set[str]]


def _sets() -> Sets:
    return defaultdict(set)


def join(held: Any, more: Any) -> None:  # noqa: ANN401 - dicts of dicts, or of sets
    """Add sets or dicts to those held under the same keys; nearly every key is of one book alone."""
    for key, said in more.items():
        if key in held:
            held[key] |= said
        else:
            held[key] = said.copy()


@dataclass(slots=True)
class Identities:
    """What was gathered of parties and of those who vouch for them."""

    names: Sets = field(default_factory=_sets)  # by party, the names it was entered under in one book or another
    renamed: set[str] = field(default_factory=set)  # parties that one book entered under two names
    behind: Sets = field(default_factory=_sets)  # by a key, number, id or file in words, what it stands for
    stated: Sets = field(default_factory=_sets)  # by statement in words, what each file says of it in the end, in words
    # by how verifier and number of a statement look, how they are written
    numbers: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    better: set[str] = field(default_factory=set)  # statements that one book made better under their number, in words
    long: set[str] = field(default_factory=set)  # statements in words, over more months than one can cover
    # purchases in words with thousandths of a bushel, whose ticket is of a later day than their title
    late: dict[str, int] = field(default_factory=dict)

    def add_book(self, store: StoreView, events: Sequence[Posted]) -> None:
        entered = _sets()
        for posted in events:
            event = posted.event
            if isinstance(event, EntityEvent):
                entered[event.entity].add(skeleton(event.name))
                self.names[event.entity].add(event.name)
            elif isinstance(event, StatementEvent):
                self._note_statement(store, event)
                self._note_file(event.evidence, f"statement {event.number} of {event.verifier} over {event.entity}")
            elif not taken_back_by(store, posted):
                self._note(event)
        self.renamed |= {party for party, names in entered.items() if len(names) > 1}

    def add(self, other: "Identities") -> None:
        for mine, its in ((self.names, other.names), (self.behind, other.behind), (self.stated, other.stated)):
            join(mine, its)
        join(self.numbers, other.numbers)
        self.renamed |= other.renamed
        self.better |= other.better
        self.long |= other.long
        self.late |= other.late

    def _note(self, event: Event) -> None:
        if isinstance(event, ContractEvent) and event.signing_key:
            key = fingerprint_of(event.signing_key)
            self.behind[f"The key {key[:16]}"].add(event.counterparty)
        elif isinstance(event, SaleEvent | DocumentEvent):
            number = event.number if isinstance(event, DocumentEvent) else event.id
            if isinstance(event, DocumentEvent):
                self._note_file(event.report, f"document {number} of {event.giver}")
            self.behind[f"Number {number} of {event.giver}"].add(event.taker)
        elif isinstance(event, SlipEvent):
            self.behind[f"Slip {slip_number(event.id, event.giver)} of {event.giver}"].add(event.taker)
        elif isinstance(event, OpeningEvent):
            self._note_file(event.evidence, f"opening stock of {event.entity}")
        elif isinstance(event, ReportEvent) and event.salt:
            self.behind[f"The origin {event.origin}"].add(event.entity)
        elif isinstance(event, PendingEvent) or (isinstance(event, PurchaseEvent) and event.terms is Terms.CASH):
            for ticket in event.tickets:
                if ticket.day is not None and ticket.day > event.day:
                    days = f"ticket {ticket.number} is of {ticket.day}, title passed on {event.day}"
                    self.late[f"{event.giver} to {event.taker}, {event.id}: {days}"] = ticket.bushels

    def _note_file(self, sha256: str, shown: str) -> None:
        if len(sha256) == len(sha256_hex(b"")):  # other words name no file
            self.behind[f"The file {sha256[:16].lower()}"].add(shown)

    def _note_statement(self, store: StoreView, event: StatementEvent) -> None:
        named = f"Statement {event.number} of {event.verifier}"
        self.behind[named].add(event.entity)
        written = f"{event.number} of {event.verifier}"
        self.numbers[skeleton(event.verifier), skeleton(event.number)].add(written)
        found = store.one(Verification, as_stated(event).key) or as_stated(event)
        opinion = "favorable" if found.opinion.good else "not favorable"
        days = f"{found.start} to {found.end}"
        scope = ", ".join(sorted(found.crops))
        self.stated[f"{named} over {found.entity}"].add(f"{opinion}, {days}, {scope}")
        self.stated[f"The verifier of statement {found.id} over {found.entity}, {days},"].add(found.verifier)
        if found.opinion.good and not event.opinion.good:
            self.better.add(f"{named} over {found.entity}")
        if found.end >= months_on(found.start, rule_version(found.issued).statement_carries_months):
            self.long.add(f"{named} over {found.entity} covers {days}")

    def discrepancies(self) -> Iterator[Discrepancy]:
        """Yield what is said of two, or in two ways of one."""
        for what, parties in under_two(self.behind):
            said = f"{what} stands for more than one: {', '.join(parties)}."
            yield Discrepancy(DiscrepancyKind.ONE_FOR_TWO, 0, said)
        of_name = _sets()
        for party, names in self.names.items():
            for name in names:
                of_name[skeleton(name)].add(party)
        for shape, parties in under_two(of_name):
            taken = sorted(self.renamed.intersection(parties))
            if taken and shape:
                said = f"{' and '.join(taken)} was entered anew under a name that others have: {', '.join(parties)}."
                yield Discrepancy(DiscrepancyKind.ONE_FOR_TWO, 0, said)
        yield from self._of_statements()
        for what, bushels in sorted(self.late.items()):
            said = f"{what}: {show(bushels, group=True)} bu were claimed before they were weighed."
            yield Discrepancy(DiscrepancyKind.LATE_TICKET, bushels, said)

    def _of_statements(self) -> Iterator[Discrepancy]:
        for what, ways in under_two(self.stated):
            yield Discrepancy(DiscrepancyKind.STATEMENTS_DIFFER, 0, f"{what} is told in two ways: {'; '.join(ways)}.")
        for _, written in under_two(self.numbers):
            said = f"These statements look alike: {', '.join(written)}."
            yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, 0, said)
        for what in sorted(self.better):
            said = f"{what} was not favorable and is now, under its old number."
            yield Discrepancy(DiscrepancyKind.STATEMENTS_DIFFER, 0, said)
        for what in sorted(self.long):
            yield Discrepancy(DiscrepancyKind.STATEMENTS_DIFFER, 0, f"{what}: longer than one statement carries.")
