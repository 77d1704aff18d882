"""Additives to nitrogen: which active ingredients are nitrification inhibitors, and under which names they are sold.

A urease inhibitor alone is none (interpretation 22). Whether a State accepts a product is not packaged: the user's
``inhibitor_acceptance`` records say so. An ingredient whose standing is not settled counts as unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import polars as pl

from provender.catalog.names import lookup_name
from provender.catalog.tables import number, rows


@dataclass(frozen=True, slots=True)
class Inhibitor:
    """One active ingredient, or a product that contains it.

    Attributes:
        inhibitor_key: folded name.
        name: as listed.
        ingredient: the folded active ingredient.
        counts: whether it is a nitrification inhibitor; None where that is not settled.
        least_oz_per_ac: thousandths of a fluid ounce per acre below which no label goes; None where not known.
    """

    inhibitor_key: str
    name: str
    ingredient: str
    counts: bool | None
    least_oz_per_ac: int | None = None


@cache
def inhibitors() -> Mapping[str, Inhibitor]:
    """Return ingredients and products by folded name."""
    found: dict[str, Inhibitor] = {}
    for row in rows("nitrification_inhibitors.csv"):
        ingredient = lookup_name(row["active_ingredient"])
        counts = _counts(row["counts_as_nitrification_inhibitor"])
        for name in (row["active_ingredient"], *row["synonyms"].split(";")):
            if name.strip():
                found[lookup_name(name)] = Inhibitor(lookup_name(name), name.strip(), ingredient, counts)
    for row in rows("inhibitor_products.csv"):
        of = found[lookup_name(row["active_ingredient"])]
        found[lookup_name(row["product"])] = Inhibitor(
            lookup_name(row["product"]),
            row["product"],
            of.ingredient,
            of.counts,
            number(row["least_oz_per_ac"]),
        )
    return found


@cache
def inhibitors_frame() -> pl.DataFrame:
    """Return one row per name: ``inhibitor_key``, ``ingredient``; ``counts``, ``least_oz_per_ac``: null if unknown."""
    found = inhibitors().values()
    return pl.DataFrame(
        {
            "inhibitor_key": [one.inhibitor_key for one in found],
            "ingredient": [one.ingredient for one in found],
            "counts": pl.Series([one.counts for one in found], dtype=pl.Boolean),
            "least_oz_per_ac": pl.Series([one.least_oz_per_ac for one in found], dtype=pl.Int64),
        }
    )


def _counts(text: str) -> bool | None:
    """Read the list's verdict: a plain Y, a Y through an ingredient, an N with its reason; all else is not settled."""
    if text == "Y" or text.startswith("Y (through"):
        return True
    return False if text.startswith("N") else None
