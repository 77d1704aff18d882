"""One organisation's place in the custody book: whose it is, on which day, and who acts."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from provender.custody.events.rules import closed_sites
from provender.custody.model.entities import BUYERS_FROM_FARMS, Contract, Entity, Role, SiteClosure
from provender.custody.model.periods import Period, period_of
from provender.database.actor import Actor
from provender.database.choices import Role as OrganisationRole
from provender.database.models import Organisation
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import names_of

TRADING: Final = (
    OrganisationRole.FIRST_POINT, OrganisationRole.INTERMEDIARY, OrganisationRole.PROCESSOR, OrganisationRole.REFINER,
)  # fmt: skip
"""Roles whose organisations have a part in the chain of custody."""
READER: Final = SqlStore(Actor(None, "reading"))


def trades(organisation: Organisation) -> bool:
    """Tell whether an organisation has a part in the chain of custody."""
    return organisation.roles.filter(role__in=TRADING).exists()


@dataclass
class CustodyContext:
    """An organisation in the book, for the length of one request.

    Attributes:
        organisation: whose part of the book it is.
        entity: what the book says of the organisation.
        actor: who acts.
        today: the day.
        may_write: whether the actor may enter anything.
    """

    organisation: Organisation
    entity: Entity
    actor: Actor
    today: date
    may_write: bool = False

    @property
    def id(self) -> str:
        """Return the organisation's id in the book."""
        return self.entity.id

    @cached_property
    def contracts(self) -> list[Contract]:
        """Return the organisation's contracts, in the order in which they were first stated."""
        with READER.reading() as facts:
            return list(facts.many(Contract, self.id))

    @cached_property
    def closed_sites(self) -> dict[str, SiteClosure]:
        """Return the closings in force of its sites, by site; for a coming day too."""
        with READER.reading() as facts:
            return closed_sites(facts, self.id)

    @cached_property
    def open_sites(self) -> tuple[str, ...]:
        """Return the sites at which something may lie."""
        closings = self.closed_sites
        return tuple(site for site in self.entity.sites if site not in closings or not closings[site].shuts(self.today))

    @cached_property
    def periods(self) -> list[Period]:
        """Return its periods, the oldest first."""
        with READER.reading() as facts:
            return list(facts.many(Period, self.id))

    @property
    def period(self) -> Period | None:
        """Return the period of today."""
        return period_of(self.periods, self.today)

    @cached_property
    def partners(self) -> dict[str, str]:
        """Return names by id of all it has a contract with."""
        names = names_of(contract.counterparty for contract in self.contracts)
        return dict(sorted(names.items(), key=lambda pair: pair[1]))

    def named(self, party: str) -> str:
        """Return the name of a party of the organisation's own entries; its code where nobody named it."""
        return self.partners.get(party) or names_of([party]).get(party, party)

    @property
    def buys_from_farms(self) -> bool:
        """Tell whether it may buy from a farm (2100.010)."""
        return self.entity.may(BUYERS_FROM_FARMS)

    @property
    def lacks_site(self) -> bool:
        """Tell whether it may buy from a farm and has no site where that could lie: a farm's slip opened its book."""
        return self.buys_from_farms and not self.entity.sites

    @property
    def makes_fuel(self) -> bool:
        """Tell whether it is a refiner."""
        return Role.REFINER in self.entity.roles


def context_of(
    organisation: Organisation, *, actor: Actor, today: date, may_write: bool = False
) -> CustodyContext | None:
    """Return an organisation's place in the book, or None where it has not begun one."""
    with READER.reading() as facts:
        entity = facts.one(Entity, organisation.handle)
    return CustodyContext(organisation, entity, actor, today, may_write) if entity else None
