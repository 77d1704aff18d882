"""The farm sample of an audit: farms frozen, seed committed, decisions about drawn farms (2100.040(a)(3), (b)(2)).

Each deed draws the sample anew with what it adds, so that nothing is written that could not stand in the sample file.
"""

import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from provender.audit.sampling import draw as drawing
from provender.audit.sampling import sample as sampled
from provender.audit.sampling.population import Population, judge_proof, minimum_farms, pair_proofs, years_shown
from provender.audit.statement.papers import signed_by
from provender.database.actor import Actor, today
from provender.database.models.accounts import Organisation
from provender.database.models.audits import Audit, AuditEntry, EntryKind
from provender.problem import ProblemsError, counted, refuse
from provender.schema import field, view, write
from provender.services.audits import audits
from provender.services.audits.audits import Borrowed, Failed, SeedOpened, add_entry
from provender.signing.canonical import is_hash

_ONE_DRAW: Final = "A point is drawn from once a year; what another audit freezes carries this list."


@view
class PopulationView:
    """The frozen farms: a row for each farm and crop, their hash, and what the least sample can find."""

    rows: tuple[dict[str, Any], ...] = field("Rows")
    sha256: str = field("Hash")
    farms: int = field("Farms")
    minimum: int = field("Least sample", help="Farms that the rule has drawn at least.")
    detection: tuple[dict[str, Any], ...] = field("Detection", help="Chances with the least sample.")


@view
class DrawnFarmView:
    """A farm of the sample; ``decision`` is the borrowed audit that stands for it, null where it is visited."""

    farm: str = field("Code")
    name: str = field("Farm")
    stratum: str = field("Stratum")
    risk: dict[str, Any] = field("Risk")
    decision: dict[str, Any] | None = field("Decision")
    lets_in: bool = field("Lets in")


def population_view(population: Population) -> PopulationView:
    farms = len(population.farms)
    least = minimum_farms(farms)
    rows = tuple(row.document() for row in population.rows)
    return PopulationView(
        rows=rows, sha256=population.sha256, farms=farms, minimum=least, detection=tuple(drawing.table(farms, least))
    )


def freezing_hash(audit: Audit) -> str:
    """Return the hash of the last freezing, under which the log names it; empty before.

    It binds more than the list of farms: the commitments, the earlier audits, the year and the day too.
    """
    entry = audits.last(audit, EntryKind.POPULATION)
    return drawing.Frozen.read(entry.said["list"]["frozen"]).sha256 if entry else ""


def farms_shut(audit: Audit, day: date) -> list[str]:
    """Return the farms of the sample that do not let the verifier in on a day."""
    drawn = audits.drawn_farms(audit)
    return sorted(set(drawn) - audits.open_to(audit.verifier, drawn, day).keys())


def drawn_farm_views(audit: Audit) -> list[DrawnFarmView]:
    """Return the farms of the sample with stratum, risk and decision, and whether each lets the verifier in today.

    Raises:
        ProblemsError: nothing is drawn.
    """
    document = audits.sample_of(audit)
    farms: list[str] = document["sample"]
    names, open_today = names_of(farms), audits.open_to(audit.verifier, farms, today())
    risks = {row["farm_id"]: row for row in document["risk"]}
    decided = {row["farm_id"]: row for row in document["treatments"]}
    strata = {farm: row["name"] for row in document["strata"] for farm in [*row["sample"], *row["next_in_line"]]}
    return [
        DrawnFarmView(
            farm=farm, name=names.get(farm, farm), stratum=strata.get(farm, ""), risk=risks[farm],
            decision=decided.get(farm), lets_in=farm in open_today,
        )
        for farm in farms
    ]  # fmt: skip


def names_of(farms: Iterable[str]) -> dict[str, str]:
    """Return the names of the farms that are organisations of this server, by code."""
    return dict(Organisation.objects.filter(handle__in=list(farms)).values_list("handle", "name"))


def commit_part(audit: Audit, side: drawing.Side, made: str, *, actor: Actor) -> AuditEntry:
    """Take a side's own commitment; it counts from the next freezing on. Without one the server makes that part.

    Raises:
        ProblemsError: the sample is drawn, it is no SHA-256, the party has opened its part, or farms are frozen with
            the verifier's own commitment: whoever knows what is drawn must not draw again.
    """
    _may_commit(audit, side)
    made = made.strip().lower()
    if not is_hash(made):
        remedy = "Take the one that `provender audit seed` shows."
        raise refuse("commitment", "This is no commitment.", remedy, cite="2100.040(a)(3)", code="no_commitment")
    said = {"side": str(side), "commitment": made}
    return add_entry(
        audit, EntryKind.COMMITMENT, said, actor=actor, about=f"{side} party" if side is drawing.Side.AUDITED else ""
    )


def _may_commit(audit: Audit, side: drawing.Side) -> None:
    """Refuse a commitment that could not count any more; errors as ``commit_part``."""
    if audits.last(audit, EntryKind.SEED):
        raise refuse("seed", "The sample is drawn.", _ONE_DRAW, cite="2100.040(a)(3)")
    frozen = audits.last(audit, EntryKind.POPULATION)
    _not_opened(audit, frozen)
    if side is drawing.Side.VERIFIER and frozen is not None and side not in frozen.said.get(audits.KEPT, {side: ""}):
        cause = "Farms are frozen with your commitment: with another one you could try seeds until one suits."
        raise refuse("commitment", cause, "Draw with it.", cite="2100.040(a)(3)", code="committed_before")


def may_commit(audit: Audit, side: drawing.Side) -> bool:
    """Tell whether a commitment of a side would be taken now."""
    with suppress(ProblemsError):
        _may_commit(audit, side)
        return True
    return False


def notes_of_draw(audit: Audit) -> list[str]:
    """Return what both sides are told of the draw: of one to come, the lists that were frozen before it."""
    if audits.is_drawn(audit):
        return sampled.draw_notes(audits.sample_of(audit))
    entry = audits.last(audit, EntryKind.POPULATION)
    return sampled.notes_ahead(sampled.read_request(entry.said["list"])) if entry else []


def may_open(audit: Audit) -> bool:
    """Tell whether the audited party has a commitment among what is frozen that it has not opened yet."""
    frozen = audits.last(audit, EntryKind.POPULATION)
    if frozen is None or audits.is_drawn(audit):
        return False
    bound = drawing.Frozen.read(frozen.said["list"]["frozen"])
    is_open = bool(audits.opened_by_party(audit, frozen.said["list"]["frozen"]))
    return drawing.Side.AUDITED not in bound.by_server and not is_open and today() < bound.open_until


def bring_proof(audit: Audit, statement: object, sample: object, *, actor: Actor) -> AuditEntry:
    """Keep a signed statement of an earlier year about the party with its sample: it counts as *audited before*.

    Of an audit that was led here nothing has to be brought.

    Raises:
        ProblemsError: the farms are frozen, the two are no proof (``years_shown``), or the statement is not signed by
            an accredited verifier under a key that it registered here.
    """
    if audits.last(audit, EntryKind.POPULATION):
        cause = "The farms are frozen: which of them were audited before is bound by their hash."
        raise refuse("proof", cause, "Draw from them as they stand.", cite="2100.040(a)(3)(iii)", code="frozen_before")
    (proof,) = pair_proofs([one if isinstance(one, Mapping) else {} for one in (statement, sample)])
    years = years_shown([proof], audit.audited.handle, audit.harvest_year, today())
    if not (pinned := audits.verifier_keys(audits.signer_of(proof))):
        cause = f"No verifier that is here has registered a key for {audits.signer_of(proof)}."
        remedy = "Ask it to register its key here; its word alone proves nothing."
        raise refuse("proof", cause, remedy, cite="2100.041", code="signer_not_here")
    judge_proof(proof, signed_by(pinned, today()))
    about = f"{counted(len(years), 'farm')} of {proof.sample['year']}"
    return add_entry(audit, EntryKind.PROOF, write(proof, whole=True), actor=actor, about=about)


def freeze_farms(audit: Audit, *, actor: Actor) -> AuditEntry:
    """Freeze the farms behind the audited party's incoming lots, with what the seed will be made of.

    A side that made no commitment of its own has one made here, whose secret nobody is shown before the draw. The farms
    are frozen anew only when farms, earlier audits or commitments changed, and not once the party opened its part: each
    freezing draws otherwise. The frozen list counts them.

    Raises:
        ProblemsError: the sample is drawn, the party opened its part, or no farm delivered.
    """
    if audits.last(audit, EntryKind.SEED):
        raise refuse("farms", "The sample is drawn: these farms stay.", _ONE_DRAW, cite="2100.040(a)(3)")
    standing = audits.last(audit, EntryKind.POPULATION)
    _not_opened(audit, standing)
    population, proofs = audits.population_from_lots(audit), audits.proofs_for(audit)
    before = years_shown(proofs, audit.audited.handle, audit.harvest_year, today())
    earlier = audits.lists_before(audit)
    marks = tuple(drawing.Frozen.read(one["frozen"]).sha256 for one in earlier)
    own = {
        drawing.Side(said["side"]): said["commitment"]
        for said in (entry.said for entry in audits.entries(audit, EntryKind.COMMITMENT))
    }
    if standing is not None and _still(
        drawing.Frozen.read(standing.said["list"]["frozen"]), population, before, own, marks
    ):
        return standing
    kept = {side: secrets.token_hex(32) for side in drawing.Side if side not in own}
    made = {**own, **{side: drawing.commitment(secret) for side, secret in kept.items()}}
    frozen = drawing.freeze_list(
        population, audit.harvest_year, before, made,
        between=(audit.audited.handle, audit.verifier.handle), day=today(), salt=secrets.token_hex(32),
        number=len(audits.entries(audit, EntryKind.POPULATION)) + 1, earlier=marks, by_server=tuple(kept),
    )  # fmt: skip
    said = sampled.SampleRequest(population, frozen, proofs=proofs).document() | {"earlier": earlier}
    rows = {
        "sha256": population.sha256,
        "source": "incoming lots",
        "list": said,
        audits.KEPT: {str(side): secret for side, secret in kept.items()},
    }
    about = f"{counted(len(population.farms), 'farm')}, freezing {frozen.sha256[:12]}"
    return add_entry(audit, EntryKind.POPULATION, rows, actor=actor, about=about)


def _still(
    frozen: drawing.Frozen, population: Population, before: Mapping[str, tuple[int, ...]],
    own: Mapping[drawing.Side, str], marks: tuple[str, ...],
) -> bool:  # fmt: skip
    """Tell whether what was frozen last is what would be frozen now."""
    theirs = {side: mark for side, mark in frozen.commitments.items() if side not in frozen.by_server}
    said = (frozen.population_hash, frozen.history_hash, theirs, (*frozen.earlier, frozen.sha256))
    return said == (population.sha256, drawing.history_hash(before), own, marks)


def _not_opened(audit: Audit, frozen: AuditEntry | None) -> None:
    """Refuse what would change the draw once the party opened its part: the verifier could know the sample by now.

    Raises:
        ProblemsError: the part is open.
    """
    if frozen is not None and audits.opened_by_party(audit, frozen.said["list"]["frozen"]):
        cause = f"{audit.audited} has opened its part of the seed: what is drawn from these farms stands."
        raise refuse("seed", cause, "Draw the sample.", cite="2100.040(a)(3)", code="party_opened")


def _frozen_of(audit: Audit) -> dict[str, Any]:
    """Return what was frozen last.

    Raises:
        ProblemsError: nothing is frozen so that a seed can be opened over it, the sample is drawn, or a list frozen
            later for this point and year has taken its place.
    """
    entry = audits.last(audit, EntryKind.POPULATION)
    if entry is None or audits.last(audit, EntryKind.SEED):
        cause = "A seed is opened once, after the farms are frozen."
        raise refuse("seed", cause, f"Freeze the farms. {_ONE_DRAW}", cite="2100.040(a)(3)")
    own = entry.said["list"]["frozen"]
    # Another verifier's audit stands beside this one: its lists are told, and stop nobody.
    lists = (one["frozen"] for one in audits.lists_before(audit))
    if [one for one in lists if one["verifier"] == own["verifier"]][-1] != own:
        cause = "The farms were frozen anew in another audit of this party and year."
        raise refuse("seed", cause, "Draw there.", cite="2100.040(a)(3)", code="list_replaced")
    return entry.said


def open_part(audit: Audit, secret: str, *, actor: Actor) -> AuditEntry:
    """Open the audited party's own part of the seed.

    Raises:
        ProblemsError: as ``_frozen_of``; the secret does not open its commitment, the part is open, or its time is
            over: by then the verifier's alone draws, and whoever opened later would choose between two draws.
    """
    frozen = drawing.Frozen.read(_frozen_of(audit)["list"]["frozen"])
    drawing.check_opening(frozen, drawing.Side.AUDITED, secret.strip())
    if not may_open(audit):
        cause = f"This part of the seed is open already, or its time ended on {frozen.open_until}."
        raise refuse("seed", cause, "Nothing to do.", cite="2100.040(a)(3)", code="opened_late")
    said = {"side": str(drawing.Side.AUDITED), "secret": secret.strip()}
    return add_entry(audit, EntryKind.OPENING, said, actor=actor)


def commit_seed(audit: Audit, said: SeedOpened, *, actor: Actor) -> AuditEntry:
    """Open the seed, once, and draw the sample.

    Raises:
        ProblemsError: as ``_frozen_of``; a secret does not open its commitment; the party has not opened its part; the
            size cannot be.
    """
    data = _frozen_of(audit)
    parts = {drawing.Side(side): text for side, text in data[audits.KEPT].items()}
    if said.seed or drawing.Side.VERIFIER not in parts:
        parts[drawing.Side.VERIFIER] = said.seed
    if theirs := audits.opened_by_party(audit, data["list"]["frozen"]):
        parts[drawing.Side.AUDITED] = theirs
    if drawing.Side.AUDITED not in parts and not said.without_party:
        until = drawing.Frozen.read(data["list"]["frozen"]).open_until
        cause = f"{audit.audited} has not opened its part of the seed."
        remedy = f"Wait for it; from {until} on draw without it: that is recorded as its refusal."
        raise refuse("seed", cause, remedy, cite="2100.040(a)(3)", code="party_not_opened")
    opened = {"opened": write(drawing.Opened(parts, on=today()), whole=True), "size_asked": said.size}
    drawn = sampled.draw_sample(sampled.read_request(data["list"] | opened))
    entry = {"seed": drawn.seed, "drawn": opened, "sha256": data["sha256"]}
    about = f"{counted(len(drawn.farm_ids), 'farm')}, seed {drawn.seed[:12]}"
    return add_entry(audit, EntryKind.SEED, entry, actor=actor, about=about)


def borrow_audit(audit: Audit, borrowed: Borrowed, *, actor: Actor) -> AuditEntry:
    """Let a completed audit of the same year stand for a drawn farm's, wholly or in part (2100.040(b)(2)).

    Raises:
        ProblemsError: nothing is drawn, the farm is not in the sample, or the decision cannot stand.
    """
    said = asdict(borrowed)
    farm_id = said.pop("farm")
    made = sampled.Treatment(farm_id, **said, year=audit.harvest_year, decided_by=str(actor.person), decided_on=today())
    audits.sample_of(audit, treatment=made)
    return add_entry(audit, EntryKind.TREATMENT, write(made, whole=True), actor=actor, about=farm_id)


def fail_farm(audit: Audit, failed: Failed, *, actor: Actor) -> AuditEntry:
    """Extend the sample after a drawn farm failed (interpretation 56).

    Raises:
        ProblemsError: nothing is drawn, the farm is not in the sample or failed before, or the decision has gaps.
    """
    made = sampled.Failure(failed.farm, failed.reason, str(actor.person), today(), failed.more)
    audits.sample_of(audit, failure=made)
    return add_entry(audit, EntryKind.FAILURE, write(made, whole=True), actor=actor, about=failed.farm)
