"""What a member wants shown and sent, and what is new to them."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from provender.database.choices import NewsKind, Role
from provender.database.models import Membership, News, NewsChoice, Organisation
from provender.services.custody.context import TRADING
from provender.services.refused import refusal

MOST: Final = 99
"""New things beyond that are not counted."""
OF_ROLES: Final = {"farm": frozenset({Role.FARM}), "custody": frozenset(TRADING)}
"""By the first word of a page's name, the roles to which it opens; any other page opens to everybody."""
INSTEAD: Final = {
    "custody_incoming": "farm_sales", "custody_sales": "farm_sales", "custody_partners": "farm_sales",
    "custody_period": "farm_sales", "custody_checks": "farm_reports", "farm_sales": "custody_sales",
}  # fmt: skip
"""Where an organisation does something about it that does not have the page: a farm has none of a trader's."""


class Notice(NamedTuple):
    """One thing an organisation was told.

    Attributes:
        number: its place among all.
        mark: its name outside.
        kind: of what.
        at: when.
        organisation: the code of whom it was told.
        name: of the organisation.
        says: in a sentence.
        about: the entry or finding.
        page: the name of the page where something is done about it.
        query: what the page's address asks for besides.
    """

    number: int
    mark: str
    kind: NewsKind
    at: datetime
    organisation: str
    name: str
    says: str
    about: str
    page: str
    query: tuple[tuple[str, str], ...]


def notice_of(row: News) -> Notice:
    """Return news as doors show them, with a page that the organisation has today."""
    held = {one.role for one in row.organisation.roles.all()}
    page = next((one for one in (row.page, INSTEAD.get(row.page, "")) if one and _opens(one, held)), "notices")
    query = tuple((name, value) for name, value in row.query) if page == row.page else ()
    return Notice(
        row.pk, row.handle, NewsKind(row.kind), row.at, row.organisation.handle, row.organisation.name, row.says,
        row.about, page, query,
    )  # fmt: skip


def _opens(page: str, held: Collection[str]) -> bool:
    needed = OF_ROLES.get(page.partition("_")[0])
    return needed is None or any(role in needed for role in held)


def choice_of(membership: Membership) -> NewsChoice:
    """Return what a member wants: everything shown and nothing sent, where they never chose."""
    found = NewsChoice.objects.filter(membership=membership).first()
    return found or NewsChoice(membership=membership, shown=list(NewsKind.values))


@transaction.atomic
def choose(membership: Membership, *, shown: Iterable[str], sent: Iterable[str]) -> None:
    """Keep what a member wants shown on the page and sent by mail.

    Raises:
        RefusedError: a kind is unknown.
    """
    wanted = {"shown": sorted(set(shown)), "sent": sorted(set(sent))}
    for column, kinds in wanted.items():
        if not set(kinds) <= set(NewsKind.values):
            remedy = f"Choose from {', '.join(NewsKind.values)}."
            raise refusal("kinds_unknown", "There is no such kind of notice.", remedy, column=column)
    NewsChoice.objects.update_or_create(membership=membership, defaults=wanted)


def news_for(membership: Membership) -> QuerySet[News]:
    """Return what a member wants shown, the newest first."""
    return all_news(membership.organisation).filter(kind__in=choice_of(membership).shown)


def all_news(organisation: Organisation) -> QuerySet[News]:
    """Return everything an organisation was told, the newest first."""
    return (
        News.objects.filter(organisation=organisation)
        .select_related("organisation")
        .prefetch_related("organisation__roles")
    )


def unseen(membership: Membership) -> int:
    """Count what came since the member looked, up to ``MOST`` and one more."""
    choice = choice_of(membership)
    fresh = News.objects.filter(organisation=membership.organisation_id, kind__in=choice.shown, pk__gt=choice.seen)
    return len(fresh.values_list("pk")[: MOST + 1])


def look(membership: Membership, newest: int) -> None:
    """Note that a member has seen everything up to one piece of news."""
    made, _ = NewsChoice.objects.get_or_create(membership=membership, defaults={"shown": list(NewsKind.values)})
    NewsChoice.objects.filter(pk=made.pk, seen__lt=newest).update(seen=newest)
