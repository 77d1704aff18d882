"""Names on scale tickets: whether a ticket stands behind the claims of the one it names (2100.031(b))."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from provender.custody.model.amounts import FORMS
from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import Direction, GrainEntry, grain_group
from provender.custody.model.store_view import StoreView

COMMON: Final = frozenset({
    "a", "and", "bros", "brothers", "co", "company", "corp", "corporation", "estate", "family", "farm", "farming",
    "farms", "grain", "inc", "land", "llc", "llp", "lp", "ltd", "of", "partners", "partnership", "ranch", "sons", "the",
    "trust",
})  # fmt: skip
"""Words that half of all farms have in their names: they make nobody alike."""


_FIELD: Final = re.compile(r" ?\(field [^()]*\)")


def name_with_field(owner: str, field: str) -> str:
    """Return whose grain a ticket says it is, with the field that it names."""
    said = " ".join(field.translate({ord("("): "[", ord(")"): "]"}).split())
    return f"{owner} (field {said})".strip() if said else owner


def owners_on(name: str) -> str:
    """Return the name on a ticket without the fields that stand beside it: a field is nobody."""
    return _FIELD.sub("", name).strip(", ")


def plain_name(name: str) -> str:
    """Return a name for comparing: case, accents, signs and runs of blanks do not count."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    return " ".join("".join(one if one.isalnum() else " " for one in folded if not unicodedata.combining(one)).split())


def alike(printed: str, name: str) -> bool:
    """Tell whether two names may mean the same: a word in common that not every farm has.

    Names that have only such common words must be equal.
    """
    one, other = set(plain_name(printed).split()), set(plain_name(name).split())
    if one <= COMMON or other <= COMMON:
        return one == other
    return bool((one & other) - COMMON)


def may_be_of(one: GrainEntry, parties: Sequence[Entity]) -> bool:
    """Tell whether a ticket may be of grain of one of these parties, by the name on it; without a name it may."""
    owners = owners_on(one.name)
    return not owners or any(alike(owners, known) for party in parties for known in (party.name, party.id))


def differing_names(facts: StoreView, entity: Entity) -> Iterator[tuple[GrainEntry, Entity]]:
    """Yield tickets that stand behind a claim of somebody they do not name, with that party.

    A ticket split over several owners names them all; one of them is enough. A ticket without a name tells nothing.
    One out may be in the name of the house, whose grain it was, or of the buyer.
    """
    for site in entity.sites:
        for form in FORMS:
            for one in facts.many(GrainEntry, grain_group(entity.id, site, form)):
                if one.claim and one.name and not one.void and one.direction is not Direction.MEASURED:
                    came = one.direction is Direction.IN
                    other = _hand(facts, one.claim, "giver" if came else "taker")
                    if other and not may_be_of(one, [other] if came else [other, entity]):
                        yield one, other


def _hand(facts: StoreView, movement: str, name: str) -> Entity | None:
    posted = facts.posted(movement)
    return facts.one(Entity, getattr(posted.request, name, "")) if posted else None
