"""A missing record in the words that a person sees, of its name in the columns of a portfolio."""

import re
from typing import Final

from provender.records.kind import KINDS, Kind

_NAME: Final = re.compile(r"[a-z]+(?:[_.][a-z]+)+")


def in_words(record: str) -> str:
    """Return a missing record by the headings that a person sees, such as ``Soil tests: Sampled on``."""
    first = record.split(" ", 1)[0].rstrip(",")
    kind = KINDS.get(first.partition(".")[0])
    if kind is None:  # a whole sentence, such as of rows that cannot be read
        return record
    words = _NAME.sub(lambda found: _heading(found[0], kind), record.removeprefix(first))
    return _heading(first, kind) + words


def _heading(name: str, kind: Kind) -> str:
    of, dot, column = name.rpartition(".")
    within = KINDS.get(of, kind)
    if name in KINDS:
        return KINDS[name].label
    label = within.fields[column].label if column in within.fields else column.replace("_", " ")
    return f"{within.label}: {label}" if dot else label
