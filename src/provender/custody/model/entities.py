"""Entities of the supply chain (2100.010), their sites, contracts and verification statements."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from provender.custody.model.event import Record
from provender.custody.model.store_view import StoreView
from provender.problem import ProblemsError
from provender.rule.law import rule_version
from provender.schema import frozen
from provender.signing.canonical import read_json
from provender.signing.keys import PublicKey


class Role(StrEnum):
    """What an entity does in the chain."""

    FARM = "farm"
    LANDOWNER = "landowner"
    """Holds a share of a farm's bushels; the farm reports them (interpretation 50)."""
    FIRST_POINT = "first_point"
    INTERMEDIARY = "intermediary"
    REFINER = "refiner"
    SERVICE_PROVIDER = "service_provider"
    """Stores or processes for others without title (2100.032(a)(3))."""


GROWERS: Final = frozenset({Role.FARM, Role.LANDOWNER})
BUYERS_FROM_FARMS: Final = frozenset({Role.FIRST_POINT, Role.REFINER})
"""A refiner that buys from a farm is a first point for that crop (2100.010, 2100.035(a))."""
TRADERS: Final = frozenset({Role.FIRST_POINT, Role.INTERMEDIARY, Role.REFINER})
"""Entities that keep a mass balance and therefore declare periods."""
FROM_FARMS: Final = GROWERS, BUYERS_FROM_FARMS
BETWEEN_TRADERS: Final = TRADERS, TRADERS
"""Who may give and who may take."""
STORERS: Final = TRADERS | {Role.SERVICE_PROVIDER}


@frozen
class Entity(Record, kind="entity", key="id"):
    """A party of the chain."""

    id: str  # what events call it
    name: str  # for people
    roles: tuple[Role, ...]  # one or more of ``Role``
    sites: tuple[str, ...] = ()  # where it keeps crop or product; none for those who only trade

    def may(self, roles: frozenset[Role]) -> bool:
        return not roles.isdisjoint(self.roles)

    @property
    def keeps_balance(self) -> bool:
        """Tell whether 2100.034 asks this entity for a mass balance."""
        return self.may(TRADERS)


def name_in(store: StoreView, party: str) -> str:
    """Return a party's name; its id stands for one that the book does not know."""
    found = store.one(Entity, party)
    return found.name if found else party


@frozen
class SiteClosure(Record, kind="site_closure", key="entity/site", group="entity"):
    """A site at which nothing may lie any more."""

    entity: str  # whose site
    site: str  # which site
    closed: date | None  # the day from which it is closed; None since the closing was taken back
    by: str  # the event that closed it
    ahead: bool = False  # whether that was for a coming day, until which the site is open as before

    def shuts(self, day: date) -> bool:
        """Tell whether acts of a day are barred; one that was not for a coming day bars those before it too."""
        return self.closed is not None and (not self.ahead or self.closed <= day)


class ContractKind(StrEnum):
    """Why an entity has a contract with another (2100.032(a)(2) and (3))."""

    SUPPLIER = "supplier"
    RECIPIENT = "recipient"
    SUBCONTRACTOR = "subcontractor"
    SERVICE_PROVIDER = "service_provider"


@frozen
class Contract(Record, kind="contract", key="entity/id", group="entity"):
    """An agreement, with the public key the counterparty signs by."""

    id: str  # the contract's number
    entity: str  # whose contract it is
    counterparty: str  # the other party
    role: ContractKind  # why there is a contract
    start: date  # first day
    end: date | None  # last day, None while it runs
    signing_key: str = ""  # the counterparty's pinned public key (thumbprint or JWK text); empty when none is known

    def covers(self, day: date) -> bool:
        return self.start <= day and not self.ended_by(day)

    def ended_by(self, day: date) -> bool:
        return self.end is not None and self.end < day


@frozen
class Delivery(Record, kind="delivery", key="entity/contract", group="entity"):
    """What a contract says of deliveries; no balance rests on it."""

    entity: str  # whose contract it is
    contract: str  # its number
    form: str  # the crop or the product to deliver
    amount: int  # how much, thousandths of the form's unit
    first: date | None  # first day of delivery; None for the contract's own
    last: date | None  # last day of delivery; None where there is none
    ci_min: int | None  # nothing below this carbon intensity, hundredths of a gram per bushel; None for any
    ci_max: int | None  # nothing above it

    def takes(self, ci: int) -> bool:
        """Tell whether a carbon intensity is one that the contract asks for."""
        return (self.ci_min is None or ci >= self.ci_min) and (self.ci_max is None or ci <= self.ci_max)


class Opinion(StrEnum):
    """What a verifier concluded, or that the first audit is only contracted (interpretation 46).

    A statement that its verifier took back is entered again under its number as adverse.
    """

    FAVOURABLE = "favourable"
    ADVERSE = "adverse"
    FIRST_AUDIT_CONTRACTED = "first_audit_contracted"
    NEXT_AUDIT_CONTRACTED = "next_audit_contracted"
    """Carries deliveries after the last day of the latest favourable statement, for a time (interpretation 76)."""

    @property
    def contracted(self) -> bool:
        """Tell whether it is no opinion, but the contract for an audit to come."""
        return self in (Opinion.FIRST_AUDIT_CONTRACTED, Opinion.NEXT_AUDIT_CONTRACTED)

    @property
    def good(self) -> bool:
        """Tell whether claims may go on under it."""
        return self is not Opinion.ADVERSE


@frozen
class Verification(Record, kind="statement", key="entity/verifier/id", group="entity"):
    """A verification statement over an entity."""

    id: str  # the statement's number, which is its verifier's own
    entity: str  # who was verified
    verifier: str  # by whom
    start: date  # first day covered
    end: date  # last day covered
    crops: tuple[str, ...]  # the crops in scope
    scope: str  # in the verifier's words
    opinion: Opinion  # the conclusion
    issued: date  # the day it was entered

    def covers(self, day: date, crop: str) -> bool:
        return self.start <= day <= self.end and crop in self.crops


# Mass balance time periods (2100.034(b)): declared ahead, continuous, bounded, closed in order.


class Policy(StrEnum):
    """Which claims a sale takes when none are named (interpretation 44): declared for the whole period."""

    OLDEST_FIRST = "oldest_first"
    PROPORTIONAL = "proportional"
    NAMED = "named"
    """Every sale names its lots."""


class Surplus(StrEnum):
    """What becomes, at the close of a period, of claims beyond the grain."""

    AS_RULED = "as_ruled"
    """As the parameter ``surplus_at_close`` of the rule version says."""
    RELEASED = "released"
    REFUSED = "refused"


@frozen
class Period(Record, kind="period", key="entity/start", group="entity"):
    """One mass balance time period of an entity."""

    entity: str  # whose period
    start: date  # first day
    end: date  # last day
    policy: Policy  # how claims are matched to sales
    declared: date  # the day it was declared: before its first day, or late
    closed: date | None = None  # the day it was closed, None while it is open

    @property
    def late(self) -> bool:
        """Tell whether it was declared when it had begun: shown wherever the period is."""
        return self.declared >= self.start

    def holds(self, day: date) -> bool:
        return self.start <= day <= self.end


def months_on(day: date, months: int) -> date:
    """Return the same date some months on, or the last day of that month where the date does not exist."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def latest_end(start: date) -> date:
    """Return the last day a period beginning on ``start`` may have (2100.034(b), interpretation 43).

    The day before the same date three months on; where that date does not exist, the day before the last day of that
    month.

    Raises:
        NotInForceError: the rule was not in force on ``start``.
    """
    return months_on(start, rule_version(start).period_max_months) - timedelta(days=1)


def rhythm_end(last: Period, start: date) -> date:
    """Return the last day of the period from ``start`` on that goes on in the rhythm of the one before it.

    A rhythm is a number of whole months where the period before was one, otherwise of days (interpretation 69).
    """
    months = (last.end.year - last.start.year) * 12 + last.end.month - last.start.month
    for count in (months, months + 1):
        if count > 0 and months_on(last.start, count) - timedelta(days=1) == last.end:
            return months_on(start, count) - timedelta(days=1)
    return start + (last.end - last.start)


def period_of(periods: Sequence[Period], day: date) -> Period | None:
    for period in reversed(periods):  # a loop: every movement asks, and a generator would take twice as long
        if period.start <= day <= period.end:
            return period
    return None


def last_closed(periods: Sequence[Period]) -> Period | None:
    """Return the latest period that is closed; periods are closed in their order."""
    for period in reversed(periods):
        if period.closed is not None:
            return period
    return None


def first_open(periods: Sequence[Period]) -> Period | None:
    return next((period for period in periods if period.closed is None), None)


# Keys that contracts pin to parties: whose signature counts as whose.


def pinned_keys(store: StoreView, me: str, counterparty: str, day: date, made: date | None = None) -> frozenset[str]:
    """Return the fingerprints that contracts in force on a day pin to a counterparty.

    Of a paper with a day of its own it is those that have not ended by then, whatever day it is about.
    """
    held = [one for one in store.many(Contract, me) if one.counterparty == counterparty and one.signing_key]
    on_day = {fingerprint_of(one.signing_key) for one in held if one.covers(day)}
    lasts = {fingerprint_of(one.signing_key) for one in held if made is None or not one.ended_by(made)}
    return frozenset(on_day & lasts)


def fingerprint_of(pinned: str) -> str:
    """Return the fingerprint of a pinned key: it may stand as a fingerprint or as a JWK."""
    if not pinned.lstrip().startswith("{"):
        return pinned.strip()
    try:
        return PublicKey.from_jwk(read_json(pinned.encode(), file="contract")).fingerprint
    except ProblemsError:
        return ""
