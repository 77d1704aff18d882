"""The numbers of the rule and of our readings: dated, with unit and citation, read up to a known day."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from provender.problem import refuse
from provender.quantity import parse, show
from provender.rule.cite import Cite
from provender.rule.season import MonthDay, Season
from provender.signing.hashes import sha256_hex


def read_data(name: str) -> dict[str, Any]:
    """Return one file of the data folder, such as ``parameters.toml``."""
    # The parser and the package reader cost as much as this whole room, and most commands need neither at once.
    import tomllib
    from importlib.resources import files

    return tomllib.loads((files("provender.rule") / "data" / name).read_text(encoding="utf-8"))


def data_names(folder: str) -> Iterator[str]:
    """Yield the files of a folder inside the data folder, sorted, as ``read_data`` takes them."""
    from importlib.resources import files

    names = sorted(one.name for one in (files("provender.rule") / "data" / folder).iterdir())
    return (f"{folder}/{name}" for name in names if name.endswith(".toml"))


Value = int | date | str | Season


class ParameterKind(StrEnum):
    """Where a number comes from."""

    rule = "rule"
    """It stands in the paragraph cited."""
    reading = "reading"
    """The paragraph leaves it open; an interpretation decides."""


class NotInForceError(ValueError):
    """No version of the rule was in force on the day of harvest."""


class ParametersError(ValueError):
    """The table of parameters cannot be used; the message names the parameter and what is wrong."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A value and the first day on which it holds."""

    start: date
    value: Value


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number, window, day or choice that results depend on.

    Attributes:
        name: the attribute of ``RuleVersion`` that carries it.
        label: what it is, for people.
        cite: the paragraph that holds it or leaves it open.
        kind: rule or reading.
        reading: the number of the interpretation, 0 for the rule's own numbers.
        unit: such as ``days``; ``month and day`` for a window, ``word`` for a choice.
        scale: decimal digits kept in the whole number (3: thousandths).
        options: the words of a choice.
        history: values by the day they start, oldest first; the last one holds on.
    """

    name: str
    label: str
    cite: Cite
    kind: ParameterKind
    reading: int
    unit: str
    scale: int
    options: tuple[str, ...]
    history: tuple[Dated, ...]

    def on(self, day: date) -> Value:
        """Return the value on a day.

        Raises:
            NotInForceError: the day is before the first value.
        """
        holding = [one.value for one in self.history if one.start <= day]
        if not holding:
            raise NotInForceError(f"{self.name} has no value on {day}; the first one starts {self.history[0].start}.")
        return holding[-1]

    def show(self, value: Value) -> str:
        """Write a value as people read it, without its unit."""
        return show(value, self.scale) if isinstance(value, int) else str(value)


@dataclass(frozen=True, slots=True)
class Text:
    """A published text of the rule: the first harvest day that it governs, its stable name, where it was published."""

    start: date
    id: str
    citation: str


@dataclass(frozen=True, slots=True)
class Parameters:
    """The whole table, checked.

    Attributes:
        id: stable name of the text, such as ``interim-2025``.
        citation: where it was published.
        start: its first day.
        read_up_to: the last day up to which somebody has read what is in force.
        later_citation: the later rule whose text is not loaded, or empty.
        later_start: its first day, or None.
        by_name: every parameter.
        state_windows: (State, name of a window, window), set by States; empty in the package.
        texts: every text whose numbers the table holds, oldest first: earlier ones govern earlier harvests.
    """

    id: str
    citation: str
    start: date
    read_up_to: date
    later_citation: str
    later_start: date | None
    by_name: Mapping[str, Parameter]
    state_windows: tuple[tuple[str, str, Season], ...] = ()
    texts: tuple[Text, ...] = ()

    def text_on(self, day: date) -> Text:
        """Return the text that governs a harvest; the first one for a day before any."""
        return next((one for one in reversed(self.texts) if one.start <= day), self.texts[0])


_KEYS: Final = {"label", "cite", "kind", "reading", "unit", "scale", "options", "values"}


def _value(entry: Mapping[str, Any], scale: int, options: tuple[str, ...]) -> Value:
    """Read one dated value: an amount, a day, a window or a word."""
    match [key for key in entry if key != "start"]:
        case ["amount"] if isinstance(entry["amount"], str):
            return parse(entry["amount"], scale)
        case ["day"] if isinstance(entry["day"], date):
            return entry["day"]
        case ["window"]:
            first, last = entry["window"]
            return Season(MonthDay.parse(first), MonthDay.parse(last))
        case ["word"] if entry["word"] in options:
            return str(entry["word"])
        case ["word"]:
            raise ValueError(f"{entry['word']!r} is none of {', '.join(options)}")
        case found:
            raise ValueError(
                f"a value has a start and one of amount (as text), day, window, word; check {', '.join(found)}"
            )


def _parameter(name: str, entry: Mapping[str, Any], start: date) -> Parameter:
    """Read one parameter and refuse what would leave a day without value or a number without source."""
    if unknown := set(entry) - _KEYS:
        raise ValueError(f"unknown {', '.join(sorted(unknown))}")
    if missing := {"label", "cite", "kind", "unit", "values"} - set(entry):
        raise ValueError(f"{', '.join(sorted(missing))} is missing")
    kind = ParameterKind(entry["kind"])
    reading = int(entry.get("reading", 0))
    if (kind is ParameterKind.reading) != (reading > 0):
        raise ValueError("a reading names the number of its interpretation, a number of the rule names none")
    scale, options = int(entry.get("scale", 0)), tuple(entry.get("options", ()))
    history = tuple(Dated(one["start"], _value(one, scale, options)) for one in entry["values"])
    starts = [one.start for one in history]
    if not starts or starts[0] != start:
        raise ValueError(f"its first value starts on {starts[0] if starts else 'no day'}, the rule on {start}")
    if starts != sorted(set(starts)):
        raise ValueError("its values are not in the order of their days, each day once")
    if len({type(one.value) for one in history}) > 1:
        raise ValueError("its values are not all of one type")
    cite = Cite.parse(entry["cite"])
    return Parameter(name, entry["label"], cite, kind, reading, entry["unit"], scale, options, history)


def read_parameters(data: Mapping[str, Any]) -> Parameters:
    """Read and check a table of parameters, as TOML gives it.

    Raises:
        ParametersError: a parameter lacks a citation or a value for some day of the rule, or cannot be read.
    """
    head, later = data["text"], data.get("later_rule", {})
    by_name = {}
    for name, entry in data["parameters"].items():
        try:
            by_name[name] = _parameter(name, entry, head["start"])
        except (KeyError, TypeError, ValueError) as wrong:
            raise ParametersError(f"parameter {name}: {wrong}") from wrong
    if later and later["start"] <= head["read_up_to"]:
        raise ParametersError("the later rule starts on a day up to which the text is said to be read")
    return Parameters(
        id=head["id"],
        citation=head["citation"],
        start=head["start"],
        read_up_to=head["read_up_to"],
        later_citation=later.get("citation", ""),
        later_start=later.get("start"),
        by_name=by_name,
        state_windows=read_state_windows(data.get("state_windows", {}), by_name),
        texts=_texts(head, data.get("earlier_texts", ())),
    )


def _texts(head: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]]) -> tuple[Text, ...]:
    """Read which text governs which harvests: the present one from ``governs_from``, else from the first day."""
    found = [Text(one["start"], one["id"], one["citation"]) for one in earlier]
    found.append(Text(head.get("governs_from", head["start"]), head["id"], head["citation"]))
    starts, ids = [one.start for one in found], {one.id for one in found}
    if starts[0] != head["start"] or starts != sorted(set(starts)) or len(ids) < len(found):
        raise ParametersError("the texts do not follow each other from the first day of the rule, each named once")
    return tuple(found)


def read_state_windows(
    table: Mapping[str, Mapping[str, tuple[str, str] | list[str]]], by_name: Mapping[str, Parameter]
) -> tuple[tuple[str, str, Season], ...]:
    """Read windows that States set for themselves: State -> name of a window -> first and last month and day.

    Raises:
        ParametersError: no such window, or not a month and day.
    """
    found = []
    for state, windows in sorted(table.items()):
        for name, (first, last) in sorted(windows.items()):
            if name not in by_name or not isinstance(by_name[name].history[0].value, Season):
                raise ParametersError(f"state_windows.{state}: {name!r} is not a window of the rule")
            try:
                found.append((state, name, Season(MonthDay.parse(first), MonthDay.parse(last), source=state)))
            except ValueError as wrong:
                raise ParametersError(f"state_windows.{state}.{name}: {wrong}") from wrong
    return tuple(found)


_LOADED: Final[list[Parameters]] = []


@cache
def parameters() -> Parameters:
    """Return the table, read once: the packaged one, or the one that ``load_rule`` put in its place."""
    return _LOADED[-1] if _LOADED else read_parameters(read_data("parameters.toml"))


def latest_whole(name: str) -> int:
    """Return the latest value of a parameter that is a whole number: of what no one harvest day decides."""
    return int(str(parameters().by_name[name].history[-1].value))


def load_rule(path: Path) -> None:
    """Take a later text's numbers in place of the packaged ones, at the start of a program (interpretation 67).

    Whoever has the text writes its numbers into a copy of ``rule/data/parameters.toml``, with the interim text among
    ``earlier_texts``: harvests under it are then reported under the rule in force. What is cited as the text says from
    then on which file its numbers came from: nobody but its writer vouches for them.

    Raises:
        ProblemsError: the file cannot be read or used.
    """
    import tomllib

    try:
        content = path.read_bytes()
        loaded = read_parameters(tomllib.loads(content.decode("utf-8")))
        source = f"; numbers of a file that its user loaded, SHA-256 {sha256_hex(content)}"
        texts = tuple(replace(text, citation=text.citation + source) for text in loaded.texts)
        _LOADED.append(replace(loaded, citation=loaded.citation + source, texts=texts))
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as wrong:
        remedy = "Begin with a copy of src/provender/rule/data/parameters.toml."
        raise refuse(str(path), f"The rule's numbers cannot be read: {wrong}.", remedy, code="rule_file") from None
    parameters.cache_clear()


def parameters_of(cite: Cite) -> tuple[Parameter, ...]:
    """Return the parameters that cite exactly this paragraph."""
    return tuple(one for one in parameters().by_name.values() if one.cite == cite)
