"""Ladders: requests that break many conditions at once, and the repairs that mend them in order of precedence.

They stand in ``ladders.jsonl``. A line puts an event into a world, or all of another world; or it begins a ladder.
Its rungs follow: each has the status answered and what mends it, which may be to drop the first of a list.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.custody.world import CAST, REPORTS, Event
from tests.standards.season import cases_in


class Ladder(NamedTuple):
    """A world, a request that breaks everything, and (status, repair) rung by rung; the last repair gets it posted."""

    name: str
    world: list[Event]
    event: Event
    rungs: list[tuple[str, dict[str, Any]]]
    end: str = "posted"

    def steps(self) -> list[Event]:
        """Return the request as it is on each rung, and last as it is posted; None in a repair takes a field out."""
        steps = [self.event]
        for _, repair in self.rungs:
            steps.append({name: value for name, value in {**steps[-1], **repair}.items() if value is not None})
        return steps


WORLDS: Final[dict[str, list[Event]]] = {"cast": CAST, "reports": REPORTS}
LADDERS: Final[list[Ladder]] = []
for _line in cases_in("ladders.jsonl", Path(__file__).parent):
    if "into" in _line:
        _more = WORLDS[_line["all_of"]] if "all_of" in _line else [_line["event"]]
        WORLDS[_line["into"]] = [*WORLDS.get(_line["into"], []), *_more]
    elif "ladder" in _line:
        LADDERS.append(Ladder(_line["ladder"], WORLDS[_line["world"]], _line["event"], [], _line.get("end", "posted")))
    else:
        _repair = dict(_line.get("repair", {}))
        if dropped := _line.get("drop_first"):
            _repair[dropped] = LADDERS[-1].steps()[-1][dropped][1:]
        LADDERS[-1].rungs.append((_line["status"], _repair))
STOCKED: Final = WORLDS["stocked"]
"""A season with stock at an elevator, a crusher and a refiner."""
