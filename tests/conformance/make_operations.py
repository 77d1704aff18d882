"""Writes what the kit says of the field operations in its seasons: ``python -m tests.conformance.make_operations``."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from provender.catalog.tables import FieldOperation, find_operation
from provender.exact import STIR_SCALE, show

VERDICTS: Final = Path(__file__).parents[2] / "conformance" / "verdicts"
FILE: Final = VERDICTS / "operations.json"
AMOUNTS: Final = ("speed_mph", "speed_mph_min", "depth_in", "depth_in_min", "surface_pct")


def texts_of(part: Any) -> Iterator[str]:  # noqa: ANN401 - of JSON
    if isinstance(part, str):
        yield part
    elif isinstance(part, list | dict):
        for one in part.values() if isinstance(part, dict) else part:
            yield from texts_of(one)


def named_operations() -> dict[str, dict[str, Any]]:
    """Return by name what decides STIR and width of each listed operation that a season of the kit names."""
    files = [json.loads((VERDICTS / f"{name}.input.json").read_text("utf-8")) for name in ("thresholds", "seasons")]
    found = {one.name: one for text in texts_of(files) if (one := find_operation(text)) is not None}
    return {name: _plain(found[name]) for name in sorted(found)}


def _plain(one: FieldOperation) -> dict[str, Any]:
    amounts = {name: None if (value := getattr(one, name)) is None else show(value) for name in AMOUNTS}
    return {
        "group": one.op_group, "tillage_type": one.tillage_type,
        "type": None if one.type_hundredths is None else show(one.type_hundredths, 2), **amounts,
        "published_stir": show(one.published_stir, STIR_SCALE), "several_tools": one.several_tools,
        "deepest_gang_stir": None if one.gang_stir is None else show(one.gang_stir, STIR_SCALE),
        "full_width": one.full_width, "primary_inversion": one.primary_inversion,
        "drives_only": one.is_traffic, "by_hand": one.by_hand,
    }  # fmt: skip


def main() -> None:
    """Write the file, a line for each operation."""
    lines = [f"{json.dumps(name)}: {json.dumps(said)}" for name, said in named_operations().items()]
    FILE.write_text("{\n " + ",\n ".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
