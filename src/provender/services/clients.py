"""What each client of a consultant needs, and which of them comes first: decided here once, with the reason in words.

Claims that the records contradict and days that run out come first, by day; then what keeps a report from being signed,
amendments and other signatures, and what is only asked. Among equals more things, then more bushels at stake.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from enum import IntEnum
from typing import Any, Final, NamedTuple

from provender.database.actor import Actor
from provender.database.models import Organisation
from provender.services.audits.to_answer import answer_step, to_answer
from provender.services.custody.context import CustodyContext, context_of, trades
from provender.services.custody.next_steps import AHEAD, trade_steps
from provender.services.farm.book import FarmBook, is_farm, opened_book_of
from provender.services.farm.growing_asks import GrowingNeeds, growing_needs
from provender.services.farm.verdicts import count_gaps
from provender.services.farm_steps import (
    at_gaps,
    at_growing,
    at_unsaid,
    contradicted,
    missing_in,
    signing,
    units_that_claim,
)
from provender.services.reports.drafts import DraftState, standings_of
from provender.services.reports.left import Left, Wait, by_signature, in_the_way, left_of
from provender.services.steps import NextStep

READS: Final = Actor(None, "reading")
DONE: Final = "Nothing to do"
DO_GROWING: Final = at_growing("Do what the growing crops ask for.")
ANSWER: Final = ("Answer due in {days}, {left}", "Answer due today, {left}", "Answer was due {days} ago, {left}")
GROWS: Final = (
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
    """How far a client is, for whoever keeps the records of many.

    Attributes:
        urgency: how soon somebody is to look at it.
        why: the reason in a few words; empty for what is no client.
        parts: what is to be done, each with the page on which it is done, the most urgent first; none where nothing is.
        days: until the soonest day that runs out; what is contradicted has run out today.
        things: how many are left to do.
        bushels: of the reports that wait; of all where none does.
        growing: the soonest day by which a growing crop asks for something; None without one.
    """

    urgency: Urgency = Urgency.NOTHING
    why: str = ""
    parts: tuple[NextStep, ...] = ()
    days: int = 0
    things: int = 0
    bushels: Decimal = Decimal(0)
    growing: date | None = None

    @property
    def order(self) -> tuple[int, int, int, Decimal]:
        """Return what clients are sorted by."""
        return self.urgency, self.days, -self.things, -self.bushels if self.parts else Decimal(0)

    @property
    def at_stake(self) -> str:
        """Return the whole bushels at stake while anything is to be done; empty where there are none."""
        return f"{self.bushels.to_integral_value(ROUND_HALF_EVEN):,} bu" if self.parts and self.bushels else ""

    @property
    def words(self) -> str:
        """Return all that is to be done."""
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
    every = sorted(
        [*_answers(organisation), *_periods(context), *_of_growing(records.growing)], key=lambda one: one.day
    )
    due = [one for one in every if one.day - today < AHEAD]
    trade = [one.step for one in every if one not in due and one.said is ANSWER]
    trade += trade_steps(organisation, context)
    parts = tuple(dict.fromkeys((*(one.step for one in due), *records.parts, *trade)))
    things = records.things + len(trade) + sum(one.said is ANSWER for one in due)
    if not due:
        found = records._replace(parts=parts, things=things)
        if not trade or records.urgency <= Urgency.ASKED:
            return found
        return found._replace(urgency=Urgency.ASKED, why=_left(things))
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
    left = left_of(farm, standings)
    blocked = [one for one in left if one.waits_for is Wait.THINGS]
    ready = [one for one in left if one.waits_for is Wait.SIGNATURE]
    amended, first = by_signature(ready)
    wrong = [one._replace(words=f"{one.words}.", why="") for one in contradicted(gaps)]
    # A record that is missing is mostly one of the things before a signature, too: it counts once.
    missing = max(gaps["missing"], sum(one.things for one in blocked))
    grows = growing_needs(farm)
    parts = (*wrong, *_before(blocked), *_signatures(amended), *_signatures(first), *_asked(gaps), *_grown(grows))
    urgency, why = _first(len(wrong), blocked, amended, first, gaps)
    if urgency is Urgency.NOTHING and grows.things:
        urgency, why = Urgency.ASKED, f"Growing crops ask for: {grows.things}"
    things = len(wrong) + missing + len(ready) + len(gaps["unsaid"]) + grows.things
    return Progress(urgency, why, parts, 0, things, _bushels([one.standing for one in left] or standings), grows.day)


def _grown(grows: GrowingNeeds) -> Iterator[NextStep]:
    if grows.things:
        yield DO_GROWING


def _first(
    wrong: int, blocked: Sequence[Left], amended: Sequence[Left], first: Sequence[Left], gaps: Mapping[str, Any]
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


def _bushels(standings: Iterable[DraftState]) -> Decimal:
    return sum((Decimal(one.total_bushels or 0) for one in standings), Decimal(0))


def _answers(organisation: Organisation) -> Iterator[_Due]:
    for audit, finding in to_answer(organisation):
        step = answer_step(audit, finding)
        yield _Due(ANSWER, finding.due, step._replace(words=f"{step.words}.", why=""))


def _periods(context: CustodyContext | None) -> Iterator[_Due]:
    """Yield the open period that ends first."""
    open_ones = [one for one in context.periods if one.closed is None] if context else []
    for one in sorted(open_ones, key=lambda period: period.end)[:1]:
        query = (("start", str(one.start)),)
        yield _Due(PERIOD, one.end, NextStep("custody_period", "See what the close needs.", "", query=query))


def _of_growing(day: date | None) -> Iterator[_Due]:
    """Yield the day by which a growing crop asks for something first."""
    if day is not None:
        yield _Due(GROWS, day, DO_GROWING)


def _in_days(said: tuple[str, str, str], days: int, things: int) -> str:
    before, on_it, after = said
    text = before if days > 0 else after if days else on_it
    number = abs(days)
    return text.format(days="1 day" if number == 1 else f"{number} days", left=_left(things))


def _left(things: int) -> str:
    return "1 thing left" if things == 1 else f"{things} things left"


def _asked(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    """Yield what keeps no report back: practices that are not shown, and fields of which nothing is said."""
    if not gaps["asked"]:
        yield at_gaps(gaps, "No practice is claimed.", "")
    elif gaps["open"]:
        names = ", ".join(gaps["unshown"])
        yield at_gaps(gaps, f"Not shown yet: {names}. {missing_in(gaps)}".strip(), "")
    if gaps["unsaid"]:
        yield at_unsaid(gaps, f"What {units_that_claim(gaps)} is not said.", "")


def _before(blocked: Sequence[Left]) -> Iterator[NextStep]:
    """Yield all that stands before the signatures of reports, at the list of it."""
    if blocked:
        yield NextStep("farm_todo", in_the_way(blocked), "")


def _signatures(ready: Sequence[Left]) -> Iterator[NextStep]:
    """Yield each report that waits for its signature alone, at its page."""
    yield from (signing(one)._replace(words=one.words) for one in ready)
