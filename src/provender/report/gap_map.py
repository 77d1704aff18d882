"""The fields of a farm shaded by how many records they lack, as a picture and as a page with the list beside it."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from provender.paper.region_map import Region, region_map
from provender.practices.explain import IntervalVerdict
from provender.practices.to_do import in_words, to_do
from provender.problem import refuse

_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<style>body {{ font: 16px/1.4 sans-serif; margin: 1rem auto; max-width: 45rem; padding: 0 1rem }}
svg {{ height: auto; max-width: 100% }} td, th {{ padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }}
</style><h1>{title}</h1>{picture}<table><tr><th>Unit<th>Records that are missing</tr>{rows}</table></html>
"""


def lacking_by_unit(chosen: Sequence[IntervalVerdict]) -> dict[str, tuple[str, ...]]:
    """Return what each unit lacks in words, every missing record once; empty for a unit that lacks none."""
    found: dict[str, list[str]] = {one.unit_id: [] for one in chosen}
    for thing in to_do(chosen):
        for unit in thing.units:
            found[unit].append(in_words(thing.record))
    return {unit: tuple(dict.fromkeys(named)) for unit, named in found.items()}


def gap_map_svg(chosen: Sequence[IntervalVerdict], outlines: Mapping[str, str], *, farm: str = "") -> str:
    """Return a map of the units that have an outline, the darker the more records they lack, as SVG text.

    Args:
        chosen: verdicts of the crops that are looked at.
        outlines: GeoJSON by unit.
        farm: written into the title.

    Raises:
        ProblemsError: no unit has an outline.
    """
    lacking = lacking_by_unit(chosen)
    drawn = {unit: rings for unit in lacking if (rings := _rings(outlines.get(unit, "")))}
    if not drawn:
        raise refuse("--map", "No unit of the book has a boundary.", "Import the boundaries of the fields first.")
    regions = [
        Region(unit, rings, len(lacking[unit]), _counted(len(lacking[unit])), "; ".join(lacking[unit]))
        for unit, rings in drawn.items()
    ]
    without = sorted(lacking.keys() - drawn.keys())
    rest = f" Without a boundary, and so not drawn: {', '.join(without)}." if without else ""
    description = f"Each unit, the darker the more records it lacks.{rest}"
    return region_map(regions, title=_title(farm), description=description, beside=True)


def gap_map_page(chosen: Sequence[IntervalVerdict], outlines: Mapping[str, str], *, farm: str = "") -> str:
    """Return a page with the map and, unit by unit, what is missing; see ``gap_map_svg``."""
    rows = "".join(
        f"<tr><td>{escape(unit)}<td>{'<br>'.join(map(escape, named)) or 'nothing'}</tr>"
        for unit, named in lacking_by_unit(chosen).items()
    )
    picture = gap_map_svg(chosen, outlines, farm=farm)
    return _PAGE.format(title=escape(_title(farm)), picture=picture, rows=rows)


def _title(farm: str) -> str:
    return f"Records that are missing, by field{f', farm {farm}' if farm else ''}"


def _counted(number: int) -> str:
    return "nothing missing" if not number else f"{number} missing"


def _rings(text: str) -> list[list[tuple[float, float]]]:
    """Return the rings of the polygons in a GeoJSON text; points and lines enclose nothing and have none."""
    from shapely import from_geojson, get_parts

    if not text:
        return []
    # A collection holds polygons of several parts: taken apart twice, only single ones are left.
    parts = get_parts(get_parts(from_geojson(text)))
    areas = [part for part in parts if part.geom_type == "Polygon" and not part.is_empty]
    return [list(ring.coords) for part in areas for ring in (part.exterior, *part.interiors)]
