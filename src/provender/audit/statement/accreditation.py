"""Whether a verifier may verify on a day: accredited to ISO 14065 by a member of the Forum.

2100.041 asks for accreditation to ISO 14065 by a member of the International Accreditation Forum. The Forum ended with
2025; its roles passed on 1 January 2026 to Global Accreditation Cooperation Incorporated, whose members count from
then on (interpretation 54). Through 2026 marks of the Forum's arrangement stay recognised, so a body that was its
member at the end of 2025 and whose place in the successor is not shown yet is to be confirmed, not refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from provender.problem import Place, Problem, Weight

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
    """The accreditation body's place in a forum.

    Attributes:
        forum: which.
        first: the first day.
        last: the last day, None while it lasts.
        source: where somebody looked it up, and when.
    """

    forum: Forum
    first: date
    last: date | None
    source: str

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
    """What a verifier shows.

    Attributes:
        verifier: its name.
        standard: such as ``ISO 14065:2020``.
        body: the accreditation body.
        number: the certificate's number.
        first: the first day.
        last: the last day.
        suspended: (first, last) days of suspensions; last None while it lasts.
        memberships: the body's places in forums.
        scope: what it was accredited for, in the words of the certificate; empty where nobody said.
    """

    verifier: str
    standard: str
    body: str
    number: str
    first: date
    last: date
    suspended: tuple[tuple[date, date | None], ...]
    memberships: tuple[Membership, ...]
    scope: str = ""

    def document(self) -> dict[str, Any]:
        """Return plain data; a scope that nobody said is left out."""
        return {
            "verifier": self.verifier,
            "standard": self.standard,
            "body": self.body,
            "number": self.number,
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
            "suspended": [[first.isoformat(), last.isoformat() if last else None] for first, last in self.suspended],
            "memberships": [
                {
                    "forum": str(one.forum),
                    "first": one.first.isoformat(),
                    "last": one.last.isoformat() if one.last else None,
                    "source": one.source,
                }
                for one in self.memberships
            ],
        } | ({"scope": self.scope} if self.scope else {})

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Accreditation":
        """Read what ``document`` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is no accreditation.
        """

        def ending(text: str | None) -> date | None:
            return None if text is None else date.fromisoformat(text)

        return cls(
            data["verifier"],
            data["standard"],
            data["body"],
            data["number"],
            date.fromisoformat(data["first"]),
            date.fromisoformat(data["last"]),
            tuple((date.fromisoformat(first), ending(last)) for first, last in data["suspended"]),
            tuple(
                Membership(Forum(one["forum"]), date.fromisoformat(one["first"]), ending(one["last"]), one["source"])
                for one in data["memberships"]
            ),
            str(data.get("scope", "")),
        )


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
