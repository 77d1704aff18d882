"""Opening stock: what somebody had with claims when its first period began (interpretation 51)."""

from dataclasses import replace
from datetime import date

from provender.custody.events.bounds import check_product
from provender.custody.events.document import check_lines
from provender.custody.events.outside_origin import entering, foreign_origin
from provender.custody.events.rules import MovementDraft, entity_of, require, site_of
from provender.custody.model.amounts import OF_PRODUCT, product_of, rate_of, show_amount
from provender.custody.model.entities import TRADERS
from provender.custody.model.event import DocumentLine, Event, Party, event
from provender.custody.model.origins import Origin, OriginKind, Version
from provender.custody.model.periods import Period, last_closed
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.quantity import Bushels, Ci, Pounds, Rate
from provender.wire import Name, Text, Whole


@event("opening", title="Opening stock", verb="Declare it")
class OpeningEvent(Event):
    """Declares stock with claims at the start of the first period, with evidence, audited once (interpretation 51)."""

    entity: Name = field("Entity", help="Whose stock.", party=Party.ENTERS)
    crop: Text = field("Crop", choices="crops")
    harvest_year: Whole = field("Harvest year", folded=True)
    ci: Ci = field("Carbon intensity", help="Its carbon intensity.")
    bushels: Bushels = field("Bushels", help="Crop, or crop used for the product.")
    number: Name = field("Number", help="The declaration's number.")
    evidence: Text = field("Evidence", help="What it rests on.")
    form: Text = field("Form", help="The crop itself (left out) or a product.", choices="forms", default="")
    pounds: Pounds = field("Pounds of product", help="How much product.", when=OF_PRODUCT, default=0)
    rate: Rate = field(
        "Yield", unit="lb per bu, or per lb", help="Its yield; pounds over bushels without.", when=OF_PRODUCT, default=0
    )
    site: Name = field("Site", help="Where it lies.", choices="sites", default="")


def decide_opening(facts: StoreView, request: OpeningEvent) -> Decision:
    """Enter opening stock: before the first period begins, each declaration once."""
    entity = entity_of(facts, request.entity)
    require(entity.may(TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} keeps no mass balance.")
    site = site_of(facts, entity, request.site)
    line = DocumentLine(
        crop=request.crop,
        harvest_year=request.harvest_year,
        ci=request.ci,
        form=request.form or request.crop,
        bushels=request.bushels,
        pounds=request.pounds,
        rate=request.rate,
    )
    check_lines((line,))
    _check_first(facts, entity.id, request.day)
    check_product(line.form, line.pounds, line.bushels, line.rate, request.day, request.evidence)
    name = f"{entity.id}:opening/{request.number}"
    require(facts.one(Origin, name) is None, Status.DOCUMENT_SEEN, f"Opening {request.number}.")
    within = not request.rate or request.pounds <= product_of(request.bushels, request.rate)
    require(within, Status.BEYOND_CROP, f"{show_amount(request.pounds, 'lb')}.")
    version = Version(1, request.day, request.bushels, request.ci, request.evidence)
    made = foreign_origin(name, entity.id, line, OriginKind.OPENING, request.number, version)
    origin = replace(made, issued=request.bushels)
    draft = MovementDraft(request)
    draft.state(origin)
    rate = request.rate or rate_of(request.pounds, request.bushels)
    lot = entering(origin, line, (0, request.bushels), request.pounds, rate)
    draft.enter(replace(lot, site=site))
    return draft.outcome(f"{show_amount(request.bushels, 'bu')} at the start.")


def _check_first(facts: StoreView, entity: str, day: date) -> None:
    periods = facts.many(Period, entity)
    closed = last_closed(periods) is not None
    late = bool(periods) and (closed or day >= periods[0].start)
    require(not late, Status.OPENING_TOO_LATE, f"The first period began on {periods[0].start if periods else day}.")
