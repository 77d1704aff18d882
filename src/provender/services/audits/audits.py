"""Opening audits and writing what happens in them. What an entry may say is the core's business."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import date
from enum import StrEnum
from typing import Any, Final, TypeVar

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from provender.audit.findings import Event, Finding, append, findings_now, in_line
from provender.audit.outcome import inside
from provender.audit.package import layout
from provender.audit.package.layout import Part
from provender.audit.programme import NotNeeded
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling import population as farm_lists
from provender.audit.sampling import sample
from provender.audit.sampling.draw import Opened, Side, commitment
from provender.audit.sampling.sample import Extent
from provender.audit.statement import statement
from provender.audit.statement.opinion import Way, read_part
from provender.audit.statement.papers import signed_by
from provender.custody.model.entities import Entity
from provender.database.actor import Actor, today, write_log
from provender.database.choices import Role
from provender.database.models.accounts import Organisation, ReadGrant
from provender.database.models.audits import Audit, AuditEntry, EntryKind, VerifierAccreditation, VerifierKey
from provender.database.models.custody import CustodyStep
from provender.database.models.farm import ReportVersion
from provender.database.store.custody import SqlStore
from provender.exact import Amount
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.rule.crops import Crop
from provender.schema import Day, Name, Text, declared, field, read, view, write
from provender.services.accounts.access import check_independent
from provender.services.accounts.grants import log_look
from provender.services.idempotency import note_right
from provender.services.organisation_keys import Ring
from provender.services.refused import RefusedError, refusal
from provender.signing.canonical import canonical_json, document_hash
from provender.signing.keys import PublicKey

# What people say in the deeds of an audit, each declared once: forms, calls of the API and services are made of it.

Said = Mapping[str, Any]
"""What somebody says, as plain JSON."""
T = TypeVar("T")


class Mark(StrEnum):
    """What became of a line."""

    DONE = "done"
    NOT_NEEDED = "not needed"
    OPEN = "open"
    """Opened again."""


@view
class Opening:
    """What an audit is about: an audit that is to be opened says it, and one that is open."""

    role: AuditRole = field("As what", help="In which role the party is audited.")
    number: Name = field("Your number for the audit")
    harvest_year: int = field("Harvest year")
    covered_first: date = field("First day covered")
    covered_last: date = field("Last day covered")
    due_on: date = field(
        "Statement agreed for", help="As agreed with the party; the rule's own yearly day stands beside it."
    )


@declared
class AuditToOpen(Opening):
    """An audit to open: of whom, in which role, over which days."""

    audited: Name = field("Who is audited", help="Everybody who lets you read today.")


@declared
class Committed:
    """A side's own commitment to its part of the seed."""

    commitment: Text = field(
        "Your commitment", help="As “provender audit seed” shows it. Without one the server makes your part."
    )


@declared
class PartOpened:
    """What opens the audited party's commitment."""

    secret: Text = field("The secret behind your commitment")


@declared
class SeedOpened:
    """What opens the seed, and how many farms are drawn."""

    seed: Text = field(
        "The secret behind your commitment", help="Blank where you made no commitment of your own.", default=""
    )
    without_party: bool = field(
        "The party does not open its part", help="It is recorded as its refusal.", default=False
    )
    size: int | None = field("Farms to draw", help="Blank for the least the rule allows.", default=None)


@declared
class Borrowed:
    """A completed audit that stands for a drawn farm's, wholly or in part (2100.040(b)(2))."""

    farm: Name = field("Drawn farm")
    extent: Extent = field("The borrowed audit stands for")
    borrowed_audit: Text = field("Statement of the borrowed audit", help="Its number or hash.")
    verifier: Text = field("Verifier that completed it")
    reason: Text = field("Why you accept it")
    still_to_do: Text = field("Still to be audited", help="For a part: what is audited all the same.", default="")


@declared
class Failed:
    """A drawn farm that failed: farms next in line join the sample (interpretation 56)."""

    farm: Name = field("Farm that failed")
    reason: Text = field("What failed", help="Name the finding.")
    more: int | None = field("Farms to add", help="Blank for as many as were drawn in its stratum.", default=None)


@declared
class LineMark:
    """What became of a line of the work program, what was seen, and where it shows."""

    state: Mark = field("Result")
    reason: NotNeeded | None = field(
        "Why not needed", help="The package must show it when the statement is signed.", default=None
    )
    note: Text = field("What was seen")
    evidence: Text = field("Evidence", help="File, photograph or document number.", default="")


@declared
class PackageAsked:
    """A package to ask for, and what may be absent from it."""

    what: Name = field("Package of")
    absent: tuple[Part, ...] = field(
        "May be absent",
        help="You decide this, never the audited party. It stands in the package with your reason.",
        default=(),
    )
    reason: Text = field("Your reason", default="")


@declared
class PackageToMake(PackageAsked):
    """A package to ask for, to be recomputed here or taken away."""

    recompute: bool = field("Recompute it here", help="Else it is made to be downloaded.", default=False)


@declared
class Visited:
    """A site of the party, or a drawn farm by its code, that was audited."""

    farm: Text = field("Drawn farm", help="Or leave it and name a site.", default="")
    site: Text = field("Site", default="")
    way: Way = field("How")
    on: Day = field("Day")
    by: Text = field("By")
    seen: Text = field("What was seen", long=True)


@declared
class Words:
    """What people say in a statement; party, days, sample, findings and accreditation come from the audit."""

    lead_verifier: Text = field("Lead verifier")
    independent_reviewer: Text = field("Independent reviewer", help="Somebody who took no part in the audit.")
    crops: tuple[Crop, ...] = field("Crops")
    objectives: Text = field("Objectives", long=True)
    criteria: tuple[Text, ...] = field("Criteria", help="One per line. Keep the line that names the rule.")
    assurance: statement.Assurance = field("Assurance")
    materiality_pct: Amount = field("Materiality (%)")
    materiality: Text = field("How it was applied")
    opinion: statement.Opinion = field("Opinion")
    basis: Text = field("Basis of the opinion", help="For a qualified opinion, what is excepted.", long=True)


def read_said(cls: type[T], said: Said, place: str, cite: str = "") -> T:
    """Read what somebody says in a deed; texts of several lines become one line.

    Raises:
        RefusedError: with the field of each part that is missing or cannot be read.
    """
    found, unread = read_part(cls, on_one_line(said))
    if unread:
        remedy = "Complete or correct it."
        raise RefusedError(
            Problem(Place(place, column=name), words, remedy, cite, code=f"no_{name}") for name, words in unread
        )
    made: T = found
    return made


def on_one_line(said: Said) -> dict[str, Any]:
    """Return what is said with each text on one line, as statements print it."""
    return {name: in_line(value) if isinstance(value, str) else value for name, value in said.items()}


_AUDITED_AS: Final[Mapping[str, AuditRole]] = {
    Role.FARM: AuditRole.FARM,
    Role.FIRST_POINT: AuditRole.FIRST_POINT,
    Role.INTERMEDIARY: AuditRole.INTERMEDIARY,
    Role.PROCESSOR: AuditRole.PROCESSOR,
    Role.REFINER: AuditRole.REFINER,
}
"""As what an organisation of a role is audited; verifiers are not."""


KEPT: Final = "kept"
"""Where an entry of frozen farms holds the secrets made here; nobody is shown them."""


def open_grant(verifier: Organisation, audited: Organisation, today: date) -> ReadGrant | None:
    """Return the grant through which a verifier may read a party on a day, or None."""
    found = open_to(verifier, [audited.handle], today).get(audited.handle)
    if found is not None:
        note_right(f"reads:{audited.handle}")
    return found


def open_to(verifier: Organisation, handles: Iterable[str], today: date) -> dict[str, ReadGrant]:
    """Return, of the organisations with these codes, those that let the verifier read on a day, with the grant."""
    grants = ReadGrant.objects.select_related("verifier", "audited").filter(
        verifier=verifier, audited__handle__in=list(handles), revoked_at=None, first_day__lte=today, last_day__gte=today
    )
    return {grant.audited.handle: grant for grant in grants.order_by("last_day")}


def roles_of(audited: Organisation) -> list[AuditRole]:
    held = {row.role for row in audited.roles.all()}
    return [audit_role for role, audit_role in _AUDITED_AS.items() if role in held]


def accreditation_of(verifier: Organisation) -> statement.Accreditation | None:
    row = VerifierAccreditation.objects.filter(organisation=verifier).order_by("-id").first()
    return statement.Accreditation.read(json.loads(row.text)) if row else None


def entries(audit: Audit, kind: EntryKind) -> list[AuditEntry]:
    """Return the entries of a kind, in order."""
    return list(AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind).order_by("number"))


def last(audit: Audit, kind: EntryKind) -> AuditEntry | None:
    return AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind).order_by("-number").first()


def latest_results(audit: Audit) -> list[dict[str, Any]]:
    """Return what the last recomputation of each package found."""
    results = [one.said for one in entries(audit, EntryKind.RESULT)]
    return list({one["what"]: one for one in results}.values())


def party_result(audit: Audit) -> AuditEntry | None:
    """Return the last recomputation of a package of the audited party itself, None before: no drawn farm's counts."""
    results = [one for one in entries(audit, EntryKind.RESULT) if one.said.get("facts")]
    return next((one for one in reversed(results) if one.said["facts"]["audited"] == audit.audited.handle), None)


def roles_audited(audit: Audit) -> tuple[AuditRole, ...]:
    """Return the roles that an audit answers: the one that it was opened for, then others that the package shows."""
    result = party_result(audit)
    shown = [AuditRole(one) for one in result.said["facts"]["roles"]] if result else []
    return tuple(dict.fromkeys([AuditRole(audit.role), *shown]))


def population_of(audit: Audit) -> farm_lists.Population | None:
    """Return the frozen farms, or None before."""
    entry = last(audit, EntryKind.POPULATION)
    return (
        farm_lists.freeze(read(farm_lists.FarmCrop, row) for row in entry.said["list"]["population"]) if entry else None
    )


def finding_events(audit: Audit) -> list[Event]:
    return [entry.said for entry in entries(audit, EntryKind.FINDING)]


def findings_of(audit: Audit) -> list[Finding]:
    return list(findings_now(finding_events(audit)).values())


def statement_of(audit: Audit) -> dict[str, Any] | None:
    """Return the signed statement, or None before it is signed."""
    entry = last(audit, EntryKind.STATEMENT)
    return entry.said if entry else None


def signed_about(audited: Organisation) -> list[tuple[Audit, dict[str, Any]]]:
    """Return the signed statements about a party with their audits, oldest first."""
    found = AuditEntry.objects.filter(kind=EntryKind.STATEMENT, audit__audited=audited)
    return [(one.audit, one.said) for one in found.select_related("audit__verifier", "audit__audited").order_by("id")]


def statements_about(audited: Organisation) -> list[tuple[Audit, statement.VerificationStatement]]:
    return [
        (audit, statement.VerificationStatement.read(envelope["document"])) for audit, envelope in signed_about(audited)
    ]


def sample_of(
    audit: Audit, treatment: sample.Treatment | None = None, failure: sample.Failure | None = None
) -> dict[str, Any]:
    """Return the whole sample file of an audit, with one more decision where one is given.

    Raises:
        ProblemsError: no farms are frozen, no seed is committed, or a decision cannot stand.
    """
    standing, seed = last(audit, EntryKind.POPULATION), last(audit, EntryKind.SEED)
    if standing is None or seed is None:
        remedy = "Freeze the farms, then commit a seed."
        raise refuse("sample", "No sample is drawn yet.", remedy, cite="2100.040(a)(3)", code="not_drawn")
    drawn = sample.draw_sample(sample.read_request(standing.said["list"] | seed.said["drawn"]))
    treatments = [read(sample.Treatment, one.said) for one in entries(audit, EntryKind.TREATMENT)]
    failures = [read(sample.Failure, one.said) for one in entries(audit, EntryKind.FAILURE)]
    return sample.sample_document(
        drawn,
        treatments=[*treatments, *([treatment] if treatment else [])],
        failures=[*failures, *([failure] if failure else [])],
    )


def is_drawn(audit: Audit) -> bool:
    return last(audit, EntryKind.SEED) is not None


def drawn_farms(audit: Audit) -> list[str]:
    """Return the farms of the sample, extensions included; none before the draw."""
    if not is_drawn(audit):
        return []
    farms: list[str] = sample_of(audit)["sample"]
    return farms


def proofs_for(audit: Audit) -> tuple[farm_lists.Proof, ...]:
    """Return what proves that farms of the party were audited before, by audits led here or proofs brought here."""
    brought = AuditEntry.objects.filter(kind=EntryKind.PROOF, audit__audited=audit.audited).order_by("id")
    proofs = [read(farm_lists.Proof, entry.said) for entry in brought]
    proofs += [
        farm_lists.Proof(envelope, farm_lists.bare(sample_of(earlier)))
        for earlier, envelope in signed_about(audit.audited)
        if earlier.harvest_year < audit.harvest_year and is_drawn(earlier)
    ]
    found: dict[str, farm_lists.Proof] = {}
    for proof in proofs:
        with suppress(ProblemsError):
            farm_lists.judge_proof(proof, signed_by(verifier_keys(signer_of(proof)), today()))
            farm_lists.years_shown([proof], audit.audited.handle, audit.harvest_year, today())
            found.setdefault(document_hash(dict(proof.statement)), proof)
    return tuple(found.values())


def signer_of(proof: farm_lists.Proof) -> str:
    return str(inside(proof.statement).get("verifier"))


def verifier_keys(handle: str) -> dict[str, PublicKey]:
    """Return the keys that a verifier registered here, by fingerprint."""
    keys = VerifierKey.objects.filter(organisation__handle=handle)
    return {key.fingerprint: PublicKey.from_jwk(key.public) for key in keys}


def lists_before(audit: Audit) -> list[dict[str, Any]]:
    """Return what was frozen before for the audit's party and year, by whomever, oldest first, as files carry it."""
    found = []
    same = {f"audit__{name}": getattr(audit, name) for name in ("audited", "harvest_year")}
    for entry in AuditEntry.objects.filter(kind=EntryKind.POPULATION, **same).select_related("audit").order_by("id"):
        standing, seed = entry.said["list"], last(entry.audit, EntryKind.SEED)
        of_this = last(entry.audit, EntryKind.POPULATION) == entry
        if seed is not None and of_this:
            found.append(standing | seed.said["drawn"] | {"earlier": []})
            continue
        opened = opened_by_party(entry.audit, standing["frozen"])
        parts = Opened({Side.AUDITED: opened} if opened else {})
        found.append(standing | {"opened": write(parts, whole=True), "size_asked": None, "earlier": []})
    return found


def opened_by_party(audit: Audit, frozen: Mapping[str, Any]) -> str:
    """Return the secret by which the audited party opened its part of what was frozen; empty before."""
    mark = frozen["commitments"].get(Side.AUDITED)
    shown = [str(entry.said["secret"]) for entry in entries(audit, EntryKind.OPENING)]
    return next((text for text in reversed(shown) if commitment(text) == mark), "")


def sites_of(audit: Audit) -> tuple[str, ...]:
    """Return the sites that the audited party's book names; of a farm none, whose units stand in its records."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        found = facts.one(Entity, audit.audited.handle) if audit.role != AuditRole.FARM else None
    return found.sites if found else ()


_LOTS: Final = "incoming lots"
_KEPT_SECONDS: Final = 24 * 3600


def population_from_lots(audit: Audit) -> farm_lists.Population:
    """Gather the farms of an audit.

    Raises:
        ProblemsError: nobody supplied anything, or place or acres of a farm are not known; one problem per farm.
    """
    with SqlStore(Actor(None, "audit")).reading() as facts:
        found = farm_lists.incoming_farms(facts, audit.audited.handle, audit.covered_first, audit.covered_last)
    rows, problems = farm_lists.listed(found, reports_of(farm for farm, _ in found), _LOTS)
    if problems:
        raise ProblemsError(problems)
    if not rows:
        cause = f"No farm supplied {audit.audited} from {audit.covered_first} to {audit.covered_last}."
        raise refuse(_LOTS, cause, "Check the covered days of this audit.", cite=farm_lists.CITE, code="no_farms")
    return farm_lists.freeze(rows)


def reports_of(farms: Iterable[str]) -> list[dict[str, Any]]:
    """Return every report version of these farms that is kept here."""
    rows = ReportVersion.objects.filter(book__organisation__handle__in=set(farms)).order_by("id")
    return [json.loads(text) for text in rows.values_list("document", flat=True)]


def farms_behind(party: str) -> set[str]:
    """Return the farms whose crop a party ever took in."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        return {farm for farm, _ in farm_lists.incoming_farms(facts, party)}


def first_handled(party: str) -> date | None:
    """Return the day on which a party first took in reduced-CI crop or product, None before.

    It is looked for again only when the party has moved something since.
    """
    name = f"first-handled-{party}-{CustodyStep.objects.filter(party=party).count()}"
    kept: tuple[date | None] | None = cache.get(name)
    if kept is None:
        with SqlStore(Actor(None, "audit")).reading() as facts:
            kept = (layout.first_handled(facts, party),)
        cache.set(name, kept, _KEPT_SECONDS)
    return kept[0]


def contracted_until(party: str) -> date | None:
    """Return the last day covered by a party's contract for its first audit, None without (interpretation 46)."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        return layout.contracted_until(facts, party)


HARVESTS: Final = (2020, 2100)
"""The first and the last harvest whose audit can be opened."""


def state_accreditation(verifier: Organisation, said: Said, *, actor: Actor) -> statement.Accreditation:
    """Keep what a verifier says of its own accreditation; RefusedError as ``read_said``."""
    own = {"verifier": verifier.name, "verifier_id": verifier.handle}
    shown = read_said(statement.Accreditation, {**said, **own}, "accreditation", statement.ACCREDITATION_CITE)
    record_accreditation(verifier, shown, actor=actor)
    return shown


@transaction.atomic
def record_accreditation(
    verifier: Organisation, shown: statement.Accreditation, *, actor: Actor
) -> VerifierAccreditation:
    """Keep what a verifier shows of its accreditation; what was shown before stays readable."""
    text = canonical_json(shown.document()).decode()
    row = VerifierAccreditation.objects.create(organisation=verifier, text=text, at=timezone.now(), actor=actor.person)
    new = {"body": shown.body, "number": shown.number, "last": shown.last.isoformat()}
    write_log(actor, "record accreditation", organisation=verifier, about=shown.standard, new=new)
    return row


@transaction.atomic
def open_audit(verifier: Organisation, audited: Organisation, opening: Opening, *, actor: Actor) -> Audit:
    """Open an audit of a party that lets the verifier in today.

    Raises:
        RefusedError: no access today, no such role, days out of order, a number used before, no independence
            (interpretation 55), or an accreditation that does not hold today (2100.041).
    """
    day = today()
    if open_grant(verifier, audited, day) is None:
        remedy = "Ask them to let you in, under Verifier access."
        raise refusal("no_access", f"{audited} does not let you read today.", remedy, column="audited")
    if opening.role not in roles_of(audited):
        raise refusal("other_role", f"{audited} is no {opening.role} here.", "Choose another role.", column="role")
    if not HARVESTS[0] <= opening.harvest_year <= HARVESTS[1]:
        cause, remedy = f"{opening.harvest_year} is no harvest of the rule.", f"Write {HARVESTS[0]} to {HARVESTS[1]}."
        raise refusal("other_harvest", cause, remedy, column="harvest_year")
    if not opening.covered_first <= opening.covered_last <= opening.due_on:
        remedy = "The covered days come first to last, and the statement after them."
        raise refusal("days_out_of_order", "These days do not fit.", remedy, column="covered_last")
    check_verifier(verifier, audited, day)
    try:
        with transaction.atomic():
            about: dict[str, Any] = {each.name: getattr(opening, each.name) for each in fields(Opening)}
            audit = Audit.objects.create(
                verifier=verifier, audited=audited, **about, opened_at=timezone.now(), opened_by=actor.person
            )
    except IntegrityError:
        raise refusal("number_used", "You have an audit of this number.", "Choose another.", column="number") from None
    new = {
        "verifier": verifier.name,
        "role": audit.role,
        "first": str(audit.covered_first),
        "last": str(opening.covered_last),
    }
    write_log(actor, "open audit", organisation=verifier, about=str(audit), new=new)
    write_log(actor, "open audit", organisation=audited, about=audit.number, new=new)
    return audit


def check_verifier(verifier: Organisation, audited: Organisation, day: date) -> None:
    """Make sure that a verifier may verify a party on a day.

    Raises:
        RefusedError: it is not independent of the party or its suppliers, or its accreditation does not hold.
    """
    check_independent(verifier, audited, column="audited")
    shown = accreditation_of(verifier)
    if shown is None:
        remedy = "Enter it under Accreditation first."
        raise refusal("no_accreditation", "You show no accreditation to ISO 14065.", remedy, cite="2100.041")
    errors = [one for one in statement.check_accreditation(shown, day) if one.weight is Weight.ERROR]
    if errors:
        raise RefusedError(errors)


@transaction.atomic
def add_entry(audit: Audit, kind: EntryKind, data: Mapping[str, Any], *, actor: Actor, about: str = "") -> AuditEntry:
    """Add an entry to an audit, with a line in the verifier's log.

    Raises:
        RefusedError: somebody else added one at the same moment, or the statement is signed and the audit closed.
    """
    # Findings go on: what stands open in a statement is answered after it, and what is found later is added to it.
    if (
        kind not in (EntryKind.FINDING, EntryKind.ADDENDUM)
        and AuditEntry.objects.filter(audit=audit, kind=EntryKind.STATEMENT).exists()
    ):
        remedy = "Open another audit for what came to light since."
        raise refusal("audit_closed", "The statement of this audit is signed.", remedy)
    before = AuditEntry.objects.filter(audit=audit).order_by("-number").values_list("number", flat=True).first()
    try:
        with transaction.atomic():
            entry = AuditEntry.objects.create(
                audit=audit,
                number=(before or 0) + 1,
                kind=kind,
                text=canonical_json(dict(data)).decode(),
                at=timezone.now(),
                actor=actor.person,
            )
    except IntegrityError:
        cause = "Somebody else wrote in this audit a moment ago."
        raise refusal("overtaken", cause, "Look at their entry, then write yours again.") from None
    about = about or str(kind.label)
    write_log(actor, f"audit: {kind.label.lower()}", organisation=audit.verifier, about=f"{audit.number}, {about}")
    if kind in (EntryKind.FINDING, EntryKind.STATEMENT, EntryKind.ADDENDUM, EntryKind.PACKAGE, EntryKind.PROOF):
        write_log(actor, f"audit: {kind.label.lower()}", organisation=audit.audited, about=f"{audit.number}, {about}")
    return entry


@transaction.atomic
def write_finding(audit: Audit, event: Mapping[str, str], *, actor: Actor) -> AuditEntry:
    """Add an event to the audit's log of findings.

    Raises:
        ProblemsError: the event does not fit the log; RefusedError as ``add_entry``.
    """
    *_, made = append(finding_events(audit), event)
    about = f"{event['deed']} {event['finding']}"
    return add_entry(audit, EntryKind.FINDING, made, actor=actor, about=about)


def record_visit(audit: Audit, parties: Iterable[Organisation], what: str, *, actor: Actor) -> list[ReadGrant]:
    """Enter the records of the audited party or drawn farms; the log of each of them says what is looked at.

    Raises:
        PermissionDenied: one of them does not let the verifier in today; then nothing is written.
    """
    found = []
    for party in parties:
        grant = open_grant(audit.verifier, party, today())
        if grant is None:
            raise PermissionDenied(f"{party} does not let you read today.")
        found.append(grant)
    for grant in found:
        log_look(grant, what, actor=actor)
    return found


# What a verifier shows of itself: its accreditation, and the key under which it signs.
#
# A key is registered by an upload, and moved by a rotation that the key before signed.

KEYS: Final = Ring(VerifierKey, "verifier", statement.ACCREDITATION_CITE, "register verifier key")
"""The keys under which verifiers sign."""


@view
class Doubt:
    """A problem, with how much it weighs."""

    at: str = field("Where")
    cause: str = field("What is wrong")
    remedy: str = field("What to do")
    cite: str = field("Paragraph", default="")
    code: str = field("Code", default="")
    weight: Weight = field("Weight")


@view
class AccreditationView:
    """The accreditation shown last, null before, and what stands against it today."""

    shown: dict[str, Any] | None = field("Accreditation")
    against: tuple[Doubt, ...] = field("What stands against it")


def doubts(problems: Iterable[Problem]) -> tuple[Doubt, ...]:
    return tuple(
        Doubt(
            at=str(each.place), cause=each.cause, remedy=each.remedy, cite=each.cite, code=each.code, weight=each.weight
        )
        for each in problems
    )


def accreditation_view(verifier: Organisation, day: date) -> AccreditationView:
    """Return the accreditation that a verifier shows, and what stands against it on a day."""
    shown = accreditation_of(verifier)
    against = doubts(statement.check_accreditation(shown, day)) if shown else ()
    return AccreditationView(shown=shown.document() if shown else None, against=against)
