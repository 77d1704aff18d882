"""Declarations of parties: entities, contracts and periods, verification statements and contracts for audits."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import ClassVar, Final

from provender.custody.events.footing import Footed, about_of, footing_of, grounds
from provender.custody.events.rules import MovementDraft, check_amounts, check_crop, entity_of, record_of, require
from provender.custody.model import entities
from provender.custody.model.event import Event, PaperEvent, Party, Refusal, RestsOn, Status, event
from provender.custody.model.lots import FORMS, Lot, LotState, unit_of, whole
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import Amount, Ci
from provender.problem import counted
from provender.rule.law import NotInForceError, parameters, rule_version
from provender.schema import Day, Name, Text, When, field


@event("entity", RestsOn.OWN_ACT, title="Partner without an account here", verb="Register")
class EntityEvent(Event):
    """Registers an entity, or states its name, roles and sites anew."""

    entity: Name = field("Code or id in their documents", help="What events call it.", party=Party.CHANGES)
    name: Text = field("Name", help="For people.")
    roles: tuple[entities.Role, ...] = field("Roles", help="What it does in the chain (2100.010).")
    sites: tuple[Name, ...] = field(
        "Sites",
        help="Where it keeps crop or product; sites are only ever added.",
        example=["North elevator"],
        default=(),
    )


def decide_entity(store: StoreView, event: EntityEvent) -> Decision:
    """Register an entity. Sites are only ever added: a site that held crop keeps its book."""
    require(bool(event.roles), Status.ROLE_NOT_ALLOWED, f"Roles are {', '.join(entities.Role)}.")
    # It begins the keys of what it has: of "coop/north" at "1" and of "coop" at "north/1" they would be the same.
    require("/" not in event.entity, Status.FIELD_UNREADABLE, "entity: leave the slash out of its code.")
    before = store.one(entities.Entity, event.entity)
    kept = before.sites if before else ()
    sites = tuple(dict.fromkeys((*kept, *event.sites)))
    draft = MovementDraft(event)
    draft.state(entities.Entity(event.entity, event.name, event.roles, sites))
    return draft.outcome(f"{event.name} is registered.")


_AGREED: Final = When("form", ("",), hides=True)
"""What a contract agrees of deliveries is about a form: what is said of none is left out of the way."""


@event("contract", RestsOn.OWN_ACT, title="Contract", verb="Put it on file")
class ContractEvent(Event):
    """States a contract with a supplier, recipient, subcontractor or service provider (2100.032(a)(2), (3))."""

    entity: Name = field("Entity", help="Whose contract it is.", party=Party.ENTERS)
    counterparty: Name = field("The other party's code", help="The other party.")
    role: entities.ContractKind = field("Role", help="What the counterparty is to the entity.")
    number: Name = field("Number", help="The contract's number; a later event with the same number replaces it.")
    start_day: Day = field("Start day", help="First day.")
    end_day: Day | None = field("End day", help="Last day; left out while it runs.", default=None)
    signing_key: Text = field("Their public key", help="The counterparty's pinned public key.", default="")
    form: Text = field(
        "To deliver",
        help="The crop or product. A later event that says no amount leaves what was agreed of deliveries.",
        choices="forms",
        folded=True,
        default="",
    )
    amount: Amount = field(
        "Amount", unit="bu or lb", help="How much, in the unit of the form.", folded=True, when=_AGREED, default=0
    )
    first_delivery: Day | None = field("First day of delivery", folded=True, when=_AGREED, default=None)
    last_delivery: Day | None = field("Last day of delivery", folded=True, when=_AGREED, default=None)
    ci_min: Ci | None = field(
        "Carbon intensity at least", help="Sales under it take nothing below.", folded=True, when=_AGREED, default=None
    )
    ci_max: Ci | None = field(
        "Carbon intensity at most", help="Sales under it take nothing above.", folded=True, when=_AGREED, default=None
    )


def decide_contract(store: StoreView, event: ContractEvent) -> Decision:
    """State a contract; a later one with the same number replaces it, so that keys can be rotated."""
    entity_of(store, event.entity)
    entity_of(store, event.counterparty)
    require(event.entity != event.counterparty, Status.PARTIES_ARE_ONE, "Nobody has a contract with itself.")
    held = store.one(entities.Contract, f"{event.entity}/{event.number}")
    same = held is None or held.counterparty == event.counterparty
    require(same, Status.PARTIES_DIFFER, f"{event.number} is a contract with another: choose another number.")
    reversed_days = event.end_day is not None and event.end_day < event.start_day
    require(not reversed_days, Status.DATES_REVERSED)
    draft = MovementDraft(event)
    terms = (event.start_day, event.end_day, event.signing_key)
    draft.state(entities.Contract(event.number, event.entity, event.counterparty, event.role, *terms))
    bounds = (event.first_delivery, event.last_delivery, event.ci_min, event.ci_max)
    if event.amount or event.form or any(one is not None for one in bounds):
        draft.state(_delivery(event))
    return draft.outcome(f"Contract {event.number} is on file.")


def _delivery(event: ContractEvent) -> entities.Delivery:
    """Return what a contract says of deliveries, or refuse it."""
    said = f"{event.form!r}." if event.form else "Terms of deliveries are about a form and an amount: say both."
    require(event.form in FORMS and FORMS[event.form].claims, Status.FORM_NOT_POSSIBLE, said)
    check_amounts((event.amount, unit_of(event.form)))
    low, high = event.ci_min, event.ci_max
    require(low is None or high is None or low <= high, Status.CI_NOT_POSSIBLE, "The highest is below the lowest.")
    first, last = event.first_delivery, event.last_delivery
    require(first is None or last is None or first <= last, Status.DATES_REVERSED)
    return entities.Delivery(event.entity, event.number, event.form, event.amount, first, last, low, high)


def under_contract(
    store: StoreView, trade: tuple[str, str, date], number: str, form: str, role: entities.ContractKind
) -> entities.Delivery | None:
    """Return what a contract named by a trade says of deliveries; None where none is named, or it says nothing.

    The trade says whose contract it is, with whom, and its day; the other party must be under it what ``role`` says.

    Raises:
        Refusal: RECORD_NOT_FOUND or PARTIES_DIFFER: it is no contract of the two about this form, or not on this day.
            A delivery outside the window that a contract gives it is told and not refused.
    """
    if not number:
        return None
    entity, partner, day = trade
    contract = record_of(store, entities.Contract, f"{entity}/{number}")
    found = store.one(entities.Delivery, contract.key)
    last = found.last if found else None
    ends = max(contract.end, last or contract.end) if contract.end else None
    runs = contract.start <= day and (ends is None or day <= ends)
    days = f"from {contract.start} to {ends or 'further notice'}"
    require(runs, Status.RECORD_NOT_FOUND, f"Contract {number} runs {days}, and the trade is of {day}.")
    require(contract.counterparty == partner, Status.PARTIES_DIFFER, f"Contract {number} is with another.")
    said = f"Contract {number} is with a {contract.role}, not with a {role}."
    require(contract.role is role, Status.PARTIES_DIFFER, said)
    require(found is None or found.form == form, Status.PARTIES_DIFFER, f"Contract {number} is about another form.")
    return found


@event("period", RestsOn.OWN_ACT, title="Declare a period", verb="Declare")
class PeriodEvent(Event):
    """Declares the next mass balance time period and its sale policy (2100.034(b), interpretations 43 and 44)."""

    entity: Name = field("Entity", help="Whose period.", party=Party.ENTERS)
    start_day: Day = field("Start day", help="First day, the day after the last period ends.")
    end_day: Day = field("End day", help="Last day, three months on at the latest.")
    policy: entities.Policy = field("Policy", help="Which claims a sale takes when none are named.")


def decide_period(store: StoreView, event: PeriodEvent) -> Decision:
    """Declare a period: not too long, the day after the last one, and before it begins or in the rhythm.

    Nobody is refused for the clock alone: a period that has begun takes the borders and the policy that the rhythm
    gives it, the first one begins with the first movement, and is marked as declared late (interpretation 69).
    """
    entity = entity_of(store, event.entity)
    require(entity.may(entities.TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} keeps no mass balance.")
    require(event.start_day <= event.end_day, Status.DATES_REVERSED)
    try:
        limit = entities.latest_end(event.start_day)
    except NotInForceError as early:
        raise Refusal(Status.RULE_NOT_IN_FORCE, str(early)) from None
    require(event.end_day <= limit, Status.PERIOD_TOO_LONG, f"It may end on {limit} at the latest.")
    earlier = store.many(entities.Period, event.entity)
    if earlier:
        due = earlier[-1].end + timedelta(days=1)
        require(event.start_day == due, Status.PERIOD_NOT_CONTINUOUS, f"The next one begins on {due}.")
    made = entities.Period(event.entity, event.start_day, event.end_day, event.policy, event.day)
    if made.late:
        _check_rhythm(store, earlier, made)
    draft = MovementDraft(event)
    draft.state(made)
    marks = (("declared_late", event.day.isoformat()),) if made.late else ()
    late = f", late, on {event.day}: the verifier sees it first" if made.late else ""
    return draft.outcome(f"{event.start_day} to {event.end_day} is declared{late}.", details=marks)


def _check_rhythm(store: StoreView, earlier: Sequence[entities.Period], made: entities.Period) -> None:
    """Refuse borders or a policy that are chosen after the fact. Raises Refusal: PERIOD_DECLARED_LATE."""
    if earlier:
        last = earlier[-1]
        due = min(entities.rhythm_end(last, made.start), entities.latest_end(made.start))
        said = f"Declared on {made.declared}, it goes on as the last one: to {due}, {last.policy}."
        require((made.end, made.policy) == (due, last.policy), Status.PERIOD_DECLARED_LATE, said)
        return
    first = min((step.day for step in store.steps(made.entity)), default=made.start)
    said = f"Declared on {made.declared}, the first one begins with the first movement, on {first}."
    require(made.start <= first, Status.PERIOD_DECLARED_LATE, said)


# Verification statements and contracts for audits: entered, and what they let go on (2100.032(b)(2)).


TYPED_HELP: Final = "Who typed it into a book that many share, for a party without an account there; nobody types this."


@event("statement", RestsOn.SIGNATURE, title="Verification statement", verb="Enter the statement", everyone=True)
class StatementEvent(PaperEvent):
    """Enters a verification statement, or the contract for the first audit (2100.032(b)(2), interpretation 46).

    A statement that its verifier took back is entered again under its number as ``adverse``. A good one that is typed
    verifies nothing: it is entered again when the verifier's paper is there (interpretation 87).
    """

    entity: Name = field("Who was verified", help="Who was verified.", party=Party.CHANGES)
    verifier: Name = field("Verifier", help="By whom.")
    number: Name = field("Number", help="The statement's number.")
    start_day: Day = field("Start day", help="First day covered.")
    end_day: Day = field("End day", help="Last day covered.")
    crops: tuple[Text, ...] = field("Crops", help="The crops in scope.", choices="crops")
    opinion: entities.Opinion = field("Opinion", help="The conclusion.")
    scope: Text = field("Scope", help="In the verifier's words.", folded=True, default="")
    evidence: Text = field("Paper", help="SHA-256 of the statement's file on record.", folded=True, default="")
    by_program: ClassVar[frozenset[str]] = frozenset({"signed_by", "typed_by"})
    typed_by: Name = field("Typed by", help=TYPED_HELP, asked=False, default="")

    def word_of(self) -> str:
        """Return who signs it: that an audit is contracted is the party's own word."""
        return self.entity if self.opinion.contracted else self.verifier


def as_stated(event: StatementEvent) -> entities.Verification:
    return entities.Verification(
        id=event.number,
        entity=event.entity,
        verifier=event.verifier,
        start=event.start_day,
        end=event.end_day,
        crops=event.crops,
        scope=event.scope,
        opinion=event.opinion,
        issued=event.day,
    )


def decide_statement(store: StoreView, event: StatementEvent) -> Decision:
    """Enter a statement; cure the lots it covers, or put those back to unverified that nothing covers any more.

    A statement taken back, or an adverse one, reaches what the party sold and its buyers still have in stock. What went
    on from there stands on the buyer's own verification, and what ended stays ended (interpretations 35, 46).
    """
    entity = entity_of(store, event.entity)
    _check_apart(store, event)
    for crop in event.crops:
        check_crop(crop)
    require(event.start_day <= event.end_day, Status.DATES_REVERSED)
    draft = MovementDraft(event)
    if event.opinion.good and not footing_of(store, event).verifies:
        known = store.one(Footed, about_of(event))
        on_paper = known is not None and known.footing.verifies
        require(not on_paper, Status.PAPER_NOT_SHOWN, f"Statement {event.number} is in the book on paper.")
        return draft.outcome("It is typed: it verifies nothing until the signed statement or its file is in the book.")
    before = store.many(entities.Verification, entity.id)
    statement = replace(as_stated(event), start=_start(before, event))
    after = list({**{one.key: one for one in before}, statement.key: statement}.values())
    draft.state(statement)
    # It may leave something uncovered: it is not good, or it changes what one covered.
    takes_away = not statement.opinion.good or any(one.key == statement.key for one in before)
    # Numbered in one order wherever the book is kept.
    unverified, held = (
        sorted(store.lots_from(entity.id, state), key=lambda lot: (lot.origin, lot.start))
        for state in (LotState.UNVERIFIED, LotState.HELD)
    )
    sure = (lot for lot in unverified if statement.opinion.good and _covering(after, lot.titled, lot.crop))
    cured = [whole(lot) for lot in sure if all(one.footing.verifies for one in grounds(store, lot))]
    doubted = [
        whole(lot)
        for lot in (held if takes_away else ())
        if _covering(before, lot.titled, lot.crop) and not _covering(after, lot.titled, lot.crop)
    ]
    # The day moves with the change: a sale dated before the statement was entered still finds the lot unverified.
    changes = [(one, LotState.HELD) for one in cured] + [(one, LotState.UNVERIFIED) for one in doubted]
    draft.alter_each([(one, {"state": to, "since": max(one.lot.since, event.day)}) for one, to in changes])
    said = f"It cures {counted(len(cured), 'lot')} held unverified." if cured else ""
    back = (
        f"{counted(len(doubted), 'lot')} in stock {'is' if len(doubted) == 1 else 'are'} unverified again."
        if doubted
        else ""
    )
    kept = "" if statement.start == event.start_day else f"It goes on from {statement.start}, as first entered."
    return draft.outcome(" ".join(part for part in (said, back, kept) if part))


def _start(before: Sequence[entities.Verification], event: StatementEvent) -> date:
    """Return the first day of a statement; a contract for a first audit keeps the first one it had under its number.

    What it replaces must not be lost, or its months would begin anew (interpretation 76).

    Raises:
        Refusal: see ``_check_again``.
    """
    known = next((one for one in before if (one.id, one.verifier) == (event.number, event.verifier)), None)
    if known is None:
        return event.start_day
    _check_again(known, event)
    first = entities.Opinion.FIRST_AUDIT_CONTRACTED
    return min(known.start, event.start_day) if known.opinion is event.opinion is first else event.start_day


def _check_again(known: entities.Verification, event: StatementEvent) -> None:
    """Refuse what would make forgotten that a first contract began, or that an audit ended badly (interpretation 76).

    Either would let a second contract for a first audit carry anew.

    Raises:
        Refusal: ALREADY_ANSWERED where an audit has ended in an opinion; PARTIES_DIFFER where a first contract or a bad
            opinion would lose crops or days.
    """
    opinion, number = event.opinion, event.number
    contract = f"Enter the new contract under a number of its own: {number}"
    word = contract if opinion.contracted else f"Enter the new statement under a number of its own: {number}"
    first, bad = known.opinion is entities.Opinion.FIRST_AUDIT_CONTRACTED, known.opinion is entities.Opinion.ADVERSE
    ended = opinion.contracted and not known.opinion.contracted
    require(not ended, Status.ALREADY_ANSWERED, f"{contract} stands for an audit that ended in an opinion.")
    lost = ", ".join(sorted({*known.crops} - {*event.crops}))
    keeps = first or bad or (opinion is entities.Opinion.ADVERSE and not known.opinion.contracted)
    require(not (lost and keeps), Status.PARTIES_DIFFER, f"{word} covers {lost} too.")
    if first and opinion.contracted:
        again = opinion is known.opinion
        require(again, Status.PARTIES_DIFFER, f"{contract} is for a first audit.")
    elif first:
        law = rule_version(max(event.start_day, parameters().start))
        until = entities.months_on(known.start, law.statement_carries_months)
        carried = f"{word} is a contract that carried to {until - timedelta(days=1)}."
        require(event.start_day < until, Status.PARTIES_DIFFER, carried)
    elif keeps:
        whole = event.start_day <= known.start and known.end <= event.end_day
        some = event.start_day <= known.end
        require(whole if bad else some, Status.PARTIES_DIFFER, f"{word} covers {known.start} to {known.end}.")


def _check_apart(store: StoreView, event: StatementEvent) -> None:
    """Refuse a statement by the party it is about, or by one that trades in the chain: a verifier is a third party."""
    require(event.verifier != event.entity, Status.PARTIES_ARE_ONE, "Nobody verifies itself.")
    verifier = store.one(entities.Entity, event.verifier)
    trades = verifier is not None and verifier.may(entities.TRADERS)
    require(not trades, Status.ROLE_NOT_ALLOWED, f"{event.verifier} trades in the chain: it verifies nobody.")


def verified(store: StoreView, supplier: entities.Entity, day: date, crop: str) -> entities.Verification | None:
    """Return the statement that lets a supplier's claims of a crop go on, or None.

    The latest opinion that covers day and crop decides. Where none does, the contract for the first audit carries
    deliveries, or after a favourable statement the contract for the next one: for a limited time (interpretation 76).
    """
    return _covering(store.many(entities.Verification, supplier.id), day, crop)


def comes_verified(store: StoreView, lot: Lot) -> bool:
    """Tell whether a lot's supplier is verified, or needs no verification."""
    supplier = store.one(entities.Entity, lot.supplier) if lot.supplier else None
    if supplier is None or not supplier.keeps_balance:
        return True
    return verified(store, supplier, lot.titled, lot.crop) is not None


def _covering(statements: Sequence[entities.Verification], day: date, crop: str) -> entities.Verification | None:
    found = None
    for one in statements:
        if one.covers(day, crop) and not one.opinion.contracted:
            found = one
    if found is not None:
        return found if found.opinion.good else None
    contracts = [one for one in statements if one.covers(day, crop) and _carries(statements, one, day, crop)]
    return contracts[-1] if contracts else None


def _carries(
    statements: Sequence[entities.Verification], contract: entities.Verification, day: date, crop: str
) -> bool:
    """Tell whether the contract for an audit carries deliveries of a day: at most some months after its beginning.

    Of the next audit: after the last covered day of the latest opinion, which must be favourable. Of the first one:
    from the first day of the earliest such contract, since a second one begins nothing anew, and only while no audit
    has ended in an opinion.
    """
    if not contract.opinion.contracted:
        return False
    since = contract.start
    given = [one for one in statements if not one.opinion.contracted and crop in one.crops and one.end < day]
    if contract.opinion is entities.Opinion.NEXT_AUDIT_CONTRACTED:
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
    return day < entities.months_on(since, rule_version(day).statement_carries_months)
