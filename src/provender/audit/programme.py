"""The programme of an audit: which lines a verifier works through for a party's role, and the season's calendar."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from provender.audit.outcome import Speaks, State, state_of
from provender.rule.crops import Cite, Practice
from provender.rule.law import MonthDay, RuleVersion, Season
from provender.rule.paragraphs import Force, Paragraph, Subject, paragraphs
from provender.schema import field, view, write
from provender.signing.canonical import document_hash

# The work programme of an audit, generated from the rule for the role of the audited party (2100.040(a) to (f)).
#
# Three kinds of lines: **duties**, the paragraphs that say what the verifier verifies; **standards**, the paragraphs of
# other sections a duty sends to; and **tasks**, work for people that no recomputation replaces: visits, video,
# photographs, interviews, subcontractors' records, tie-outs to tickets, bins and tanks. Duties and standards are
# prefilled with what recomputation found; tasks are always left to do.


class Role(StrEnum):
    """In which role a party is audited."""

    FARM = "farm"
    FIRST_POINT = "first point of aggregation"
    INTERMEDIARY = "intermediary entity"
    PROCESSOR = "processor"
    """A first point or intermediary that processes, in addition to that role (2100.040(d), (e))."""
    REFINER = "biofuel refiner"


DUTY: Final = "duty"
STANDARD: Final = "standard"
TASK: Final = "task"

SUBJECTS: Final[Mapping[Role, frozenset[Subject]]] = {
    Role.FARM: frozenset({Subject.farm_producer}),
    Role.FIRST_POINT: frozenset({Subject.first_point}),
    Role.INTERMEDIARY: frozenset({Subject.intermediary}),
    Role.PROCESSOR: frozenset({Subject.processor, Subject.first_point, Subject.intermediary}),
    Role.REFINER: frozenset({Subject.refiner}),
}
"""To whom the paragraphs speak that bind a party audited in a role."""
_EVERYBODY: Final = frozenset({Subject.any_entity, Subject.verifier})


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the programme."""

    kind: str  # duty, standard or task
    role: Role  # for which role of the party
    cite: str  # the paragraph
    text: str  # what is verified, or what is to be done
    how: str  # ``recompute`` for duties and standards, otherwise the kind of work
    state: State  # what recomputation says; ``open`` for tasks
    window: str = ""  # name of the season window, empty without
    id: str = ""  # stable name of a task, empty otherwise

    @property
    def line(self) -> str:
        """Return the name of the line: stable as long as its words are."""
        return document_hash({"kind": self.kind, "role": str(self.role), "cite": self.cite, "text": self.text})[:16]

    @property
    def left(self) -> str:
        if self.kind == TASK:
            return "to do"
        return {
            State.SETTLED: "recomputed, agrees",
            State.DIFFERS: "recomputed, differs: see the differences",
            State.OPEN: "verify from documents",
        }[self.state]

    def document(self) -> dict[str, str]:
        return {**write(self, whole=True), "left": self.left}


@cache
def programme_data() -> Mapping[str, Any]:
    """Return the packaged duties, standards, practices, windows and tasks."""
    import tomllib

    return tomllib.loads((files("provender.audit") / "data" / "programme.toml").read_text(encoding="utf-8"))


def roles_in(*roles: Role) -> tuple[Role, ...]:
    """Return the roles whose programme an audit has: a first point's includes that of its farms (2100.040(a)(3))."""
    return tuple(dict.fromkeys([*roles, *([Role.FARM] if Role.FIRST_POINT in roles else [])]))


def assertions_of(*roles: Role) -> tuple[str, ...]:
    """Return the paragraphs that say what an audit of a party in its roles verifies."""
    return tuple(text for each in roles_in(*roles) for text in programme_data()["assertions"][each])


class NotNeeded(StrEnum):
    """Why a line need not be answered; what the package shows decides whether that is so (interpretation 90)."""

    NO_PRACTICE = "no farm of the audit claims the practice"
    NO_FARM = "nothing was bought from a farm"
    NO_PROCESSING = "nothing was processed"
    NO_PRODUCT = "no product was held, bought or sold"
    NO_SALE = "nothing was sold"
    NO_PROVIDER = "no service provider or subcontractor has a contract"


def reasons_for(item: Item) -> tuple[NotNeeded, ...]:
    """Return for which reasons a line need not be answered; none for one that every audit of the role answers."""
    cite, table = Cite.parse(item.cite), programme_data()["not_needed"]
    named = [one for one in NotNeeded if any(cite.within(Cite.parse(text)) for text in table.get(one.name, ()))]
    return ((NotNeeded.NO_PRACTICE,) if practices_of(cite) else ()) + tuple(named)


def practices_of(cite: Cite) -> frozenset[Practice]:
    """Return the practices that bring a paragraph into an audit; none for one that is always in it."""
    asked = [names for text, names in programme_data()["practices"].items() if cite.within(Cite.parse(text))]
    return frozenset(Practice(name) for names in asked for name in names)


def programme(
    roles: Iterable[Role], outcomes: Sequence[Speaks] = (), practices: Iterable[Practice] = tuple(Practice)
) -> list[Item]:
    """Return the programme for a party.

    Args:
        roles: in which the party is audited; a processor has its other role besides, a farm stands alone.
        outcomes: what recomputation answered; none leaves everything open.
        practices: those the audited farms claim; the standards of others are left out.
    """
    claimed = frozenset(practices)
    items: dict[tuple[str, str, str], Item] = {}
    for role in roles:
        for item in _items(role, outcomes, claimed):
            items.setdefault((item.kind, item.cite, item.text), item)
    return list(items.values())


def _items(role: Role, outcomes: Sequence[Speaks], claimed: frozenset[Practice]) -> Iterable[Item]:
    data = programme_data()
    for text in data["duties"][role]:
        for duty in _leaves(text, role):
            if not _claimed(duty.cite, claimed):
                continue
            yield _line(DUTY, role, duty, outcomes)
            for standard in data["standards"].get(str(duty.cite), ()):
                for leaf in _leaves(standard, role):
                    if _claimed(leaf.cite, claimed):
                        yield _line(STANDARD, role, leaf, outcomes)
    for task in data["task"]:
        if role in task["roles"] and _claimed(Cite.parse(task["cite"]), claimed):
            window = task.get("window", "")
            yield Item(TASK, role, task["cite"], task["text"], task["how"], State.OPEN, window, task["id"])


@cache
def _leaves(text: str, role: Role) -> tuple[Paragraph, ...]:
    """Return the lowest paragraphs under one that bind somebody this role's audit looks at."""
    above = Cite.parse(text)
    parents = {cite.parent for cite in paragraphs()}
    return tuple(
        found
        for cite, found in paragraphs().items()
        if cite.within(above)
        and cite not in parents
        and found.force in (Force.must, Force.should)
        and {*found.subjects} & (SUBJECTS[role] | _EVERYBODY)
    )


def _claimed(cite: Cite, claimed: frozenset[Practice]) -> bool:
    """Tell whether a paragraph matters for the claimed practices; those of no practice always do."""
    asked = practices_of(cite)
    return not asked or bool(claimed & asked)


def _line(kind: str, role: Role, found: Paragraph, outcomes: Sequence[Speaks]) -> Item:
    cite = str(found.cite)
    return Item(kind, role, cite, found.summary, "recompute", state_of(outcomes, cite))


# When an audit of a harvest must look at the field: stands, burndown and residue are seen in their weeks or never.


@view
class Visit:
    """A stretch of days in which something can be seen, and the tasks that wait for it."""

    window: str = field("Window")
    label: str = field("What can be seen")
    first: date = field("First day")
    last: date = field("Last day")
    source: str = field("Window from", help="The rule version's window, or our suggestion.")
    tasks: tuple[str, ...] = field("Tasks")
    when: str = field("As of this day", help="Whether the stretch is ahead, open or over.")


def _on(season: Season, year: int) -> tuple[date, date]:
    """Return first and last day in a year; a window over New Year ends in the next."""
    over = season.first.number > season.last.number
    return date(year, *season.first), date(year + over, *season.last)


def season_calendar(
    items: Iterable[Item], harvest_year: int, rule: RuleVersion, day: date, state: str = ""
) -> list[Visit]:
    """Return the stretches the programme's tasks wait for, by first day.

    Args:
        items: a programme.
        harvest_year: year of the harvest under audit; fall windows of the cover crop lie in the year before.
        rule: its windows for cover crops and fall nitrogen.
        day: as of which a stretch is ahead, open or over.
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
        stretch = {"window": name, "label": window["label"], "source": source, "tasks": tuple(tasks)}
        when = "ahead" if day < first else "open now" if day <= last else "over"
        visits.append(Visit(**stretch, first=first, last=last, when=when))
    return sorted(visits, key=lambda visit: (visit.first, visit.last, visit.window))
