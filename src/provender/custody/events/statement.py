"""Verification statements and contracts for audits: entered, and what they let go on (2100.032(b)(2))."""

from collections.abc import Sequence
from datetime import date, timedelta

from provender.custody.events.rules import MovementDraft, check_crop, entity_of, require
from provender.custody.model.amounts import counted
from provender.custody.model.entities import TRADERS, Entity, Opinion, Verification
from provender.custody.model.event import Event, Party, event
from provender.custody.model.lots import LotState, whole
from provender.custody.model.periods import months_on
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.rule import rule_version
from provender.rule.parameters import parameters
from provender.wire import Day, Name, Text


@event("statement", title="Verification statement", verb="Enter the statement", everyone=True)
class StatementEvent(Event):
    """Enters a verification statement, or the contract for the first audit (2100.032(b)(2), interpretation 46).

    A statement that its verifier took back is entered again under its number as ``adverse``.
    """

    entity: Name = field("Who was verified", help="Who was verified.", party=Party.CHANGES)
    verifier: Name = field("Verifier", help="By whom.")
    number: Name = field("Number", help="The statement's number.")
    start_day: Day = field("Start day", help="First day covered.")
    end_day: Day = field("End day", help="Last day covered.")
    crops: tuple[Text, ...] = field("Crops", help="The crops in scope.", choices="crops")
    opinion: Opinion = field("Opinion", help="The conclusion.")
    scope: Text = field("Scope", help="In the verifier's words.", folded=True, default="")


def decide_statement(facts: StoreView, request: StatementEvent) -> Decision:
    """Enter a statement; cure the lots it covers, or put those back to unverified that nothing covers any more.

    A statement taken back, or an adverse one, reaches what the party sold and its buyers still have in stock. What went
    on from there stands on the buyer's own verification, and what ended stays ended (interpretations 35, 46).
    """
    entity = entity_of(facts, request.entity)
    _check_apart(facts, request)
    for crop in request.crops:
        check_crop(crop)
    require(request.start_day <= request.end_day, Status.DATES_REVERSED)
    draft = MovementDraft(request)
    before = facts.many(Verification, entity.id)
    statement = Verification(
        id=request.number,
        entity=request.entity,
        verifier=request.verifier,
        start=_start(before, request),
        end=request.end_day,
        crops=request.crops,
        scope=request.scope,
        opinion=request.opinion,
        issued=request.day,
    )
    after = _stated(before, statement)
    draft.state(statement)
    cured = [
        whole(lot)
        for lot in facts.unverified_from(entity.id)
        if statement.opinion.good and _covering(after, lot.titled, lot.crop)
    ]
    doubted = [
        whole(lot)
        for lot in (facts.held_from(entity.id) if _takes_away(before, statement) else ())
        if _covering(before, lot.titled, lot.crop) and not _covering(after, lot.titled, lot.crop)
    ]
    # The day moves with the change: a sale dated before the statement was entered still finds the lot unverified.
    changes = [(one, LotState.HELD) for one in cured] + [(one, LotState.UNVERIFIED) for one in doubted]
    draft.alter_each([(one, {"state": to, "since": max(one.lot.since, request.day)}) for one, to in changes])
    said = f"It cures {counted(len(cured), 'lot')} held unverified." if cured else ""
    back = (
        f"{counted(len(doubted), 'lot')} in stock {'is' if len(doubted) == 1 else 'are'} unverified again."
        if doubted
        else ""
    )
    kept = "" if statement.start == request.start_day else f"It goes on from {statement.start}, as first entered."
    return draft.outcome(" ".join(part for part in (said, back, kept) if part))


def _start(before: Sequence[Verification], request: StatementEvent) -> date:
    """Return the first day of a statement; a contract for a first audit keeps the first one it had under its number.

    What it replaces must not be lost, or its months would begin anew (interpretation 76).

    Raises:
        Refusal: see ``_check_again``.
    """
    known = next((one for one in before if one.id == request.number), None)
    if known is None:
        return request.start_day
    _check_again(known, request)
    first = Opinion.FIRST_AUDIT_CONTRACTED
    return min(known.start, request.start_day) if known.opinion is request.opinion is first else request.start_day


def _check_again(known: Verification, request: StatementEvent) -> None:
    """Refuse what would make forgotten that a first contract began, or that an audit ended badly (interpretation 76).

    Either would let a second contract for a first audit carry anew.

    Raises:
        Refusal: ALREADY_ANSWERED where an audit has ended in an opinion; PARTIES_DIFFER where a first contract or a bad
            opinion would lose crops or days.
    """
    opinion, number = request.opinion, request.number
    contract = f"Enter the new contract under a number of its own: {number}"
    word = contract if opinion.contracted else f"Enter the new statement under a number of its own: {number}"
    first, bad = known.opinion is Opinion.FIRST_AUDIT_CONTRACTED, known.opinion is Opinion.ADVERSE
    ended = opinion.contracted and not known.opinion.contracted
    require(not ended, Status.ALREADY_ANSWERED, f"{contract} stands for an audit that ended in an opinion.")
    lost = ", ".join(sorted({*known.crops} - {*request.crops}))
    keeps = first or bad or (opinion is Opinion.ADVERSE and not known.opinion.contracted)
    require(not (lost and keeps), Status.PARTIES_DIFFER, f"{word} covers {lost} too.")
    if first and opinion.contracted:
        again = opinion is known.opinion
        require(again, Status.PARTIES_DIFFER, f"{contract} is for a first audit.")
    elif first:
        until = _months_on(known.start, request.start_day)
        carried = f"{word} is a contract that carried to {until - timedelta(days=1)}."
        require(request.start_day < until, Status.PARTIES_DIFFER, carried)
    elif keeps:
        whole = request.start_day <= known.start and known.end <= request.end_day
        some = request.start_day <= known.end
        require(whole if bad else some, Status.PARTIES_DIFFER, f"{word} covers {known.start} to {known.end}.")


def _months_on(since: date, day: date) -> date:
    """Return the day from which something carries no more, by the number of months in force on a day."""
    law = rule_version(max(day, parameters().start))
    return months_on(since, law.statement_carries_months)


def _check_apart(facts: StoreView, request: StatementEvent) -> None:
    """Refuse a statement by the party it is about, or by one that trades in the chain: a verifier is a third party."""
    require(request.verifier != request.entity, Status.PARTIES_ARE_ONE, "Nobody verifies itself.")
    verifier = facts.one(Entity, request.verifier)
    trades = verifier is not None and verifier.may(TRADERS)
    require(not trades, Status.ROLE_NOT_ALLOWED, f"{request.verifier} trades in the chain: it verifies nobody.")


def _stated(before: Sequence[Verification], new: Verification) -> list[Verification]:
    """Return statements with a new one in the place of that with its number, or after all others."""
    known = any(one.id == new.id for one in before)
    return [new if one.id == new.id else one for one in before] if known else [*before, new]


def _takes_away(before: Sequence[Verification], new: Verification) -> bool:
    """Tell whether a statement may leave something uncovered: it is not good, or it changes what one covered."""
    return not new.opinion.good or any(one.id == new.id for one in before)


def verified(facts: StoreView, supplier: Entity, day: date, crop: str) -> Verification | None:
    """Return the statement that lets a supplier's claims of a crop go on, or None.

    The latest opinion that covers day and crop decides. Where none does, the contract for the first audit carries
    deliveries, or after a favourable statement the contract for the next one: for a limited time (interpretation 76).
    """
    return _covering(facts.many(Verification, supplier.id), day, crop)


def _covering(statements: Sequence[Verification], day: date, crop: str) -> Verification | None:
    """Return the statement that lets claims of a day and crop go on."""
    found = None
    for one in statements:
        if one.covers(day, crop) and not one.opinion.contracted:
            found = one
    if found is not None:
        return found if found.opinion.good else None
    contracts = [one for one in statements if one.covers(day, crop) and _carries(statements, one, day, crop)]
    return contracts[-1] if contracts else None


def _carries(statements: Sequence[Verification], contract: Verification, day: date, crop: str) -> bool:
    """Tell whether the contract for an audit carries deliveries of a day: at most some months after its beginning.

    Of the next audit: after the last covered day of the latest opinion, which must be favourable. Of the first one:
    from the first day of the earliest such contract, since a second one begins nothing anew, and only while no audit
    has ended in an opinion.
    """
    if not contract.opinion.contracted:
        return False
    since = contract.start
    given = [one for one in statements if not one.opinion.contracted and crop in one.crops and one.end < day]
    if contract.opinion is Opinion.NEXT_AUDIT_CONTRACTED:
        # Of two that end on one day the later stated counts.
        last = max(reversed(given), key=lambda one: one.end, default=None)
        if last is None or not last.opinion.good:
            return False
        since = last.end + timedelta(days=1)
    else:
        if given:
            return False
        first = [one.start for one in statements if one.opinion is contract.opinion and crop in one.crops]
        since = min(first)
    return day < months_on(since, rule_version(day).statement_carries_months)
