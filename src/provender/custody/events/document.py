"""Claims from outside the store: transfer documents, foreign documents, opening stock (interpretations 45, 51)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any, ClassVar, Final

from provender.custody.events.bounds import check_product
from provender.custody.events.campaign import EVIDENCE_HELP
from provender.custody.events.outside_origin import entering, foreign_origin
from provender.custody.events.report import check_ci
from provender.custody.events.rules import (
    MovementDraft,
    check_amounts,
    check_crop,
    check_form,
    entity_of,
    lot_location,
    require,
    show_span,
)
from provender.custody.model.amounts import can_be_made_of, counted, product_of, rate_of, unit_of
from provender.custody.model.entities import TRADERS, Entity
from provender.custody.model.event import EVERYONE, DocumentLine, Event, Party, event
from provender.custody.model.external_holdings import (
    is_handed_on,
    may_be_sold_elsewhere,
    may_have_been_elsewhere,
    slips_here,
    slips_to_others,
    used_up,
)
from provender.custody.model.lots import LIVE, STOCK, Lot, LotState, Piece, Span, part
from provender.custody.model.origins import Origin, OriginKind, ReportStanding, Slip, Version
from provender.custody.model.periods import Period, period_of
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.wire import Name, Text


@dataclass(frozen=True, slots=True)
class Document:
    """A transfer document taken in: keyed by issuer and number, so that it counts once."""

    kind: ClassVar[str] = "document"
    issuer: str
    number: str
    event: str

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.issuer}/{self.number}"

    @property
    def group(self) -> str:
        """Documents are listed per issuer."""
        return self.issuer


@event("document", title="Type in a document from outside", verb="Enter the document")
class DocumentEvent(Event):
    """A sale as its transfer document states it (2100.032(c)), from a seller whose book is not in this store.

    A line with ``origin`` names blinded serials, which are held against everything seen before. Serials that lie with
    a farm of this book are taken from it only when its sale slip to somebody else stands here. A line without is a
    foreign origin: the document itself is all that stands behind it. ``day`` is the title date.
    """

    giver: Name = field("Seller", help="The seller, who wrote it.", party=Party.CHANGES, choices="partners")
    taker: Name = field("Buyer", party=Party.CHANGES, choices="partners")
    number: Name = field("Number", help="The document's number, unique for its seller.")
    lines: tuple[DocumentLine, ...] = field(
        "Lines",
        help="What it is about.",
    )
    report: Text = field("Report", help="Hash of the document.", asked=False, default="")
    evidence: Text = field("Evidence", help=EVIDENCE_HELP, folded=True, default="")

    def locks(self) -> tuple[str, ...]:
        """Return giver and taker; everybody where it names serials, which may lie with any farm or landowner here."""
        named = any(line.origin for line in self.lines)
        return (EVERYONE,) if named else self.parties()


_ASKED_OF_LINES: Final = (
    Status.OUTSIDE_ORIGIN,
    Status.REPORT_WITHDRAWN,
    Status.REPORT_SUSPENDED,
    Status.BROKEN_CHAIN,
    Status.CHAIN_NOT_SHOWN,
    Status.CI_DIFFERS,
    Status.OTHER_FORM,
    Status.NOT_HELD_YET,
    Status.BEYOND_CROP,
)
"""What each line of a document is asked, in order of precedence."""


def decide_document(facts: StoreView, request: DocumentEvent) -> Decision:
    """Enter the claims of a document as in transit to the buyer, who accepts or rejects them as any sale."""
    giver, taker = entity_of(facts, request.giver), entity_of(facts, request.taker)
    require(giver.id != taker.id, Status.PARTIES_ARE_ONE)
    require(giver.may(TRADERS) and taker.may(TRADERS), Status.ROLE_NOT_ALLOWED, "From trader to trader.")
    check_lines(request.lines)
    plans = [_plan(facts, request, line, number) for number, line in enumerate(request.lines, 1)]
    between = bool(facts.owner) and facts.owner not in (giver.id, taker.id)
    if between:
        news = _pass_over(facts, request, plans)
        require(news, Status.CHAIN_NOT_SHOWN, "It shows nothing new.")
    _check_giver(facts, giver, request.day, [lot for plan in plans for lot in plan.found])
    for line in request.lines:
        check_product(line.form, line.pounds, line.bushels, line.rate, request.day, request.evidence)
    document = Document(giver.id, request.number, request.id)
    seen = facts.one(Document, document.key)
    again = between and seen is not None and _is_same(facts, seen, request)
    require(seen is None or again, Status.DOCUMENT_SEEN, f"Number {request.number} of {giver.name}.")
    draft = MovementDraft(request)
    draft.state(document)
    for status in _ASKED_OF_LINES:
        for plan in plans:
            plan.check(status, request)
    # Of one lot there may be several lines: it ends once.
    draft.alter_each([change for plan in plans for change in plan.going_on(request)])
    for plan in plans:
        plan.enter(draft)
    draft.state(*_origins(plans), *_slips(plans))
    return draft.outcome(f"{counted(len(request.lines), 'line')} in transit to {taker.name}.")


def shows_more(facts: StoreView, request: DocumentEvent) -> bool:
    """Tell whether a sale between two others, taken in before, shows serials that this book did not place then."""
    plans = [_plan(facts, request, line, number) for number, line in enumerate(request.lines, 1)]
    return _pass_over(facts, request, plans)


def _is_same(facts: StoreView, seen: Document, request: DocumentEvent) -> bool:
    """Tell whether a paper says what the one of its number said that was taken in before."""
    before = facts.posted(seen.event)
    return before is not None and replace(before.request, id=request.id) == request


def _pass_over(facts: StoreView, request: DocumentEvent, plans: Sequence["_Plan"]) -> bool:
    """Leave out of a sale between two others what it does not show or showed before; tell whether anything is left."""
    for plan in plans:
        plan.pass_over(facts, request.day, _shown_before(facts, request, plan.name))
    return any(plan.found or plan.gaps for plan in plans)


def _shown_before(facts: StoreView, request: DocumentEvent, origin: str) -> list[Span]:
    """Return the serials that the same paper gave on before, as far as this book could follow it then."""
    if facts.one(Document, Document(request.giver, request.number, request.id).key) is None:
        return []
    steps = [step for step in facts.steps_of(origin) if step.type == "document" and step.after.by == step.movement]
    same = set()
    for name in {step.movement for step in steps}:
        paper = getattr(facts.posted(name), "request", None)
        if isinstance(paper, DocumentEvent) and (paper.giver, paper.number) == (request.giver, request.number):
            same.add(name)
    return [(step.after.start, step.after.stop) for step in steps if step.movement in same]


def _check_giver(facts: StoreView, giver: Entity, day: date, found: Sequence[Lot]) -> None:
    """Refuse to take by paper out of a stock whose period the giver, whose book is here, has closed."""
    period = period_of(facts.many(Period, giver.id), day)
    closed = period is not None and period.closed is not None
    own = any(lot.owner == giver.id and lot.state in STOCK for lot in found)
    require(not (own and closed), Status.PERIOD_CLOSED, f"{giver.name} closed the period of {day}.")


def _origins(plans: Sequence["_Plan"]) -> list[Origin]:
    """Return each origin of the lines once, with all serials that are known of it now."""
    found: dict[str, Origin] = {}
    for plan in plans:
        known = found.setdefault(plan.name, plan.made)
        found[plan.name] = replace(known, issued=max(known.issued, plan.made.issued))
    return list(found.values())


def _slips(plans: Sequence["_Plan"]) -> Iterator[Slip]:
    """Yield the slips of farms whose serials have come by these lines, with what is left of them."""
    for name in dict.fromkeys(plan.name for plan in plans):
        mine = [plan for plan in plans if plan.name == name]
        taken = [plan.span_of(lot) for plan in mine for lot in plan.found if plan.from_farm(lot)]
        yield from used_up(mine[0].slips, taken)


def check_lines(lines: tuple[DocumentLine, ...]) -> None:
    """Refuse lines that cannot be: crop, form, amounts, serials that overlap, carbon intensity, product beyond crop."""
    require(bool(lines), Status.AMOUNT_NOT_POSITIVE, "The document has no line.")
    for line in lines:
        check_crop(line.crop)
    for line in lines:
        check_form(line.form, line.crop)
    for line in lines:
        counted = unit_of(line.form) == "lb" or line.pounds == 0
        require(counted, Status.AMOUNT_NOT_POSITIVE, f"{line.form} is counted in bushels.")
    products = [(line.pounds, "lb") for line in lines if unit_of(line.form) == "lb"]
    check_amounts(*((line.bushels, "bu") for line in lines), *products)
    stops: dict[str, int] = {}
    for line in sorted((one for one in lines if one.origin), key=lambda one: (one.origin, one.start)):
        apart = 0 <= stops.get(line.origin, 0) <= line.start
        require(apart, Status.SPAN_NOT_POSSIBLE, f"{line.origin}, {show_span(line.start, line.start + line.bushels)}.")
        stops[line.origin] = line.start + line.bushels
    for line in lines:
        check_ci(line.ci)


@dataclass(slots=True)
class _Plan:
    """One line of a document and what the store knows of its serials.

    ``gone_on`` are lot ids, ``passed`` is left out, ``against`` lay elsewhere on the document's day.
    """

    line: DocumentLine
    origin: Origin | None
    name: str
    found: list[Lot]
    parties: tuple[str, str]
    made: Origin
    slips: list[Slip]
    gone_on: frozenset[str]
    seller_elsewhere: bool
    passed: tuple[Lot, ...] = ()
    against: tuple[Lot, ...] = ()

    def pass_over(self, facts: StoreView, day: date, before: Sequence[Span]) -> None:
        """Leave out serials that had gone on before, as far as this book knows: a sale between others shows the rest.

        What it says of them came too late or is not shown yet. What this book knows to have lain elsewhere on its day
        stays: there the paper stands against the book.
        """
        strange = self._unexplained
        passed: list[Lot] = []
        against: list[Lot] = []
        for lot in self.found:
            gone_on = lot.id in self.gone_on
            if any(low < lot.stop and lot.start < high for low, high in before):
                passed.append(lot)
            elif day < lot.since or (lot in strange and (gone_on or day <= lot.titled)):
                gone = gone_on or self.from_farm(lot)
                fits = may_have_been_elsewhere(facts, lot, day, gone_on=gone)
                (passed if fits else against).append(lot)
        self.passed, self.against = tuple(passed), tuple(against)
        self.found = [lot for lot in self.found if lot not in passed]

    @property
    def stop(self) -> int:
        """Return the serial after the line's last."""
        return self.line.start + self.line.bushels

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Return the serials of the line that this store has not seen."""
        known = sorted((*self.found, *self.passed), key=lambda lot: lot.start)
        starts = [self.line.start, *(lot.stop for lot in known)]
        stops = [*(lot.start for lot in known), self.stop]
        return [(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]

    def check(self, status: Status, request: Event) -> None:
        """Refuse the line for one reason, if it applies."""
        line, origin = self.line, self.origin
        known = origin is not None and origin.source in (OriginKind.REPORT, OriginKind.OPENING)
        ok = {
            Status.OUTSIDE_ORIGIN: not (known and self.gaps) and not self.dropped,
            Status.REPORT_WITHDRAWN: origin is None or origin.standing is not ReportStanding.WITHDRAWN,
            Status.REPORT_SUSPENDED: origin is None or origin.standing is not ReportStanding.SUSPENDED,
            Status.BROKEN_CHAIN: not self.against and all(lot.id in self.gone_on for lot in self._unexplained),
            Status.CHAIN_NOT_SHOWN: not self._unexplained,
            # What went through other hands unseen went on at the CI of its day or a worse one, perhaps through a plant.
            Status.CI_DIFFERS: all(
                lot.ci == line.ci or (self._unseen(lot) if lot.ci < line.ci else self._grew_worse(request.day))
                for lot in self.found
            ),
            Status.OTHER_FORM: all(
                lot.form == line.form or (self._unseen(lot) and self._made_of(lot)) for lot in self.found
            ),
            Status.NOT_HELD_YET: all(lot.since <= request.day for lot in self.found),
            Status.BEYOND_CROP: not line.rate or line.pounds <= product_of(line.bushels, line.rate),
        }[status]
        told = [lot for lot in self.found if lot in self.against or not self._givers(lot)]
        said = " ".join(map(lot_location, told)) or f"Origin {self.name}."
        require(ok, status, said)

    def _grew_worse(self, day: date) -> bool:
        """Tell whether the report said the line's carbon intensity then, and a worse one only since."""
        versions = self.origin.versions if self.origin else ()
        return any(then.ci == self.line.ci and day <= later.day for then, later in pairwise(versions))

    @property
    def dropped(self) -> bool:
        """Tell whether some of the serials are in the report no longer; those of a withdrawn one have a status."""
        withdrawn = self.origin is not None and self.origin.standing is ReportStanding.WITHDRAWN
        return not withdrawn and any(lot.state is LotState.VOID for lot in self.found)

    @property
    def _unexplained(self) -> list[Lot]:
        """Return lots that neither lie with the giver nor were signed away by a farm of this book."""
        return [lot for lot in self.found if not self._givers(lot) and not self.from_farm(lot)]

    def _givers(self, lot: Lot) -> bool:
        return lot.owner == self.parties[0] and lot.state in LIVE

    def from_farm(self, lot: Lot) -> bool:
        """Tell whether a lot lies with a grower, who signed the line's serials of it away (``handed_on``)."""
        return not self._givers(lot) and is_handed_on(lot, self.line.start, self.stop, self.slips)

    def _unseen(self, lot: Lot) -> bool:
        """Tell whether a lot was in hands whose deeds this book does not see: its giver's, or a farm's buyer's."""
        return self.from_farm(lot) or (self.seller_elsewhere and self._givers(lot))

    def _made_of(self, lot: Lot) -> bool:
        """Tell whether the line's product may come of a lot: of the crop, or of a product that was refined further."""
        start, stop = self.span_of(lot)
        less = not lot.is_product or self._product(start, stop) <= part(lot, start, stop).product
        return can_be_made_of(self.line.form, lot.form) and less

    def span_of(self, lot: Lot) -> tuple[int, int]:
        """Return the line's serials of a lot."""
        return max(lot.start, self.line.start), min(lot.stop, self.stop)

    @property
    def _away(self) -> dict[str, Any]:
        giver, taker = self.parties
        place = {"owner": taker, "custodian": taker, "site": "", "supplier": giver}
        return {**place, "state": LotState.IN_TRANSIT}

    @property
    def _rate(self) -> int:
        return self.line.rate or rate_of(self.line.pounds, self.line.bushels)

    def _product(self, start: int, stop: int) -> int:
        all_of_it = (start, stop) == (self.line.start, self.stop)
        return self.line.pounds if all_of_it else min(self.line.pounds, product_of(stop - start, self._rate))

    def going_on(self, request: Event) -> Iterator[tuple[Piece, dict[str, Any]]]:
        """Yield the serials known here, whose lots go on in transit, and what changes of them."""
        day = request.day
        marks = {"by": request.id, "since": day, "acquired": day, "titled": day, **self._away}
        for lot in self.found:
            more: dict[str, Any] = {}
            product = self._product(*self.span_of(lot))
            if self.from_farm(lot) or (lot.form, lot.ci) != (self.line.form, self.line.ci):
                ci = max(lot.ci, self.line.ci)  # what the report says since then stays
                more = {"form": self.line.form, "ci": ci, "rate": self._rate, "product": product}
            # A plant out of sight may have trued its campaign up, within what a crop can give; and by a rate that stays
            # the same the pounds of a lot that was cut before may be rounded anew.
            anew = self._unseen(lot) and lot.is_product
            if anew and not more:
                more = {"rate": self._rate}
            if lot.is_product:
                # Never more than the document says, nor than there was: pounds are rounded wherever a lot is cut.
                had = part(lot, self.line.start, self.stop).product
                trued_up = anew and lot.form == self.line.form and self._rate >= lot.rate
                more |= {"product": product if trued_up else min(product, had)}
            yield part(lot, self.line.start, self.stop), {**marks, **more}

    def enter(self, draft: MovementDraft) -> None:
        """Open the serials that this store has not seen, in transit."""
        day = draft.request.day
        for span in self.gaps:
            lot = entering(self.made, self.line, span, self._product(*span), self._rate)
            draft.enter(replace(lot, acquired=day, titled=day, **self._away))


def _plan(facts: StoreView, request: DocumentEvent, line: DocumentLine, number: int) -> _Plan:
    name, stop = line.origin or f"{request.giver}:{request.number}/{number}", line.start + line.bushels
    origin = facts.one(Origin, name)
    found = list(facts.lots_at(name, line.start, stop))
    source = OriginKind.DOCUMENT if line.origin else OriginKind.FOREIGN
    version = Version(1, request.day, line.bushels, line.ci, request.report)
    made = origin or foreign_origin(name, request.giver, line, source, request.number, version)
    made = replace(made, issued=max(made.issued, stop))
    here = slips_here(facts, name) if found else []
    slips = slips_to_others(facts, name) if found else []
    elsewhere = not facts.many(Period, request.giver)
    gone_on = frozenset(lot.id for lot in found if may_be_sold_elsewhere(facts, lot, line.start, stop, here))
    parties = (request.giver, request.taker)
    return _Plan(line, origin, name, found, parties, made, slips, gone_on, elsewhere)
