"""Cover-crop species: legume or not, winter kill, usual rates. Sources stand in the rows of the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import polars as pl

from provender.catalog.names import lookup_name
from provender.catalog.tables import rows
from provender.quantity import parse


@dataclass(frozen=True, slots=True)
class Species:
    """One species.

    Attributes:
        species_key: folded name; ``Rye, Cereal`` is found as ``cereal rye`` too.
        name: as listed.
        legume: whether it fixes nitrogen (family Fabaceae).
        winter_kill: the list's word: yes_north, yes_first_frost, marginal, no; empty where unknown.
        drilled_lb_per_ac, broadcast_lb_per_ac: (least, most) in thousandths, or None.
        source: of the rates.
    """

    species_key: str
    name: str
    legume: bool
    winter_kill: str
    drilled_lb_per_ac: tuple[int, int] | None
    broadcast_lb_per_ac: tuple[int, int] | None
    source: str


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
