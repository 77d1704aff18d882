"""Every number of the rule has a reader: a parameter that nothing asks for changes no result, whatever is written."""

import re
from pathlib import Path
from typing import Final

import provender
from provender.rule.parameters import parameters

_BY_CROP: Final = {"yield_max": 'f"{q.crop}_yield_max"', "moisture_pct": "basis_moisture_pct("}
"""How parameters are asked for whose names begin with a crop."""
_CROPS: Final = ("corn", "soybeans", "sorghum")


def test_every_parameter_has_a_reader_outside_the_table() -> None:
    root = Path(provender.__file__).parent
    table = {root / "rule" / "version.py", root / "rule" / "parameters.py"}
    words = "\n".join(path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.py")) if path not in table)
    unread = set()
    for name in parameters().by_name:
        crop, _, rest = name.partition("_")
        by_crop = _BY_CROP.get(rest, "") if crop in _CROPS else ""
        if not (by_crop in words if by_crop else re.search(rf"\b{name}\b", words)):
            unread.add(name)
    assert not unread
