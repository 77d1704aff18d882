"""The farms an audit sample is drawn from: distinct farms, frozen and hashed before anyone knows the seed.

A farm supplies one or several crops to the first point of aggregation; each is one ``FarmCrop`` row with what
2100.040(a)(3)(i) asks for: place, kind and amount of crop, CI. Two crops are two rows and one farm: what is counted,
drawn and visited is the farm, never the row and never the field.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import isqrt
from typing import Any, Final

from provender.quantity import CI_SCALE, show
from provender.rule.crops import Crop
from provender.signing.hashes import document_hash

CROPS: Final = tuple(str(crop) for crop in Crop)


@dataclass(frozen=True, slots=True, order=True)
class FarmCrop:
    """One crop that one farm supplied to this first point of aggregation.

    Attributes:
        farm_id: the farm, as the first point's books name it.
        crop: ``corn``, ``soybeans`` or ``sorghum``.
        county_fips: five digits, state first.
        bushels: whole thousandths of a bushel supplied to this first point, above zero.
        ci_g_per_bu: whole hundredths of g CO2e/bu.
        acres: whole thousandths of an acre, above zero.
        first_year: the farm supplies reduced-CI crop for the first time; None when nobody said.
        earlier_findings: findings of earlier audits that concern the farm; None when nobody said.
        late_evidence_pct: share of credited bushels that rests on facts typed after harvest, whole thousandths of a
            percent (interpretation 57); None when nobody said.
    """

    farm_id: str
    crop: str
    county_fips: str
    bushels: int
    ci_g_per_bu: int
    acres: int
    first_year: bool | None = None
    earlier_findings: int | None = None
    late_evidence_pct: int | None = None

    def __post_init__(self) -> None:
        if not self.farm_id.isprintable() or not self.farm_id.strip() or self.crop not in CROPS:
            raise ValueError(f"{self.farm_id!r}, {self.crop!r} is no farm with a crop of 2100.011")
        if min(self.bushels, self.acres) <= 0:
            raise ValueError(f"farm {self.farm_id}: bushels and acres are above zero")

    def document(self) -> dict[str, Any]:
        """Return the row as it is hashed: numbers as decimal text, facts that nobody stated left out."""
        facts = {
            "first_year": self.first_year,
            "earlier_findings": self.earlier_findings,
            "late_evidence_pct": None if self.late_evidence_pct is None else show(self.late_evidence_pct),
        }
        return {
            "farm_id": self.farm_id,
            "crop": self.crop,
            "county_fips": self.county_fips,
            "bushels": show(self.bushels),
            "ci_g_per_bu": show(self.ci_g_per_bu, CI_SCALE),
            "acres": show(self.acres),
        } | {name: value for name, value in facts.items() if value is not None}


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

    def suppliers(self, crop: str) -> frozenset[str]:
        """Return the farms that supplied a crop."""
        return frozenset(row.farm_id for row in self.rows if row.crop == crop)


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
