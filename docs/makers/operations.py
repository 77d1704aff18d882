"""The page of field operations: every operation with its values and the decided flags."""

from itertools import groupby

from provender.catalog.tables import TYPE_HUNDREDTHS, TYPE_LABELS, FieldOperation, operations
from provender.exact import STIR_SCALE, show

INTRO = """# Field operations

Every operation that `provender` knows by name: what the published list says of it, and what we decided about it.
Names match without regard to case; where several sources list a name, the first counts. `provender stir --list`
prints the same on a terminal.

**STIR** of one tool = 0.5 x speed (mph) x 3.25 x tillage type x depth (in) x share of the surface. It is kept in
whole ten-thousandths and rounded once per pass. *Several tools* means that the published value is a sum over tools
that the list does not show: that value counts, scaled by the recorded speed; depth and surface do not change it.

**Full width** answers whether a pass disturbs the full width of the ground, which no-till forbids at any depth (7
CFR 2100.051(b)(1)). It is our decision, operation by operation, with its reason; it is not a share of the surface,
because a grain drill touches more of it than many a harrow. **Inversion** marks primary inversion tools, which
reduced till forbids (2100.051(a)(2)): by tillage type and by name.

Operations whose source is *provender* only drive over the ground and carry the 0.15 that NRCS and ARS databases
store for sprayers and combines. For these names no stored value was found, so it is an assumption.

"""


def operations_page() -> str:
    """Return the page."""
    types = "\n".join(f"| {TYPE_LABELS[kind]} | {show(value, 2)} |" for kind, value in TYPE_HUNDREDTHS.items())
    parts = [INTRO, f"| tillage type | modifier |\n| --- | --- |\n{types}\n"]
    ordered = sorted(operations(), key=lambda one: (one.op_group, one.operation_key))
    for group, members in groupby(ordered, key=lambda one: one.op_group):
        parts.append(
            f"\n## {group.replace('_', ' ').capitalize()}\n\n" + "\n".join([*_HEAD, *map(_row, members)]) + "\n"
        )
    return "".join(parts)


_HEAD = (
    "| operation | type | mph | in | % | STIR | full width | inversion | why full width or not | source |",
    "| --- | --- | --: | --: | --: | --: | --- | --- | --- | --- |",
)


def _row(one: FieldOperation) -> str:
    several = one.several_tools
    kind = "several tools" if several else TYPE_LABELS[one.tillage_type] if one.tillage_type else ""
    amounts = (one.speed_mph, None if several else one.depth_in, None if several else one.surface_pct)
    cells = (
        " ".join(one.name.split()),
        kind,
        *("" if value is None else show(value) for value in amounts),
        show(one.published_stir, STIR_SCALE),
        "**yes**" if one.full_width else "no",
        "**yes**" if one.primary_inversion else "no",
        one.reason,
        one.source.partition(",")[0],
    )
    return "| " + " | ".join(cells) + " |"
