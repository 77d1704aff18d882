"""Public keys pinned to parties: who a signature must come from (interpretation 33).

A list travels in a package as the audited party holds it; the verifier's own list, from supply contracts he has seen,
comes from outside the package and counts before it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from provender.audit.package.key_statements import KeyStatements
from provender.problem import refuse
from provender.signing.canonical import read_json
from provender.signing.keys import PublicKey
from provender.signing.rotation import Span

KIND: Final = "provender/pinned-keys"


@dataclass(frozen=True, slots=True)
class Pin:
    """One key of one party, and where the binding stands, such as the number of a supply contract.

    Attributes:
        party: whose; key: which; source: where that stands.
        first, last: the days on which it signs for the party, both included; None where nobody said.
    """

    party: str
    key: PublicKey
    source: str = ""
    first: date | None = None
    last: date | None = None

    def document(self) -> dict[str, Any]:
        """Return plain data; a day that nobody said is left out."""
        days = {"first": self.first, "last": self.last}
        said = {name: day.isoformat() for name, day in days.items() if day is not None}
        return {"party": self.party, "key": self.key.export(), "source": self.source} | said


@dataclass(frozen=True, slots=True)
class Pins:
    """A list of pinned keys.

    Attributes:
        pins: in the order of the list; a party may have several, one for each key it ever signed with.
        own: the verifier's own list, not the word of the audited party.
    """

    pins: tuple[Pin, ...] = ()
    own: bool = False

    @property
    def keys(self) -> Mapping[str, PublicKey]:
        """Return all keys by fingerprint."""
        return {pin.key.fingerprint: pin.key for pin in self.pins}

    def of(self, party: str) -> frozenset[str]:
        """Return the fingerprints pinned to a party."""
        return frozenset(self.keys_of(party))

    def keys_of(self, party: str) -> Mapping[str, PublicKey]:
        """Return the keys pinned to a party by fingerprint: with another party's key it has signed nothing."""
        return {pin.key.fingerprint: pin.key for pin in self.pins if pin.party == party}

    def following(self, said: KeyStatements) -> "Pins":
        """Return the list with the keys before and after those on it, each with the days that rotations give it."""
        keys = said.keys()
        more = [
            Pin(party, keys[kid], "by rotation")
            for party in dict.fromkeys(pin.party for pin in self.pins)
            for kid in sorted(said.family(self.of(party)) - self.of(party))
        ]
        return replace(self, pins=tuple(_in_days(pin, *said.days(pin.key.fingerprint)) for pin in (*self.pins, *more)))

    def keepers(self, kid: str, log: str) -> frozenset[str]:
        """Return who keeps a log under a key: the party that the log is named after, else all to whom it is pinned."""
        whose = frozenset(pin.party for pin in self.pins if pin.key.fingerprint == kid)
        return whose & {log} or whose

    def days_of_log(self, log: str) -> Mapping[str, list[Span]]:
        """Return on which days each key signs for the keeper of a log, by fingerprint.

        The days of another party's binding of the same key are no days of the keeper. Where nobody knows which of
        several is the keeper, only days of all of them are.
        """
        return {kid: self._of_all(kid, self.keepers(kid, log)) for kid in self.keys}

    def _of_all(self, kid: str, parties: Iterable[str]) -> list[Span]:
        found: list[Span] = [(None, None)]
        for party in sorted(parties):
            both = (_within(one, other) for one in found for other in self.days_of(kid, party))
            found = [span for span in both if span is not None]
        return found or [_NEVER]

    def days_of(self, kid: str, party: str) -> list[Span]:
        """Return the spans of days on which a key signs for a party: one for each binding, such as a contract."""
        return [(pin.first, pin.last) for pin in self.pins if (pin.party, pin.key.fingerprint) == (party, kid)]

    def others(self, kid: str, party: str) -> tuple[str, ...]:
        """Return to whom a key is pinned where it is not pinned to this party, sorted."""
        whose = {pin.party for pin in self.pins if pin.key.fingerprint == kid}
        return () if party in whose else tuple(sorted(whose))


_NEVER: Final[Span] = (date.max, date.min)


def _within(one: Span, other: Span) -> Span | None:
    """Return the days that two spans share; None where there are none."""
    starts = [day for day in (one[0], other[0]) if day is not None]
    ends = [day for day in (one[1], other[1]) if day is not None]
    first, last = max(starts, default=None), min(ends, default=None)
    return None if first and last and last < first else (first, last)


def _in_days(pin: Pin, first: date | None, last: date | None) -> Pin:
    """Return a pin within further days."""
    starts = [day for day in (pin.first, first) if day is not None]
    ends = [day for day in (pin.last, last) if day is not None]
    return replace(pin, first=max(starts, default=None), last=min(ends, default=None))


def pins_document(pins: Iterable[Pin]) -> dict[str, Any]:
    """Return a list of pins as plain data."""
    return {"kind": KIND, "keys": [pin.document() for pin in pins]}


def read_pins(raw: bytes, file: str, *, own: bool = False) -> Pins:
    """Read a list of pins.

    Raises:
        ProblemsError: it is no such list (``unreadable_pins``), or a key in it is none (codes of ``PublicKey``).
    """
    data: Any = read_json(raw, file=file)
    try:
        right = data["kind"] == KIND
        pins = tuple(
            Pin(
                str(one["party"]),
                PublicKey.from_jwk(one["key"], file=file),
                str(one["source"]),
                _day(one.get("first")),
                _day(one.get("last")),
            )
            for one in data["keys"]
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        right, pins = False, ()
    if not right:
        remedy = "Write one with `provender audit pins`."
        raise refuse(file, "This is no list of pinned keys.", remedy, code="unreadable_pins")
    return Pins(pins, own)


def _day(text: object) -> date | None:
    return None if text is None else date.fromisoformat(str(text))
