"""The standing cast: everybody who may stand before a door, around one farm."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.test import Client
from django.utils import timezone

from provender.audit.programme import Role as AuditRole
from provender.audit.statement.statement import Accreditation, Forum
from provender.audit.statement.statement import Membership as ForumMembership
from provender.database.actor import Actor
from provender.database.choices import ReviewerKind, Right, Role, Scope
from provender.database.models.accounts import ApiToken, Invitation, Membership, Organisation, Person, ReadGrant, Review
from provender.database.models.audits import Audit
from provender.database.models.farm import Book, BookKind, Upload
from provender.services.accounts.grants import areas_of, grant_reading, let_reviewer_in
from provender.services.accounts.organisations import (
    accept_invitation,
    add_member,
    create_organisation,
    invite_person,
    open_invitation,
)
from provender.services.accounts.tokens import create_token
from provender.services.audits.audits import Opening, record_accreditation, write_finding
from provender.services.audits.audits import open_audit as do_open_audit
from provender.services.farm.book import Edit, change_book, open_book
from provender.services.farm.files import store_upload
from tests.web.replayed import replayed

PARTS: Final = (
    "owner", "writer", "reader", "consultant", "verifier_in", "verifier_out", "reviewer", "stranger", "anonymous",
)  # fmt: skip
PASSWORD: Final = "correct horse battery"  # noqa: S105 - the cast lives in an empty database


MILL: Final = "Mia's Mill"


@dataclass(frozen=True, slots=True)
class Cast:
    """The people by the names of ``PARTS`` (anonymous is None) and what stands around them."""

    people: dict[str, Person | None]
    farm: Organisation
    elevator: Organisation
    verifier: Organisation
    adviser: Organisation
    book: Book
    upload: Upload
    grant: ReadGrant
    audit: Audit
    invitation: Invitation
    secret: str
    token: ApiToken
    token_secret: str
    other_token_secret: str

    def person(self, part: str) -> Person:
        """Return somebody who can sign in."""
        person = self.people[part]
        assert person is not None
        return person

    def client(self, part: str = "owner") -> Client:
        """Return a browser in which somebody has signed in."""
        client = Client()
        client.force_login(self.person(part))
        return client

    def actor(self, part: str) -> Actor:
        """Return somebody as the one who acts."""
        return Actor(self.person(part), "test")

    @property
    def mill(self) -> Organisation:
        """Return the first point, processor and refiner where everybody is what they are on the farm."""
        return Organisation.objects.get(name=MILL)

    def membership(self, part: str) -> Membership:
        """Return somebody's membership of the farm."""
        return Membership.objects.get(organisation=self.farm, person=self.person(part))


def make_cast() -> Cast:
    return replayed("cast", _made)


def _made() -> Cast:
    by = Actor(None, "test")
    people: dict[str, Person | None] = {
        part: Person.objects.create_user(f"{part}@example.org", PASSWORD, name=part.replace("_", " ").title())
        for part in PARTS[:-1]
    }
    people["anonymous"] = None
    owner, stranger = people["owner"], people["stranger"]
    assert owner is not None
    farm = create_organisation("Ada's Farm", roles=[Role.FARM], manager=owner, county="Story", state="IA", actor=by)
    elevator = create_organisation("Stan's Elevator", roles=[Role.FIRST_POINT], manager=stranger, actor=by)
    verifier = create_organisation("Vic Verifies", roles=[Role.VERIFIER], manager=people["verifier_in"], actor=by)
    former = create_organisation("Past Verifiers", roles=[Role.VERIFIER], manager=people["verifier_out"], actor=by)
    adviser = create_organisation("Good Advice", roles=[], manager=people["consultant"], actor=by)
    _add_members(farm, people, adviser)
    by_owner = Actor(owner, "test")
    trade = [Role.FIRST_POINT, Role.PROCESSOR, Role.REFINER]
    mill = create_organisation(MILL, roles=trade, manager=owner, actor=by)
    _add_members(mill, people, adviser)
    grant, _ = [_let_in(one, verifier, former, actor=by_owner) for one in (farm, mill)]
    for one in (farm, mill):
        review_by(people["reviewer"], one, areas_of(one), actor=by_owner)
    audit = open_audit(verifier, farm, AuditRole.FARM, actor=Actor(people["verifier_in"], "test"))
    raise_finding(audit, farm, actor=Actor(people["verifier_in"], "test"))
    book = open_book(farm, BookKind.FARM, actor=by_owner)
    change_book(book, [Edit("harvest", "h1", {"bushels": 1_000})], reason="harvest", actor=by_owner)
    upload = store_upload(farm, "ticket.pdf", b"%PDF-1.7 ticket", actor=by_owner)
    invitation, secret = invite_person(farm, label="Bo", right=Right.READ, actor=by_owner)
    year = timezone.localdate() + timedelta(days=365)
    token, token_secret = create_token(farm, name="scale house", scopes=Scope.values, expires_on=year, actor=by_owner)
    assert stranger is not None
    _, other = create_token(elevator, name="other", scopes=Scope.values, expires_on=year, actor=Actor(stranger, "test"))
    return Cast(
        people, farm, elevator, verifier, adviser, book, upload, grant, audit, invitation, secret, token, token_secret,
        other,
    )  # fmt: skip


def _add_members(organisation: Organisation, people: dict[str, Person | None], adviser: Organisation) -> None:
    by = Actor(None, "test")
    rights = ("writer", Right.WRITE, None), ("reader", Right.READ, None), ("consultant", Right.WRITE, adviser)
    for part, right, firm in rights:
        person = people[part]
        assert person is not None
        add_member(organisation, person, right, actor=by, on_behalf_of=firm)


def _let_in(organisation: Organisation, verifier: Organisation, former: Organisation, *, actor: Actor) -> ReadGrant:
    """Let a verifier read from today, and have let a former one read until yesterday."""
    today, day = timezone.localdate(), timedelta(days=1)
    now, past = (today, today + 30 * day), (today - 30 * day, today - day)
    grant = grant_reading(organisation, verifier, first_day=now[0], last_day=now[1], purpose="Audit", actor=actor)
    grant_reading(organisation, former, first_day=past[0], last_day=past[1], purpose="Last audit", actor=actor)
    return grant


def review_by(
    person: Person | None, organisation: Organisation, areas: Sequence[str], *, actor: Actor, days: int = 30
) -> Review:
    """Let a person review some areas of an organisation for so many days, by the link that they open."""
    assert person is not None
    last = timezone.localdate() + timedelta(days=days)
    _, secret = let_reviewer_in(
        organisation, label="Rita of the buyer", kind=ReviewerKind.BUYER, areas=areas, purpose="Soybeans",
        last_day=last, actor=actor,
    )  # fmt: skip
    invitation = open_invitation(secret)
    assert invitation is not None
    begun = accept_invitation(invitation, person, actor=Actor(person, "test"))
    assert isinstance(begun, Review)
    return begun


def open_audit(
    verifier: Organisation, audited: Organisation, role: AuditRole, *, actor: Actor, number: str = "V-1", of: int = 0
) -> Audit:
    """Accredit a verifier and open an audit of a party that lets it in today, of last year's harvest or another."""
    today, year = timezone.localdate(), timedelta(days=365)
    member = ForumMembership(forum=Forum.SUCCESSOR, first=date(2026, 1, 1), source="made up for the tests")
    shown = Accreditation(
        verifier=verifier.name, verifier_id=verifier.handle, standard="ISO 14065:2020", body="An accreditor",
        number="T-1", first=today - year, last=today + year, memberships=(member,),
    )  # fmt: skip
    record_accreditation(verifier, shown, actor=actor)
    opening = Opening(
        role=role, number=number, harvest_year=of or today.year - 1, covered_first=today - year,
        covered_last=today - timedelta(days=1), due_on=today + timedelta(days=60),
    )  # fmt: skip
    return do_open_audit(verifier, audited, opening, actor=actor)


def raise_finding(audit: Audit, owner: Organisation, *, actor: Actor) -> None:
    """Raise the first finding of an audit, due in a month."""
    today = timezone.localdate()
    event = {
        "deed": "raised", "finding": "1", "on": today.isoformat(), "by": "Vic", "severity": "major",
        "cite": "2100.051(c)(3)", "subject": "unit G70", "text": "The speed of one pass is not recorded.",
        "owner": owner.name, "due": (today + timedelta(days=30)).isoformat(), "effect_bushels": "1200",
    }  # fmt: skip
    write_finding(audit, event, actor=actor)
