"""Product is bound as crop is: what of a bushel a form can give at all (2100.033(a)(2), interpretation 71).

The bounds are parameters. Beyond them a yield, an opening or a document from outside needs the hash of a file that
shows it, and the verifier sees it among the alerts.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Final

from provender.custody.events import rules
from provender.custody.model.entities import STORERS, Period, latest_end, period_of
from provender.custody.model.event import Coproduct, Event, Party, Record, Refusal, RestsOn, Status, event
from provender.custody.model.lots import FORMS, POUND, RATE_ONE, rate_of, show_amount, unit_of
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import RATE_SCALE, Amount, Pounds, Rate, show
from provender.rule.crops import Crop
from provender.rule.law import NotInForceError, rule_version
from provender.schema import Day, Name, Text, field

_FILE: Final = re.compile(r"\b[0-9a-f]{64}\b")
"""A SHA-256: the name of a file is not evidence, its content is."""
_GROUND: Final = frozenset({"ground_corn", "ground_sorghum"})


def most_of(form: str, day: date, made_of: str = "") -> int:
    """Return the most of a form that a bushel can give, or a pound of what it is made of; millionths of a pound."""
    if made_of and FORMS[made_of].made_from:
        return RATE_ONE
    law = rule_version(day)
    if form in _GROUND:
        return law.ground_grain_lb_per_bu_max
    return law.soybean_oil_lb_per_bu_max if FORMS[form].crop == Crop.soybeans else law.corn_starch_lb_per_bu_max


def _check_bounds(form: str, rate: int, day: date, *, made_of: str = "", evidence: str = "") -> None:
    """Refuse a yield beyond its form's bound unless a file shows it. Raises Refusal: YIELD_BEYOND_BOUNDS."""
    if unit_of(form) != POUND or _FILE.search(evidence.lower()):
        return
    most = most_of(form, day, made_of)
    said = f"It says {show(rate, RATE_SCALE)} lb of {form}; at most {show(most, RATE_SCALE)} is plausible."
    rules.require(rate <= most, Status.YIELD_BEYOND_BOUNDS, said)


def check_product(form: str, pounds: int, bushels: int, rate: int, day: date, evidence: str) -> None:
    """Refuse product that no plausible yield gives of its crop; its own yield, where one is stated, is held too.

    Raises:
        Refusal: YIELD_BEYOND_BOUNDS.
    """
    of_paper = rate_of(pounds, bushels) if unit_of(form) == POUND else 0
    _check_bounds(form, max(rate, of_paper), day, evidence=evidence)


# Crushing yields and what a plant made (2100.033(a), interpretation 41): per plant, campaign and output form.

EVIDENCE_HELP: Final = (
    "SHA-256 of the file that shows it, where product of a bushel is beyond what is plausible for its form."
)


class Basis(StrEnum):
    """Whether a campaign's yield is an estimate or its result."""

    PROVISIONAL = "provisional"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Yield(Record, kind="yield", key="entity/site/made_of/output/campaign/basis", group="entity/site/made_of/output"):
    """A plant's yield for one input and output over some days."""

    entity: str  # whose plant
    site: str  # which plant
    made_of: str  # what goes in
    output: str  # what comes out
    campaign: str  # the plant's name for the run
    rate: int  # millionths of a pound per bushel (per pound of a product that is refined further)
    start: date  # first day
    end: date  # last day
    basis: Basis  # provisional or final

    @property
    def batch(self) -> str:
        """Return the campaign's key: what its lots carry and its totals are found by."""
        return f"{self.group}/{self.campaign}"


@dataclass(frozen=True, slots=True)
class Crush(Record, kind="crush", key="batch"):
    """What a plant put in and got out in a campaign, all grain, claims or not."""

    batch: str  # the campaign's key
    used: int  # thousandths of a bushel (of a pound) put in
    made: int  # thousandths of a pound of the output
    coproducts: tuple[tuple[str, int], ...] = ()  # names and thousandths of a pound, listed without a claim


@dataclass(frozen=True, slots=True)
class Conversion(Record, kind="conversion", key="batch/number", group="batch"):
    """One batch of a plant."""

    batch: str  # the campaign's key
    number: str  # the plant's own number of it
    start: date  # its first day
    end: date  # its last day
    used: int  # thousandths of a bushel (of a pound) put in
    made: int  # thousandths of a pound of the output
    coproducts: tuple[tuple[str, int], ...] = ()  # names and thousandths of a pound, listed without a claim
    meter: int | None = None  # what the meter counted of the output, thousandths of a pound; None where it was not read
    void: bool = False  # taken back


@dataclass(frozen=True, slots=True)
class CampaignTotals(Record, kind="claimed", key="batch/owner", group="batch"):
    """What an owner's claims used up and got in a campaign so far."""

    batch: str  # the campaign's key
    owner: str  # whose claims; several where a plant crushes for others
    used: int  # thousandths of a bushel (of a pound) of input under claims
    made: int  # thousandths of a pound of claims on the output


def claimed_by(store: StoreView, batch: str, owner: str) -> CampaignTotals:
    return store.one(CampaignTotals, f"{batch}/{owner}") or CampaignTotals(batch, owner, 0, 0)


@event("yield", RestsOn.BATCH, title="Yield of a campaign", verb="Record the yield")
class YieldEvent(Event):
    """States a plant's yield: provisional while a campaign runs, final when it is measured."""

    entity: Name = field("Entity", help="Whose plant.", party=Party.ENTERS)
    made_of: Text = field("Made of", help="What goes in.", choices="forms")
    output: Text = field("Output", help="What comes out with the claim.", choices="forms")
    campaign: Name = field("Campaign", help="The plant's name for the run.")
    rate: Rate = field("Yield", unit="lb per bu, or per lb", help="The crushing yield.")
    start_day: Day = field("Start day", help="First day.")
    end_day: Day = field("End day", help="Last day.")
    basis: Basis = field("Basis", help="An estimate or the result.", default=Basis.PROVISIONAL)
    site: Name = field("Site", help="Which plant.", choices="sites", default="")
    evidence: Text = field("Evidence", help=EVIDENCE_HELP, folded=True, default="")


def yields_at(store: StoreView, entity: str, *sites: str) -> Iterator[Yield]:
    """Yield what an entity stated of its plants at some sites."""
    steps = [f"{made_of}/{form.name}" for form in FORMS.values() for made_of in form.made_from]
    for plant in (f"{entity}/{site}/{step}" for site in sites for step in steps):
        yield from store.many(Yield, plant)


def check_step(made_of: str, output: str) -> None:
    """Refuse a product that does not come from the input, or that carries no claim."""
    known = FORMS.get(output)
    possible = known is not None and made_of in known.made_from
    rules.require(possible, Status.FORM_NOT_POSSIBLE, f"{output!r} from {made_of!r}.")
    rules.check_form(output, FORMS[output].crop)


def _plant_of(store: StoreView, event: "YieldEvent | CrushEvent | ConvertEvent") -> tuple[str, str]:
    """Return whose plant an event is of, and its site. Raises Refusal: it has none such, or processes nothing."""
    entity = rules.entity_of(store, event.entity)
    rules.require(entity.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} processes nothing.")
    return entity.id, rules.site_of(store, entity, event.site)


def decide_yield(store: StoreView, event: YieldEvent) -> Decision:
    """State a yield; each campaign has one of each basis, and those of one basis may not overlap."""
    entity, site = _plant_of(store, event)
    check_step(event.made_of, event.output)
    rules.check_amounts((event.rate, "lb"))
    rules.require(event.start_day <= event.end_day, Status.DATES_REVERSED)
    step = {"made_of": event.made_of, "evidence": event.evidence}
    _check_bounds(event.output, event.rate, max(event.day, event.start_day), **step)
    plant = (entity, site, event.made_of, event.output)
    made = Yield(*plant, event.campaign, event.rate, event.start_day, event.end_day, event.basis)
    above = beyond_batches(store, made)
    rules.require(not above, Status.BEYOND_ACTUAL_PRODUCT, above)
    for other in store.many(Yield, made.group):
        apart = other.end < made.start or made.end < other.start
        same = other.basis is made.basis and (not apart or other.campaign == made.campaign)
        # A final yield that its batches came to contradict is stated anew, as they give it.
        same = same and not (other.key == made.key and beyond_batches(store, other))
        rules.require(not same, Status.YIELDS_OVERLAP, f"{other.campaign}, {other.start} to {other.end}.")
    draft = rules.MovementDraft(event)
    draft.state(made)
    return draft.outcome(f"{made.campaign}: {made.output} from {made.made_of}, {made.basis}.")


def beyond_batches(store: StoreView, one: Yield) -> str:
    """Say by what a final yield is above what its plant put in and got out; empty where it is not, or nobody knows."""
    crush = store.one(Crush, one.batch)
    if one.basis is not Basis.FINAL or crush is None or not crush.used:
        return ""
    most = rate_of(crush.made, crush.used)
    gave, says = show(most, RATE_SCALE), show(one.rate, RATE_SCALE)
    said = f"{one.campaign} gave {gave} by its batches; its final yield says {says}."
    return said if one.rate > most else ""


def yield_on(store: StoreView, plant: str, site: str, step: tuple[str, str], day: date) -> Yield:
    """Return the yield of a plant for an input and output on a day, the final one before the provisional.

    Raises:
        Refusal: YIELD_NOT_FOUND or YIELD_OUT_OF_DATE.
    """
    known: Sequence[Yield] = store.many(Yield, f"{plant}/{site}/{step[0]}/{step[1]}")
    if not known:
        raise Refusal(Status.YIELD_NOT_FOUND, f"{step[1]} from {step[0]} at {site}.")
    covering = [one for one in known if one.start <= day <= one.end]
    if not covering:
        last = known[-1]
        raise Refusal(Status.YIELD_OUT_OF_DATE, f"The last one, {last.campaign}, runs to {last.end}.")
    return max(covering, key=lambda one: one.basis is Basis.FINAL)


@event("crush", RestsOn.BATCH, title="Figures of a campaign", verb="Record the figures")
class CrushEvent(Event):
    """States what a plant put in and got out in a campaign so far; a later one replaces it.

    What was measured is never refused. From then on claims are: beyond the crop put in, or beyond their share of the
    product made. What claims exceed already is told with the answer and in its facts.
    """

    entity: Name = field("Entity", help="Whose plant.", party=Party.ENTERS)
    made_of: Text = field("Made of", help="What goes in.", choices="forms")
    output: Text = field("Output", help="What comes out with the claim.", choices="forms")
    campaign: Name = field("Campaign", help="The run, as its yield names it.")
    crop_crushed: Amount = field(
        "All crop put in",
        unit="bu, or lb of a product",
        help="All that was put in, conventional too, in the unit of the input.",
    )
    product_made: Pounds = field("All product made", help="All that came out, in pounds.")
    site: Name = field("Site", help="Which plant.", choices="sites", default="")
    coproducts: tuple[Coproduct, ...] = field(
        "Coproducts", help="What else came out, listed without a claim.", folded=True, default=()
    )


def decide_crush(store: StoreView, event: CrushEvent) -> Decision:
    """State the totals of a campaign; they bound what claims may use and get."""
    entity, site = _plant_of(store, event)
    check_step(event.made_of, event.output)
    _check_coproducts(event.coproducts)
    rules.check_amounts((event.crop_crushed, unit_of(event.made_of)), (event.product_made, "lb"))
    batch = _named_batch(store, f"{entity}/{site}/{event.made_of}/{event.output}", event.campaign)
    batches = f"{event.campaign} adds its conversion records up: correct those."
    rules.require(not store.many(Conversion, batch), Status.ALREADY_ANSWERED, batches)
    draft = rules.MovementDraft(event)
    pairs = tuple((one.form, one.pounds) for one in event.coproducts)
    crush = Crush(batch, event.crop_crushed, event.product_made, pairs)
    draft.state(crush)
    beyond = _beyond(store, crush, unit_of(event.made_of))
    return draft.outcome(" ".join(said for *_, said in beyond), details=[(name, shown) for name, shown, _ in beyond])


def _check_coproducts(listed: Iterable[Coproduct]) -> None:
    for one in listed:
        known = one.form in FORMS and not FORMS[one.form].claims
        rules.require(known, Status.FORM_NOT_POSSIBLE, f"{one.form!r} is no co-product.")


def _named_batch(store: StoreView, plant: str, campaign: str) -> str:
    """Return the key of a campaign that a yield of the plant names. Raises Refusal: none does."""
    named = any(one.campaign == campaign for one in store.many(Yield, plant))
    rules.require(named, Status.YIELD_NOT_FOUND, f"No yield names the campaign {campaign!r}.")
    return f"{plant}/{campaign}"


def _beyond(store: StoreView, crush: Crush, unit: str) -> list[tuple[str, str, str]]:
    """Return by what claims are beyond a campaign's figures: what it is called, the amount, and the sentence."""
    claims = store.many(CampaignTotals, crush.batch)
    over, used = excess(claims, crush), sum(one.used for one in claims) - crush.used
    pounds, more = show_amount(over, "lb"), show_amount(used, unit)
    share = f"Claims exceed their share by {pounds}: adjust the campaign to its final yield."
    found = [("excess", pounds, share)] if over else []
    return [*found, ("used_beyond", more, f"Claims use up {more} more than was put in.")] if used > 0 else found


def excess(claims: Sequence[CampaignTotals], crush: Crush) -> int:
    """Return by how much claims exceed actual product times the claims' share of all input, rounded up; 0 if not."""
    used, made = sum(one.used for one in claims), sum(one.made for one in claims)
    share = crush.made * min(used, crush.used) // crush.used if crush.used else 0
    return max(0, made - share)


def _with(store: StoreView, one: CampaignTotals) -> list[CampaignTotals]:
    """Return the claims of a campaign with one owner's as given."""
    return [*(other for other in store.many(CampaignTotals, one.batch) if other.owner != one.owner), one]


def check_less(store: StoreView, before: CampaignTotals, after: CampaignTotals) -> None:
    """Refuse a change of a campaign after which its claims would exceed their share further than before.

    Raises:
        Refusal: BEYOND_ACTUAL_PRODUCT: a final yield gives more than was made, or oil that was sold at too high a
            yield stands on the crop to be taken out.
    """
    crush = store.one(Crush, after.batch)
    if crush is not None:
        over = excess(_with(store, after), crush)
        said = _of_plant(after, f"By {_pounds(over)}.")
        rules.require(over <= excess(_with(store, before), crush), Status.BEYOND_ACTUAL_PRODUCT, said)


def _pounds(amount: int) -> str:
    return show_amount(amount, "lb")


def check_campaign(store: StoreView, after: CampaignTotals) -> None:
    """Refuse claims beyond what the campaign put in, or beyond their share of what it made.

    Raises:
        Refusal: BEYOND_CROP_CRUSHED or BEYOND_ACTUAL_PRODUCT. A campaign without totals yet is bounded by its yield.
    """
    crush = store.one(Crush, after.batch)
    if crush is None:
        return
    claims = _with(store, after)
    used = sum(one.used for one in claims)
    put_in = f"{show(crush.used, group=True)} put in, claims use {show(used, group=True)}."
    rules.require(used <= crush.used, Status.BEYOND_CROP_CRUSHED, _of_plant(after, put_in))
    over = excess(claims, crush)
    rules.require(over == 0, Status.BEYOND_ACTUAL_PRODUCT, _of_plant(after, f"By {_pounds(over)}."))


def _of_plant(claimed: CampaignTotals, said: str) -> str:
    """Return a sentence with a campaign's totals for the plant only: whoever lets crush there learns no one else's."""
    plant, _, campaign = claimed.batch.partition("/")
    return said if plant == claimed.owner else f"{campaign} of {plant}, with the claims of all who let crush there."


# Batches of a plant that leave the days they count for: those of their yield, and those of one period (reading 71).
#
# What was measured is never refused: it is told with the answer, and listed for the verifier.


def _out_of_days(store: StoreView, entity: str, batch: Conversion, campaign: str) -> str:
    """Return what a batch is told for; empty where it lies within its yield's days and within one period."""
    said = []
    of_run = [one for one in store.many(Yield, batch.batch.removesuffix(f"/{campaign}")) if one.campaign == campaign]
    if of_run and not any(one.start <= batch.start and batch.end <= one.end for one in of_run):
        days = f"{of_run[-1].start} to {of_run[-1].end}"
        said.append(f"its yield is stated for {days}: it says nothing of other days.")
    periods = store.many(Period, entity)
    first, last = (period_of(periods, day) for day in (batch.start, batch.end))
    if first != last:
        said.append("it lies in two periods, and each statement covers its own: record it in parts.")
    return f"Batch {batch.number} of {campaign}, {batch.start} to {batch.end}: {' '.join(said)}" if said else ""


def stray_batches(store: StoreView, one: Yield) -> Iterator[tuple[str, int]]:
    """Yield what is told of the batches of a run, with the crop put in, for its first stated yield alone."""
    if one.key != next(each.key for each in store.many(Yield, one.group) if each.campaign == one.campaign):
        return
    for batch in store.many(Conversion, one.batch):
        if not batch.void and (said := _out_of_days(store, one.entity, batch, one.campaign)):
            yield said, batch.used


# What a plant put in and got out, batch by batch of its own (2100.033(a), interpretation 71).
#
# Campaigns add up: the figures of one are the sum of its conversion records, as soon as there is one. They bound what
# claims may use and get, as those of a campaign do.


@event("convert", RestsOn.BATCH, title="Conversion record", verb="Record the batch")
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


def decide_convert(store: StoreView, event: ConvertEvent) -> Decision:
    entity, site = _plant_of(store, event)
    group = f"{entity}/{site}/{event.made_of}/{event.output}"
    batch = f"{group}/{event.campaign}"
    held = store.one(Conversion, f"{batch}/{event.number}")
    if event.void:
        held = rules.record_of(store, Conversion, f"{batch}/{event.number}")
        rules.require(not held.void, Status.ALREADY_ANSWERED, f"Batch {held.number} is void.")
    check_step(event.made_of, event.output)
    _check_coproducts(event.coproducts)
    rules.check_amounts((event.put_in, unit_of(event.made_of)), (event.made, "lb"))
    start = event.start_day or event.day
    _check_days(start, event)
    _named_batch(store, group, event.campaign)
    seen = held is not None and not held.void and not event.void
    rules.require(not seen, Status.DOCUMENT_SEEN, f"Batch {event.number} of {event.campaign}.")
    pairs = tuple((one.form, one.pounds) for one in event.coproducts)
    metered = event.meter_after - event.meter_before if event.meter_after or event.meter_before else None
    made = Conversion(batch, event.number, start, event.day, event.put_in, event.made, pairs, metered, void=event.void)
    if held is not None and event.void:
        made = replace(held, void=True)
    crush = summed(batch, [*(one for one in store.many(Conversion, batch) if one.number != made.number), made])
    draft = rules.MovementDraft(event)
    draft.state(made, crush)
    unit = unit_of(event.made_of)
    odd = metered is not None and metered != event.made and not event.void
    said = [
        f"{event.campaign}: {show_amount(crush.used, unit)} in, {show_amount(crush.made, 'lb')} out.",
        f"The meter counted {show_amount(metered or 0, 'lb')}." if odd else "",
        *(each for *_, each in _beyond(store, crush, unit)[::-1]),
        "" if made.void else _out_of_days(store, entity, made, event.campaign),
    ]
    return draft.outcome(" ".join(filter(None, said)))


def _check_days(start: date, event: ConvertEvent) -> None:
    rules.require(start <= event.day, Status.DATES_REVERSED)
    try:
        limit = latest_end(start)
    except NotInForceError as early:
        raise Refusal(Status.RULE_NOT_IN_FORCE, str(early)) from None
    rules.require(event.day <= limit, Status.PERIOD_TOO_LONG, f"A batch from {start} on ends on {limit} at the latest.")


def summed(batch: str, records: Iterable[Conversion]) -> Crush:
    """Return the figures of a campaign: the sum of its batches that are not void."""
    standing = [one for one in records if not one.void]
    beside: dict[str, int] = {}
    for name, pounds in (pair for one in standing for pair in one.coproducts):
        beside[name] = beside.get(name, 0) + pounds
    return Crush(batch, sum(one.used for one in standing), sum(one.made for one in standing), tuple(beside.items()))
