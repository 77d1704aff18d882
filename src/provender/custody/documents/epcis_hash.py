"""The name of an EPCIS event: the hash of what it says, by the Core Business Vocabulary 2.0 (section 8.9).

The same event so has the same name wherever it is made; an error declaration beside it changes nothing in its name.
Only what our events hold is spelled here: no sensors, no Digital Links. The reference implementation is the oracle of
the tests.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from provender.signing.hashes import sha256_hex
from provender.signing.terms import NAMESPACE, PREFIX

CBV: Final = "https://ref.gs1.org/cbv/"
_ORDER: Final = (
    "eventTime", "eventTimeZoneOffset", "certificationInfo", "quantityList", "inputQuantityList", "outputQuantityList",
    "action", "transformationID", "bizStep",
)  # fmt: skip
_LISTS: Final = {"bizTransactionList": "bizTransaction", "destinationList": "destination", "sourceList": "source"}
_UNNAMED: Final = frozenset({"type", "eventID", "errorDeclaration"})


def event_id(event: Mapping[str, Any]) -> str:
    """Return the name of an event as ``ni:///sha-256;...?ver=CBV2.0``.

    Raises:
        KeyError: it holds a part that is none of ours.
    """
    return f"ni:///sha-256;{sha256_hex(pre_hash(event).encode())}?ver=CBV2.0"


def pre_hash(event: Mapping[str, Any]) -> str:
    """Return the text that is hashed: parts in their order, then trade and our own words, sorted."""
    said = event.keys() - _UNNAMED
    if unknown := {name for name in said if name not in (*_ORDER, *_LISTS) and not name.startswith(PREFIX)}:
        raise KeyError(min(unknown))
    head = "".join(_part(name, event[name]) for name in _ORDER if name in said)
    trade = [_trade(name, event[name]) for name in _LISTS if name in said]
    own = [text for name in said if name.startswith(PREFIX) for text in _own(name, event[name])]
    return f"eventType={event['type']}{head}{''.join(sorted([*trade, *own]))}"


def _part(name: str, value: Any) -> str:  # noqa: ANN401 - as JSON has it
    if name.endswith("List"):
        return name + "".join(sorted(map(_quantity, value)))
    if name == "bizStep":
        return f"{name}={CBV}BizStep-{value}"
    values = value if isinstance(value, list) else [value]
    return "".join(sorted(f"{name}={_plain(one)}" for one in values))


def _quantity(one: Mapping[str, Any]) -> str:
    return f"quantityElementepcClass={one['epcClass']}quantity={_plain(one['quantity'])}uom={one['uom']}"


def _trade(name: str, of: Sequence[Mapping[str, str]]) -> str:
    inner = _LISTS[name]
    kinds = [one["type"] if ":" in one["type"] else f"{CBV}SDT-{one['type']}" for one in of]
    return name + "".join(f"type={kind}{inner}={one[inner]}" for kind, one in zip(kinds, of, strict=True))


def _own(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - as JSON has it
    full = f"{{{NAMESPACE}}}{name.removeprefix(PREFIX)}"
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, Mapping):
            yield full + "".join(sorted(text for key, each in one.items() for text in _own(key, each)))
        else:
            yield f"{full}={_plain(one)}"


def _plain(value: object) -> str:
    """Return a value as it is hashed: a number without needless zeros, anything else as it stands."""
    text = str(value)
    if not text.removeprefix("-").replace(".", "", 1).isdecimal():
        return text
    number = Decimal(text).normalize()
    return f"{number:f}"
