"""Whether a verifier may verify on a day: accredited to ISO 14065 by a member of the Forum.

2100.041 asks for accreditation to ISO 14065 by a member of the International Accreditation Forum. The Forum ended with
2025; its roles passed on 1 January 2026 to Global Accreditation Cooperation Incorporated, whose members count from
then on (interpretation 54). Through 2026 marks of the Forum's arrangement stay recognised, so a body that was its
member at the end of 2025 and whose place in the successor is not shown yet is to be confirmed, not refused.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from provender.audit.outcome import known_in
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.schema import read, write

CITE: Final = "2100.041"
STANDARD: Final = "ISO 14065"


class Forum(StrEnum):
    """Whose members may accredit."""

    IAF = "IAF"
    """International Accreditation Forum, to the end of 2025."""
    SUCCESSOR = "Global Accreditation Cooperation Incorporated"
    """From 1 January 2026."""


FORUM_ENDS: Final = date(2025, 12, 31)
SUCCESSOR_STARTS: Final = date(2026, 1, 1)
TRANSITION_ENDS: Final = date(2026, 12, 31)


@dataclass(frozen=True, slots=True)
class Membership:
    """The accreditation body's place in a forum."""

    forum: Forum  # which
    first: date  # the first day
    last: date | None  # the last day, None while it lasts
    source: str  # where somebody looked it up, and when

    def holds(self, day: date) -> bool:
        """Tell whether it counts on a day; each forum only in its own time."""
        in_time = day <= FORUM_ENDS if self.forum is Forum.IAF else day >= SUCCESSOR_STARTS
        return in_time and self.first <= day and (self.last is None or day <= self.last)

    def carried_over(self, day: date) -> bool:
        """Tell whether a place held at the Forum's end still speaks for the body in the year after."""
        kept = self.forum is Forum.IAF and self.first <= FORUM_ENDS and (self.last is None or self.last >= FORUM_ENDS)
        return kept and SUCCESSOR_STARTS <= day <= TRANSITION_ENDS


@dataclass(frozen=True, slots=True)
class Accreditation:
    """What a verifier shows."""

    verifier: str  # its name
    standard: str  # such as ``ISO 14065:2020``
    body: str  # the accreditation body
    number: str  # the certificate's number
    first: date  # the first day
    last: date  # the last day
    suspended: tuple[tuple[date, date | None], ...]  # (first, last) days of suspensions; last None while it lasts
    memberships: tuple[Membership, ...]  # the body's places in forums
    scope: str = ""  # what it was accredited for, in the words of the certificate; empty where nobody said
    verifier_id: str = ""  # the id of the verifier that the certificate names; empty where nobody said

    def document(self) -> dict[str, Any]:
        """Return plain data; a scope that nobody said is left out."""
        found: dict[str, Any] = write(self)
        return found

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Accreditation":
        """Read what ``document`` wrote, or another verifier's words of this kind: more may be said.

        Raises:
            KeyError, TypeError, ValueError: it is no accreditation.
        """
        places = [known_in(Membership, one) for one in data["memberships"]]
        return read(cls, known_in(cls, data) | {"memberships": places})


def check_accreditation(shown: Accreditation, day: date) -> list[Problem]:
    """Return what stands against a verifier's accreditation on a day; nothing when it holds."""
    problems = []

    def tell(cause: str, remedy: str, code: str, weight: Weight = Weight.ERROR) -> None:
        problems.append(Problem(Place(f"accreditation of {shown.verifier}"), cause, remedy, CITE, weight, code))

    if shown.standard.split(":")[0].strip() != STANDARD:
        cause = f"The verifier is accredited to {shown.standard or 'nothing'}, not to {STANDARD}."
        tell(cause, "Show the certificate for the right standard.", "other_standard")
    if not shown.body.strip() or not shown.number.strip():
        tell("The accreditation body or the certificate's number is missing.", "State both.", "no_certificate")
    if not shown.first <= day <= shown.last:
        cause = f"The accreditation runs from {shown.first} to {shown.last}; {day} lies outside."
        tell(cause, "Show an accreditation that covers the day.", "not_accredited_on_day")
    if any(first <= day and (last is None or day <= last) for first, last in shown.suspended):
        tell(f"The accreditation was suspended on {day}.", "Ask the accreditation body.", "suspended_on_day")
    if any(one.holds(day) for one in shown.memberships):
        return problems
    if any(one.carried_over(day) for one in shown.memberships):
        cause = f"{shown.body} was a member of the IAF when it ended; its place in the successor is not shown."
        tell(cause, "Look it up in the successor's list and add it.", "membership_to_confirm", Weight.CONFIRM)
    else:
        forum = Forum.IAF if day <= FORUM_ENDS else Forum.SUCCESSOR
        cause = f"Nothing shows that {shown.body or 'the body'} was a member of the {forum} on {day}."
        tell(cause, "Look the body up in the member list and state day and source.", "body_not_member")
    return problems


# The list of accreditation bodies in the forums that a verifier keeps: whose members may accredit (2100.041).
#
# What a statement says of its accreditation body is the word of whoever wrote it. The forums publish their members; a
# verifier keeps that list as CSV and holds statements against it. A body with two names has two rows.

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


# Whether a verifier is independent of a party and of the farms behind it, by the ties that are known.
#
# An organisation that prepared a farm's records, or has members in common with it, verifies neither the farm nor its
# buyer (2100.002, interpretation 55). Ties are declared beside a statement, or counted by a server; what follows from
# them is said here alone.

INDEPENDENCE_CITE: Final = '2100.002 "third-party verifier"'
_ANOTHER: Final = "Hire another verifier, who has nothing to do with them."


@dataclass(frozen=True, slots=True)
class Ties:
    """What binds a verifying organisation to others, by their names or ids."""

    prepared_records_of: frozenset[str] = frozenset()  # whose records it, or anyone working for it, prepared or typed
    members_in_common_with: frozenset[str] = frozenset()  # who shares a person with it
    advises: frozenset[str] = frozenset()  # whom it advises on the matter it verifies
    owns_or_owned_by: frozenset[str] = frozenset()  # with whom it shares ownership


def check_independence(
    verifier: str, audited: str, suppliers: Iterable[str], ties: Ties, names: Mapping[str, str] | None = None
) -> list[Problem]:
    """Return what makes a verifier dependent on the audited party or on a farm that supplies it (interpretation 55).

    Args:
        verifier: by its name, or by an id that ``names`` tells; the others alike.
        audited: the party.
        suppliers: farms that it buys from.
        ties: of the verifier.
        names: what people call each id; without one an id is the name.
    """
    called = names or {}
    who, buyer = called.get(verifier, verifier), called.get(audited, audited)
    place, problems = Place(f"independence of {who}"), []
    for party in dict.fromkeys([audited, *suppliers]):
        name = called.get(party, party)
        behind = "" if party == audited else f" {name} supplies {buyer}."
        if party == verifier:
            cause = f"{who} cannot verify itself."
            problems.append(Problem(place, cause, _ANOTHER, INDEPENDENCE_CITE, code="verifies_itself"))
            continue  # what binds it to itself says nothing more
        for parties, code, cause in (
            (ties.members_in_common_with, "members_in_common", f"{who} and {name} have a member in common."),
            (ties.advises, "advises", f"{who} advises {name}."),
            (ties.prepared_records_of, "prepared_records", f"{who} prepared records of {name}."),
            (ties.owns_or_owned_by, "shared_ownership", f"{who} and {name} share ownership."),
        ):
            if party in parties:
                problems.append(Problem(place, cause + behind, _ANOTHER, INDEPENDENCE_CITE, code=code))
    return problems
