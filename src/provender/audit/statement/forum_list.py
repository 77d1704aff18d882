"""The list of accreditation bodies in the forums that a verifier keeps: whose members may accredit (2100.041).

What a statement says of its accreditation body is the word of whoever wrote it. The forums publish their members; a
verifier keeps that list as CSV and holds statements against it. A body with two names has two rows.
"""

import csv
import io
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.audit.statement.accreditation import CITE, Forum, Membership
from provender.problem import Place, Problem, ProblemsError, refuse

COLUMNS: Final = ("forum", "body", "first", "last", "source")
_FORUMS: Final = {
    "iaf": Forum.IAF,
    "international accreditation forum": Forum.IAF,
    "global accreditation cooperation incorporated": Forum.SUCCESSOR,
    "global accreditation cooperation": Forum.SUCCESSOR,
}


@dataclass(frozen=True, slots=True)
class ForumList:
    """Places of bodies in forums, by the name of the body as ``plain_name`` spells it."""

    members: tuple[tuple[str, Membership], ...]

    def of(self, body: str) -> tuple[Membership, ...]:
        """Return every place that the list has of a body; none where it does not know it."""
        return tuple(place for name, place in self.members if name == plain_name(body))


def plain_name(text: str) -> str:
    """Return a name without what people write differently: case, spaces, full stops, commas."""
    return " ".join(text.replace(".", " ").replace(",", " ").split()).casefold()


def read_forums(raw: bytes, file: str) -> ForumList:
    """Read a list of forum members.

    Args:
        raw: CSV in UTF-8 with the columns ``forum``, ``body``, ``first``, ``last``, ``source``; ``last`` is empty while
            the membership lasts.
        file: what to call it in problems.

    Raises:
        ProblemsError: it is no such list, or a row cannot be read.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        rows = []
    if not rows or not set(COLUMNS) <= rows[0].keys():
        cause = "This is no list of the members of accreditation forums."
        raise refuse(
            file, cause, f"Write a CSV with the columns {', '.join(COLUMNS)}.", cite=CITE, code="no_forum_list"
        )
    members, problems = [], []
    for number, row in enumerate(rows, 2):
        cells = {name: (row[name] or "").strip() for name in COLUMNS}
        forum = _FORUMS.get(plain_name(cells["forum"]))
        try:
            last = date.fromisoformat(cells["last"]) if cells["last"] else None
            place = Membership(forum or Forum.IAF, date.fromisoformat(cells["first"]), last, cells["source"])
        except ValueError:
            forum = None
        if forum is None or not cells["body"]:
            cause = f"Row {number} names no forum and body with days."
            remedy = f"The forums are {' and '.join(Forum)}; days are written like 2026-01-31."
            problems.append(Problem(Place(file, row=number), cause, remedy, CITE, code="no_forum_list"))
        else:
            members.append((plain_name(cells["body"]), place))
    if problems:
        raise ProblemsError(problems)
    return ForumList(tuple(members))
