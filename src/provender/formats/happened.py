"""Whether the work of a row happened, and how often, where a file says so: what was called off is no record."""

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from provender.days import DayTextError, read_day
from provender.formats.parsed import MappedTable, doubt, note, plain_heading
from provender.problem import Place, Problem, listed
from provender.records.reading import NO, YES

STATE: Final = "done"
"""The field of a target that says it."""
OF_WORK: Final = frozenset({"operation", "nutrient_application", "cover_crop", "planting", "harvest"})
DONE: Final = "done"
NOT_DONE: Final = "not_done"
_STATE_OF: Final = (
    *("job", "work", "task", "operation", "application", "activity", "record", "event", "work order", "wo", "order"),
    *("completion", "execution", "field operation", "pass", "planting", "harvest"),
)
HEADINGS: Final = (
    *(f"{what} {word}" for word in ("status", "state") for what in _STATE_OF),
    *("status", "completed", "complete", "is completed", "is complete", "done", "is done", "progress", "finished"),
    *("was done", "performed", "executed", "cancelled", "canceled", "is cancelled", "is canceled", "voided", "void"),
    *("abandoned", "skipped", "deleted", "% complete", "% done", "percent complete", "percent done", "complete %"),
    *("plan/actual", "planned/actual", "actual/planned", "planned or actual", "actual or planned", "plan or actual"),
)
"""Headings of such a column."""
PASSES: Final = "passes"
"""The field that says how many passes a row is."""
IN_PASSES: Final = {"operation": ("operation_id", "operation"), "nutrient_application": ("application_id", "product")}
"""What is done in passes: the key of its record, and its name."""
OF_PASSES: Final = (
    *("passes", "number of passes", "no of passes", "# of passes", "# passes", "no passes", "pass count"),
    *("passes made", "times", "times over", "number of times", "# of times", "no of times"),
)
WEAK: Final = ("state", "stage", "phase")
_YES: Final = YES | {"t", "✓", "✔"}
_NO: Final = NO | {"f"}
_AGAINST: Final = re.compile(r"cancel|void|abandon|skip|delet")
_WORK: Final = re.compile(r"applied|planted|seeded|drilled|sprayed|spread|harvested|tilled")
_WAS: Final = re.compile(
    rf"{_WORK.pattern}|(?:fully |work )?(?:done|completed?)|finished|performed|executed|as applied|actual|100 ?%?"
)
_WAS_NOT: Final = re.compile(
    r"plan(?:ned)?|scheduled|cancel(?:l?ed)?|abandoned|open|pending|draft|skipped|aborted|deleted|void(?:ed)?|rejected"
    r"|to ?do|on hold|proposed|recommended|recommendation|assigned|postponed|deferred|not yet|uncompleted|unfinished"
    r"|not[ _](?:done|completed?|started|applied|planted|performed|executed)|ready|new|created|0 ?%|upcoming|requested"
    r"|queued|dropped|withdrawn|missed"
)


def state_of(text: str, heading: str) -> str:
    """Return what a cell says of its row: ``DONE``, ``NOT_DONE``, or the text itself where nobody can tell."""
    plain = " ".join(text.casefold().replace("-", " ").split()).strip(".!")
    against = _AGAINST.search(heading.casefold()) is not None
    if plain in _YES | _NO:
        return NOT_DONE if (plain in _YES) == against else DONE
    if _WAS.fullmatch(plain):
        return DONE
    if _WAS_NOT.fullmatch(plain):
        return NOT_DONE
    if not against and _is_day(text):
        return DONE  # the day on which it was done
    return text


def reads_as_day(text: str, *orders: str) -> bool:
    """Tell whether a text is a day in one of some orders."""
    for order in orders:
        with suppress(DayTextError):
            read_day(text, order)
            return True
    return False


def _is_day(text: str) -> bool:
    return reads_as_day(text, "mdy") and not text.isdigit()


def is_state(text: str) -> bool:
    """Tell whether a text says of work that it was done or not, whatever stands above it: *Sprayed* names the work."""
    plain = text.casefold().strip()
    told = state_of(text, "") in (DONE, NOT_DONE) and plain not in YES | NO and not plain.isdigit()
    return told and not _WORK.fullmatch(plain) and not _is_day(text)


_NOT_DONE_THEN: Final = re.compile(
    r"\W*(?:cancel|void|abandon|skipped|not (?:yet )?(?:done|applied|made)|did ?n[o']?t|planned\b"
    r"|rained out|postponed|never (?:done|got|went|applied))"
)


def says_undone(note: str) -> bool:
    """Tell whether the note of a row begins as of something that was not done: *CANCELLED, rained out*."""
    return _NOT_DONE_THEN.match(note.casefold()) is not None


def is_planned_day(heading: str) -> bool:
    """Tell whether a heading is that of a day on which something was to be done."""
    plain = plain_heading(heading)
    return bool(
        re.search(r"\b(?:plan\w*|sched\w*|due|target|propos\w*)\b", plain) and re.search(r"date|day|\bon\b", plain)
    )


def is_heading(text: str) -> bool:
    return plain_heading(text).rstrip("?") in (*HEADINGS, *OF_PASSES)


_OFTEN: Final = {"once": 1, "one": 1, "single": 1, "twice": 2, "two": 2, "double": 2, "three": 3, "four": 4}
_COUNT: Final = re.compile(r"x?\s?([1-9])(?:[.,]0+)?\s?(?:x|times|pass(?:es)?)?")
_IN_NAME: Final = re.compile(
    r"[\s,;(]*(?<![\w.])(?:([2-5])\s?x|x\s?([2-5])|(twice)|([2-5]|two|three|four) (?:times|pass(?:es)?))"
    r"(?![\w.]|\s*\d)\)?",
    re.IGNORECASE,
)
"""How often behind or before the name of what was done: ``disk 2x``; a size is none, as in ``8 x 30``."""


_NONE_SOWN: Final = re.compile(r"no(?:ne|thing|pe|t (?:seeded|planted|sown))?|no cover(?: crops?)?|n|nil|fallow|bare")
_NOTHING: Final = frozenset({"-", "--", "n/a", "na", "0"})


def without_unsown(mapped: MappedTable, heading: str) -> tuple[MappedTable, list[Problem]]:
    """Return covers without the rows that say in place of a species that there was none; told."""
    told, gone = [], []
    for row in mapped.rows:
        said, place = row.values.get("species", "").strip(" .").casefold(), Place(mapped.file, mapped.sheet, row.number)
        dated = "seeded_on" in row.values
        if not dated and (said in _NOTHING or _NONE_SOWN.fullmatch(said)):
            gone.append(row.number)
        elif _NONE_SOWN.fullmatch(said):
            cause = "the row says that no cover was sown, and on which day."
            told.append(Problem(replace(place, column=heading), cause, "Correct what is wrong.", code="unknown_state"))
    if gone:
        cause = f"what says that no cover was sown is no cover, and was not imported: row {listed(gone)}."
        place = Place(mapped.file, mapped.sheet, gone[0], heading)
        told.append(note(place, cause, "Nothing, if that is right.", "not_done"))
    return replace(mapped, rows=tuple(row for row in mapped.rows if row.number not in gone)), told


def says_passes(name: str) -> bool:
    """Tell whether a name of what was done says that it was done several times."""
    return _IN_NAME.search(name) is not None


def by_pass(mapped: MappedTable, heading: str) -> tuple[MappedTable, list[Problem]]:
    """Return what is done in passes with a row for each that a row says, in its name or under ``heading``; told.

    The rate of a row that is several passes can be that of all of them: it is asked.
    """
    rows, more, told = [], [], []
    key, called = IN_PASSES[mapped.target]
    for row in mapped.rows:
        said = row.values.pop(PASSES, "").strip().casefold()
        name = row.values.get(called, "")
        if not said and (found := _IN_NAME.search(name)):
            said = next(filter(None, found.groups())).casefold()
            row.values[called] = " ".join(f"{name[: found.start()]} {name[found.end() :]}".split())
        number = _COUNT.fullmatch(said)
        times = int(number[1]) if number else _OFTEN.get(said.split(" ")[0], 0 if said else 1)
        if not times:
            place, cause = Place(mapped.file, mapped.sheet, row.number, heading), f"{said!r} is no number of passes."
            told.append(Problem(place, cause, "Write how often it was done.", code="unreadable_quantity"))
        more += [row.number] * (times > 1)
        own = row.values.get(key, "")
        keys = [{key: f"{own}-{again}"} if own and again > 1 else {} for again in range(1, times + 1)]
        rows += [replace(row, values=row.values | named) for named in keys or [{}]]
    if more:
        cause = "each of these rows says that it is several passes, and each pass was entered with all that its row "
        cause, place = f"{cause}says: row {listed(more)}.", Place(mapped.file, mapped.sheet, more[0])
        rated, remedy = called == "product", "Confirm it; where a rate is that of all passes together, correct it."
        told.append(doubt(place, cause, remedy, "passes") if rated else note(place, cause, "Nothing.", "passes"))
    return replace(mapped, rows=tuple(rows)), told


def sorted_out(
    said: Mapping[int, tuple[str, str]], heading: str, place: Place, remedy: str
) -> tuple[set[int], list[Problem]]:
    """Return the rows that did not happen, and what is told: those left out, and each of which nobody can tell.

    ``said`` is by row what its cell means, see ``state_of``, and what it says.
    """
    if not any(text for _, text in said.values()):
        return set(), []
    left: dict[str, list[int]] = defaultdict(list)
    asked = []
    for row, (state, text) in said.items():
        if state == NOT_DONE:
            left[text].append(row)
        elif state != DONE and (text or not _AGAINST.search(heading.casefold())):
            cause = f"{text!r} does not say whether this was done." if text else "it is blank whether this was done."
            here = replace(place, row=row, column=heading)
            asked.append(Problem(here, cause, remedy, code="unknown_state"))
    if left:
        rows = sorted(row for same in left.values() for row in same)
        words = ", ".join(f"{text} (row {', '.join(map(str, same))})" for text, same in left.items())
        said_so = "1 row says that it was" if len(rows) == 1 else f"{len(rows)} rows say that they were"
        cause = f"{said_so} not done; nothing of that was imported: {words}."
        asked.append(note(replace(place, row=rows[0], column=heading), cause, "Nothing, if that is right.", "not_done"))
    return {row for same in left.values() for row in same}, asked
