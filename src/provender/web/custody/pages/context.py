"""The desk of an entity of the chain: the door to its custody pages, and what its forms may choose from."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Concatenate, Final, ParamSpec

from django.http import Http404, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from provender.custody.model.entities import BUYERS_FROM_FARMS, Contract, Entity
from provender.custody.model.entities import Role as CustodyRole
from provender.custody.model.periods import Period, period_of
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import names_of
from provender.web.access import Access, AnyPage, PersonRequest, To, of_organisation
from provender.web.navigation import TRADING

Rest = ParamSpec("Rest")

READER: Final = SqlStore(Actor(None, "reading"))


class CustodyContext:
    """One organisation's place in the book, for the length of a request.

    Args:
        access: the open door.
        entity: what the book says of the organisation.
    """

    def __init__(self, access: Access, entity: Entity) -> None:
        self.access = access
        self.entity = entity
        self.id = entity.id
        self.today = timezone.now().date()

    @cached_property
    def contracts(self) -> list[Contract]:
        """Return the organisation's contracts, in the order in which they were first stated."""
        with READER.reading() as facts:
            return list(facts.many(Contract, self.id))

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
        found = names_of(one.counterparty for one in self.contracts)
        return dict(sorted(found.items(), key=lambda pair: pair[1]))

    def named(self, party: str) -> str:
        """Return a party's name, or its id where the book has none."""
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
        return CustodyRole.REFINER in self.entity.roles


CustodyPage = Callable[Concatenate[PersonRequest, CustodyContext, Rest], HttpResponseBase]


def at_desk(to: To = "read", *, to_post: To = "write") -> Callable[[CustodyPage[Rest]], AnyPage]:
    """Make a view of an organisation's part of the custody book; one that has not begun is shown how to begin.

    The view raises Http404 for organisations that trade nothing.
    """

    def decorate(page: CustodyPage[Rest]) -> AnyPage:
        def view(
            request: PersonRequest, access: Access, /, *args: Rest.args, **kwargs: Rest.kwargs
        ) -> HttpResponseBase:
            require_trader(access)
            with READER.reading() as facts:
                entity = facts.one(Entity, access.organisation.handle)
            if entity is None:
                return render(request, "custody/unopened.html", status=200 if request.method == "GET" else 409)
            return page(request, CustodyContext(access, entity), *args, **kwargs)

        return wraps(page)(of_organisation(to, to_post=to_post)(view))

    return decorate


def require_trader(access: Access) -> None:
    """Let only organisations in that trade.

    Raises:
        Http404: this one does not.
    """
    if not access.organisation.roles.filter(role__in=TRADING).exists():
        raise Http404
