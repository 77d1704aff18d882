"""Crops and cover-crop species by the names people use, and the nitrogen that legumes leave."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

import polars as pl

from provender.catalog.names import lookup_name
from provender.catalog.tables import rows
from provender.exact import parse

BUSHEL_LB: Final[Mapping[str, int]] = MappingProxyType({"corn": 56_000, "soybeans": 60_000, "sorghum": 56_000})
"""Pounds in a bushel, thousandths: the trade's weights, which USDA's grain standards and FSA use."""


class CropUse(NamedTuple):
    """A crop and its use by the names of the ``harvest`` records."""

    crop: str
    use: str

    @property
    def is_grain(self) -> bool:
        """Whether it is cut as grain: what is called by its use, as forage sorghum is, is none without a word more."""
        return self.use == "grain"


_CROPS: Final[Mapping[str, CropUse]] = MappingProxyType(
    {
        "corn": CropUse("corn", "grain"),
        "field corn": CropUse("corn", "grain"),
        "yellow corn": CropUse("corn", "grain"),
        "white corn": CropUse("corn", "grain"),
        "seed corn": CropUse("seed_corn", "seed"),
        "popcorn": CropUse("popcorn", "other"),
        "pop corn": CropUse("popcorn", "other"),
        "sweet corn": CropUse("sweet_corn", "other"),
        "soybean": CropUse("soybeans", "grain"),
        "soybeans": CropUse("soybeans", "grain"),
        "sorghum": CropUse("sorghum", "grain"),
        "grain sorghum": CropUse("sorghum", "grain"),
        "milo": CropUse("sorghum", "grain"),
        "forage sorghum": CropUse("sorghum", "forage"),
        "sorghum forage": CropUse("sorghum", "forage"),
    }
)
_USES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "grain": "grain",
        "dry grain": "grain",
        "silage": "silage",
        "high moisture": "high_moisture",
        "high-moisture": "high_moisture",
        "high moisture grain": "high_moisture",
        "hmc": "high_moisture",
        "earlage": "high_moisture",
        "seed": "seed",
        "forage": "forage",
        "hay": "forage",
        "grazing": "forage",
        "processed": "other",
        "fresh": "other",
    }
)


def crop_use(crop: str, use: str = "") -> CropUse | None:
    """Return crop and use of our records for names of an acreage report; None where a name is not known.

    Corn for seed is seed corn, which is another crop (interpretation 26); so are popcorn and sweet corn.
    """
    found = _CROPS.get(lookup_name(crop))
    if found is None or not use.strip():
        return found
    named = _USES.get(lookup_name(use))
    if named is None:
        return None
    if found.crop == "corn" and named == "seed":
        return CropUse("seed_corn", "seed")
    return CropUse(found.crop, named)


_AT_THE_FARM: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("yc", "#2 yc", "2yc", "#2 yellow corn", "ycorn"), "corn"),
        **dict.fromkeys(
            ("beans", "bean", "soy", "soys", "sb", "ysb", "yellow soybeans", "#1 ysb", "soya beans"), "soybeans"
        ),
        "sorgh": "sorghum",
    }
)
"""What farms and elevators call a crop. They are not read on an acreage report, where beans are dry beans."""


def farm_crop(crop: str) -> CropUse | None:
    """Return crop and use for the name by which a farm or its elevator calls a crop."""
    return crop_use(crop) or crop_use(_AT_THE_FARM.get(lookup_name(crop), ""))


# Cover-crop species: legume or not, winter kill, usual rates. Sources stand in the rows of the table.


@dataclass(frozen=True, slots=True)
class Species:
    """One species."""

    species_key: str  # folded name; ``Rye, Cereal`` is found as ``cereal rye`` too
    name: str  # as listed
    legume: bool  # whether it fixes nitrogen (family Fabaceae)
    winter_kill: str  # the list's word: yes_north, yes_first_frost, marginal, no; empty where unknown
    drilled_lb_per_ac: tuple[int, int] | None  # (least, most) in thousandths, or None
    broadcast_lb_per_ac: tuple[int, int] | None  # (least, most) in thousandths, or None
    source: str  # of the rates


@cache
def species() -> Mapping[str, Species]:
    """Return every species by folded name, also with the parts of ``Rye, Cereal`` turned round."""
    found: dict[str, Species] = {}
    for row in rows("cover_crop_species.csv"):
        one = _species(row)
        found[one.species_key] = one
        head, comma, tail = row["species"].partition(",")
        if comma:
            found.setdefault(lookup_name(f"{tail} {head}"), one)
    return found


def find_species(name: str) -> Species | None:
    """Return a species by name, without regard to case."""
    return species().get(lookup_name(name))


@cache
def species_frame() -> pl.DataFrame:
    """Return one row per name: ``species_key``, ``legume``."""
    found = species()
    return pl.DataFrame({"species_key": list(found), "legume": [one.legume for one in found.values()]})


def _species(row: Mapping[str, str]) -> Species:
    def span(kind: str) -> tuple[int, int] | None:
        least, most = row[f"{kind}_lb_ac_min"], row[f"{kind}_lb_ac_max"]
        return (parse(least), parse(most)) if least and most else None

    return Species(
        lookup_name(row["species"]), row["species"], row["legume"] == "Y", row["winter_kill_midwest"],
        span("drilled"), span("broadcast"), row["rate_source"],
    )  # fmt: skip


# Nitrogen that a legume leaves to the next crop, by source. The rule holds no national table (2100.052(a)(2)).


@cache
def published_credits() -> str:
    """Return the figures that were checked at their source, in one line: a help to whoever fills in a budget."""
    legumes = [row for row in rows("legume_n_credits.csv") if "not a legume" not in row["conditions"]]
    figures = (
        f"{row['legume_or_previous_crop'].removesuffix(' cover crop')} {row['n_credit_lb_ac']}"
        for row in legumes
        if row["status"] == "checked"
    )
    return f"Published figures: {'; '.join(figures)}. The guide of your State goes before them."
