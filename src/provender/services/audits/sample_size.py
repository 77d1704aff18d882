"""Why a sample has as many farms as it has: parts that add up, each with its reason and its paragraph."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from provender.catalog.places import STATE_BY_FIPS, county_said

SIZE: Final = "2100.040(a)(3)(ii)"
CHOICE: Final = "2100.040(a)(3)(iii)"
CROP, COUNTY, RISK, STATE = "crop", "county", "risk", "state"


class SamplePart(NamedTuple):
    """Some farms of a sample."""

    farms: tuple[str, ...]  # their codes
    why: str  # they are in it, in words
    cite: str  # the paragraph

    @property
    def brief(self) -> str:
        """Return why in a word, as each of its farms says it: what stands before the reasons."""
        return self.why.partition(":")[0]


def sample_parts(document: Mapping[str, Any]) -> list[SamplePart]:
    """Return the farms of a sample file in parts, none in two: by lot, on top, by judgment, after a failure."""
    found, seen = [], set[str]()
    for part in _parts(document):
        fresh = tuple(farm for farm in part.farms if farm not in seen)
        seen.update(fresh)
        if fresh:
            found.append(part._replace(farms=fresh))
    return found


def _parts(document: Mapping[str, Any]) -> Iterator[SamplePart]:
    strata = document["strata"]
    yield SamplePart(tuple(farm for one in strata for farm in one["sample"]), _by_lot(document), SIZE)
    count = sum(len(one["sample"]) for one in strata)
    for farm, trait in sorted(document["on_top"].items()):
        yield SamplePart((farm,), _on_top(trait, count), CHOICE)
    for farm, why in sorted(document["added"].items()):
        yield SamplePart((farm,), f"Added by the verifier's judgment: {why}", CHOICE)
    for one in document["extensions"]:
        decision = one["decision"]
        why = f"Joined after {decision['farm_id']} failed: {decision['reason']}"
        yield SamplePart(tuple(one["added"]), why, CHOICE)


def _by_lot(document: Mapping[str, Any]) -> str:
    """Say how many are drawn by lot, and how they fall on the strata."""
    strata, farms, least = document["strata"], document["farms"], document["minimum"]
    root = f"the square root of {farms} farms, rounded up, is {least}"
    asked = document["size_asked"]
    why = root if asked is None else f"the verifier asked for {asked}; {root}, and fewer may not be drawn"
    falls = ", ".join(f"{len(one['sample'])} in {one['name']}" for one in strata)
    return f"Drawn by lot: {why}. They are {falls}."


def on_top_said(trait: str) -> str:
    """Return for what a farm stands that was drawn on top: a crop, a place or a band of risk."""
    kind, _, value = trait.partition(" ")
    said = {COUNTY: county_said(value), RISK: f"{value} risk", STATE: STATE_BY_FIPS.get(value, value)}
    return said.get(kind, value)


def _on_top(trait: str, count: int) -> str:
    """Say why a farm joins those drawn by lot: nobody among them is of its crop, risk or place."""
    kind, what, share = trait.partition(" ")[0], on_top_said(trait), f"at least 1/{count} of all bushels"
    if kind == CROP:
        why = f"none of the {count} farms drawn by lot supplies it"
    elif kind == RISK:
        why = f"farms with {share} have it, and none of the {count} drawn by lot does"
    else:
        why = f"{share} are from there, and none of the {count} farms drawn by lot is"
    return f"On top, for {what}: {why}. The first such farm in line joins them, and nobody gives up a place."
