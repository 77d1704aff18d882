"""Drawing the boundary of a management unit by its corners: it goes the way of every file that is handed in."""

import json
from collections.abc import Sequence
from typing import Final

from provender.database.actor import Actor
from provender.database.models import BookImport
from provender.services.farm.book import FarmBook
from provender.services.farm.uploads import store_upload
from provender.services.imports.steps import begin

FEWEST_CORNERS: Final = 3
MOST_CORNERS: Final = 2000
DIGITS: Final = 7
"""Of a degree: about a centimetre."""

Corner = tuple[float, float]
"""Longitude and latitude in degrees."""


def draw_boundary(farm: FarmBook, unit_id: str, corners: Sequence[Corner], *, actor: Actor) -> BookImport:
    """Draw or replace the boundary of a unit: it goes the way of every file that is handed in.

    Args:
        farm: the version of the book.
        unit_id: a unit of the book, or the name of a new one.
        corners: in order around the field, ``FEWEST_CORNERS`` to ``MOST_CORNERS``; closed or not.
        actor: who draws.
    """
    ring = [[round(longitude, DIGITS), round(latitude, DIGITS)] for longitude, latitude in corners]
    closed = ring if ring[0] == ring[-1] else [*ring, ring[0]]
    feature = {
        "type": "Feature",
        "properties": {"unit_id": unit_id},
        "geometry": {"type": "Polygon", "coordinates": [closed]},
    }
    content = json.dumps(feature).encode()
    upload = store_upload(farm.book.organisation, f"{unit_id} drawn.geojson", content, actor=actor)
    return begin(farm.book, [upload], actor=actor, said={"replace": True})
