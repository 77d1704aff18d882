"""The numbers of the rule and of our readings, with their citations, and which version of the rule governs a crop."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, get_type_hints

from provender.exact import parse, show
from provender.problem import refuse
from provender.rule.crops import Cite
from provender.signing.canonical import sha256_hex

# Windows of the year that the rule names only by season: from one month and day to another, both included.

_LEAP_YEAR = 2024


class MonthDay(NamedTuple):
    """A day of any year."""

    month: int
    day: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``08-01``.

        Raises:
            ValueError: the text is no month and day.
        """
        try:
            found = date.fromisoformat(f"{_LEAP_YEAR}-{text}")
        except ValueError:
            raise ValueError(f"{text!r} is not a month and day. Write it like 08-01.") from None
        return cls(found.month, found.day)

    @property
    def number(self) -> int:
        """Return month * 100 + day, which sorts and compares in a column."""
        return self.month * 100 + self.day

    def __str__(self) -> str:
        return f"{self.month:02}-{self.day:02}"

    @property
    def words(self) -> str:
        """Return the day as people write it: ``1 August``."""
        return f"{self.day} {date(_LEAP_YEAR, self.month, 1):%B}"


@dataclass(frozen=True, slots=True)
class Season:
    """A window of the year; one that starts after it ends runs over New Year."""

    first: MonthDay  # the first day, included
    last: MonthDay  # the last day, included
    source: str = "default"  # where the window comes from: ``default``, or the State that set it

    def contains(self, day: date) -> bool:
        """Return whether a day of any year lies in the window."""
        number = MonthDay(day.month, day.day).number
        if self.first.number <= self.last.number:
            return self.first.number <= number <= self.last.number
        return number >= self.first.number or number <= self.last.number

    def __str__(self) -> str:
        return f"{self.first.words} to {self.last.words} ({self.source})"


# The numbers of the rule and of our readings: dated, with unit and citation, read up to a known day.


def read_data(name: str) -> dict[str, Any]:
    """Return one file of the data folder, such as ``parameters.toml``."""
    # The parser and the package reader cost as much as this whole package, and most commands need neither at once.
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
    """One number, window, day or choice that results depend on."""

    name: str  # the attribute of ``RuleVersion`` that carries it
    label: str  # what it is, for people
    cite: Cite  # the paragraph that holds it or leaves it open
    kind: ParameterKind  # rule or reading
    reading: int  # the number of the interpretation, 0 for the rule's own numbers
    unit: str  # such as ``days``; ``month and day`` for a window, ``word`` for a choice
    scale: int  # decimal digits kept in the whole number (3: thousandths)
    options: tuple[str, ...]  # the words of a choice
    history: tuple[Dated, ...]  # values by the day they start, oldest first; the last one holds on

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
    """The whole table, checked."""

    id: str  # stable name of the text, such as ``interim-2025``
    citation: str  # where it was published
    start: date  # its first day
    read_up_to: date  # the last day up to which somebody has read what is in force
    later_citation: str  # the later rule whose text is not loaded, or empty
    later_start: date | None  # its first day, or None
    by_name: Mapping[str, Parameter]  # every parameter
    # (State, name of a window, window), set by States; empty in the package
    state_windows: tuple[tuple[str, str, Season], ...] = ()
    # every text whose numbers the table holds, oldest first: earlier ones govern earlier harvests
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
    return tuple(one for one in parameters().by_name.values() if one.cite == cite)


# The version of the rule that governs a crop: chosen by the day of harvest, passed as an argument everywhere.

LATER_RULE: Final = "later rule in force, text not loaded"
NOT_SHOWN: Final = "not shown to be the rule in force"
NOT_CURRENT: Final = f"under the interim text, {NOT_SHOWN}"
"""The state of a harvest after the last day up to which the text has been read (interpretation 67)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleVersion:
    """Every number the results depend on, as in force for one harvest.

    Amounts are whole units of the scale of their parameter: percent, lb N/ac in thousandths, STIR in ten-thousandths,
    years, months, days and passes in ones. ``parameters().by_name`` has label, unit and citation of each by the same
    name. Equal versions give equal verdicts, so a version is a key of caches.
    """

    id: str  # stable name of the text that governs the harvest, such as ``interim-2025``
    citation: str  # where that text was published
    read_up_to: date  # the last day up to which somebody has read what is in force
    later_rule_in_force: bool  # the harvest falls under a later rule whose text is not loaded (interpretation 1)
    state_windows: tuple[tuple[str, str, Season], ...]  # (State, name of a window, window) set by States

    no_till_stir_max: int
    reduced_till_stir_max: int
    stir_scale_max: int
    intensive_tillage_passes_flag: int
    no_till_promise_years: int
    no_till_promise_of_years: int
    land_conversion_after: date
    retention_years: int
    period_max_months: int
    audit_interval_years: int
    materiality_pct_max: int
    cover_seeding_window: Season
    cover_termination_window: Season
    winter_kill_window: Season
    cover_incorporation_days: int
    fall_n_window: Season
    soil_test_max_years: int
    inhibitor_pct_required: int
    planting_window_days_before: int
    planting_grace_days_after: int
    split_post_emergence_pct_min: int
    split_pre_emergence_pct_max: int
    emergence_days_earliest: int
    emergence_days_latest: int
    analysis_difference_pct_max: int
    applied_n_of_plan_pct_max: int
    implied_pass_days: int
    harvest_apart_days: int
    control_statement_days: int
    harvest_over_new_year_days: int
    trace_n_pass_lb_per_ac: int
    trace_n_season_lb_per_ac: int
    boundary_difference_pct_max: int
    reported_acres_difference_pct_max: int
    bushel_total_difference_pct_max: int
    bin_difference_pct_max: int
    national_default_min: int
    national_default_max: int
    ci_of_default_pct_min: int
    ci_of_default_pct_max: int
    corn_yield_max: int
    soybeans_yield_max: int
    sorghum_yield_max: int
    grain_moisture_pct_min: int
    grain_moisture_pct_max: int
    boundary_contradiction_pct_min: int
    sister_yield_pct_max: int
    silage_handling: str
    high_moisture_handling: str
    corn_moisture_pct: int
    soybeans_moisture_pct: int
    sorghum_moisture_pct: int
    soybean_oil_lb_per_bu_max: int
    ground_grain_lb_per_bu_max: int
    corn_starch_lb_per_bu_max: int
    surplus_at_close: str
    statement_carries_months: int
    purchase_paper_days_max: int
    audited_before_years: int
    audited_before_pct: int

    @classmethod
    def of(cls, table: Parameters, harvest_day: date) -> Self:
        """Build the version in force on a day from a table of parameters.

        Raises:
            NotInForceError: the day is before the rule.
            ParametersError: table and class do not name the same parameters of the same types.
        """
        if harvest_day < table.start:
            raise NotInForceError(
                f"A crop harvested on {harvest_day} is not covered: 7 CFR part 2100 is in force from {table.start}. "
                "Check the harvest date; a crop harvested earlier cannot be sold as reduced-CI crop under this rule."
            )
        types = get_type_hints(cls)
        names = set(PARAMETER_NAMES)
        if names != set(table.by_name):
            raise ParametersError(f"table and RuleVersion differ in {', '.join(sorted(names ^ set(table.by_name)))}")
        values: dict[str, Any] = {name: table.by_name[name].on(harvest_day) for name in PARAMETER_NAMES}
        if wrong := [name for name, value in values.items() if not isinstance(value, types[name])]:
            raise ParametersError(f"not of the type RuleVersion declares: {', '.join(wrong)}")
        text = table.text_on(harvest_day)
        return cls(
            id=text.id,
            citation=text.citation,
            read_up_to=table.read_up_to,
            later_rule_in_force=harvest_day > table.read_up_to,
            state_windows=table.state_windows,
            **values,
        )

    @property
    def warning(self) -> str:
        """Return the sentence that screen and paper print for a harvest under a later rule; empty otherwise."""
        return LATER_RULE if self.later_rule_in_force else ""

    @property
    def state(self) -> str:
        """Return that the text is not shown to be the rule in force on the day of the harvest; empty where it is.

        A state of its own beside official, estimate and preliminary: whoever reads a result reads this first.
        """
        if not self.later_rule_in_force:
            return ""
        return NOT_CURRENT if self.id.startswith("interim") else f"under the text {self.id}, {NOT_SHOWN}"

    def window(self, name: str, state: str = "") -> Season:
        """Return a window of the year for a State: the State's own, else the default; print it with the result.

        Raises:
            KeyError: no parameter of that name is a window.
        """
        own = [season for of, window, season in self.state_windows if of == state and window == name]
        default = getattr(self, name, None)
        if not isinstance(default, Season):
            raise KeyError(name)
        return own[-1] if own else default

    def basis_moisture_pct(self, crop: str) -> int:
        """Return the moisture, in thousandths of a percent, at which bushels of a crop are counted.

        Raises:
            AttributeError: the crop is not one of 2100.011.
        """
        found: int = getattr(self, f"{crop}_moisture_pct")
        return found


_HEAD: Final = ("id", "citation", "read_up_to", "later_rule_in_force", "state_windows")
PARAMETER_NAMES: Final = tuple(one.name for one in fields(RuleVersion) if one.name not in _HEAD)


@cache
def rule_version(harvest_day: date) -> RuleVersion:
    """Return the version of the rule that governs a crop harvested on a day (interpretation 1).

    Raises:
        NotInForceError: the harvest is older than the rule.
    """
    return RuleVersion.of(parameters(), harvest_day)


def governing_version(harvest_day: date | None) -> RuleVersion | None:
    """Return the version of the rule that governs a day's harvest; None before the rule, and where no day is known."""
    try:
        return rule_version(harvest_day) if harvest_day else None
    except NotInForceError:
        return None
