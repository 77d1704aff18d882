"""What a plant put in and got out, batch by batch of its own (2100.033(a), interpretation 71).

Campaigns add up: the figures of one are the sum of its conversion records, as soon as there is one. They bound what
claims may use and get, as those of a campaign do.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from provender.custody.events.batch_days import out_of_days
from provender.custody.events.campaign import CampaignTotals, Conversion, Crush, Yield, check_step, excess
from provender.custody.events.rules import MovementDraft, check_amounts, entity_of, record_of, require, site_of
from provender.custody.model.amounts import FORMS, show_amount, unit_of
from provender.custody.model.entities import STORERS
from provender.custody.model.event import Coproduct, Event, Party, event
from provender.custody.model.periods import latest_end
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.quantity import Amount, Pounds
from provender.rule import NotInForceError
from provender.wire import Day, Name, Text


@event("convert", title="Conversion record", verb="Record the batch")
class ConvertEvent(Event):
    """States one batch of a plant: crop in, products out, meters. A day's, where the plant keeps them so.

    What was measured is never refused. What claims exceed the sum of the batches by is told with the answer.
    """

    entity: Name = field("Entity", help="Whose plant.", party=Party.ENTERS)
    made_of: Text = field("Made of", help="What goes in.", choices="forms")
    output: Text = field("Output", help="What comes out with the claim.", choices="forms")
    campaign: Name = field("Campaign", help="The run, as its yield names it.")
    number: Name = field("Number", help="The plant's own number of the batch; a void one may come again.")
    put_in: Amount = field(
        "Put in", unit="bu, or lb of a product", help="All that was put in, conventional too, in the unit of the input."
    )
    made: Pounds = field("Made", help="All that came out, in pounds.")
    day: Day = field("Last day of the batch", help="At most a period after the first.")
    start_day: Day | None = field("First day", help="The last day without it.", default=None)
    meter_before: Pounds = field("Meter before", help="Of the output, where it has one.", folded=True, default=0)
    meter_after: Pounds = field("Meter after", help="Its reading at the end.", folded=True, default=0)
    site: Name = field("Site", help="Which plant.", choices="sites", default="")
    coproducts: tuple[Coproduct, ...] = field(
        "Coproducts", help="What else came out, listed without a claim.", folded=True, default=()
    )
    void: bool = field("Void", help="Takes the record with this number back.", folded=True, default=False)


def decide_convert(facts: StoreView, request: ConvertEvent) -> Decision:
    """State a batch, and with it the figures of its campaign."""
    entity = entity_of(facts, request.entity)
    require(entity.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} processes nothing.")
    site = site_of(facts, entity, request.site)
    group = f"{entity.id}/{site}/{request.made_of}/{request.output}"
    batch = f"{group}/{request.campaign}"
    held = facts.one(Conversion, f"{batch}/{request.number}")
    if request.void:
        held = record_of(facts, Conversion, f"{batch}/{request.number}")
        require(not held.void, Status.ALREADY_ANSWERED, f"Batch {held.number} is void.")
    check_step(request.made_of, request.output)
    for one in request.coproducts:
        listed = one.form in FORMS and not FORMS[one.form].claims
        require(listed, Status.FORM_NOT_POSSIBLE, f"{one.form!r} is no co-product.")
    check_amounts((request.put_in, unit_of(request.made_of)), (request.made, "lb"))
    start = request.start_day or request.day
    _check_days(start, request)
    named = any(one.campaign == request.campaign for one in facts.many(Yield, group))
    require(named, Status.YIELD_NOT_FOUND, f"No yield names the campaign {request.campaign!r}.")
    seen = held is not None and not held.void and not request.void
    require(not seen, Status.DOCUMENT_SEEN, f"Batch {request.number} of {request.campaign}.")
    pairs = tuple((one.form, one.pounds) for one in request.coproducts)
    metered = request.meter_after - request.meter_before if request.meter_after or request.meter_before else None
    made = Conversion(
        batch, request.number, start, request.day, request.put_in, request.made, pairs, metered, void=request.void
    )
    if held is not None and request.void:
        made = replace(held, void=True)
    crush = summed(batch, [*(one for one in facts.many(Conversion, batch) if one.number != made.number), made])
    draft = MovementDraft(request)
    draft.state(made, crush)
    strays = "" if made.void else out_of_days(facts, entity.id, made, request.campaign)
    return draft.outcome(f"{_told(facts, request, crush, metered)} {strays}".strip())


def _check_days(start: date, request: ConvertEvent) -> None:
    require(start <= request.day, Status.DATES_REVERSED)
    try:
        limit = latest_end(start)
    except NotInForceError as early:
        raise Refusal(Status.RULE_NOT_IN_FORCE, str(early)) from None
    require(request.day <= limit, Status.PERIOD_TOO_LONG, f"A batch from {start} on ends on {limit} at the latest.")


def summed(batch: str, records: Iterable[Conversion]) -> Crush:
    """Return the figures of a campaign: the sum of its batches that are not void."""
    standing = [one for one in records if not one.void]
    beside: dict[str, int] = {}
    for name, pounds in (pair for one in standing for pair in one.coproducts):
        beside[name] = beside.get(name, 0) + pounds
    return Crush(batch, sum(one.used for one in standing), sum(one.made for one in standing), tuple(beside.items()))


def _told(facts: StoreView, request: ConvertEvent, crush: Crush, metered: int | None) -> str:
    claims = facts.many(CampaignTotals, crush.batch)
    unit = unit_of(request.made_of)
    used = sum(one.used for one in claims) - crush.used
    over = excess(claims, crush)
    totals = f"{request.campaign}: {show_amount(crush.used, unit)} in, {show_amount(crush.made, 'lb')} out."
    odd = metered is not None and metered != request.made and not request.void
    said = [
        totals,
        f"The meter counted {show_amount(metered or 0, 'lb')}." if odd else "",
        f"Claims use up {show_amount(used, unit)} more than was put in." if used > 0 else "",
        f"Claims exceed their share by {show_amount(over, 'lb')}: true the campaign up." if over else "",
    ]
    return " ".join(filter(None, said))
