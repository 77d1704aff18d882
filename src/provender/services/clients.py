"""What each client of a consultant needs, and which of them comes first: decided here once, with the reason in words.

Claims that the records contradict and days that run out come first, by day; then what keeps a report from being signed,
amendments and other signatures, and what is only asked. Among equals more things, then more bushels at stake.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from enum import IntEnum
from typing import Any, Final, NamedTuple

from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.models.accounts import Membership, Organisation, Person, ReadGrant, Review
from provender.exact import show
from provender.problem import listed
from provender.rule.crops import PRACTICE_LABELS
from provender.services.accounts.views import GrantView, PlaceView, ReviewView, grant_view, place_view, review_view
from provender.services.audits.standing import answer_step, answers_to_judge, open_audits, to_answer
from provender.services.custody.checks import AHEAD, trade_steps
from provender.services.custody.context import CustodyContext, context_of, trades
from provender.services.farm.book import FarmBook, is_farm, opened_book_of
from provender.services.farm.growing import GrowingNeeds, growing_views, needs_of
from provender.services.farm.keys import registered_fingerprint
from provender.services.farm.sown import sowing_questions_left
from provender.services.farm.verdicts import count_gaps
from provender.services.reports.checklist import ReportView, in_the_way, standings_of
from provender.services.reports.signing import awaited, bushels_of
from provender.services.steps import NextStep

# What a farm does next: gaps to close, reports to sign, bushels to sell.

_NAMES: Final = {label: str(practice) for practice, label in PRACTICE_LABELS.items()}
NAMED: Final = 3
"""Kinds of missing record that are named; the others are counted."""


def farm_steps(organisation: Organisation, needs: GrowingNeeds | None = None) -> list[NextStep]:
    """Return what the farm does next, the first thing first; nothing for an organisation that is no farm."""
    if not is_farm(organisation):
        return []
    farm = opened_book_of(organisation)
    if farm is None:
        return [NextStep("farm", "Open the record book", "It keeps your units, crops, passes and nutrients.")]
    gaps = count_gaps(farm)
    if not gaps["intervals"]:
        return [NextStep("farm_records", "Enter the farm, its units and their crops", "Everything else rests on them.")]
    standings = standings_of(farm)
    left = [one for one in standings if one.is_news]
    ready = [one for one in left if not one.blocked_by]
    amended, first = _by_signature(ready)
    growing = _growing(needs_of(growing_views(farm)) if needs is None else needs)
    between = [*_gaps(gaps), *_unsaid(gaps), *growing, *_sown(farm, standings)]
    key = list(_key(farm, ready))
    return [
        *contradicted(gaps), *(key if amended else ()), *map(signing, amended), *between,
        *(() if amended else key), *map(signing, first), *_still_needed(left), *_sales(farm, standings),
    ]  # fmt: skip


def contradicted(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    """Yield each claim that the records speak against, at the field where it is corrected or no longer made."""
    for unit, practice, why, entry in gaps["contradicted"]:
        words = f"Correct the record, or stop claiming {practice.lower()} on {unit}"
        yield NextStep("farm_crop", words, why, query=(("crop", entry),), anchor=_NAMES.get(practice, ""))


def _units_that_claim(gaps: Mapping[str, Any]) -> str:
    """Return the units of which nothing is said, with their verb: one claims, several claim."""
    return f"{listed(gaps['unsaid'], NAMED)} {'claims' if len(gaps['unsaid']) == 1 else 'claim'}"


def _missing_in(gaps: Mapping[str, Any]) -> str:
    """Name the kinds of record in which most is missing, with how much of each; nothing where nothing is."""
    first, rest = gaps["lacks"][:NAMED], gaps["lacks"][NAMED:]
    kinds = " · ".join(f"{label} ({number})" for label, number in first)
    if rest:
        return f"Missing in {kinds}, and {sum(number for _, number in rest)} elsewhere."
    return f"Missing in {kinds}." if kinds else ""


def _gaps(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    if not gaps["open"]:
        return
    missing = gaps["missing"]
    words = f"Add {missing} missing {'record' if missing == 1 else 'records'}"
    names = ", ".join(gaps["unshown"])
    why = f"Nothing is earned for {names} until then. {_missing_in(gaps)}".strip()
    yield _at_gaps(gaps, words, " ".join([*_of_years(gaps["open_years"]), why]))


def _at_gaps(gaps: Mapping[str, Any], words: str, why: str) -> NextStep:
    """Return a step at the crop that lacks everything, where several do at the table of all."""
    where = gaps["where"]
    return NextStep("farm_crop", words, why, query=(("crop", where),)) if where else NextStep("farm", words, why)


def _unsaid(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    if not gaps["unsaid"]:
        return
    why = "What is not claimed earns nothing, and nobody asks for its records."
    told = [*_of_years(gaps["unsaid_years"]), why, *_ruled_out(gaps)]
    yield _at_unsaid(gaps, f"Say what {_units_that_claim(gaps)}", " ".join(told))


def _of_years(years: Sequence[int]) -> Iterator[str]:
    """Say of which harvest something is asked, in a book that has several: an earlier one is not this year's."""
    if years:
        named = ", ".join(map(str, years))
        yield f"This is about the harvest of {named}."


def _at_unsaid(gaps: Mapping[str, Any], words: str, why: str) -> NextStep:
    """Return a step at the ticks of the units of which nothing is said: the page opens at the first of them."""
    query = tuple(("unit", unit) for unit in gaps["unsaid"][:NAMED])
    return NextStep("farm_claims", words, why, query=query, anchor="asked")


def _ruled_out(gaps: Mapping[str, Any]) -> Iterator[str]:
    """Say what those units can no longer claim: why, where it is one practice; several are named."""
    for unit in gaps["unsaid"][:NAMED]:
        mine = [(practice, why) for where, practice, why in gaps["ruled_out"] if where == unit]
        if len(mine) == 1:
            practice, why = mine[0]
            yield f"{practice} cannot be met on {unit}: {why}"
        elif mine:
            yield f"What cannot be met on {unit}: {', '.join(practice for practice, _ in mine)}."


def _at_growing(words: str, why: str = "") -> NextStep:
    return NextStep("farm_todo", words, why)


def _growing(needs: GrowingNeeds) -> Iterator[NextStep]:
    """Yield what crops in the ground ask for before a day that does not come again; a report waits for none of it."""
    if needs.things:
        told = f"No report waits for these {needs.things} things."
        told = "No report waits for this one thing." if needs.things == 1 else told
        day = [f"The first is due by {needs.day}."] if needs.day else []
        yield _at_growing("Do what the growing crops ask for", " ".join([told, *day]))


def _sown(farm: FarmBook, standings: Sequence[ReportView]) -> Iterator[NextStep]:
    """Yield that what was sown and its passes are asked about, before a signature rests on them."""
    settled = {one.key for one in standings if not one.is_news}
    if number := len(sowing_questions_left(farm, settled)):
        words = "Answer 1 question" if number == 1 else f"Answer {number} questions"
        why = "What was sown and the pass of its planter or drill do not fit together."
        yield NextStep("farm_todo", words, why, anchor="sowing")


def _key(farm: FarmBook, ready: Sequence[ReportView]) -> Iterator[NextStep]:
    """Yield the key that each signature needs which nothing else keeps back."""
    if ready and not registered_fingerprint(farm, ready[0].producer_id):
        yield NextStep("farm_key", "Make a signing key", "The farm producer signs reports and sale slips with it.")


def _still_needed(left: Sequence[ReportView]) -> Iterator[NextStep]:
    for each in left:
        if each.blocked_by:
            number = each.things
            things = "1 thing stands" if number == 1 else f"{number} things stand"
            yield NextStep("farm_todo", f"Do what {each.name} still needs", f"{things} before its signature.")


def _sales(farm: FarmBook, standings: Sequence[ReportView]) -> Iterator[NextStep]:
    """Yield each buyer who waits for a report, and each crop that has bushels left to sell."""
    for buyer in awaited(farm):
        why = f"{buyer.buyer} bought it as reduced-CI crop, and no delivery of the report is recorded."
        yield NextStep("farm_sales", f"Give the report on {buyer.crop} {buyer.harvest_year} to its buyer", why)
    for standing in standings:
        found = bushels_of(farm, standing)
        if found.serials is not None and found.left:
            why = f"{show(found.left, group=True)} bushels have no buyer's slip yet."
            yield NextStep("farm_sales", f"Sell {standing.name}", why)


def _by_signature(ready: Sequence[ReportView]) -> tuple[list[ReportView], list[ReportView]]:
    """Tell amendments of signed reports from first signatures: an amendment goes first everywhere."""
    return [one for one in ready if one.signed_versions], [one for one in ready if not one.signed_versions]


def signing(one: ReportView) -> NextStep:
    """Return the step of a report that nothing keeps from being signed."""
    if one.signed_versions:
        words, why = f"Sign an amendment of the report on {one.name}", one.reopened_by
    else:
        words, why = f"Sign the report on {one.name}", "Its bushels get their serials."
    return NextStep("farm_report", words, why, one.key)


READS: Final = Actor(None, "reading")
DONE: Final = "Nothing to do"
_DO_GROWING: Final = _at_growing("Do what the growing crops ask for.")
_ANSWER: Final = ("Answer due in {days}, {left}", "Answer due today, {left}", "Answer was due {days} ago, {left}")
_GROWS: Final = (
    "Growing crops: due in {days}, {left}", "Growing crops: due today, {left}", "Growing crops: due {days} ago, {left}",
)  # fmt: skip
PERIOD: Final = ("Period closes in {days}, {left}", "Period closes today, {left}", "Period ended {days} ago, {left}")
"""What is said before a day that runs out, on it, and after it."""


class Urgency(IntEnum):
    """How soon somebody is to look at a client, the soonest first."""

    BY_DAY = 0
    BLOCKED = 1
    AMENDMENT = 2
    SIGNATURE = 3
    ASKED = 4
    NOTHING = 5


class Progress(NamedTuple):
    """How far a client is, for whoever keeps the records of many."""

    urgency: Urgency = Urgency.NOTHING  # how soon somebody is to look at it
    why: str = ""  # the reason in a few words; empty for what is no client
    # what is to be done, each with the page on which it is done, the most urgent first; none where nothing is
    parts: tuple[NextStep, ...] = ()
    days: int = 0  # until the soonest day that runs out; what is contradicted has run out today
    things: int = 0  # how many are left to do
    bushels: Decimal = Decimal(0)  # of the reports that wait; of all where none does
    growing: date | None = None  # the soonest day by which a growing crop asks for something; None without one

    @property
    def order(self) -> tuple[int, int, int, Decimal]:
        return self.urgency, self.days, -self.things, -self.bushels if self.parts else Decimal(0)

    @property
    def at_stake(self) -> str:
        """Return the whole bushels at stake while anything is to be done; empty where there are none."""
        return f"{self.bushels.to_integral_value(ROUND_HALF_EVEN):,} bu" if self.parts and self.bushels else ""

    @property
    def words(self) -> str:
        return " ".join(one.words for one in self.parts)


class _Due(NamedTuple):
    """A day that runs out: what happens on it, and where it is seen to."""

    said: tuple[str, str, str]
    day: date
    step: NextStep


def client_progress(organisation: Organisation, today: date) -> Progress:
    """Return how far a client is on a day: its records, its trade, and the answers that it owes a verifier."""
    records = progress_of(organisation)
    context = context_of(organisation, actor=READS, today=today) if trades(organisation) else None
    growing = [_Due(_GROWS, records.growing, _DO_GROWING)] if records.growing else []
    every = sorted([*_answers(organisation), *_periods(context), *growing], key=lambda one: one.day)
    due = [one for one in every if one.day - today < AHEAD]
    trade = [one.step for one in every if one not in due and one.said is _ANSWER]
    trade += trade_steps(organisation, context)
    parts = tuple(dict.fromkeys((*(one.step for one in due), *records.parts, *trade)))
    things = records.things + len(trade) + sum(one.said is _ANSWER for one in due)
    if not due:
        found = records._replace(parts=parts, things=things)
        if not trade or records.urgency <= Urgency.ASKED:
            return found
        return found._replace(urgency=Urgency.ASKED, why=_count_left(things))
    left = (due[0].day - today).days
    if records.urgency is Urgency.BY_DAY and left > 0:
        return records._replace(parts=parts, things=things)
    why = _in_days(due[0].said, left, things)
    return records._replace(urgency=Urgency.BY_DAY, why=why, parts=parts, days=left, things=things)


def progress_of(organisation: Organisation) -> Progress:
    """Return how far a farm's records are."""
    if not is_farm(organisation):
        return Progress(why=DONE)
    farm = opened_book_of(organisation)
    if farm is None:
        return _without_records("No record book yet", NextStep("farm", "The record book is not open", ""))
    gaps = count_gaps(farm)
    if not gaps["intervals"]:
        return _without_records("No crops yet", NextStep("farm_records", "No crops entered yet", ""))
    return _of_records(farm, gaps)


def _without_records(why: str, step: NextStep) -> Progress:
    return Progress(Urgency.BLOCKED, why, (step,), days=-1)


def _of_records(farm: FarmBook, gaps: Mapping[str, Any]) -> Progress:
    standings = standings_of(farm)
    left = [one for one in standings if one.is_news]
    blocked = [one for one in left if one.blocked]
    ready = [one for one in left if not one.blocked]
    amended, first = _by_signature(ready)
    wrong = [one._replace(words=f"{one.words}.", why="") for one in contradicted(gaps)]
    # A record that is missing is mostly one of the things before a signature, too: it counts once.
    missing = max(gaps["missing"], sum(one.things for one in blocked))
    grows = needs_of(growing_views(farm))
    before = [NextStep("farm_todo", in_the_way(blocked), "")] if blocked else []
    growing = [_DO_GROWING] if grows.things else []
    parts = (*wrong, *before, *_signatures(amended), *_signatures(first), *_asked(gaps), *growing)
    urgency, why = _first(len(wrong), blocked, amended, first, gaps)
    if urgency is Urgency.NOTHING and grows.things:
        urgency, why = Urgency.ASKED, f"Growing crops ask for: {grows.things}"
    things = len(wrong) + missing + len(ready) + len(gaps["unsaid"]) + grows.things
    waiting = left or standings
    bushels = sum((Decimal(one.total_bushels or 0) for one in waiting), Decimal(0))
    return Progress(urgency, why, parts, 0, things, bushels, grows.day)


def _first(
    wrong: int,
    blocked: Sequence[ReportView],
    amended: Sequence[ReportView],
    first: Sequence[ReportView],
    gaps: Mapping[str, Any],
) -> tuple[Urgency, str]:
    """Return how soon a farm is to be looked at, and why in a few words."""
    if wrong:
        return Urgency.BY_DAY, f"Claims against the records: {wrong}"
    if blocked:
        return Urgency.BLOCKED, f"Things left before signatures: {sum(one.things for one in blocked)}"
    if amended:
        return Urgency.AMENDMENT, f"Amendments to sign: {len(amended)}"
    if first:
        return Urgency.SIGNATURE, f"Reports to sign: {len(first)}"
    if gaps["open"]:
        return Urgency.ASKED, f"Records missing: {gaps['missing']}"
    if gaps["unsaid"]:
        return Urgency.ASKED, f"Fields to ask about: {len(gaps['unsaid'])}"
    return (Urgency.NOTHING, DONE) if gaps["asked"] else (Urgency.ASKED, "No practice claimed")


def _answers(organisation: Organisation) -> Iterator[_Due]:
    for audit, finding in to_answer(organisation):
        step = answer_step(audit, finding)
        yield _Due(_ANSWER, finding.due, step._replace(words=f"{step.words}.", why=""))


def _periods(context: CustodyContext | None) -> Iterator[_Due]:
    """Yield the open period that ends first."""
    open_ones = [one for one in context.periods if one.closed is None] if context else []
    for one in sorted(open_ones, key=lambda period: period.end)[:1]:
        query = (("start", str(one.start)),)
        yield _Due(PERIOD, one.end, NextStep("custody_period", "See what the close needs.", "", query=query))


def _in_days(said: tuple[str, str, str], days: int, things: int) -> str:
    before, on_it, after = said
    text = before if days > 0 else after if days else on_it
    number = abs(days)
    return text.format(days="1 day" if number == 1 else f"{number} days", left=_count_left(things))


def _count_left(things: int) -> str:
    return "1 thing left" if things == 1 else f"{things} things left"


def _asked(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    """Yield what keeps no report back: practices that are not shown, and fields of which nothing is said."""
    if not gaps["asked"]:
        yield _at_gaps(gaps, "No practice is claimed.", "")
    elif gaps["open"]:
        names = ", ".join(gaps["unshown"])
        yield _at_gaps(gaps, f"Not shown yet: {names}. {_missing_in(gaps)}".strip(), "")
    if gaps["unsaid"]:
        yield _at_unsaid(gaps, f"What {_units_that_claim(gaps)} is not said.", "")


def _signatures(ready: Sequence[ReportView]) -> Iterator[NextStep]:
    """Yield each report that waits for its signature alone, at its page."""
    yield from (signing(one)._replace(words=one.words) for one in ready)


# Where a person can go: the organisations they work for, and those they may look into as verifier or reviewer.


def places_of(person: Person) -> list[PlaceView]:
    """Return the organisations a person works for, by name."""
    held = Membership.objects.filter(person=person).select_related("organisation", "on_behalf_of")
    rows = held.prefetch_related("organisation__roles").order_by("organisation__name")
    return list(map(place_view, rows))


def places_by_need(person: Person, day: date) -> list[tuple[PlaceView, Progress]]:
    """Return the organisations a person works for, each client with how far it is on a day, and where they go on.

    The clients of a consultant stand first, by what is most urgent, then one's own, all of them by name among equals.
    """
    held = Membership.objects.filter(person=person).exclude(on_behalf_of=None).select_related("organisation")
    clients = {one.organisation.handle: client_progress(one.organisation, day) for one in held}
    places = [(one, clients.get(one.handle, Progress())) for one in places_of(person)]
    return sorted(places, key=lambda each: (each[0].handle not in clients, each[1].order))


def audits_of(person: Person, day: date) -> list[tuple[str, NextStep]]:
    """Return what waits for a verifier a person works for: answers to judge, then open audits, each with its code."""
    held = Membership.objects.filter(person=person, organisation__roles__role=Role.VERIFIER)
    verifiers = [one.organisation for one in held.select_related("organisation").order_by("organisation__name")]
    return [
        (verifier.handle, step)
        for verifier in verifiers
        for step in (*answers_to_judge(verifier), *open_audits(verifier, day))
    ]


def visits_of(person: Person, day: date) -> list[GrantView]:
    """Return the grants through which a person of a verifier may look into others on a day, by their names."""
    grants = ReadGrant.objects.filter(
        verifier__memberships__person=person, revoked_at=None, first_day__lte=day, last_day__gte=day
    )
    return list(map(grant_view, grants.select_related("audited", "verifier").order_by("audited__name")))


def reviews_of(person: Person, day: date) -> list[ReviewView]:
    """Return what a person may review on a day, by the organisations' names."""
    reviews = Review.objects.filter(person=person, revoked_at=None, last_day__gte=day)
    return list(map(review_view, reviews.select_related("organisation", "person").order_by("organisation__name", "pk")))


def destinations(person: Person, day: date) -> list[str]:
    """Return the codes of the organisations that a person can go to on a day, each once."""
    ways = (
        *(one.handle for one in places_of(person)),
        *(one.code for one in visits_of(person, day)),
        *(one.code for one in reviews_of(person, day)),
    )
    return [*dict.fromkeys(ways)]
