"""The farms an audit sample is drawn from: distinct farms, frozen and hashed before anyone knows the seed.

A farm supplies one or several crops to the first point of aggregation; each is one ``FarmCrop`` row with what
2100.040(a)(3)(i) asks for: place, kind and amount of crop, CI. Two crops are two rows and one farm: what is counted,
drawn and visited is the farm, never the row and never the field.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from math import isqrt
from typing import Any, Final

from provender.audit.outcome import scaled
from provender.custody.model.lots import Origin, OriginKind
from provender.custody.model.store_view import CustodyStep, StoreView, root_of
from provender.exact import SCALE, Amount, Bushels, Ci
from provender.problem import Place, Problem
from provender.report.typ import TYPE
from provender.rule.crops import Crop
from provender.schema import write
from provender.signing.canonical import document_hash

CROPS: Final = tuple(str(crop) for crop in Crop)


@dataclass(frozen=True, slots=True, order=True)
class FarmCrop:
    """One crop that one farm supplied to this first point of aggregation."""

    farm_id: str  # the farm, as the first point's books name it
    crop: str  # ``corn``, ``soybeans`` or ``sorghum``
    county_fips: str  # five digits, state first
    bushels: Bushels  # supplied to this first point, above zero
    ci_g_per_bu: Ci
    acres: Amount  # above zero
    first_year: bool | None = None  # the farm supplies reduced-CI crop for the first time; None when nobody said
    earlier_findings: int | None = None  # findings of earlier audits that concern the farm; None when nobody said
    # share of credited bushels on facts typed after harvest, in percent (interpretation 57); None when nobody said
    late_evidence_pct: Amount | None = None

    def __post_init__(self) -> None:
        if not self.farm_id.isprintable() or not self.farm_id.strip() or self.crop not in CROPS:
            raise ValueError(f"{self.farm_id!r}, {self.crop!r} is no farm with a crop of 2100.011")
        if min(self.bushels, self.acres) <= 0:
            raise ValueError(f"farm {self.farm_id}: bushels and acres are above zero")

    def document(self) -> dict[str, Any]:
        """Return the row as it is hashed: numbers as decimal text, facts that nobody stated left out."""
        found: dict[str, Any] = write(self)
        return found


@dataclass(frozen=True, slots=True)
class Farm:
    """A distinct farm with all crops it supplied, in the order of their names."""

    farm_id: str
    crops: tuple[FarmCrop, ...]

    @property
    def acres(self) -> int:
        """Acres of all its crops, whole thousandths: its size."""
        return sum(row.acres for row in self.crops)

    @property
    def bushels(self) -> int:
        """Bushels of all its crops, whole thousandths."""
        return sum(row.bushels for row in self.crops)

    @property
    def county_fips(self) -> str:
        """The county of its largest delivery; a farm has one place (interpretation 32)."""
        return max(self.crops, key=lambda row: (row.bushels, row.crop)).county_fips

    @property
    def state_fips(self) -> str:
        """The first two digits of its county."""
        return self.county_fips[:2]


@dataclass(frozen=True)
class Population:
    """All rows, sorted, and the farms they make. Build it with ``freeze``."""

    rows: tuple[FarmCrop, ...]
    farms: tuple[Farm, ...] = field(repr=False)

    @cached_property
    def sha256(self) -> str:
        """Hash of the sorted rows as canonical JSON: the same for any order, spacing or trailing zero of the input."""
        return document_hash([row.document() for row in self.rows])


def freeze(rows: Iterable[FarmCrop]) -> Population:
    """Sort the rows and gather them into distinct farms.

    Raises:
        ValueError: the same farm and crop stands there twice; the amounts would count double.
    """
    ordered = tuple(sorted(rows, key=lambda row: (row.farm_id, row.crop)))
    by_farm: dict[str, list[FarmCrop]] = defaultdict(list)
    for row in ordered:
        if by_farm[row.farm_id] and by_farm[row.farm_id][-1].crop == row.crop:
            raise ValueError(f"farm {row.farm_id} has two rows for {row.crop}")
        by_farm[row.farm_id].append(row)
    return Population(ordered, tuple(Farm(farm_id, tuple(own)) for farm_id, own in by_farm.items()))


def minimum_farms(farms: int) -> int:
    """Return the smallest sample allowed, in farms; exact for any size, since the root is an integer root.

    No factor, discount, fixed floor or percentage of another scheme applies: the square root is the rule's floor.

    Raises:
        ValueError: the number of farms is negative.
    """
    root = isqrt(farms)
    return root + (root * root < farms)


# The list of supplying farms, from a first point's own book: who its incoming lots come from (2100.040(a)(3)(i)).
#
# A lot keeps the farm, crop and year whose serials it carries, so the list follows the grain, not the invoices: a share
# that a landowner sold counts for the farm that grew it (interpretation 50), a claim assigned after delivery for the
# farm of its report, and what the farm sold elsewhere does not count here (interpretation 52). Place, size and the
# share of late evidence stand in the farm's report.

CITE = "2100.040(a)(3)(i)"
FarmCropKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SupplyingFarm:
    """What one farm supplied of one crop."""

    bushels: int  # thousandths, over all harvest years
    ci: int  # hundredths of g CO2e/bu, of the harvest year with most of these bushels, in the report's last version
    harvest_year: int  # that year


def incoming_by_year(
    store: StoreView, entity: str, first: date | None = None, last: date | None = None
) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Return bushels and CI by farm, crop and year of what a first point took in from growers, by its purchases.

    Corrected purchases do not count. Nor does what whoever farms beside its trade sold it or sent back to it.

    Args:
        store: its book, replayed.
        entity: the first point.
        first: only movements from this day on; all without.
        last: only movements up to this day; all without.
    """
    sums: dict[tuple[str, str, int], tuple[int, int]] = {}
    for step in store.steps(entity):
        if step.after.owner != entity or not step.came or (first and step.day < first) or (last and step.day > last):
            continue
        origin = store.one(Origin, step.after.origin)
        if origin is None or origin.source is not OriginKind.REPORT or not _from_grower(store, step):
            continue
        key = (origin.issuer, origin.crop, origin.harvest_year)
        before, _ = sums.get(key, (0, 0))
        sums[key] = (before + step.after.crop_amount, origin.current.ci)
    return sums


def incoming_farms(
    store: StoreView, entity: str, first: date | None = None, last: date | None = None
) -> dict[FarmCropKey, SupplyingFarm]:
    """Return by farm and crop what a first point took in from growers; see ``incoming_by_year``."""
    sums = incoming_by_year(store, entity, first, last)
    found: dict[FarmCropKey, SupplyingFarm] = {}
    for (farm, crop, year), (bushels, ci) in sorted(sums.items(), key=lambda one: one[1][0]):
        earlier = found.get((farm, crop))
        found[farm, crop] = SupplyingFarm(bushels + (earlier.bushels if earlier else 0), ci, year)
    return found


_BUYS: Final = frozenset({"purchase", "assign", "share"})
"""How a grower's bushels come to another, in its own words: whoever sells them further does so by a sale."""


def _from_grower(facts: StoreView, step: CustodyStep) -> bool:
    """Tell whether a step is a purchase that stands, or one that was taken back and entered again."""
    posted = facts.posted(step.movement)
    if posted is None or posted.corrected_by or step.before is None or step.before.owner == step.after.owner:
        return False
    return root_of(facts, posted).request.type in _BUYS


def listed(
    found: Mapping[FarmCropKey, SupplyingFarm], reports: Iterable[Mapping[str, Any]], file: str
) -> tuple[list[FarmCrop], list[Problem]]:
    """Put place, size and evidence of the farms' reports beside what they supplied.

    Args:
        found: by farm and crop.
        reports: report documents, any versions in any order; of each farm, crop and year the last version counts.
        file: where problems are placed.

    Returns:
        The rows, sorted; a farm without a report, or whose report names no county or acres, is a problem and no row.
    """
    latest = {(farm, crop, year): one for farm, crop, year, one in _by_version(reports)}
    rows: list[FarmCrop] = []
    problems: list[Problem] = []
    for (farm, crop), one in sorted(found.items()):
        document = latest.get((farm, crop, one.harvest_year))
        acres = scaled(document.get("total_acres"), SCALE) if document else None
        county = str(document["farm"].get("county_fips") or "") if document else ""
        if document is None or not acres or not county:
            what = "its report is not here" if document is None else "its report names no county or no acres"
            cause = f"{farm} supplied {crop} of {one.harvest_year}, but {what}."
            remedy = "Give the report that the farm sent (--report)."
            problems.append(Problem(Place(file, column=farm), cause, remedy, CITE, code="report_missing"))
            continue
        rows.append(FarmCrop(farm, crop, county, one.bushels, one.ci, acres, late_evidence_pct=_late(document)))
    return rows, problems


def _by_version(reports: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, int, Mapping[str, Any]]]:
    ours = (one for one in reports if one.get("type") == TYPE)
    for one in sorted(ours, key=lambda each: int(each["edition"]["version"])):
        yield str(one["farm"]["farm_id"]), str(one["crop"]), int(one["harvest_year"]), one


def _late(document: Mapping[str, Any]) -> int | None:
    grades = document.get("evidence_grades") or ()
    return next((scaled(one["percent"], SCALE) for one in grades if one["grade"] == "typed_after_harvest"), None)
