"""What interfaces show of accounts: members, invitations, a verifier's access, tokens, and the log."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from provender.database.actor import SLACK
from provender.database.choices import Area, ReviewerKind, Right
from provender.database.models.accounts import ApiToken, Invitation, LogRow, Membership, Organisation, ReadGrant, Review
from provender.services.accounts.tokens import TokenState, state_of


@dataclass(frozen=True, slots=True)
class MemberView:
    """A member and what they may do; ``may`` says it in words, ``firm`` is that of a consultant.

    ``name`` is the one they gave, ``called`` what they go by where they gave none.
    """

    id: int
    name: str
    called: str
    email: str
    right: str
    may: str
    firm: str
    since: datetime


def member_view(row: Membership) -> MemberView:
    person, firm = row.person, str(row.on_behalf_of or "")
    return MemberView(
        row.pk, person.name, str(person), person.email, row.right, row.get_right_display(), firm, row.since
    )


@dataclass(frozen=True, slots=True)
class InvitationView:
    """An invitation that nobody has accepted yet; ``may`` says in words what it offers."""

    id: int
    label: str
    right: str
    may: str
    expires_at: datetime


def invitation_view(row: Invitation) -> InvitationView:
    """Return an invitation as interfaces show it, without its link."""
    return InvitationView(row.pk, row.label, row.right, Right(row.right).label, row.expires_at)


@dataclass(frozen=True, slots=True)
class GrantView:
    """A verifier's access, from the first day to the last, or until it was taken back; ``code`` is the party's."""

    id: int
    verifier: str
    audited: str
    code: str
    purpose: str
    first_day: date
    last_day: date
    revoked: bool

    def is_open(self, day: date) -> bool:
        return not self.revoked and self.first_day <= day <= self.last_day


def grant_view(row: ReadGrant) -> GrantView:
    """Return a verifier's access as both sides are shown it."""
    return GrantView(
        row.pk, str(row.verifier), str(row.audited), row.audited.handle, row.purpose, row.first_day, row.last_day,
        row.revoked_at is not None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A reviewer's access to some areas until a last day; ``who`` is empty until somebody opened the link."""

    id: int
    organisation: str
    code: str
    label: str
    kind: ReviewerKind
    who: str
    areas: list[Area]
    purpose: str
    last_day: date
    revoked: bool

    def is_open(self, day: date) -> bool:
        return not self.revoked and day <= self.last_day


def review_view(row: Review) -> ReviewView:
    """Return a reviewer's access as both sides are shown it."""
    organisation, kind, areas = row.organisation, ReviewerKind(row.kind), [Area(area) for area in row.areas]
    return ReviewView(
        row.pk, organisation.name, organisation.handle, row.label, kind, str(row.person or ""), areas, row.purpose,
        row.last_day, row.revoked_at is not None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token, without its secret. ``state`` says whether it opens anything today, and if not, why."""

    id: int
    name: str
    hint: str
    scopes: list[str]
    expires_on: date
    revoked: bool
    state: TokenState


def token_view(row: ApiToken, members: frozenset[int]) -> TokenView:
    """Return a token as interfaces show it; ``members`` are those of ``members_of``."""
    revoked = row.revoked_at is not None
    return TokenView(row.pk, row.name, row.hint, row.scopes, row.expires_on, revoked, state_of(row, members))


@dataclass(frozen=True, slots=True)
class PlaceView:
    """An organization that somebody works for: its roles, what they may do, and for whom a consultant comes."""

    handle: str
    name: str
    roles: tuple[str, ...]
    may: str
    consultant_of: str


def place_view(row: Membership) -> PlaceView:
    organisation = row.organisation
    roles = tuple(map(str, organisation.roles.all()))
    consultant_of = str(row.on_behalf_of or "")
    return PlaceView(organisation.handle, organisation.name, roles, row.get_right_display(), consultant_of)


@dataclass(frozen=True, slots=True)
class OrganisationView:
    """An organization: its code, name, place and roles."""

    code: str
    name: str
    county: str
    state: str
    roles: list[str]


def organisation_view(row: Organisation) -> OrganisationView:
    return OrganisationView(row.handle, row.name, row.county, row.state, [role.role for role in row.roles.all()])


@dataclass(frozen=True, slots=True)
class LogView:
    """One deed: who did what, when, by way of what, what stood before and after; nobody's are the program's own.

    ``dated_before_predecessor`` says that the clock had gone back: the deed keeps its place.
    """

    id: int
    at: datetime
    actor: str
    via: str
    deed: str
    about: str
    old: Any
    new: Any
    dated_before_predecessor: bool


def log_view(row: LogRow) -> LogView:
    """Return a row of ``deeds_in`` as interfaces show it."""
    actor, before = str(row.actor) if row.actor else "", getattr(row, "time_before", None)
    behind = before is not None and before - row.at > SLACK
    return LogView(row.pk, row.at, actor, row.via, row.deed, row.about, row.old, row.new, behind)
