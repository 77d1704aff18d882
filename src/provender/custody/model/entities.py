"""Entities of the supply chain (2100.010), their sites, contracts and verification statements."""

from datetime import date
from enum import StrEnum
from typing import ClassVar, Final

from provender.frozen import frozen


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
STORERS: Final = TRADERS | {Role.SERVICE_PROVIDER}


@frozen
class Entity:
    """A party of the chain.

    Attributes:
        id: what events call it.
        name: for people.
        roles: one or more of ``Role``.
        sites: where it keeps crop or product; none for those who only trade.
    """

    kind: ClassVar[str] = "entity"
    id: str
    name: str
    roles: tuple[Role, ...]
    sites: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return self.id

    @property
    def group(self) -> str:
        """Entities form one group."""
        return ""

    def may(self, roles: frozenset[Role]) -> bool:
        """Tell whether the entity has one of these roles."""
        return not roles.isdisjoint(self.roles)

    @property
    def keeps_balance(self) -> bool:
        """Tell whether 2100.034 asks this entity for a mass balance."""
        return self.may(TRADERS)


class OfEntity:
    """A record of which an entity has several: they are listed by it."""

    __slots__ = ()
    entity: str

    @property
    def group(self) -> str:
        """Return the entity."""
        return self.entity


@frozen
class SiteClosure(OfEntity):
    """A site at which nothing may lie any more.

    Attributes:
        entity: whose site.
        site: which site.
        closed: the day from which it is closed; None since the closing was taken back.
        by: the event that closed it.
        ahead: whether that was for a coming day, until which the site is open as before.
    """

    kind: ClassVar[str] = "site_closure"
    entity: str
    site: str
    closed: date | None
    by: str
    ahead: bool = False

    def shuts(self, day: date) -> bool:
        """Tell whether acts of a day are barred; one that was not for a coming day bars those before it too."""
        return self.closed is not None and (not self.ahead or self.closed <= day)

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.entity}/{self.site}"


class ContractKind(StrEnum):
    """Why an entity has a contract with another (2100.032(a)(2) and (3))."""

    SUPPLIER = "supplier"
    RECIPIENT = "recipient"
    SUBCONTRACTOR = "subcontractor"
    SERVICE_PROVIDER = "service_provider"


@frozen
class Contract(OfEntity):
    """An agreement, with the public key the counterparty signs by.

    Attributes:
        id: the contract's number.
        entity: whose contract it is.
        counterparty: the other party.
        role: why there is a contract.
        start: first day.
        end: last day, None while it runs.
        signing_key: the counterparty's pinned public key (thumbprint or JWK text); empty when none is known.
    """

    kind: ClassVar[str] = "contract"
    id: str
    entity: str
    counterparty: str
    role: ContractKind
    start: date
    end: date | None
    signing_key: str = ""

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.entity}/{self.id}"

    def covers(self, day: date) -> bool:
        """Tell whether the contract runs on a day."""
        return self.start <= day and (self.end is None or day <= self.end)


@frozen
class Delivery(OfEntity):
    """What a contract says of deliveries; no balance rests on it.

    Attributes:
        entity: whose contract it is.
        contract: its number.
        form: the crop or the product to deliver.
        amount: how much, thousandths of the form's unit.
        first: first day of delivery; None for the contract's own.
        last: last day of delivery; None where there is none.
        ci_min: nothing below this carbon intensity, hundredths of a gram per bushel; None for any.
        ci_max: nothing above it.
    """

    kind: ClassVar[str] = "delivery"
    entity: str
    contract: str
    form: str
    amount: int
    first: date | None
    last: date | None
    ci_min: int | None
    ci_max: int | None

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.entity}/{self.contract}"

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
class Verification(OfEntity):
    """A verification statement over an entity.

    Attributes:
        id: the statement's number.
        entity: who was verified.
        verifier: by whom.
        start: first day covered.
        end: last day covered.
        crops: the crops in scope.
        scope: in the verifier's words.
        opinion: the conclusion.
        issued: the day it was entered.
    """

    kind: ClassVar[str] = "statement"
    id: str
    entity: str
    verifier: str
    start: date
    end: date
    crops: tuple[str, ...]
    scope: str
    opinion: Opinion
    issued: date

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.entity}/{self.id}"

    def covers(self, day: date, crop: str) -> bool:
        """Tell whether day and crop lie within the statement."""
        return self.start <= day <= self.end and crop in self.crops
