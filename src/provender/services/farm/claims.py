"""What a farm claims: its ticks for each field and crop, beside what its calculator runs name."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from provender.database.actor import Actor
from provender.database.models import Change
from provender.practices.claims import ticked, written
from provender.practices.explain import Standing
from provender.records import KINDS
from provender.rule.crops import Practice
from provender.services.farm.book import Edit, FarmBook, change_book, texts_of
from provender.services.farm.growing import every_crop
from provender.services.refused import refusal

HARVEST = KINDS["harvest"]


@dataclass(frozen=True, slots=True)
class CropClaims:
    """The claims of one crop on one field.

    Attributes:
        harvest_id, unit_id, crop, harvest_year: which.
        growing: whether it is not harvested yet; ``harvest_year`` is None where nothing recorded says it.
        others: further entries of the same crop, such as the second part of its harvest; they may hold ticks, too.
        may: the practices that its crop may claim, each with how it stands.
        ticks: those ticked; None while nobody ticked.
        named: those that a calculator run names: they stay claimed until the run is corrected.
    """

    harvest_id: str
    unit_id: str
    crop: str
    harvest_year: int | None
    may: Mapping[Practice, Standing]
    ticks: frozenset[Practice] | None
    named: frozenset[Practice]
    others: tuple[str, ...] = ()
    growing: bool = False

    @property
    def offered(self) -> frozenset[Practice]:
        """Return what is ticked; before anybody has, what the runs name and the records show."""
        shown = frozenset(one for one, standing in self.may.items() if standing is Standing.MET)
        return self.named | (shown if self.ticks is None else self.ticks)

    @property
    def may_say_none(self) -> bool:
        """Return whether nothing is offered and nobody said yet that nothing is claimed."""
        return self.ticks is None and not self.offered


def claims_of(farm: FarmBook) -> list[CropClaims]:
    """Return the claims of every crop that has verdicts, and of those that are not harvested yet."""
    rows = farm.of(HARVEST)
    found = []
    for one in every_crop(farm):
        entries = one["harvest_ids"]
        said = [of for entry in entries if (of := ticked(str(rows.get(entry, {}).get("claims") or ""))) is not None]
        ticks = frozenset[Practice]().union(*said) if said else None
        may = {Practice(each["name"]): _as_offered(each) for each in one["practices"] if each["claimable"]}
        named = frozenset(Practice(each["name"]) for each in one["practices"] if each["named"] and each["claimable"])
        mine, others = one["harvest_id"], tuple(entry for entry in entries if entry != one["harvest_id"])
        crop, year = one["crop"], one["harvest_year"]
        found.append(CropClaims(mine, one["unit_id"], crop, year, may, ticks, named, others, "growing" in one))
    return found


def _as_offered(practice: Mapping[str, Any]) -> Standing:
    """Return how a practice stands to whoever is about to tick it: what cannot be met says so, whatever is claimed."""
    standing = Standing(practice["standing"])
    cannot = standing is Standing.NOT_CLAIMED and practice["implementation"] is False
    return Standing.RULED_OUT if cannot else standing


def tick_claims(
    farm: FarmBook,
    ticks: Mapping[str, Collection[Practice]],
    *,
    actor: Actor,
    after: int | None,
    nothing: Collection[str] = (),
) -> Change | None:
    """Write what a farm claims of each crop named, as one change; crops ticked as they were offered are left alone.

    Args:
        farm: the version of the book.
        ticks: practices by crop entry.
        actor: who ticks.
        after: the version that was seen.
        nothing: crop entries of which the farm says that they claim nothing, where nothing was offered to untick.

    Raises:
        RefusedError: no such crop, a practice that it may not claim, or somebody changed the book meanwhile.
    """
    known = {one.harvest_id: one for one in claims_of(farm)}
    edits = []
    for entry, chosen in ticks.items():
        one = known.get(entry)
        if one is None or not set(chosen) <= one.may.keys():
            cause = f"{entry[:80]} is no crop of this book that may claim this."
            raise refusal("no_such_claim", cause, "Load the page again.", cite="2100.012")
        wanted = one.named.union(chosen)
        if wanted == one.offered and not (one.may_say_none and entry in nothing):
            continue
        # What the crop claims stands once, so that a tick taken away is not kept by another part of its harvest.
        for mine, said in ((entry, written(wanted)), *((other, "") for other in one.others)):
            row = texts_of(HARVEST, farm.of(HARVEST)[mine])
            if row["claims"] != said:
                edits.append(Edit(HARVEST.name, mine, {**row, "claims": said}))
    if not edits:
        return None
    return change_book(farm.book, edits, reason="Practices claimed", actor=actor, after=after)
