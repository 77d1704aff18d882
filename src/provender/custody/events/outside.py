"""What enters a book from outside: transfer documents, opening stock, and notices of changed reports."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any, ClassVar, Final

from provender.custody.events import reports, rules
from provender.custody.events.footing import first_of_kind, footing_of
from provender.custody.events.parties import TYPED_HELP
from provender.custody.events.plant import EVIDENCE_HELP, check_product
from provender.custody.model import balances
from provender.custody.model import event as events
from provender.custody.model import lots as serials
from provender.custody.model.entities import BETWEEN_TRADERS, TRADERS, Entity, Period, last_closed, period_of
from provender.custody.model.event import event
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import CI_SCALE, Bushels, Ci, Pounds, Rate, Serials, show
from provender.problem import counted
from provender.schema import Code, Name, Text, Whole, field


def entering(
    origin: serials.Origin, line: events.DocumentLine, span: tuple[int, int], product: int, rate: int
) -> serials.Lot:
    """Return serials as they enter this store; who holds them where is for the caller to say."""
    grown = rules.lot_as_grown(origin, origin.current, *span)
    return replace(
        grown, crop=line.crop, harvest_year=line.harvest_year, form=line.form, ci=line.ci, product=product, rate=rate
    )


def _foreign_origin(
    name: str, issuer: str, line: events.DocumentLine, source: serials.OriginKind, number: str, version: serials.Version
) -> serials.Origin:
    """Return the origin of what no report of this book made; nothing of it is issued yet."""
    return serials.Origin(
        id=name,
        form=line.form,
        issuer=issuer,
        crop=line.crop,
        harvest_year=line.harvest_year,
        source=source,
        number=number,
        standing=serials.ReportStanding.ACTIVE,
        versions=(version,),
        issued=0,
    )


# Claims from outside the store: transfer documents, foreign documents, opening stock (interpretations 45, 51).


@dataclass(frozen=True, slots=True)
class Document(events.Record, kind="document", key="issuer/number", group="issuer"):
    """A transfer document taken in: keyed by issuer and number, so that it counts once."""

    issuer: str
    number: str
    event: str


@event(
    "document",
    events.RestsOn.SIGNATURE,
    speaker="giver",
    title="Type in a document from outside",
    verb="Enter the document",
    correctable=True,
)
class DocumentEvent(events.PaperEvent):
    """A sale as its transfer document states it (2100.032(c)), from a seller whose book is not in this store.

    A line with ``origin`` names blinded serials, which are held against everything seen before. Serials that lie with
    a farm of this book are taken from it only when its sale slip to somebody else stands here. A line without is a
    foreign origin: the document itself is all that stands behind it. ``day`` is the title date.
    """

    giver: Name = field("Seller", help="The seller, who wrote it.", party=events.Party.CHANGES, choices="traders")
    taker: Name = field("Buyer", party=events.Party.CHANGES, choices="traders")
    number: Name = field("Number", help="The document's number, unique for its seller.")
    lines: tuple[events.DocumentLine, ...] = field("Lines", help="What it is about.")
    report: Text = field("Report", help="Hash of the document.", asked=False, default="")
    evidence: Text = field("Evidence", help=EVIDENCE_HELP, folded=True, default="")
    by_program: ClassVar[frozenset[str]] = frozenset({"signed_by", "weakest", "typed_by"})
    weakest: events.Footing = field(
        "Weakest link", help="What its claims rest on at the seller, as the signed paper says.", asked=False,
        default=events.Footing.OWN,
    )  # fmt: skip
    typed_by: Name = field("Typed by", help=TYPED_HELP, asked=False, default="")

    def locks(self) -> tuple[str, ...]:
        """Return giver and taker; everybody where it names serials, which may lie with any farm or landowner here."""
        named = any(line.origin for line in self.lines)
        return (events.EVERYONE,) if named else self.parties()


def decide_document(store: StoreView, event: DocumentEvent) -> Decision:
    """Enter the claims of a document as in transit to the buyer, who accepts or rejects them as any sale."""
    giver, taker = rules.parties_of(store, event.giver, event.taker, BETWEEN_TRADERS, "From trader to trader.")
    _check_lines(event.lines)
    plans = [_plan(store, event, line, number) for number, line in enumerate(event.lines, 1)]
    between = bool(store.owner) and store.owner not in (giver.id, taker.id)
    if between:
        news = _pass_over(store, event, plans)
        rules.require(news, events.Status.CHAIN_NOT_SHOWN, "It shows nothing new.")
    _check_giver(store, giver, event.day, [lot for plan in plans for lot in plan.found])
    for line in event.lines:
        check_product(line.form, line.pounds, line.bushels, line.rate, event.day, event.evidence)
    document = Document(giver.id, event.number, event.id)
    seen = store.one(Document, document.key)
    before = store.posted(seen.event) if seen and between else None
    again = before is not None and replace(before.event, id=event.id) == event
    rules.require(seen is None or again, events.Status.DOCUMENT_SEEN, f"Number {event.number} of {giver.name}.")
    draft = rules.MovementDraft(event)
    draft.state(document)
    for asked in zip(*(plan.asked(event.day) for plan in plans), strict=True):
        for plan, (status, is_so) in zip(plans, asked, strict=True):
            rules.require(is_so, status, plan.where())
    # Of one lot there may be several lines: it ends once.
    draft.alter_each([change for plan in plans for change in plan.going_on(event)])
    for plan in plans:
        plan.enter(draft)
    draft.state(*_origins(plans), *_slips(plans))
    return draft.outcome(f"{counted(len(event.lines), 'line')} in transit to {taker.name}.")


def shows_more(store: StoreView, event: DocumentEvent) -> bool:
    """Tell whether a sale between two others, taken in before, shows serials that this book did not place then."""
    plans = [_plan(store, event, line, number) for number, line in enumerate(event.lines, 1)]
    return _pass_over(store, event, plans)


def _pass_over(store: StoreView, event: DocumentEvent, plans: Sequence["_Plan"]) -> bool:
    """Leave out of a sale between two others what it does not show or showed before; tell whether anything is left."""
    for plan in plans:
        plan.pass_over(store, event.day, _shown_before(store, event, plan.name))
    return any(plan.found or plan.gaps for plan in plans)


def _shown_before(store: StoreView, event: DocumentEvent, origin: str) -> list[serials.Span]:
    """Return the serials that the same paper gave on before, as far as this book could follow it then."""
    if store.one(Document, Document(event.giver, event.number, event.id).key) is None:
        return []
    steps = [step for step in store.steps_of(origin) if step.type == "document" and step.after.by == step.movement]
    same = set()
    for name in {step.movement for step in steps}:
        paper = getattr(store.posted(name), "event", None)
        if isinstance(paper, DocumentEvent) and (paper.giver, paper.number) == (event.giver, event.number):
            same.add(name)
    return [(step.after.start, step.after.stop) for step in steps if step.movement in same]


def _check_giver(store: StoreView, giver: Entity, day: date, found: Sequence[serials.Lot]) -> None:
    """Refuse to take by paper out of a stock whose period the giver, whose book is here, has closed."""
    period = period_of(store.many(Period, giver.id), day)
    closed = period is not None and period.closed is not None
    own = any(lot.owner == giver.id and lot.state in serials.STOCK for lot in found)
    rules.require(not (own and closed), events.Status.PERIOD_CLOSED, f"{giver.name} closed the period of {day}.")


def _origins(plans: Sequence["_Plan"]) -> list[serials.Origin]:
    """Return each origin of the lines once, with all serials that are known of it now."""
    found: dict[str, serials.Origin] = {}
    for plan in plans:
        known = found.setdefault(plan.name, plan.made)
        found[plan.name] = replace(known, issued=max(known.issued, plan.made.issued))
    return list(found.values())


def _slips(plans: Sequence["_Plan"]) -> Iterator[serials.Slip]:
    """Yield the slips of farms whose serials have come by these lines, with what is left of them."""
    for name in dict.fromkeys(plan.name for plan in plans):
        mine = [plan for plan in plans if plan.name == name]
        taken = [plan.span_of(lot) for plan in mine for lot in plan.found if plan.from_farm(lot)]
        yield from balances.used_up(mine[0].slips, taken)


def _check_lines(lines: tuple[events.DocumentLine, ...]) -> None:
    """Refuse lines that cannot be: crop, form, amounts, serials that overlap, carbon intensity, product beyond crop."""
    rules.require(bool(lines), events.Status.AMOUNT_NOT_POSITIVE, "The document has no line.")
    for line in lines:
        rules.check_crop(line.crop)
    for line in lines:
        rules.check_form(line.form, line.crop)
    for line in lines:
        counted = serials.unit_of(line.form) == "lb" or line.pounds == 0
        rules.require(counted, events.Status.AMOUNT_NOT_POSITIVE, f"{line.form} is counted in bushels.")
    products = [(line.pounds, "lb") for line in lines if serials.unit_of(line.form) == "lb"]
    rules.check_amounts(*((line.bushels, "bu") for line in lines), *products)
    stops: dict[str, int] = {}
    for line in sorted((one for one in lines if one.origin), key=lambda one: (one.origin, one.start)):
        apart = 0 <= stops.get(line.origin, 0) <= line.start
        rules.require(
            apart,
            events.Status.SPAN_NOT_POSSIBLE,
            f"{line.origin}, {rules.show_span(line.start, line.start + line.bushels)}.",
        )
        stops[line.origin] = line.start + line.bushels
    for line in lines:
        reports.check_ci(line.ci)


@dataclass(slots=True)
class _Plan:
    """One line of a document and what the store knows of its serials.

    ``gone_on`` are lot ids, ``passed`` is left out, ``against`` lay elsewhere on the document's day.
    """

    line: events.DocumentLine
    origin: serials.Origin | None
    name: str
    found: list[serials.Lot]
    parties: tuple[str, str]
    made: serials.Origin
    slips: list[serials.Slip]
    gone_on: frozenset[str]
    seller_elsewhere: bool
    passed: tuple[serials.Lot, ...] = ()
    against: tuple[serials.Lot, ...] = ()

    def pass_over(self, store: StoreView, day: date, before: Sequence[serials.Span]) -> None:
        """Leave out serials that had gone on before, as far as this book knows: a sale between others shows the rest.

        What it says of them came too late or is not shown yet. What this book knows to have lain elsewhere on its day
        stays: there the paper stands against the book.
        """
        strange = self._unexplained
        passed: list[serials.Lot] = []
        against: list[serials.Lot] = []
        for lot in self.found:
            gone_on = lot.id in self.gone_on
            if any(low < lot.stop and lot.start < high for low, high in before):
                passed.append(lot)
            elif day < lot.since or (lot in strange and (gone_on or day <= lot.titled)):
                gone = gone_on or self.from_farm(lot)
                fits = balances.may_have_been_elsewhere(store, lot, day, gone_on=gone)
                (passed if fits else against).append(lot)
        self.passed, self.against = tuple(passed), tuple(against)
        self.found = [lot for lot in self.found if lot not in passed]

    @property
    def stop(self) -> int:
        return self.line.start + self.line.bushels

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Return the serials of the line that this store has not seen."""
        known = ((lot.start, lot.stop) for lot in (*self.found, *self.passed))
        return serials.subtract_spans([(self.line.start, self.stop)], known)

    def asked(self, day: date) -> tuple[tuple[events.Status, bool], ...]:
        """Return what the line is asked, in order of precedence, and whether it is so."""
        line, origin, found = self.line, self.origin, self.found
        known = origin is not None and origin.source in (serials.OriginKind.REPORT, serials.OriginKind.OPENING)
        # What went through other hands unseen went on at the CI of its day or a worse one, perhaps through a plant.
        worse = self._grew_worse(day)
        ci = all(lot.ci == line.ci or (self._unseen(lot) if lot.ci < line.ci else worse) for lot in found)
        form = all(lot.form == line.form or (self._unseen(lot) and self._made_of(lot)) for lot in found)
        return (
            (events.Status.OUTSIDE_ORIGIN, not (known and self.gaps) and not self.dropped),
            (events.Status.REPORT_WITHDRAWN, origin is None or origin.standing is not serials.ReportStanding.WITHDRAWN),
            (events.Status.REPORT_SUSPENDED, origin is None or origin.standing is not serials.ReportStanding.SUSPENDED),
            (events.Status.BROKEN_CHAIN, not self.against and all(lot.id in self.gone_on for lot in self._unexplained)),
            (events.Status.CHAIN_NOT_SHOWN, not self._unexplained),
            (events.Status.CI_DIFFERS, ci),
            (events.Status.OTHER_FORM, form),
            (events.Status.NOT_HELD_YET, all(lot.since <= day for lot in found)),
            (events.Status.BEYOND_CROP, not line.rate or line.pounds <= serials.product_of(line.bushels, line.rate)),
        )

    def where(self) -> str:
        """Say where the lots are that neither lie with the giver nor fit, or else of which origin the line is."""
        told = [lot for lot in self.found if lot in self.against or not self._givers(lot)]
        return " ".join(map(rules.lot_location, told)) or f"Origin {self.name}."

    def _grew_worse(self, day: date) -> bool:
        """Tell whether the report said the line's carbon intensity then, and a worse one only since."""
        versions = self.origin.versions if self.origin else ()
        return any(then.ci == self.line.ci and day <= later.day for then, later in pairwise(versions))

    @property
    def dropped(self) -> bool:
        """Tell whether some of the serials are in the report no longer; those of a withdrawn one have a status."""
        withdrawn = self.origin is not None and self.origin.standing is serials.ReportStanding.WITHDRAWN
        return not withdrawn and any(lot.state is serials.LotState.VOID for lot in self.found)

    @property
    def _unexplained(self) -> list[serials.Lot]:
        """Return lots that neither lie with the giver nor were signed away by a farm of this book."""
        return [lot for lot in self.found if not self._givers(lot) and not self.from_farm(lot)]

    def _givers(self, lot: serials.Lot) -> bool:
        return lot.owner == self.parties[0] and lot.state in serials.LIVE

    def from_farm(self, lot: serials.Lot) -> bool:
        """Tell whether a lot lies with a grower, who signed the line's serials of it away (``handed_on``)."""
        return not self._givers(lot) and balances.is_handed_on(lot, self.line.start, self.stop, self.slips)

    def _unseen(self, lot: serials.Lot) -> bool:
        """Tell whether a lot was in hands whose deeds this book does not see: its giver's, or a farm's buyer's."""
        return self.from_farm(lot) or (self.seller_elsewhere and self._givers(lot))

    def _made_of(self, lot: serials.Lot) -> bool:
        """Tell whether the line's product may come of a lot: of the crop, or of a product that was refined further."""
        start, stop = self.span_of(lot)
        less = not lot.is_product or self._product(start, stop) <= serials.part(lot, start, stop).product
        return serials.can_be_made_of(self.line.form, lot.form) and less

    def span_of(self, lot: serials.Lot) -> tuple[int, int]:
        return max(lot.start, self.line.start), min(lot.stop, self.stop)

    @property
    def _away(self) -> dict[str, Any]:
        giver, taker = self.parties
        place = {"owner": taker, "custodian": taker, "site": "", "supplier": giver}
        return {**place, "state": serials.LotState.IN_TRANSIT}

    @property
    def _rate(self) -> int:
        return self.line.rate or serials.rate_of(self.line.pounds, self.line.bushels)

    def _product(self, start: int, stop: int) -> int:
        all_of_it = (start, stop) == (self.line.start, self.stop)
        return self.line.pounds if all_of_it else min(self.line.pounds, serials.product_of(stop - start, self._rate))

    def going_on(self, event: events.Event) -> Iterator[tuple[serials.Piece, dict[str, Any]]]:
        """Yield the serials known here, whose lots go on in transit, and what changes of them."""
        day = event.day
        marks = {"by": event.id, "since": day, "acquired": day, "titled": day, **self._away}
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
                had = serials.part(lot, self.line.start, self.stop).product
                trued_up = anew and lot.form == self.line.form and self._rate >= lot.rate
                more |= {"product": product if trued_up else min(product, had)}
            yield serials.part(lot, self.line.start, self.stop), {**marks, **more}

    def enter(self, draft: rules.MovementDraft) -> None:
        """Open the serials that this store has not seen, in transit."""
        day = draft.event.day
        for span in self.gaps:
            lot = entering(self.made, self.line, span, self._product(*span), self._rate)
            draft.enter(replace(lot, acquired=day, titled=day, **self._away))


def _plan(store: StoreView, event: DocumentEvent, line: events.DocumentLine, number: int) -> _Plan:
    name, stop = line.origin or f"{event.giver}:{event.number}/{number}", line.start + line.bushels
    origin = store.one(serials.Origin, name)
    found = list(store.lots_at(name, line.start, stop))
    source = serials.OriginKind.DOCUMENT if line.origin else serials.OriginKind.FOREIGN
    version = serials.Version(1, event.day, line.bushels, line.ci, event.report, by=event.id)
    made = origin or _foreign_origin(name, event.giver, line, source, event.number, version)
    made = replace(made, issued=max(made.issued, stop))
    here = balances.slips_here(store, name) if found else []
    slips = balances.slips_to_others(store, name) if found else []
    elsewhere = not store.many(Period, event.giver)
    gone_on = frozenset(lot.id for lot in found if balances.may_be_sold_elsewhere(store, lot, line.start, stop, here))
    parties = (event.giver, event.taker)
    return _Plan(line, origin, name, found, parties, made, slips, gone_on, elsewhere)


# Opening stock: what somebody had with claims when its first period began (interpretation 51).


@event("opening", events.RestsOn.EVIDENCE, title="Opening stock", verb="Declare it")
class OpeningEvent(events.Event):
    """Declares stock with claims at the start of the first period, with evidence, audited once (interpretation 51)."""

    entity: Name = field("Entity", help="Whose stock.", party=events.Party.ENTERS)
    crop: Text = field("Crop", choices="crops")
    harvest_year: Whole = field("Harvest year", folded=True)
    ci: Ci = field("Carbon intensity", help="Its carbon intensity.")
    bushels: Bushels = field("Bushels", help="Crop, or crop used for the product.")
    number: Name = field("Number", help="The declaration's number.")
    evidence: Text = field("Evidence", help="SHA-256 of the file on record that shows it; other words show nothing.")
    form: Text = field("Form", help="The product. Leave empty for the crop.", choices="forms", default="")
    pounds: Pounds = field("Pounds of product", help="How much product.", when=serials.OF_PRODUCT, default=0)
    rate: Rate = field(
        "Yield",
        unit="lb per bu, or per lb",
        help="Its yield; pounds over bushels without.",
        when=serials.OF_PRODUCT,
        default=0,
    )
    site: Name = field("Site", help="Where it lies.", choices="sites", default="")


def decide_opening(store: StoreView, event: OpeningEvent) -> Decision:
    """Enter opening stock: before the first period begins, each declaration once."""
    entity = rules.entity_of(store, event.entity)
    rules.require(entity.may(TRADERS), events.Status.ROLE_NOT_ALLOWED, f"{entity.name} keeps no mass balance.")
    site = rules.site_of(store, entity, event.site)
    line = events.DocumentLine(
        crop=event.crop,
        harvest_year=event.harvest_year,
        ci=event.ci,
        form=event.form or event.crop,
        bushels=event.bushels,
        pounds=event.pounds,
        rate=event.rate,
    )
    _check_lines((line,))
    _check_first(store, entity.id, event.day)
    check_product(line.form, line.pounds, line.bushels, line.rate, event.day, event.evidence)
    name = f"{entity.id}#{event.number}"  # a paper's origin has a colon there, whatever its number
    rules.require(store.one(serials.Origin, name) is None, events.Status.DOCUMENT_SEEN, f"Opening {event.number}.")
    within = not event.rate or event.pounds <= serials.product_of(event.bushels, event.rate)
    rules.require(within, events.Status.BEYOND_CROP, f"{serials.show_amount(event.pounds, 'lb')}.")
    version = serials.Version(1, event.day, event.bushels, event.ci, event.evidence, by=event.id)
    made = _foreign_origin(name, entity.id, line, serials.OriginKind.OPENING, event.number, version)
    origin = replace(made, issued=event.bushels)
    draft = rules.MovementDraft(event)
    draft.state(origin, first_of_kind(store, event))
    rate = event.rate or serials.rate_of(event.pounds, event.bushels)
    lot = entering(origin, line, (0, event.bushels), event.pounds, rate)
    state = serials.LotState.HELD if footing_of(store, event).verifies else serials.LotState.UNVERIFIED
    draft.enter(replace(lot, site=site, state=state))
    return draft.outcome(f"{serials.show_amount(event.bushels, 'bu')} at the start, {state}.")


def _check_first(store: StoreView, entity: str, day: date) -> None:
    periods = store.many(Period, entity)
    closed = last_closed(periods) is not None
    late = bool(periods) and (closed or day >= periods[0].start)
    rules.require(
        not late, events.Status.OPENING_TOO_LATE, f"The first period began on {periods[0].start if periods else day}."
    )


# A notice: a seller tells a buyer with a book of its own that a report behind its claims changed (interpretation 35).
#
# The buyer's book does not hold the farm's report; it holds serials that came on the seller's documents. The notice
# names those serials and the change, and the buyer's book carries it on as a store with the report itself would: to
# what the buyer still holds, and by notices of its own to those who have the rest.
#
# A notice counts under its sender's pinned signature (``receiving``) and only for serials that the sender gave: whoever
# gave ten bushels of a report cannot suspend or end the thousands that came from others.

_STANDINGS: Final = frozenset(
    {reports.NoticeKind.WITHDRAWN, reports.NoticeKind.SUSPENDED, reports.NoticeKind.REINSTATED}
)
"""Changes of the whole report; the others change some bushels of it."""
ENDING: Final = frozenset({reports.NoticeKind.WITHDRAWN, reports.NoticeKind.FEWER_BUSHELS})
"""Changes by which a claim ends."""


@event("notice", events.RestsOn.SIGNATURE, speaker="giver", everyone=True)
class NoticeEvent(events.PaperEvent):
    """A seller's notice that a report behind what it sold changed. ``day`` is the day it is received."""

    giver: Name = field("Seller", help="The seller, who sends it.", party=events.Party.CHANGES, choices="partners")
    taker: Name = field("Buyer", help="The buyer, whose book this is.", party=events.Party.CHANGES, choices="partners")
    number: Name = field("Number", help="The notice's number, unique for its sender.")
    origin: Code = field("Origin", help="Whose serials.")
    reason: reports.NoticeKind = field("Reason", help="What changed.")
    spans: tuple[Serials, ...] = field(
        "Spans", help="Which serials of those the seller gave.", folded=True, example=[["0", "500"]]
    )
    ci: Ci | None = field("Carbon intensity", help="The carbon intensity they have now, for `worse_ci`.", default=None)
    report: Text = field(
        "Report", help="Hash of the report's version that changed it, where there is one.", asked=False, default=""
    )


def decide_notice(store: StoreView, event: NoticeEvent) -> Decision:
    """Carry a change of a report to the serials that the sender gave, whoever of this store has them now."""
    giver, _ = rules.parties_of(store, event.giver, event.taker, BETWEEN_TRADERS, "From trader to trader.")
    origin = rules.record_of(store, serials.Origin, event.origin)
    own = origin.source is serials.OriginKind.DOCUMENT
    rules.require(
        own, events.Status.PARTIES_DIFFER, f"What stands behind {origin.id} is in this book itself: change that."
    )
    lots = (step.after for step in store.steps_of(origin.id))
    hands = event.giver, event.taker
    came = serials.joined((lot.start, lot.stop) for lot in lots if (lot.supplier, lot.owner) == hands)
    rules.require(bool(came), events.Status.PARTIES_DIFFER, f"Nothing of {origin.id} came from {giver.name}.")
    rules.require(
        _is_news(store, origin, event, came), events.Status.ALREADY_ANSWERED, "These serials stand so already."
    )
    shown = event.reason is not reports.NoticeKind.REINSTATED or footing_of(store, event).verifies
    rules.require(shown, events.Status.PAPER_NOT_SHOWN, f"Take in the notice that {giver.name} signed.")
    _check_spans(event.spans)
    if event.reason is reports.NoticeKind.WORSE_CI:
        rules.require(event.ci is not None, events.Status.CI_NOT_POSSIBLE, "It names none.")
        reports.check_ci(event.ci or 0)
    reports.check_holders(store, origin, event)
    for start, stop in event.spans:
        inside = any(low <= start and stop <= high for low, high in came)
        rules.require(
            inside, events.Status.OUTSIDE_ORIGIN, f"Not all of {rules.show_span(start, stop)} came from {giver.name}."
        )
    reports.check_later(store, origin, event)
    change = reports.ReportChange(event, origin)
    spans = sorted(event.spans)
    pieces = [serials.part(lot, *span) for span in spans for lot in store.lots_at(event.origin, *span)]
    _carry(change, event, pieces)
    resting = _resting(origin, event)
    change.draft.state(replace(origin, resting=resting, versions=_versions(origin, event, pieces)))
    reason = event.reason.replace("_ci", " CI").replace("_", " ")
    told = counted(change.notices, "notice")
    return change.draft.outcome(f"{reason[:1].upper()}{reason[1:]} for {origin.id}; {told}.")


def _is_news(store: StoreView, origin: serials.Origin, event: NoticeEvent, came: Sequence[serials.Span]) -> bool:
    """Tell whether a notice changes anything: something the sender gave has not ended, and does not rest already."""
    lots = [lot for span in came for lot in store.lots_at(origin.id, *span)]
    if origin.standing is serials.ReportStanding.WITHDRAWN or all(lot.state is serials.LotState.VOID for lot in lots):
        return False
    resting = [any(low <= start and stop <= high for low, high in origin.resting) for start, stop in event.spans]
    if event.reason is reports.NoticeKind.SUSPENDED:
        return not resting or not all(resting)
    return event.reason is not reports.NoticeKind.REINSTATED or any(origin.rests(*span) for span in event.spans)


def _resting(origin: serials.Origin, event: NoticeEvent) -> tuple[serials.Span, ...]:
    if event.reason is reports.NoticeKind.SUSPENDED:
        return tuple(serials.joined([*origin.resting, *event.spans]))
    ended = event.spans if event.reason is reports.NoticeKind.REINSTATED else ()
    return tuple(serials.joined(serials.subtract_spans(origin.resting, ended)))


def _check_spans(spans: Sequence[serials.Span]) -> None:
    rules.require(bool(spans), events.Status.SPAN_NOT_POSSIBLE, "It names no serials.")
    for start, stop in spans:
        rules.require(0 <= start < stop, events.Status.SPAN_NOT_POSSIBLE, f"{rules.show_span(start, stop)}.")
    for (_, before), (start, stop) in pairwise(sorted(spans)):
        rules.require(before <= start, events.Status.SPAN_NOT_POSSIBLE, f"{rules.show_span(start, stop)}.")


def _carry(change: reports.ReportChange, event: NoticeEvent, pieces: Iterable[serials.Piece]) -> None:
    altered: list[tuple[serials.Piece, dict[str, object]]] = []
    for piece in pieces:
        lot = piece.lot
        if lot.state not in serials.LIVE and lot.state is not serials.LotState.RETIRED:
            continue
        if event.reason is reports.NoticeKind.WORSE_CI and lot.ci >= (event.ci or 0):
            continue
        if lot.state in serials.LIVE:
            altered += [(piece, changes)] if (changes := _changes(event)) else []
        kind = event.reason if lot.state in serials.LIVE or event.reason in _STANDINGS else reports.NoticeKind.SHORTFALL
        kind = (
            reports.NoticeKind.SHORTFALL if lot.state is serials.LotState.RETIRED and event.reason in ENDING else kind
        )
        change.tell(lot.owner, piece.start, piece.stop, kind, _notice_text(event, lot), event.reason)
    reports.write_pieces(change.draft, altered)


def _changes(event: NoticeEvent) -> dict[str, object]:
    if event.reason in ENDING:
        return {"state": serials.LotState.VOID, "by": event.id, "since": event.day}
    return {"ci": event.ci} if event.reason is reports.NoticeKind.WORSE_CI else {}


def _notice_text(event: NoticeEvent, lot: serials.Lot) -> str:
    sender = f"{event.giver} gave notice {event.number}"
    if event.reason is reports.NoticeKind.WORSE_CI:
        return f"{sender}: CI {show(lot.ci, CI_SCALE)} becomes {show(event.ci or 0, CI_SCALE)}."
    words = {
        reports.NoticeKind.FEWER_BUSHELS: "these bushels are no longer in the report",
        reports.NoticeKind.WITHDRAWN: "the report was withdrawn",
        reports.NoticeKind.SUSPENDED: "the report is suspended",
        reports.NoticeKind.REINSTATED: "the report is in force again",
    }
    return f"{sender}: {words[event.reason]}."


def _versions(
    origin: serials.Origin, event: NoticeEvent, pieces: Sequence[serials.Piece]
) -> tuple[serials.Version, ...]:
    """Return the versions with the change added by which closed periods are restated: of the serials it names."""
    now = origin.current
    if event.reason is reports.NoticeKind.WORSE_CI and event.ci is not None:
        ci = event.ci
    elif event.reason in ENDING:
        ci = min((piece.lot.ci for piece in pieces), default=now.ci)
    else:
        return origin.versions
    spans = tuple(serials.joined(event.spans))
    return (
        *origin.versions,
        serials.Version(now.number + 1, event.day, now.bushels, ci, event.report, spans, event.id),
    )
