"""What was entered by an event, as people read it: its fields in words, amounts with their thousands grouped."""

import re
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, get_args, get_type_hints

from provender.custody.model.amounts import BUSHEL, FORMS, unit_of
from provender.custody.model.lot_names import printed
from provender.plain import infos
from provender.quantity import CI_SCALE, Scaled, grouped, show, weighted_mean
from provender.services.custody.event_types import posted_types
from provender.services.custody.parties import party_names
from provender.services.custody.views import LotView
from provender.web.custody.forms import labelled, words
from provender.wire import types_of, wire_of


def facts_of(event: Mapping[str, Any], *, own: str = "", lots: Sequence[LotView] = ()) -> list[tuple[str, str]]:
    """Return what was entered, as people read it: names for parties, words for forms, crops and other choices.

    Lots that stand in a table below are not said twice; what was moved has their mean carbon intensity.
    """
    left_out = ("type", "actor", "lots") if lots else ("type", "actor")
    plain = {name: value for name, value in event.items() if name not in left_out}
    cls = posted_types()[event["type"]]
    said = infos(cls)
    parties = party_names(str(value) for name, value in plain.items() if said[name].party or name == "counterparty")
    chosen = {name for name, hint in get_type_hints(cls).items() if _is_choice(hint)} | CODED
    weighed = _weighed_in(event, lots)
    facts = {
        name: (
            labelled(said[name]),
            _called(str(value), parties, own) or _text(value, name, chosen, weighed if name in TICKETS else UNITS),
        )
        for name, value in plain.items()
    }
    mean = weighted_mean((lot.ci_g_per_bu, lot.stop_bu - lot.start_bu) for lot in lots)
    if mean is None or "bushels" not in said:
        return list(facts.values())
    after = next((at for at, name in enumerate(facts, 1) if name in ("bushels", "pounds")), len(facts))
    told = ("Mean CI", f"{show(mean, CI_SCALE, group=True)} g CO2e/bu")
    return [*list(facts.values())[:after], told, *list(facts.values())[after:]]


def _weighed_in(event: Mapping[str, Any], lots: Sequence[LotView]) -> Mapping[str, str]:
    """Return the units of a ticket's parts: a scale weighs a product in pounds, in the column of bushels."""
    form = str(event.get("form") or "")
    unit = lots[0].unit if lots else unit_of(form) if form in FORMS else BUSHEL
    return {**UNITS, "bushels": f" {unit}"}


def _called(code: str, parties: Mapping[str, str], own: str) -> str:
    """Write a party as its name with its code, oneself as the name alone; empty for what is no party."""
    name = parties.get(code, "")
    return name if code == own or name in ("", code) else f"{name} ({code})"


CODED: Final = frozenset({"form", "crop", "crops", "made_of", "output"})
"""Fields that hold words of the book besides those of fixed choices."""


def _is_choice(hint: object) -> bool:
    return any(isinstance(one, type) and issubclass(one, StrEnum) for one in (hint, *get_args(hint)))


def _text(value: object, name: str, chosen: Collection[str], units: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(_text(one, name, chosen, units) for one in value)
    if isinstance(value, dict):
        return ", ".join(_part(str(each), one, chosen, units) for each, one in value.items())
    if name in chosen:
        return words(str(value))
    if HASH.fullmatch(str(value)):
        return printed(str(value))
    return grouped(str(value)) if name in AMOUNTS else str(value)


SCALED: Final = frozenset(
    name for cls in posted_types().values() for name, kind in types_of(cls).items() if isinstance(wire_of(kind), Scaled)
)
AMOUNTS: Final = SCALED | {"amount", "bushels", "pounds", "gallons", "ci", "spans", "start", "stop"}
"""Fields whose figures are amounts; all others with figures are numbers of papers, years or codes."""
HASH: Final = re.compile(r"[0-9a-f]{40,}")
"""What nobody reads: a page names it as it does elsewhere, by its first signs."""
TICKETS: Final = frozenset({"tickets", "destination"})
"""Fields of scale tickets."""
UNITS: Final[Mapping[str, str]] = {"bushels": " bu", "pounds": " lb", "ci": " g CO2e/bu"}


def _part(name: str, value: object, chosen: Collection[str], units: Mapping[str, str]) -> str:
    """Write one part of a ticket, lot or line, with its unit."""
    return f"{_text(value, name, chosen, units)}{units.get(name, '')}"
