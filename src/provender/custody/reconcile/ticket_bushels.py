"""Bushels of the tickets that a grain book holds, by the numbers by which settlements name them."""

from collections import defaultdict

from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import Direction, GrainEntry, grain_group
from provender.custody.model.store_view import StoreView
from provender.rule import Crop


def net_of_book(facts: StoreView, entity: Entity) -> dict[str, int]:
    """Return the net bushels of every ticket in that an entity's grain book holds, by number; a void one has none.

    Settlements name a ticket by its number alone: tickets of several sites with one number count together.
    """
    net: dict[str, int] = defaultdict(int)
    for site in entity.sites:
        for crop in Crop:
            for one in facts.many(GrainEntry, grain_group(entity.id, site, str(crop))):
                if one.direction is Direction.IN:
                    net[one.number] += 0 if one.void else one.amount
    return dict(net)
