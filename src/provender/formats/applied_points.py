"""The reader of what machines log in points as applied.

It stands alone: a child process that reads another kind of file must not load the column engine of ``point_totals``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from provender.formats.boundaries import Boundaries
from provender.formats.detect import sniff
from provender.formats.isoxml.passes import MachineData
from provender.formats.parsed import Parsed, doubt, refused
from provender.formats.point_columns import LABELS, Layer
from provender.problem import Place, Problem, ProblemsError

if TYPE_CHECKING:
    from provender.formats.isoxml.passes import MachinePass


def read_applied(path: Path, name: str, *, outlines: Mapping[str, str] | None = None) -> Parsed[MachineData]:
    """Read as-applied points; by the GeoJSON outlines of units those without a field's name are told apart."""
    from provender.formats.point_totals import passes_of
    from provender.formats.points import read_layers

    try:
        layers = read_layers(path, name, sniff(path, name))
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    passes: list[MachinePass] = []
    problems: list[Problem] = []
    for layer in layers:
        problems += layer.problems
        if layer.layer is Layer.APPLIED:
            found, told = passes_of(layer, outlines or {})
            passes += found
            problems += told
        elif not layer.problems:
            what = LABELS.get(layer.layer, "points of an unknown kind")
            cause = f"the file holds {what}; nothing was taken from it."
            problems.append(doubt(layer.place, cause, "Export what was applied.", "other_points"))
    if not passes and not problems:
        return refused(Place(name), "no point says what was applied.", "Export the layer again.", "no_points")
    made = MachineData(Boundaries(()), tuple(passes), sum(each.points for each in passes)) if passes else None
    return Parsed(made, tuple(problems))
