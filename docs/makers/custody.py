"""The pages of subpart D: every event that a book takes, every answer it gives."""

import inspect
import json
from dataclasses import fields
from enum import StrEnum
from importlib.resources import files
from typing import Any, get_args

from provender.custody.events.registry import DECISIONS
from provender.custody.model.balances import ENDINGS, INCOMING, OUTGOING, RESTATED
from provender.custody.model.event import Coproduct, DocumentLine, Event, Range, Status, Ticket
from provender.custody.model.lots import FORMS
from provender.custody.store import MemoryStore, all_balances, run_lines
from provender.exact import Ci, Scaled, Serials
from provender.schema import Whole, infos, is_day, is_required, is_tuple, types_of, wire_of

EVENTS = """# Custody events

`provender custody run EVENTS.jsonl --json` reads one event a line, in the order in which they are to be answered, and
prints one status a line and then the balances of every period. `provender custody add BOOK EVENTS.jsonl` adds the same
events to a book. An event is one JSON object: `type`, an `id` of its own, the `day` it took place, perhaps an `actor`
(who entered it), and the fields of its type.

- Amounts are decimal text (`"2500.5"`) or JSON numbers, bushels with at most three places. A product is counted in
  `pounds`. Carbon intensity is g CO2e per bushel with at most two places, below 100,000 on either side of zero. Days
  are `2026-10-05`.
- Serials are counted in bushels from 0, in thousandths: the range from `"0"` to `"500"` is 500 bushels, and `"500"` is
  the first one after it.
- The same event again is answered `exists` and changes nothing, whoever enters it and however its amounts are written
  (`2500.50`, `"2500.5"`). Another event with a known id is refused.
- A line that cannot be read is answered like any other, and the rest goes on.
- Movements are answered in the order given. A bulk import posts a day's incoming first.
- Grain that moves between sites of one entity is a `shipment` with the id `ID/out` and a `receipt` with `ID/in`: it
  is no grain of others. Claims that move with it are a `move` with the id `ID`.
- Fields that do not belong to the type are refused, so that a misspelt one is not lost.
- Movements that name `lots` are answered by the first status, in their order, that speaks against one of the lots. An
  amount without lots is taken from the stock by the period's policy. Where the stock would suffice but for a part that
  cannot go, the first of these statuses in this order says why: `report_suspended`, `other_site`, `unverified`,
  `not_held_yet`, `outside_ci_range`; where it would not suffice, `exceeds_stock`.
- `oldest_first` goes by the day of acquisition, then by origin and serial. `proportional` splits the amount over the
  carbon intensities by what is in stock of each, to the thousandth by largest remainder, ties to the lower intensity.
- Product is rounded down and crop used is rounded up, each to the thousandth. Pounds that the crop left cannot carry
  are lost, on the sheet of the product.

Each line of `--json` output is a JSON object: first one for each event,

```json
{"line": 25, "id": "v-1", "status": "posted", "message": "Done. 3,000 bu of soybeans to River Crush, oldest first.",
 "facts": {"matched": "oldest first", "ci": "3000 at CI 5500.25", "verification": "VS-88"}}
```

and a refusal with its cause as the `message`, the `field` it is about, a `remedy` and the paragraph (`cite`), where
there is one:

```json
{"line": 9, "id": "v-9", "status": "exceeds_stock", "message": "The seller does not hold that much. It holds 40 bu.",
 "field": "bushels", "remedy": "Choose a smaller amount.", "cite": "2100.034(d)"}
```

then `{"balance": {...}}` for each period of each entity: `entity`, `start`, `end` and `lines`, one for each crop,
harvest year and carbon intensity. Its four amounts are bushels of crop over all forms and always balance; `incoming`
and `outgoing` add up to theirs; `unverified_bu` is the part of the ending that is held unverified; under `forms` stands
a sheet for each form in its own unit. A period is there from the day it is declared, without lines while nothing
moved. One line of the examples below:

```json
%(line)s
```

The kinds of `incoming` are %(incoming)s; those of `outgoing` %(outgoing)s.

The exit status is 0 when every event stands, 1 when one was refused, 2 when the file cannot be read. The
[statuses](custody_statuses.md) are a page of their own. The examples below stand under their types; in the order in
which they take place they are a whole season that can be run: `src/provender/custody/data/example_events.jsonl`.

## Crops and products

A claim is on a crop or on a product made of it. Names stand in `crop`, `form`, `made_of` and `output`; a co-product is
listed without a claim. Crops are counted in bushels, products in pounds.

| form | made from | carries a claim |
| --- | --- | --- |
%(forms)s

"""

STATUSES = """# Custody statuses

Every answer a book can give, in order of precedence: a request that breaks several conditions is answered with the one
that stands first here, whatever the store. `posted` and `exists` are no refusals. A refusal changes nothing.

| status | meaning | what to do, where the meaning does not say it |
| --- | --- | --- |
"""

PARTS: dict[type, str] = {
    Ticket: "A ticket (`tickets`)",
    Range: "A range of serials (`lots`)",
    DocumentLine: "A line of a document (`lines`)",
    Coproduct: "A co-product (`coproducts`)",
}


def statuses_page() -> str:
    """Return the page of statuses."""
    return STATUSES + "".join(f"| `{one}` | {one.sentence} | {one.remedy} |\n" for one in Status)


def events_page() -> str:
    """Return the page of events."""
    text = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8")
    examples = [json.loads(line) for line in text.splitlines()]
    made = [_event(cls, [one for one in examples if one["type"] == cls.type]) for cls in DECISIONS]
    parts = [f"## {title}\n\n{_fields(cls)}" for cls, title in PARTS.items()]
    return EVENTS % {**_balances(text), "forms": _forms()} + "\n".join([*made, *parts])


def _forms() -> str:
    rows = [(one.name, ", ".join(f"`{made}`" for made in one.made_from), one.claims) for one in FORMS.values()]
    return "\n".join(f"| `{name}` | {made} | {'yes' if claims else 'no'} |" for name, made, claims in rows)


def _balances(text: str) -> dict[str, str]:
    """Return a line of the examples' balances, and all kinds of incoming and outgoing."""
    store = MemoryStore()
    for _ in run_lines(store, text.splitlines()):
        pass
    lines: Any = next(one["lines"] for one in all_balances(store) if one["entity"] == "crush")
    kinds = {
        "incoming": dict.fromkeys((*INCOMING.values(), RESTATED)),
        "outgoing": dict.fromkeys((*OUTGOING.values(), *ENDINGS.values(), RESTATED)),
    }
    said = {side: ", ".join(f"`{kind}`" for kind in found) for side, found in kinds.items()}
    return {"line": json.dumps(lines[0], indent=1), **said}


def _event(cls: type[Event], examples: list[dict[str, object]]) -> str:
    means = inspect.cleandoc(cls.__doc__ or "").replace("``", "`")
    lines = "\n".join(json.dumps(one) for one in examples[:2])
    shown = f"```json\n{lines}\n```" if examples else "Only the program enters it, from a file."
    return f"## {cls.type}\n\n{means}\n\n{_fields(cls)}\n{shown}\n"


def _fields(cls: type) -> str:
    rows = ["| field | value | needed | meaning |", "| --- | --- | --- | --- |"]
    said, kinds = infos(cls), types_of(cls)
    common = ("id", "day", "actor")
    for one in fields(cls):
        if issubclass(cls, Event) and one.name in common:
            continue
        default = "yes" if is_required(one) else f"no{_default(cls, one.name, one.default)}"
        meaning = said[one.name].means.replace("|", "or")
        rows.append(f"| `{one.name}` | {_shape(kinds[one.name])} | {default} | {meaning} |")
    return "\n".join(rows) + "\n"


def _shape(kind: object) -> str:
    """Return how a field looks in JSON, by its type."""
    wire = wire_of(kind)
    if isinstance(wire, Scaled):
        unit = f", {wire.unit}" if kind is Ci or Ci in get_args(kind) else ""
        return f"decimal{unit}, at most {wire.scale} places"
    if is_tuple(kind):
        inside = get_args(kind)[0]
        if inside == Serials:
            return "list of `[first, after last]` in bushels"
        return f"list of `{{{', '.join(infos(inside))}}}`" if inside in PARTS else f"list of {_shape(inside)}"
    if is_day(kind):
        return "day, `2026-10-05`"
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return " or ".join(f"`{word}`" for word in kind)
    return "true or false" if kind is bool else "whole number" if kind == Whole else "text"


def _default(cls: type, name: str, value: object) -> str:
    if value in (None, "", (), 0, False):
        return ""
    wire = wire_of(types_of(cls)[name])
    return f", else `{wire.write(value) if wire else value}`"
