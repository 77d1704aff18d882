"""Public keys pinned to parties: who a signature must come from (interpretation 33).

A list travels in a package as the audited party holds it; the verifier's own list, from supply contracts he has seen,
comes from outside the package and counts before it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from provender.problem import refuse
from provender.signing.canonical import read_json
from provender.signing.keys import PublicKey

KIND: Final = "provender/pinned-keys"


@dataclass(frozen=True, slots=True)
class Pin:
    """One key of one party, and where the binding stands, such as the number of a supply contract."""

    party: str
    key: PublicKey
    source: str = ""

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        return {"party": self.party, "key": self.key.export(), "source": self.source}


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

    def others(self, kid: str, party: str) -> tuple[str, ...]:
        """Return to whom a key is pinned where it is not pinned to this party, sorted."""
        whose = {pin.party for pin in self.pins if pin.key.fingerprint == kid}
        return () if party in whose else tuple(sorted(whose))


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
            Pin(str(one["party"]), PublicKey.from_jwk(one["key"], file=file), str(one["source"]))
            for one in data["keys"]
        )
    except (KeyError, TypeError, ValueError):
        right, pins = False, ()
    if not right:
        remedy = "Write one with `provender audit pins`."
        raise refuse(file, "This is no list of pinned keys.", remedy, code="unreadable_pins")
    return Pins(pins, own)
