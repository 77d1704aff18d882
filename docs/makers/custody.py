"""The pages of subpart D: every event that a book takes, every answer it gives."""

import inspect
import json
import re
from dataclasses import fields
from importlib.resources import files

from provender.custody.decide import DECISIONS
from provender.custody.described import meanings
from provender.custody.requests import Coproduct, Line, Range, Request, Ticket, readers, required
from provender.custody.statuses import Status

EVENTS = """# Custody events

`provender custody run EVENTS.jsonl --json` reads one event a line, in the order in which they are to be answered, and
prints one status a line and then the balances of every period. `provender custody add BOOK EVENTS.jsonl` adds the same
events to a book. An event is one JSON object: `type`, an `id` of its own, the `day` it took place, perhaps an `actor`
(who entered it), and the fields of its type.

- Amounts are decimal text (`"2500.5"`) or JSON numbers, bushels with at most three places. A product is counted in
  `pounds`. Carbon intensity is g CO2e per bushel with at most two places. Days are `2026-10-05`.
- Serials are counted in bushels from 0, in thousandths: the range from `"0"` to `"500"` is 500 bushels, and `"500"` is
  the first one after it.
- The same event again is answered `exists` and changes nothing. Another event with a known id is refused.
- A line that cannot be read is answered like any other, and the rest goes on.
- Movements are answered in the order given. A bulk import posts a day's incoming first.
- Fields that do not belong to the type are refused, so that a misspelt one is not lost.

Each line of `--json` output is a JSON object: first one for each event,

```json
{"line": 25, "id": "v-1", "status": "posted", "message": "Done. 3,000 bu of soybeans to River Crush, oldest first.",
 "facts": {"matched": "oldest first", "ci": "3000 at CI 5500.25", "verification": "VS-88"}}
```

then `{"balance": {...}}` for each period of each entity: `entity`, `start`, `end` and `lines`, one for each crop,
harvest year and carbon intensity, with `beginning_bu`, `incoming_bu`, `outgoing_bu`, `ending_bu` (which always
balance), the kinds of incoming and outgoing, what is held unverified, and a sheet for each form in its own unit. The
exit status is 0 when every event stands, 1 when one was refused. The [statuses](custody_statuses.md) are a page of
their own. The examples below stand under their types; in the order in which they take place they are a whole season
that can be run: `src/provender/custody/data/example_events.jsonl`.

"""

STATUSES = """# Custody statuses

Every answer a book can give, in order of precedence: a request that breaks several conditions is answered with the one
that stands first here, whatever the store. `posted` and `exists` are no refusals. A refusal changes nothing.

| status | meaning |
| --- | --- |
"""

PARTS: dict[type, str] = {
    Ticket: "A ticket (`tickets`)",
    Range: "A range of serials (`lots`)",
    Line: "A line of a document (`lines`)",
    Coproduct: "A co-product (`coproducts`)",
}


def statuses_page() -> str:
    """Return the page of statuses."""
    return STATUSES + "".join(f"| `{status}` | {status.sentence} |\n" for status in Status)


def events_page() -> str:
    """Return the page of events."""
    text = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8")
    examples = [json.loads(line) for line in text.splitlines()]
    made = [_event(cls, [one for one in examples if one["type"] == cls.type]) for cls in DECISIONS]
    parts = [f"## {title}\n\n{_fields(cls)}" for cls, title in PARTS.items()]
    return EVENTS + "\n".join([*made, *parts])


def _event(cls: type[Request], examples: list[dict[str, object]]) -> str:
    said = inspect.cleandoc(cls.__doc__ or "").split("\n\nAttributes:")[0]
    shown = "\n".join(json.dumps(one) for one in examples[:2])
    return f"## {cls.type}\n\n{_words(said)}\n\n{_fields(cls)}\n```json\n{shown}\n```\n"


def _fields(cls: type) -> str:
    rows = ["| field | value | needed | meaning |", "| --- | --- | --- | --- |"]
    said = {name: text.replace("|", "or") for name, text in meanings(cls).items()}
    common = ("id", "day", "actor")
    for one in fields(cls):
        if issubclass(cls, Request) and one.name in common:
            continue
        default = "yes" if required(one) else f"no{_default(cls, one.name, one.default)}"
        meaning = said.get(one.name, "")
        rows.append(f"| `{one.name}` | {readers(cls)[one.name].shape} | {default} | {meaning} |")
    return "\n".join(rows) + "\n"


def _words(text: str) -> str:
    return re.sub(r"READINGS (\d+)", r"interpretation \1", text.replace("``", "`"))


def _default(cls: type, name: str, value: object) -> str:
    if value in (None, "", (), 0, False):
        return ""
    return f", else `{readers(cls)[name].write(value)}`"
