"""Reading audits: who may be audited by whom today, entries as the core's own values, farms behind lots, the sample.

Amounts and CI of the farms behind a first point's incoming lots come from the lots of the covered days; place and acres
from the farms' reports, which the first point keeps. A farm that one of these is not known of stops the whole list: it
could never be drawn (2100.040(a)(3)).
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import Any, Final

from django.core.cache import cache

from provender.audit.findings import Event, Finding, findings_now
from provender.audit.outcome import inside
from provender.audit.package import layout
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling import sample
from provender.audit.sampling.before import Proof, bare, judge_proof, years_shown
from provender.audit.sampling.population import CITE, FarmCrop, Population, freeze, incoming_farms, listed
from provender.audit.sampling.seed import Opened, Side, commitment
from provender.audit.statement.accreditation import Accreditation
from provender.audit.statement.papers import signed_by
from provender.audit.statement.statement import VerificationStatement
from provender.custody.model.entities import Entity
from provender.database.actor import Actor, today
from provender.database.choices import Role
from provender.database.models.accounts import Organisation, ReadGrant
from provender.database.models.audits import Audit, AuditEntry, EntryKind, VerifierAccreditation, VerifierKey
from provender.database.models.custody import CustodyStep
from provender.database.models.farm import ReportVersion
from provender.database.store.custody import SqlStore
from provender.problem import ProblemsError, refuse
from provender.schema import read, write
from provender.services.idempotency import note_right
from provender.signing.canonical import document_hash
from provender.signing.keys import PublicKey

AUDITED_AS: Final[Mapping[str, AuditRole]] = {
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
    return [audit_role for role, audit_role in AUDITED_AS.items() if role in held]


def accreditation_of(verifier: Organisation) -> Accreditation | None:
    row = VerifierAccreditation.objects.filter(organisation=verifier).order_by("-id").first()
    return Accreditation.read(json.loads(row.text)) if row else None


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


def population_of(audit: Audit) -> Population | None:
    """Return the frozen farms, or None before."""
    entry = last(audit, EntryKind.POPULATION)
    return freeze(read(FarmCrop, row) for row in entry.said["list"]["population"]) if entry else None


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


def statements_about(audited: Organisation) -> list[tuple[Audit, VerificationStatement]]:
    return [(audit, VerificationStatement.read(envelope["document"])) for audit, envelope in signed_about(audited)]


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


def proofs_for(audit: Audit) -> tuple[Proof, ...]:
    """Return what proves that farms of the party were audited before, by audits led here or proofs brought here."""
    brought = AuditEntry.objects.filter(kind=EntryKind.PROOF, audit__audited=audit.audited).order_by("id")
    proofs = [read(Proof, entry.said) for entry in brought]
    proofs += [
        Proof(envelope, bare(sample_of(earlier)))
        for earlier, envelope in signed_about(audit.audited)
        if earlier.harvest_year < audit.harvest_year and is_drawn(earlier)
    ]
    found: dict[str, Proof] = {}
    for proof in proofs:
        with suppress(ProblemsError):
            judge_proof(proof, signed_by(keys_of_signer(proof), today()))
            years_shown([proof], audit.audited.handle, audit.harvest_year, today())
            found.setdefault(document_hash(dict(proof.statement)), proof)
    return tuple(found.values())


def keys_of_signer(proof: Proof) -> dict[str, PublicKey]:
    """Return the keys that the verifier whom a statement names registered here, by fingerprint."""
    keys = VerifierKey.objects.filter(organisation__handle=str(inside(proof.statement).get("verifier")))
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


LOTS: Final = "incoming lots"
KEPT_SECONDS: Final = 24 * 3600


def population_from_lots(audit: Audit) -> Population:
    """Gather the farms of an audit.

    Raises:
        ProblemsError: nobody supplied anything, or place or acres of a farm are not known; one problem per farm.
    """
    with SqlStore(Actor(None, "audit")).reading() as facts:
        found = incoming_farms(facts, audit.audited.handle, audit.covered_first, audit.covered_last)
    rows, problems = listed(found, reports_of(farm for farm, _ in found), LOTS)
    if problems:
        raise ProblemsError(problems)
    if not rows:
        cause = f"No farm supplied {audit.audited} from {audit.covered_first} to {audit.covered_last}."
        raise refuse(LOTS, cause, "Check the covered days of this audit.", cite=CITE, code="no_farms")
    return freeze(rows)


def reports_of(farms: Iterable[str]) -> list[dict[str, Any]]:
    """Return every report version of these farms that is kept here."""
    rows = ReportVersion.objects.filter(book__organisation__handle__in=set(farms)).order_by("id")
    return [json.loads(text) for text in rows.values_list("document", flat=True)]


def farms_behind(party: str) -> set[str]:
    """Return the farms whose crop a party ever took in."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        return {farm for farm, _ in incoming_farms(facts, party)}


def first_handled(party: str) -> date | None:
    """Return the day on which a party first took in reduced-CI crop or product, None before.

    It is looked for again only when the party has moved something since.
    """
    name = f"first-handled-{party}-{CustodyStep.objects.filter(party=party).count()}"
    kept: tuple[date | None] | None = cache.get(name)
    if kept is None:
        with SqlStore(Actor(None, "audit")).reading() as facts:
            kept = (layout.first_handled(facts, party),)
        cache.set(name, kept, KEPT_SECONDS)
    return kept[0]


def contracted_until(party: str) -> date | None:
    """Return the last day covered by a party's contract for its first audit, None without (interpretation 46)."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        return layout.contracted_until(facts, party)
