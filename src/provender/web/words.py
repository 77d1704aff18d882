"""What pages say otherwise than files, programs and signed papers: no name in it has an underscore.

A page says ``soybean oil`` where the book writes ``soybean_oil``, and names a column by its heading.
"""

import re
from collections.abc import Mapping
from typing import Final

from provender.custody.model.amounts import FORMS
from provender.problem import Problem
from provender.records import KINDS, Kind
from provender.records.field import ColumnKind, Field

_SPELLED: Final = {
    "favourable": "favorable",
    "lowest_ci_first": "lowest CI first",
    "highest_ci_first": "highest CI first",
}
_NAMES: Final = re.compile(rf"\b({'|'.join(name for name in FORMS if '_' in name)})\b")
_LABELLED: Final[Mapping[str, Kind]] = {kind.label: kind for kind in KINDS.values()}
_COLUMN: Final = re.compile(r"([^,]+)(.*, column )(\w+)")


def choice_said(name: str) -> str:
    """Write a choice as stored for people: ``soybean_oil`` becomes ``Soybean oil``.

    One was stored in British spelling before anybody looked; what is signed keeps it, and people read American.
    """
    plain = _SPELLED.get(name, name).replace("_", " ")
    return plain[:1].upper() + plain[1:]


def said_plainly(text: str) -> str:
    """Write a sentence of the book for people: names of forms in it lose their underscores."""
    return _NAMES.sub(lambda found: found[0].replace("_", " "), text) if "_" in text else text


def place_said(place: object) -> str:
    """Write a place in a farm's records with its column by its heading; a file's columns are called as in the file."""
    text = str(place)
    found = _COLUMN.fullmatch(text)
    column = _field(found[1], found[3]) if found else None
    return f"{found[1]}{found[2]}{column.label}" if found and column else text


def cause_said(problem: Problem) -> str:
    """Write what is wrong with a row: a choice that it quotes stands there in words."""
    column = _field(problem.place.file, problem.place.column)
    if column is None or column.kind is not ColumnKind.CHOICE:
        return problem.cause
    quoted = {f"'{option}'": f"'{option.replace('_', ' ')}'" for option in column.options}
    return next((problem.cause.replace(*pair, 1) for pair in quoted.items() if pair[0] in problem.cause), problem.cause)


def _field(label: str, column: str) -> Field | None:
    """Return a column of the kind of record that is called so."""
    kind = _LABELLED.get(label)
    return kind.fields.get(column) if kind else None
