"""When an audit of a harvest must look at the field: stands, burndown and residue are seen in their weeks or never."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from provender.audit.programme.items import Item, programme_data
from provender.rule.season import MonthDay, Season
from provender.rule.version import RuleVersion


@dataclass(frozen=True, slots=True)
class Visit:
    """A stretch of days in which something can be seen.

    Attributes:
        window: its name.
        label: what can be seen.
        first: the first day; last: the last, included.
        source: the rule version's window, or our suggestion.
        tasks: ids of the tasks that wait for it.
    """

    window: str
    label: str
    first: date
    last: date
    source: str
    tasks: tuple[str, ...]

    def when(self, day: date) -> str:
        """Say whether the stretch is ahead, open or over on a day."""
        if day < self.first:
            return "ahead"
        return "open now" if day <= self.last else "over"

    def document(self, day: date) -> dict[str, object]:
        """Return plain data as of a day."""
        return {
            "window": self.window,
            "label": self.label,
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
            "source": self.source,
            "tasks": list(self.tasks),
            "when": self.when(day),
        }


def _on(season: Season, year: int) -> tuple[date, date]:
    """Return first and last day in a year; a window over New Year ends in the next."""
    over = season.first.number > season.last.number
    return date(year, *season.first), date(year + over, *season.last)


def season_calendar(items: Iterable[Item], harvest_year: int, rule: RuleVersion, state: str = "") -> list[Visit]:
    """Return the stretches the programme's tasks wait for, by first day.

    Args:
        items: a programme.
        harvest_year: year of the harvest under audit; fall windows of the cover crop lie in the year before.
        rule: its windows for cover crops and fall nitrogen.
        state: two letters, for windows a State set for itself.
    """
    waiting: dict[str, list[str]] = {}
    for item in items:
        if item.window:
            waiting.setdefault(item.window, []).append(item.id)
    visits = []
    for name, tasks in waiting.items():
        window = programme_data()["windows"][name]
        if "rule" in window:
            season, source = rule.window(window["rule"], state), f"rule version {rule.id}"
        else:
            season = Season(MonthDay.parse(window["first"]), MonthDay.parse(window["last"]))
            source = "suggestion"
        first, last = _on(season, harvest_year + window["year"])
        visits.append(Visit(name, window["label"], first, last, source, tuple(tasks)))
    return sorted(visits, key=lambda visit: (visit.first, visit.last, visit.window))
