"""Whether a verifier is independent of a party and of the farms behind it, by the ties that are known.

An organisation that prepared a farm's records, or has members in common with it, verifies neither the farm nor its
buyer (2100.002, interpretation 55). Ties are declared beside a statement, or counted by a server; what follows from
them is said here alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from provender.problem import Place, Problem

CITE: Final = '2100.002 "third-party verifier"'
_ANOTHER: Final = "Hire another verifier, who has nothing to do with them."


@dataclass(frozen=True, slots=True)
class Ties:
    """What binds a verifying organisation to others, by their names or ids.

    Attributes:
        prepared_records_of: whose records it, or anyone working for it, prepared or typed.
        members_in_common_with: who shares a person with it.
        advises: whom it advises on the matter it verifies.
        owns_or_owned_by: with whom it shares ownership.
    """

    prepared_records_of: frozenset[str] = frozenset()
    members_in_common_with: frozenset[str] = frozenset()
    advises: frozenset[str] = frozenset()
    owns_or_owned_by: frozenset[str] = frozenset()


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
            problems.append(Problem(place, cause, _ANOTHER, CITE, code="verifies_itself"))
            continue  # what binds it to itself says nothing more
        for parties, code, cause in (
            (ties.members_in_common_with, "members_in_common", f"{who} and {name} have a member in common."),
            (ties.advises, "advises", f"{who} advises {name}."),
            (ties.prepared_records_of, "prepared_records", f"{who} prepared records of {name}."),
            (ties.owns_or_owned_by, "shared_ownership", f"{who} and {name} share ownership."),
        ):
            if party in parties:
                problems.append(Problem(place, cause + behind, _ANOTHER, CITE, code=code))
    return problems
