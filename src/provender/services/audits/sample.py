"""The farm sample of an audit: farms frozen, seed committed, decisions about drawn farms (2100.040(a)(3), (b)(2)).

Each deed draws the sample anew with what it adds, so that nothing is written that could not stand in the sample file.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from provender.audit.sampling.chances import table
from provender.audit.sampling.drawn_farms import Extent, Failure, Treatment
from provender.audit.sampling.population import Population, minimum_farms
from provender.audit.sampling.sample import SampleRequest, draw_sample
from provender.database.actor import Actor, today
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation
from provender.database.store.audits import (
    audited_before,
    last,
    open_to,
    population_from_lots,
    population_of,
    sample_of,
    with_decisions,
)
from provender.plain import field, view
from provender.problem import refuse
from provender.services.audits.audits import add_entry


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
    """Return the frozen farms."""
    farms = len(population.farms)
    least = minimum_farms(farms)
    rows = tuple(row.document() for row in population.rows)
    return PopulationView(
        rows=rows, sha256=population.sha256, farms=farms, minimum=least, detection=tuple(table(farms, least))
    )


def drawn_farm_views(audit: Audit) -> list[DrawnFarmView]:
    """Return the farms of the sample with stratum, risk and decision, and whether each lets the verifier in today.

    Raises:
        ProblemsError: nothing is drawn.
    """
    document = sample_of(audit)
    farms: list[str] = document["sample"]
    names, open_today = names_of(farms), open_to(audit.verifier, farms, today())
    risks = {row["farm_id"]: row for row in document["risk"]}
    decided = {row["farm_id"]: row for row in document["treatments"]}
    strata = {farm: row["name"] for row in document["strata"] for farm in [*row["sample"], *row["next_in_line"]]}
    return [
        DrawnFarmView(
            farm=farm, name=names.get(farm, farm), stratum=strata[farm], risk=risks[farm],
            decision=decided.get(farm), lets_in=farm in open_today,
        )
        for farm in farms
    ]  # fmt: skip


def names_of(farms: Iterable[str]) -> dict[str, str]:
    """Return the names of the farms that are organisations of this server, by code."""
    return dict(Organisation.objects.filter(handle__in=list(farms)).values_list("handle", "name"))


def freeze_farms(audit: Audit, *, actor: Actor) -> AuditEntry:
    """Freeze and hash the farms behind the audited party's incoming lots; until the seed they may be frozen anew.

    Raises:
        ProblemsError: the seed is committed, or no farm delivered.
    """
    if last(audit, EntryKind.SEED):
        raise refuse("farms", "The seed is committed: these farms stay.", "Open another audit.", cite="2100.040(a)(3)")
    frozen = population_from_lots(audit)
    rows = {"rows": [row.document() for row in frozen.rows], "sha256": frozen.sha256, "source": "incoming lots"}
    about = f"{len(frozen.farms)} farms, {frozen.sha256[:12]}"
    return add_entry(audit, EntryKind.POPULATION, rows, actor=actor, about=about)


def commit_seed(audit: Audit, seed: str, size: int | None, *, actor: Actor) -> AuditEntry:
    """Commit the seed, once, and draw the sample; ``size`` None draws the least the rule allows.

    Raises:
        ProblemsError: no farms are frozen, a seed is committed already, or seed or size cannot be.
    """
    population = population_of(audit)
    if population is None or last(audit, EntryKind.SEED):
        cause = "A seed is committed once, after the farms are frozen."
        raise refuse("seed", cause, "Open another audit for another draw.", cite="2100.040(a)(3)")
    seed, before = seed.strip(), audited_before(audit)
    drawn = draw_sample(SampleRequest(population, seed, before, size))
    said = {
        "seed": seed,
        "size": size,
        "sha256": population.sha256,
        "audited_before": {farm: list(years) for farm, years in before.items()},
    }
    about = f"{len(drawn.farm_ids)} farms, seed {seed}"
    return add_entry(audit, EntryKind.SEED, said, actor=actor, about=about)


@dataclass(frozen=True, slots=True)
class Borrowed:
    """A completed audit that is to stand for a drawn farm's.

    Attributes:
        extent: for all of it, or a part.
        borrowed_audit: where it is found: its statement's number or hash.
        verifier: who completed it.
        reason: why it is accepted.
        still_to_do: for a part, what is audited all the same.
    """

    extent: Extent
    borrowed_audit: str
    verifier: str
    reason: str
    still_to_do: str = ""


def borrow_audit(audit: Audit, farm_id: str, borrowed: Borrowed, *, actor: Actor) -> AuditEntry:
    """Let a completed audit of the same year stand for a drawn farm's, wholly or in part (2100.040(b)(2)).

    Raises:
        ProblemsError: nothing is drawn, the farm is not in the sample, or the decision cannot stand.
    """
    year, name = audit.harvest_year, str(actor.person)
    made = Treatment(farm_id, **asdict(borrowed), year=year, decided_by=name, decided_on=today())
    with_decisions(audit, treatment=made)
    return add_entry(audit, EntryKind.TREATMENT, made.document(), actor=actor, about=farm_id)


def fail_farm(audit: Audit, farm_id: str, reason: str, more: int | None, *, actor: Actor) -> AuditEntry:
    """Extend the sample after a drawn farm failed (interpretation 56).

    Args:
        audit: the audit.
        farm_id: a farm of the sample.
        reason: what failed.
        more: farms to add; None for as many as its stratum drew.
        actor: the person who decides.

    Raises:
        ProblemsError: nothing is drawn, the farm is not in the sample or failed before, or the decision has gaps.
    """
    made = Failure(farm_id, reason, str(actor.person), today(), more)
    with_decisions(audit, failure=made)
    return add_entry(audit, EntryKind.FAILURE, made.document(), actor=actor, about=farm_id)
