"""Who makes the seed of the draw: two commitments opened after the farms are frozen, or a public beacon.

The frozen file names the farms by their hash, the year, the earlier audits by their hash, and either the two
commitments or the beacon with its round. So the commitments were made before anybody could know the hash that is drawn
with, and the seed follows from what they open to (interpretation 73). A part that stays closed is recorded as a
refusal, and the other's stands alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from provender.audit.outcome import read_marked
from provender.audit.sampling.population import Population
from provender.problem import refuse
from provender.schema import write
from provender.signing.canonical import document_hash

KIND: Final = "provender/frozen-farms"
CITE: Final = "2100.040(a)(3)"
LEAST_SECRET: Final = 22
"""Characters; a shorter one could be found from its commitment by trying."""
MAY_LACK: Final = ("audited", "number")
"""What a list frozen by hand may not say."""
_HEX: Final = frozenset("0123456789abcdef")
_HEX_LONG: Final = 64


class Side(StrEnum):
    """Who commits to a part of the seed."""

    AUDITED = "audited"
    VERIFIER = "verifier"


@dataclass(frozen=True, slots=True)
class Beacon:
    """A public source of chance, named before its round."""

    source: str  # such as ``NIST Randomness Beacon 2.0``
    round: str  # which of its values counts, by number or time
    on: date  # the day of that round


@dataclass(frozen=True, slots=True)
class Frozen:
    """What is fixed before the seed is known."""

    population_hash: str  # of the list of farms; farms: how many
    farms: int
    year: int  # harvest year under audit
    history_hash: str  # of the earlier audits, farm to years
    frozen_on: date  # the day, as stated
    salt: str  # chance added when it is frozen, so that its hash is known to nobody before
    # SHA-256 of each side's secret; a side that made none is left out
    commitments: Mapping[Side, str] = field(default_factory=dict)
    beacon: Beacon | None = None  # in their place
    # whose audit it is; number: which freezing of that audit, counted from 1. A list frozen by hand may say neither.
    audited: str = ""
    number: int = 0

    def document(self) -> dict[str, Any]:
        """Return plain data; its hash is what the draw is bound to."""
        said = {name: value for name, value in write(self, whole=True).items() if value or name not in MAY_LACK}
        return {"kind": KIND, **said}

    @property
    def sha256(self) -> str:
        """The hash of the frozen file."""
        return document_hash(self.document())

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Frozen":
        """Read what ``document`` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is no frozen file.
        """
        return read_marked(cls, data, kind=KIND)


@dataclass(frozen=True, slots=True)
class Opened:
    """What the seed is made of once it is open: secrets by side, or the beacon's value."""

    secrets: Mapping[Side, str] = field(default_factory=dict)
    beacon_value: str = ""


def freeze_list(
    population: Population,
    year: int,
    before: Mapping[str, tuple[int, ...]],
    source: Mapping[Side, str] | Beacon,
    *,
    day: date,
    salt: str,
) -> Frozen:
    """Return what is fixed before the seed is known.

    ``before`` names of each farm the years in which an audit saw it; nobody could know the salt before.

    Raises:
        ProblemsError: as ``check_frozen``.
    """
    beacon = source if isinstance(source, Beacon) else None
    made = {} if isinstance(source, Beacon) else source
    marks = population.sha256, len(population.farms), year, history_hash(before)
    frozen = Frozen(*marks, day, salt, made, beacon)
    check_frozen(frozen)
    return frozen


def history_hash(audited: Mapping[str, tuple[int, ...]]) -> str:
    """Return the hash of the earlier audits."""
    return document_hash({farm: sorted(years) for farm, years in audited.items()})


def commitment(secret: str) -> str:
    """Return what a side hands over before the farms are frozen.

    Raises:
        ProblemsError: the secret is short or not printable.
    """
    if len(secret) < LEAST_SECRET or not secret.isprintable() or secret != secret.strip():
        cause = f"A secret of {len(secret)} characters can be found from its commitment, or it cannot be printed."
        remedy = f"Take {LEAST_SECRET} characters or more: `provender audit seed` makes one."
        raise refuse("seed", cause, remedy, cite=CITE, code="weak_secret")
    return sha256(secret.encode()).hexdigest()


def check_frozen(frozen: Frozen) -> None:
    """Make sure that nobody can choose the seed after the list.

    Raises:
        ProblemsError: the verifier did not commit, the two commitments are one, one is no hash, a beacon stands beside
            them, or its round is not after the day of freezing.
    """
    made = frozen.commitments
    if (frozen.beacon is not None) == bool(made):
        cause = "The seed comes from commitments or from a beacon; the list must name one of the two."
        raise refuse("seed", cause, "Commit first: `provender audit seed`.", cite=CITE, code="no_source_of_seed")
    if frozen.beacon is not None:
        beacon = frozen.beacon
        if not beacon.source.strip() or not beacon.round.strip() or beacon.on <= frozen.frozen_on:
            cause = f"The beacon has no source or round, or its day {beacon.on} is not after {frozen.frozen_on}."
            raise refuse("seed", cause, "Name a round that nobody can know yet.", cite=CITE, code="beacon_known")
        return
    if Side.VERIFIER not in made:
        cause = "The verifier made no commitment: after the list is known a seed could be chosen for it."
        raise refuse("seed", cause, "Commit, then freeze the farms.", cite=CITE, code="verifier_not_committed")
    if any(len(text) != _HEX_LONG or not set(text) <= _HEX for text in made.values()):
        raise refuse(
            "seed", "A commitment is no SHA-256.", "Take it as it was written.", cite=CITE, code="no_commitment"
        )
    if len(set(made.values())) != len(made):
        cause = "Both commitments are the same: one was copied from the other."
        raise refuse("seed", cause, "Each side makes its own secret.", cite=CITE, code="commitment_copied")


def refused(frozen: Frozen, opened: Opened) -> list[str]:
    """Return the sides whose part of the seed stayed closed, or that made none."""
    return [] if frozen.beacon else [str(side) for side in Side if side not in opened.secrets]


def seed_of(frozen: Frozen, opened: Opened) -> str:
    """Return the seed: SHA-256 over the frozen hash and what was opened, each on a line; a closed part is empty.

    Raises:
        ProblemsError: nothing is open, a secret does not open its commitment, or the beacon has no value.
    """
    check_frozen(frozen)
    if frozen.beacon is not None:
        if not opened.beacon_value.strip() or opened.secrets:
            cause = "The beacon's value is missing, or secrets stand in its place."
            raise refuse("seed", cause, "Give the value of the round.", cite=CITE, code="no_beacon_value")
        return sha256(f"{frozen.sha256}\n{opened.beacon_value.strip()}".encode()).hexdigest()
    for side, secret in opened.secrets.items():
        if frozen.commitments.get(side) != sha256(secret.encode()).hexdigest():
            cause = (
                f"The secret of the {side} party does not open its commitment."
                if side is Side.AUDITED
                else ("The secret of the verifier does not open its commitment.")
            )
            raise refuse("seed", cause, "Open with the secret that was committed.", cite=CITE, code="does_not_open")
    if not opened.secrets or opened.beacon_value:
        cause = "No part of the seed is open."
        raise refuse("seed", cause, "Open at least one commitment.", cite=CITE, code="nothing_opened")
    parts = [opened.secrets.get(side, "") for side in Side]
    return sha256("\n".join([frozen.sha256, *parts]).encode()).hexdigest()
