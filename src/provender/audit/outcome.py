"""What a check of a package answers: claims computed again, differences, what could not be shown (2100.040, .051(d)).

"Nothing to compute" is never "all well": an outcome settles its paragraphs only if it computed at least one claim and
everything agreed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Final, Protocol, TypeVar

from provender.days import iso_day
from provender.exact import CI_SCALE, SCALE, Bushels, Scaled, half_even, parse, show
from provender.rule.crops import Cite
from provender.schema import read, write

Files = Mapping[str, bytes]
"""A package: content by path, as ``provender.signing.bags.Bag`` gives it."""


Grams = Annotated[int, Scaled(0, "g CO2e")]
"""Whole grams CO2e, as text."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A claim that does not recompute."""

    code: str  # stable name, such as ``stir_differs``
    cite: str  # the paragraph it touches, such as ``2100.051(b)(1)``
    place: str  # where it stands, as a person would look it up: farm, unit, interval, lot, document
    claimed: str  # the claimed value with its unit; empty where nothing was claimed
    recomputed: str  # the value computed again; empty where there should be none
    effect_bushels: Bushels | None = None  # whose claim depends on it; None where nobody can say
    # by how many the claim is too good (positive) or too bad; None where nobody can say
    effect_g_co2e: Grams | None = None
    # what it is about, from the whole to the part, such as a report and its unit, or a party whose book it is: by this
    # it is seen to follow from another difference
    about: tuple[tuple[str, ...], ...] = field(default=(), compare=False)

    def of(self, *about: tuple[str, ...]) -> "Difference":
        return replace(self, about=about)

    def __post_init__(self) -> None:
        Cite.parse(self.cite)

    def __str__(self) -> str:
        """Write the difference as one line."""
        effect = "" if self.effect_bushels is None else f" Effect: {show(self.effect_bushels, group=True)} bu"
        grams = "" if self.effect_g_co2e is None else f", {self.effect_g_co2e:,} g CO2e"
        claimed, again = self.claimed or "nothing", self.recomputed or "nothing"
        return f"{self.place}: claimed {claimed}, recomputed {again} [7 CFR {self.cite}].{effect}{grams}"

    def as_json(self) -> dict[str, Any]:
        """Return plain data; amounts as decimal text."""
        return {name: value for name, value in write(self, whole=True).items() if name != "about"}


def effect_g_co2e(bushels: int, claimed_ci: int, recomputed_ci: int) -> int:
    """Return by how many whole grams a claim is too good.

    Args:
        bushels: thousandths of a bushel.
        claimed_ci: hundredths of g CO2e/bu.
        recomputed_ci: the same, computed again.
    """
    return half_even(bushels * (recomputed_ci - claimed_ci), 10 ** (SCALE + CI_SCALE))


class State(StrEnum):
    """What recomputation says of a paragraph, best first."""

    SETTLED = "settled"
    """Computed again, and everything agrees."""
    OPEN = "open"
    """Nothing was computed, or not all of it could be."""
    DIFFERS = "differs"
    """At least one claim does not recompute."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The answer of one check."""

    check: str  # its name
    cites: tuple[str, ...]  # the paragraphs it speaks to
    computed: int  # how many claims were computed again
    differences: tuple[Difference, ...] = ()  # those that do not agree
    not_shown: tuple[str, ...] = ()  # what could not be judged, each with its reason, as sentences

    @property
    def state(self) -> State:
        """Settled, open, or differs."""
        if self.differences:
            return State.DIFFERS
        return State.OPEN if self.not_shown or not self.computed else State.SETTLED

    def as_json(self) -> dict[str, Any]:
        told = {"state": str(self.state), "differences": [one.as_json() for one in self.differences]}
        return {**write(replace(self, differences=()), whole=True), **told}


Answer = Difference | str | int | Cite
"""What a check yields: a claim that differs; what could not be judged, as a sentence; how many claims it computed
again; a paragraph that it speaks to beside its own."""


@dataclass(frozen=True, slots=True)
class Check:
    """One recomputation: its name, the paragraphs it speaks to, and what it answers of a package."""

    name: str
    cites: tuple[str, ...]
    answers: Callable[[Any], Iterable[Answer]]  # of a ``PackageContents``
    nothing: str  # what is not shown where nothing was computed and nothing else is said

    def __call__(self, case: Files) -> CheckResult:
        """Run the check on a package that is taken apart."""
        differences, told, cites, computed = list[Difference](), list[str](), list(self.cites), 0
        for one in self.answers(case):
            if isinstance(one, Difference):
                differences.append(one)
            elif isinstance(one, str):
                told.append(one)
            elif isinstance(one, Cite):
                cites.append(str(one))
            else:
                computed += one
        if self.nothing and not computed and not told:
            told.append(self.nothing)
        return CheckResult(self.name, tuple(cites), computed, tuple(differences), tuple(dict.fromkeys(told)))


def check(name: str, *cites: str, nothing: str = "") -> Callable[[Callable[[Any], Iterable[Answer]]], Check]:
    return lambda answers: Check(name, cites, answers, nothing)


def all_about(answers: Iterable[Answer], *about: tuple[str, ...]) -> Iterator[Answer]:
    return (one.of(*about) if isinstance(one, Difference) else one for one in answers)


class Speaks(Protocol):
    """What an outcome says of paragraphs."""

    @property
    def cites(self) -> tuple[str, ...]:
        """Those that it speaks to."""

    @property
    def state(self) -> State:
        """How they stand by it."""


def state_of(outcomes: Iterable[Speaks], cite: str) -> State:
    """Return the worst state among the outcomes that speak to a paragraph or to what lies below it."""
    asked = Cite.parse(cite)
    order = list(State)
    states = [one.state for one in outcomes for text in one.cites if Cite.parse(text).within(asked)]
    return max(states, key=order.index, default=State.OPEN)


# Whether a document that somebody sent has the form its readers rely on; anything else is not that document.
#
# Only what the readers walk through is asked for. A form names, for a path of members, the type that must stand there;
# ``*`` stands for every member of a list, and what is missing or null is let be unless it is asked for.

Form = Mapping[str, type]

_EVERY: Final = "*"


def fits(document: object, form: Form, asked: tuple[str, ...] = ()) -> bool:
    """Tell whether a document has a form.

    Args:
        document: as read from JSON; anything at all is answered.
        form: type by path, such as ``edition/version`` or ``lines/*``; ``date`` stands for an ISO day.
        asked: paths that must be there and not be null.
    """
    if not isinstance(document, Mapping):
        return False
    there = {path: list(_at(document, path.split("/"))) for path in {*form, *asked}}
    return all(there[path] for path in asked) and all(
        _is(value, kind) for path, kind in form.items() for value in there[path]
    )


def rows_of(value: object) -> list[Mapping[str, Any]]:
    """Return the members of a list that are objects; of anything else, none."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


T = TypeVar("T")


def read_marked(cls: type[T], data: Mapping[str, Any], **marks: str) -> T:
    """Read a document whose first members say what it is; the others are the fields of a class.

    Raises:
        KeyError, TypeError, ValueError: it is another document, or a part is missing, unknown or not of its kind.
    """
    if wrong := {name: data[name] for name, mark in marks.items() if data[name] != mark}:
        raise ValueError(f"{wrong} is not {marks}")
    return read(cls, {name: value for name, value in data.items() if name not in marks})


def known_in(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a document that are fields of a class."""
    return {one.name: data[one.name] for one in fields(cls) if one.name in data}


def brief(value: object, most: int = 200) -> str:
    """Return a value as a line of a screen or two."""
    text = "nothing" if value in (None, "", [], {}) else str(value)
    return text if len(text) <= most else f"{text[:most]} ..."


def inside(envelope: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the document in a signed envelope; what is not signed lies bare."""
    inner = envelope.get("document")
    return inner if isinstance(inner, Mapping) else envelope


def scaled(text: object, scale: int) -> int | None:
    """Read a number of a report; None where there is none or it is not readable."""
    try:
        return parse(text, scale) if isinstance(text, str) else None
    except ValueError:
        return None


def _at(value: Any, path: list[str]) -> Iterator[Any]:  # noqa: ANN401 - any JSON
    """Yield what stands at a path; nothing where a step leads nowhere."""
    if not path:
        yield value
    elif path[0] == _EVERY:
        for one in value if isinstance(value, list) else ():
            yield from _at(one, path[1:])
    elif isinstance(value, Mapping) and value.get(path[0]) is not None:
        yield from _at(value[path[0]], path[1:])


def _is(value: object, kind: type) -> bool:
    if kind is date:
        return iso_day(value) is not None
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))
