"""Who makes the seed of the draw: two commitments opened after the farms are frozen, or a public beacon.

The frozen file names the farms by their hash, point and verifier, the year, the earlier audits by their hash, and
either the two commitments or the beacon with its round. So the commitments were made before anybody could know the hash
that is drawn with, and the seed follows from what they open to (interpretation 73).

The audited party opens first (interpretation 88): it cannot know what is drawn, since the verifier's part is closed. If
it does not open in time, that is recorded as its refusal, and the verifier's part alone draws, which nobody else can
know by then. Without the verifier's part nothing is drawn: otherwise whoever opens last could choose between two draws.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from provender.audit.outcome import read_marked
from provender.audit.sampling.population import Population
from provender.problem import ProblemsError, refuse
from provender.schema import write
from provender.signing.canonical import document_hash

KIND: Final = "provender/frozen-farms"
CITE: Final = "2100.040(a)(3)"
LEAST_SECRET: Final = 22
"""Characters; a shorter one could be found from its commitment by trying."""
TIME_TO_OPEN: Final = timedelta(days=7)
"""How long after the freezing the audited party may open its part before that counts as its refusal."""
MAY_LACK: Final = ("number", "earlier", "by_server")
"""What is left out where it is nothing."""
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
    # ids of the point, which is drawn from once a year, and of the verifier
    audited: str = ""
    verifier: str = ""
    number: int = 0  # which freezing of an audit on a server, counted from 1
    # hashes of the lists frozen before for this point and year, oldest first: a draw begun anew
    earlier: tuple[str, ...] = ()
    by_server: tuple[Side, ...] = ()  # sides whose secret a server made and shows nobody before the draw

    @property
    def open_until(self) -> date:
        """The day from which a part of the audited party that is closed counts as its refusal."""
        return self.frozen_on + TIME_TO_OPEN

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
    on: date | None = None  # the day on which the seed was made; needed where the audited party did not open


def freeze_list(
    population: Population,
    year: int,
    before: Mapping[str, tuple[int, ...]],
    source: Mapping[Side, str] | Beacon,
    *,
    between: tuple[str, str],
    day: date,
    salt: str,
    **more: Any,  # noqa: ANN401 - of ``Frozen``
) -> Frozen:
    """Return what is fixed before the seed is known.

    ``before`` names of each farm the years in which an audit saw it; ``between`` are the ids of the point and of the
    verifier; nobody could know the salt before.

    Raises:
        ProblemsError: as ``check_frozen``.
    """
    beacon = source if isinstance(source, Beacon) else None
    made = {} if isinstance(source, Beacon) else source
    marks = population.sha256, len(population.farms), year, history_hash(before)
    audited, verifier = (name.strip() for name in between)
    frozen = Frozen(*marks, day, salt, made, beacon, audited, verifier, **more)
    check_frozen(frozen)
    return frozen


def history_hash(audited: Mapping[str, tuple[int, ...]]) -> str:
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
        ProblemsError: point or verifier is not named, one of the two did not commit, the two commitments are one, one
            is no hash, a beacon stands beside them, or its round is not after the day of freezing.
    """
    made = frozen.commitments
    if not frozen.audited or not frozen.verifier or frozen.audited == frozen.verifier:
        cause = "The list does not name the point and its verifier: a second draw for them could not be told."
        raise _refuse(cause, "Name both by their ids.", "list_of_nobody")
    if (frozen.beacon is not None) == bool(made):
        cause = "The seed comes from commitments or from a beacon; the list must name one of the two."
        raise _refuse(cause, "Commit first: `provender audit seed`.", "no_source_of_seed")
    if frozen.beacon is not None:
        beacon = frozen.beacon
        if not beacon.source.strip() or not beacon.round.strip() or beacon.on <= frozen.frozen_on:
            cause = f"The beacon has no source or round, or its day {beacon.on} is not after {frozen.frozen_on}."
            raise _refuse(cause, "Name a round that nobody can know yet.", "beacon_known")
        return
    if Side.VERIFIER not in made:
        cause = "The verifier made no commitment: after the list is known a seed could be chosen for it."
        raise _refuse(cause, "Commit, then freeze the farms.", "verifier_not_committed")
    if Side.AUDITED not in made:
        cause = "The audited party made no commitment: the verifier alone would know the draw from the freezing on."
        raise _refuse(cause, "Ask it to commit, or name a public beacon.", "party_not_committed")
    if any(len(text) != _HEX_LONG or not set(text) <= _HEX for text in made.values()):
        raise _refuse("A commitment is no SHA-256.", "Take it as it was written.", "no_commitment")
    if len(set(made.values())) != len(made):
        raise _refuse("Both commitments are the same: one was copied from the other.",
                      "Each side makes its own secret.", "commitment_copied")  # fmt: skip


def _refuse(cause: str, remedy: str, code: str) -> ProblemsError:
    return refuse("seed", cause, remedy, cite=CITE, code=code)


def refused(frozen: Frozen, opened: Opened) -> list[str]:
    """Return the side whose part of the seed stayed closed."""
    return [] if frozen.beacon else [str(side) for side in Side if side not in opened.secrets]


def check_opening(frozen: Frozen, side: Side, secret: str) -> None:
    """Make sure that a secret opens the commitment of a side.

    Raises:
        ProblemsError: it does not.
    """
    if frozen.commitments.get(side) != sha256(secret.encode()).hexdigest():
        whose = "verifier" if side is Side.VERIFIER else "audited party"
        cause = f"The secret of the {whose} does not open its commitment."
        raise _refuse(cause, "Open with the secret that was committed.", "does_not_open")


def seed_of(frozen: Frozen, opened: Opened) -> str:
    """Return the seed: SHA-256 over the frozen hash and what was opened, each on a line; a closed part is empty.

    Raises:
        ProblemsError: the verifier's part is closed, the audited party's is and it has time left, a secret does not
            open its commitment, the beacon has no value, or the seed is older than the list.
    """
    check_frozen(frozen)
    first = frozen.beacon.on if frozen.beacon else frozen.frozen_on
    if opened.on is not None and opened.on < first:
        raise _refuse(f"The seed is of {opened.on}, before {first}.", "Check the days.", "opened_too_early")
    if frozen.beacon is not None:
        if not opened.beacon_value.strip() or opened.secrets:
            cause = "The beacon's value is missing, or secrets stand in its place."
            raise _refuse(cause, "Give the value of the round.", "no_beacon_value")
        return sha256(f"{frozen.sha256}\n{opened.beacon_value.strip()}".encode()).hexdigest()
    for side, secret in opened.secrets.items():
        check_opening(frozen, side, secret)
    if opened.beacon_value or not opened.secrets:
        raise _refuse("No part of the seed is open.", "Open the verifier's, after the audited party's.",
                      "nothing_opened")  # fmt: skip
    if Side.VERIFIER not in opened.secrets:
        cause = "The verifier's part of the seed is closed; the audited party's alone draws nothing."
        raise _refuse(cause, "Open it. Lost, it stays on record, and a new list names this one.", "verifier_not_opened")
    if Side.AUDITED not in opened.secrets and (opened.on is None or opened.on < frozen.open_until):
        cause = "The audited party has not opened its part of the seed."
        remedy = f"Wait for it; from {frozen.open_until} on draw without it: that is recorded as its refusal."
        raise _refuse(cause, remedy, "party_not_opened")
    parts = [opened.secrets.get(side, "") for side in Side]
    return sha256("\n".join([frozen.sha256, *parts]).encode()).hexdigest()


def can_be_known(frozen: Frozen, opened: Opened, day: date) -> bool:
    """Tell whether the verifier can have known by a day what a list draws whose seed is not shown.

    Who opened what to whom leaves no trace, so it can, but before the beacon's round, or while a server keeps a part
    that it made and shows nobody.
    """
    if frozen.beacon is not None:
        return day >= frozen.beacon.on
    return all(side in opened.secrets for side in frozen.by_server)
