"""Which farm's book a request may open, and which kind of record it names."""

from django.http import Http404

from provender.database.models import Book, BookKind, Role
from provender.records import KINDS, Kind
from provender.services.farm.records import FarmBook, latest
from provender.web.access import Access, access_owned


def farm_book(access: Access) -> FarmBook:
    """Return the book of a farm.

    Raises:
        Http404: the organisation is no farm, or has not opened its book.
    """
    check_farm(access)
    return latest(access_owned(access, Book, kind=BookKind.FARM))


def check_farm(access: Access) -> None:
    """Let farms alone through.

    Raises:
        Http404: the organisation is no farm.
    """
    if not access.organisation.roles.filter(role=Role.FARM).exists():
        raise Http404


def kind_named(name: str) -> Kind:
    """Return a kind of record.

    Raises:
        Http404: there is no such kind.
    """
    if name not in KINDS:
        raise Http404
    return KINDS[name]
