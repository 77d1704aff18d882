"""What a verifier shows of itself: its accreditation and the public key it signs with; and who lets it in today."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.statement.accreditation import Accreditation, Forum, Membership
from provender.audit.statement.statement import Role as AuditRole
from provender.database.models import Organisation, ReadGrant, VerifierKey
from provender.database.store.audits import accreditation_of, roles_of
from provender.services.audits.audits import record_accreditation, today
from provender.services.audits.verifier_keys import register_verifier_key as do_register_verifier_key
from provender.services.audits.verifier_keys import verifier_key
from provender.web.api.auth import Caller, caller_of
from provender.web.api.pages import Page, PageQuery, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.audit.api.audits import RhythmOut, rhythm_out
from provender.web.audit.api.door import READ, WRITE, Doubt, Line, LineOrNone, doubt
from provender.web.audit.door import check_verifies
from provender.web.audit.pages.audits import against_accreditation, open_grants, rhythm_of

router = Router(tags=["verifier"])


class Suspension(Schema):
    """Days on which the accreditation was suspended; ``last`` is null while that lasts."""

    first: date
    last: date | None = None


class ForumPlace(Schema):
    """The accreditation body's place in a forum; ``source`` says where it was looked up, and when."""

    forum: Forum
    first: date
    last: date | None = None
    source: Line


class AccreditationIn(Schema):
    """What a verifier shows of its accreditation to ISO 14065 (2100.041)."""

    standard: Annotated[OneLine, Field(description="Such as ISO 14065:2020.")]
    body: OneLine
    number: OneLine
    first: date
    last: date
    suspended: Annotated[list[Suspension], Field(max_length=50)] = []
    memberships: Annotated[list[ForumPlace], Field(min_length=1, max_length=20)]


class AccreditationOut(Schema):
    """The accreditation shown last, null before, and what stands against it today."""

    shown: dict[str, Any] | None
    against: list[Doubt]


class KeyIn(Schema):
    """A public key (JWK), or the rotation statement by which the key in use names the next one."""

    shown: dict[str, Any]
    reason: Annotated[LineOrNone, Field(description="Why a key in use is replaced without its own word.")] = ""


class KeyOut(Schema):
    """A registered public key; the last one signs."""

    fingerprint: str
    public: dict[str, Any]
    by_rotation: bool
    reason: str
    at: str
    by: str
    signs: bool


class PartyOut(Schema):
    """A party that lets the verifier in today; farms have no yearly rhythm of their own."""

    party: str
    name: str
    roles: list[AuditRole]
    access_until: date
    rhythm: RhythmOut | None


def _verifier(caller: Caller) -> Organisation:
    """Return the organisation of the caller.

    Raises:
        Http404: it verifies nobody.
    """
    check_verifies(caller.organisation)
    return caller.organisation


def _accreditation(verifier: Organisation) -> AccreditationOut:
    shown = accreditation_of(verifier)
    against = [doubt(one) for one in against_accreditation(verifier, today())]
    return AccreditationOut(shown=shown.document() if shown else None, against=against)


@router.get("/verifier/accreditation", response={200: AccreditationOut, **REFUSALS}, auth=READ)
def get_accreditation(request: HttpRequest) -> AccreditationOut:
    """Return the accreditation that the verifier shows, and what stands against it today."""
    return _accreditation(_verifier(caller_of(request)))


@router.post("/verifier/accreditation", response={201: AccreditationOut, **REFUSALS}, auth=WRITE)
def state_accreditation(request: HttpRequest, body: AccreditationIn) -> Status[AccreditationOut]:
    """State the accreditation; what was shown before stays readable. The token's maker must manage the verifier."""
    caller = caller_of(request)
    verifier = _verifier(caller)
    caller.require_manager()
    shown = Accreditation(
        verifier.name, body.standard, body.body, body.number, body.first, body.last,
        tuple((one.first, one.last) for one in body.suspended),
        tuple(Membership(one.forum, one.first, one.last, one.source) for one in body.memberships),
    )  # fmt: skip
    record_accreditation(verifier, shown, actor=caller.actor)
    return Status(201, _accreditation(verifier))


def _key(one: VerifierKey) -> KeyOut:
    held = verifier_key(one.organisation)
    return KeyOut(
        fingerprint=one.fingerprint, public=one.public, by_rotation=bool(one.statement), reason=one.reason,
        at=one.at.isoformat(), by=str(one.actor), signs=held is not None and held.pk == one.pk,
    )  # fmt: skip


@router.get("/verifier/keys", response={200: Page[KeyOut], **REFUSALS}, auth=READ)
def list_verifier_keys(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the public keys that the verifier registered, the first one first; the last one signs."""
    keys = VerifierKey.objects.select_related("actor", "organisation")
    return page_of(keys.filter(organisation=_verifier(caller_of(request))), page, _key)


@router.post("/verifier/keys", response={201: KeyOut, **REFUSALS}, auth=WRITE)
def register_verifier_key(request: HttpRequest, body: KeyIn) -> Status[KeyOut]:
    """Register a public key, or the next one by rotation. A private key is refused; the token's maker must manage."""
    caller = caller_of(request)
    verifier = _verifier(caller)
    caller.require_manager()
    made = do_register_verifier_key(verifier, body.shown, reason=body.reason, today=today(), actor=caller.actor)
    return Status(201, _key(made))


def _party(grant: ReadGrant) -> PartyOut:
    party = grant.audited
    roles = roles_of(party)
    trading = any(role is not AuditRole.FARM for role in roles)
    return PartyOut(
        party=party.handle, name=party.name, roles=roles, access_until=grant.last_day,
        rhythm=rhythm_out(rhythm_of(party, today())) if trading else None,
    )  # fmt: skip


@router.get("/verifier/parties", response={200: Page[PartyOut], **REFUSALS}, auth=READ)
def list_parties(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List who lets the verifier in today, with when each one's next statement is due."""
    return page_of_list(open_grants(_verifier(caller_of(request)), today()), page, _party)
