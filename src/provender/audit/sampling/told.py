"""A farm sample in words and tables: why it has as many farms as it has, and what chance each kind of farm had."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from provender.catalog.places import STATE_BY_FIPS, county_said
from provender.paper.tables import Cell, Table, heads, numeric
from provender.problem import counted

SIZE: Final = "2100.040(a)(3)(ii)"
CHOICE: Final = "2100.040(a)(3)(iii)"
CROP, THIRD, COUNTY, RISK, STATE = "crop", "size", "county", "risk", "state"
BUSHELS: Final = {"small": "fewest", "middle": "middle", "large": "most"}


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
    stays = "Stays in the sample: a list frozen before for this party and year drew it, or its seed stays closed"
    yield SamplePart(tuple(document["staying"]), stays, CHOICE)
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
    third = f"the third of farms with the {BUSHELS.get(value)} bushels"
    said = {COUNTY: county_said(value), RISK: f"{value} risk", STATE: STATE_BY_FIPS.get(value, value), THIRD: third}
    return said.get(kind, value)


def _on_top(trait: str, count: int) -> str:
    """Say why a farm joins those drawn by lot: nobody among them is of its crop, risk or place."""
    kind, what, share = trait.partition(" ")[0], on_top_said(trait), f"at least 1/{count} of all bushels"
    if kind == CROP:
        why = f"none of the {count} farms drawn by lot supplies it"
    elif kind == THIRD:
        why = "a sample of three farms or more has one of each third, and no other is of it"
    elif kind == RISK:
        why = f"farms with {share} have it, and none of the {count} drawn by lot does"
    else:
        why = f"{share} are from there, and none of the {count} farms drawn by lot is"
    return f"On top, for {what}: {why}. The first such farm in line joins them, and nobody gives up a place."


SHARE: Final = "share_of_weight"
MIRRORED: Final = {
    "crop": "Crop", "size": "Size", "risk": "Risk", "state": "State", "county": "County", "last_audit": "Last audit",
}  # fmt: skip


def chance_tables(document: Mapping[str, Any]) -> dict[str, Table]:
    """Return what chances the farms of a sample file had, and what it can find."""
    return {"strata": _strata(document), "chances": _chances(document["detection"]), "mirror": _mirror(document)}


def size_table(document: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    """Return how the number of farms comes about: parts that add up to it, each with its paragraph."""
    rows = []
    for at, part in enumerate(sample_parts(document)):
        note = ", ".join(names.get(farm, farm) for farm in part.farms) if at else ""
        rows.append([Cell(str(len(part.farms))), Cell(part.why, note=note), Cell(f"7 CFR {part.cite}")])
    total = [Cell(str(len(document["sample"]))), Cell("In the sample"), Cell("")]
    columns = heads(numeric("Farms"), "Why", "Paragraph")
    caption = f"Why {counted(len(document['sample']), 'farm')}"
    return Table("number of farms", columns, [*rows, total], caption=caption, totals=1)


def _strata(document: Mapping[str, Any]) -> Table:
    share = numeric("Share of all weight (bushels, raised by risk, lowered after an audit)")
    columns = heads("Stratum", numeric("Farms"), numeric("Drawn by lot"), share)
    rows = [
        [Cell(one["name"]), Cell(str(one["farms"])), Cell(str(len(one["sample"]))), Cell(one["chance"][SHARE])]
        for one in document["strata"]
    ]
    return Table("strata", columns, rows, caption="Strata")


def _mirror(document: Mapping[str, Any]) -> Table:
    """Return how far the sample mirrors the farms, and what chance each kind of them had."""
    columns = heads("Farms by", "Which", numeric("Farms"), numeric("In the sample"), numeric("Mean chance"))
    rows = [
        [Cell(label), Cell(on_top_said(f"{kind} {value}"), saved=value),
         *(Cell(str(one[name])) for name in ("farms", "sample", "chance"))]
        for kind, label in MIRRORED.items() for value, one in document["representation"][kind].items()
    ]  # fmt: skip
    caption = f"What chance each kind of farm had, counted over {document['trial_draws']} trial draws"
    return Table("chances of farms", columns, rows, caption=caption)


def _chances(lines: list[dict[str, Any]]) -> Table:
    found, missed = numeric("The sample finds one"), numeric("It misses all")
    columns = heads("Farms that do not conform", numeric("Share"), found, missed)
    names = ("non_conforming_farms", "share_pct", "chance_found", "chance_missed")
    rows = [[Cell(f"{one[name]} %" if name == "share_pct" else str(one[name])) for name in names] for one in lines]
    return Table("chances", columns, rows, caption="What the sample can find")
