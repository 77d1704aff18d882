"""Who is who, who vouches for whom and when: what several books say of a name, a key or a statement (2100.032(a)).

One name, key or number behind two parties, and one statement that says two things, can make a stranger pass for a
verified party. A name by itself is no evidence (interpretation 59): two farms may share one; nobody takes another's.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from provender.custody.events.document import DocumentEvent
from provender.custody.events.purchase import PurchaseEvent, SlipEvent, Terms
from provender.custody.events.registration import ContractEvent, EntityEvent
from provender.custody.events.report import ReportEvent
from provender.custody.events.sale import SaleEvent
from provender.custody.events.statement import StatementEvent
from provender.custody.model.entities import Verification
from provender.custody.model.event import Event
from provender.custody.model.periods import months_on
from provender.custody.model.pinned_keys import fingerprint_of
from provender.custody.model.store_view import Posted, StoreView, taken_back_by
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.look_alikes import skeleton, under_two
from provender.quantity import show
from provender.rule import rule_version

Sets = dict[str, set[str]]
_TRADES: Final = (SaleEvent, DocumentEvent)


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
    """What was gathered of parties and of those who vouch for them.

    Attributes:
        names: by party, the names it was entered under in one book or another.
        renamed: parties that one book entered under two names.
        behind: by a key, number or id in words, the parties it stands for.
        stated: by statement in words, what each file says of it in the end, in words.
        numbers: by how verifier and number of a statement look, how they are written.
        better: statements that one book made better under their number, in words.
        long: statements in words, over more months than one can cover.
        late: purchases in words with thousandths of a bushel, whose ticket is of a later day than their title.
    """

    names: Sets = field(default_factory=_sets)
    renamed: set[str] = field(default_factory=set)
    behind: Sets = field(default_factory=_sets)
    stated: Sets = field(default_factory=_sets)
    numbers: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    better: set[str] = field(default_factory=set)
    long: set[str] = field(default_factory=set)
    late: dict[str, int] = field(default_factory=dict)

    def add_book(self, facts: StoreView, events: Sequence[Posted]) -> None:
        """Note what one book says."""
        entered = _sets()
        for posted in events:
            request = posted.request
            if isinstance(request, EntityEvent):
                entered[request.entity].add(skeleton(request.name))
                self.names[request.entity].add(request.name)
            elif isinstance(request, StatementEvent):
                self._note_statement(facts, request)
            elif not taken_back_by(facts, posted):
                self._note(request)
        self.renamed |= {party for party, names in entered.items() if len(names) > 1}

    def add(self, other: "Identities") -> None:
        """Add what was gathered apart."""
        for mine, its in ((self.names, other.names), (self.behind, other.behind), (self.stated, other.stated)):
            join(mine, its)
        join(self.numbers, other.numbers)
        self.renamed |= other.renamed
        self.better |= other.better
        self.long |= other.long
        self.late |= other.late

    def _note(self, request: Event) -> None:
        if isinstance(request, ContractEvent) and request.signing_key:
            key = fingerprint_of(request.signing_key)
            self.behind[f"The key {key[:16]}"].add(request.counterparty)
        elif isinstance(request, _TRADES):
            number = request.number if isinstance(request, DocumentEvent) else request.id
            self.behind[f"Number {number} of {request.giver}"].add(request.taker)
        elif isinstance(request, SlipEvent):
            self.behind[f"Slip {request.id} of {request.giver}"].add(request.taker)
        elif isinstance(request, ReportEvent) and request.salt:
            self.behind[f"The origin {request.origin}"].add(request.entity)
        elif isinstance(request, PurchaseEvent) and request.terms is Terms.CASH:
            for ticket in request.tickets:
                if ticket.day is not None and ticket.day > request.day:
                    days = f"ticket {ticket.number} is of {ticket.day}, title passed on {request.day}"
                    self.late[f"{request.giver} to {request.taker}, {request.id}: {days}"] = ticket.bushels

    def _note_statement(self, facts: StoreView, request: StatementEvent) -> None:
        named = f"Statement {request.number} of {request.verifier}"
        self.behind[named].add(request.entity)
        written = f"{request.number} of {request.verifier}"
        self.numbers[skeleton(request.verifier), skeleton(request.number)].add(written)
        found = facts.one(Verification, f"{request.entity}/{request.number}")
        if found is None:
            return
        opinion = "favorable" if found.opinion.good else "not favorable"
        days = f"{found.start} to {found.end}"
        scope = ", ".join(sorted(found.crops))
        self.stated[f"Statement {found.id} over {found.entity}"].add(f"{opinion}, {found.verifier}, {days}, {scope}")
        if found.opinion.good and not request.opinion.good:
            self.better.add(f"{named} over {found.entity}")
        if found.end >= months_on(found.start, rule_version(found.issued).statement_carries_months):
            self.long.add(f"{named} over {found.entity} covers {days}")

    def discrepancies(self) -> Iterator[Discrepancy]:
        """Yield what is said of two, or in two ways of one."""
        for what, parties in under_two(self.behind):
            said = f"{what} stands for more than one party: {', '.join(parties)}."
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
