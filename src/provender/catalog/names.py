"""How names are compared: no case, single spaces. The same for one name and for a column."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

import polars as pl

NEAR: Final = 0.5
"""How alike two names must be to be suggested, from 0 to 1."""

IN_FULL: Final[Mapping[str, str]] = {
    "airseeder": "air seeder", "anhyd": "anhydrous", "applic": "application", "bskt": "basket", "chop": "chopper",
    "chpr": "chopper", "coil": "coiled", "corr": "corrugated", "coult": "coulter", "covercrop": "cover crop",
    "cult": "cultivator", "dbl": "double", "dble": "double", "dd": "double disk", "disc": "disk",
    "dist": "disturbance", "disturb": "disturbance", "disturbace": "disturbance", "dsk": "disk", "fert": "fertilizer",
    "fld": "field", "har": "harrow", "hvy": "heavy", "in": "inch", "inject": "injection", "liq": "liquid",
    "mgr": "manager", "mlch": "mulch", "op": "operation", "opnr": "opener", "opnrs": "openers", "pct": "percent",
    "placmnt": "placement", "plcmt": "placement", "press": "pressure", "pt": "point", "pts": "points",
    "res": "residue", "resdue": "residue", "reversable": "reversible", "rlng": "rolling", "rollng": "rolling",
    "rotry": "rotary", "rtry": "rotary", "shnk": "shank", "sngl": "single", "spac": "spacing", "spk": "spike",
    "st": "straight", "stlk": "stalk", "surf": "surface", "til": "till", "trdr": "treader", "twst": "twisted",
    "veg": "vegetable", "w": "with",
}  # fmt: skip
"""Words as USDA's list of operations shortens or misspells them, in full; some it also writes in full."""


JOINING: Final = frozenset(
    {"and", "or", "with", "w", "of", "the", "de", "del", "con", "y", "o", "el", "la", "los", "las"}
)
"""Words that may stand between the others or be left out, English and Spanish."""


def in_full(name: str) -> str:
    """Return a name with the words that the lists shorten in full, in lower case."""
    return re.sub(r"[a-z]+", lambda word: IN_FULL.get(word[0], word[0]), lookup_name(name))


def lookup_name(name: str) -> str:
    """Return a name for look-up: lower case, no outer spaces, single inner spaces."""
    return " ".join(name.split()).lower()


def folded(column: str | pl.Expr) -> pl.Expr:
    """Return a column of names for joins, spelled as ``lookup_name`` spells one; null stays null."""
    text = pl.col(column) if isinstance(column, str) else column
    return text.str.replace_all(r"\s+", " ").str.strip_chars().str.to_lowercase()


def nearest(name: str, known: Iterable[str], count: int = 3, cutoff: float = NEAR) -> tuple[str, ...]:
    """Return the folded names most like a name, best first; empty where nothing is near."""
    return tuple(get_close_matches(lookup_name(name), list(known), n=count, cutoff=cutoff))


def spellings(names: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the distinct names of a column and for each of its rows the number of its own; null for null."""
    distinct = names.drop_nulls().unique()
    return distinct, names.cast(pl.Enum(distinct)).to_physical()


def with_folded(rows: pl.DataFrame, column: str, name: str) -> pl.DataFrame:
    """Add a column of names, folded, under another name; each spelling is folded once, however many rows bear it."""
    distinct, which = spellings(rows[column])
    plain = distinct.to_frame(name).select(folded(name)).to_series()
    return rows.with_columns(plain.gather(which))
