"""What stands beside a listed name where one is picked, and by which other words it is found.

The name that is recorded stays the list's own. Spanish names are common ones and ours (``data/spanish_names.csv``):
whoever types one finds the name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from provender.catalog.fertilizers import find_product
from provender.catalog.names import in_full, lookup_name
from provender.catalog.operations import find_operation, stir_pictured
from provender.catalog.tables import rows
from provender.catalog.words import About, everyday_names, listed_names, meaning
from provender.quantity import show


@dataclass(frozen=True, slots=True)
class Pick:
    """A name to pick.

    Attributes:
        beside: what is said beside it, with the name itself, since some browsers show this alone; empty for nothing.
        words: by which it is found too.
        own: whether only the book has it and no list.
        also: common names that are recorded as this one, with a stroke between them.
        far: how far it is from what whoever picks is after; nearer ones are offered first.
    """

    beside: str = ""
    words: str = ""
    own: bool = False
    also: str = ""
    far: int = 0


@cache
def picks(about: About) -> Mapping[str, Pick]:
    """Return every name of a list as it is picked."""
    return {name: _pick(about, name) for name in listed_names(about)}


def with_facts(about: About, name: str) -> str:
    """Return a listed name with what tells it from those beside it: a product's grade; else the name as it is."""
    product = find_product(name) if about is About.PRODUCT else None
    return name if product is None else f"{name} ({_grade(name)})"


def spanish_names(about: About, name: str) -> tuple[str, ...]:
    """Return the common Spanish names of a listed name, the usual one first; none where the list has none."""
    folded = lookup_name(name)
    if about is not About.OPERATION:
        return _spanish(about).get(folded, ())
    heads = (head for head in _spanish(about) if folded.startswith(head))
    return _spanish(about).get(max(heads, key=len, default=""), ())


@cache
def _spanish(about: About) -> Mapping[str, tuple[str, ...]]:
    return {
        lookup_name(row["listed"]): tuple(row["spanish"].split("|"))
        for row in rows("spanish_names.csv")
        if row["about"] == about
    }


def _pick(about: About, name: str) -> Pick:
    facts = []
    if about is About.OPERATION and (listed := find_operation(name)):
        facts.append(stir_pictured(listed))
    if about is About.PRODUCT:
        facts.append(_grade(name))
    full = "" if in_full(name) == lookup_name(name) else in_full(name)
    said = " ".join(part for part in (full, *spanish_names(about, name)) if part)
    return Pick(f"{name}: {', '.join(facts)}" if facts else "", said, also="|".join(_also(about).get(name, ())))


@cache
def _also(about: About) -> Mapping[str, tuple[str, ...]]:
    """Return the common names of each species that mean it alone; other names are asked about."""
    found: dict[str, tuple[str, ...]] = {}
    for said in everyday_names(about) if about is About.SPECIES else ():
        if name := meaning(about, said).one:
            found[name] = (*found.get(name, ()), said)
    return found


def _grade(name: str) -> str:
    """Return N, P2O5 and K2O of a product as its bag says them."""
    product = find_product(name)
    parts = (product.n_pct, product.p2o5_pct, product.k2o_pct) if product else ()
    return "-".join(show(part) for part in parts)
