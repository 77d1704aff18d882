"""What a verifier takes along: the fields to look at first, the sample in words, the programme on paper (2100.040)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from provender.audit.outcome import Grams, effect_g_co2e, rows_of, scaled
from provender.audit.package.contents import FarmPart, PackageContents, ReportFile
from provender.audit.programme import DUTY, STANDARD, TASK, Item, Visit
from provender.catalog.places import STATE_BY_FIPS, county_said
from provender.exact import CI_SCALE, SCALE, STIR_SCALE, Bushels, ceil_div, half_even, show
from provender.paper.pdf import render
from provender.paper.tables import Cell, Table, heads, numeric, write_workbook
from provender.problem import counted
from provender.records.book import file_inside
from provender.records.folder import BOUNDARIES
from provender.rule.crops import Practice
from provender.schema import read, write

if TYPE_CHECKING:
    import xlsxwriter

# Which ground to look at first: every unit whose CI counts a practice, the one with the most at stake first.
#
# Recomputation says that records and claims agree; whether they are true is seen on the spot. What hangs on a unit is
# its bushels times what its CI lies below the national default: that many grams are gone when the records are not true.
# All of it stands in the farms' signed reports; the boundary gives the spot.

_CLOSE_PCT: Final = 90
"""From this share of its limit on a STIR is called close to it; ours, not the rule's."""
_TONNE_PLACES: Final = 2
_GRAMS_PER_HUNDREDTH: Final = 10**4
"""Grams in the hundredth of a tonne to which a stake is shown."""
_LATE: Final = "typed_after_harvest"
_DAYS: Final = (("Cover seeded", "cover seeded"), ("Cover terminated", "ended"), ("Planted", "planted"))
_NITROGEN: Final = (
    (Practice.split_in_season, "N after emergence, with reductions", "Synthetic N need", "after emergence"),
    (Practice.nitrification_inhibitor, "N with inhibitor", "Synthetic N", "with inhibitor"),
)
"""Practice, its fact in the report, the fact it is a part of, and how that is said."""
_STIR: Final = "STIR by recorded values"


@dataclass(frozen=True, slots=True)
class FieldPriority:
    """A unit to be looked at."""

    farm_id: str  # id and name
    farm: str  # id and name
    county: str  # such as ``Story, IA``; empty where the report does not say
    unit: str  # its id
    at: str  # the middle of its boundary, ``42.0341 N 93.6200 W``; empty without a boundary that can be read
    crop: str  # of the claim
    harvest_year: int  # of the claim
    practices: tuple[str, ...]  # those its CI counts
    bushels: Bushels | None  # None where the report does not say
    g_co2e: Grams | None  # that its CI lies below the national default, over its bushels; None likewise
    see: tuple[str, ...]  # what to look for, as short phrases

    @property
    def tonnes(self) -> str:
        """Return what is at stake in tonnes CO2e, to hundredths; empty where the report does not say."""
        if self.g_co2e is None:
            return ""
        return show(half_even(self.g_co2e, _GRAMS_PER_HUNDREDTH), _TONNE_PLACES, places=_TONNE_PLACES, group=True)

    @property
    def where(self) -> tuple[str, str]:
        """Return farm and unit, and county and middle of the boundary as far as they are known."""
        return f"{self.farm or self.farm_id}, unit {self.unit}", ", ".join(filter(None, (self.county, self.at)))

    @property
    def practice_words(self) -> str:
        """Return the practices that its CI counts in words."""
        return ", ".join(name.replace("_", " ") for name in self.practices)

    @property
    def bushel_words(self) -> str:
        """Return its bushels for people; empty where the report does not say."""
        return "" if self.bushels is None else show(self.bushels, group=True)

    def document(self) -> dict[str, Any]:
        """Return plain data: bushels as decimal text, grams as text, and the tonnes."""
        return {**write(self, whole=True), "t_co2e": self.tonnes}


def read_place(document: Mapping[str, Any]) -> FieldPriority:
    """Return a place as its document says it: the way back from ``FieldPriority.document``."""
    return read(FieldPriority, {name: value for name, value in document.items() if name != "t_co2e"})


def places_of(case: PackageContents) -> tuple[FieldPriority, ...]:
    """Return every unit with practices in every farm's latest reports, the most grams at stake first."""
    found = [one for farm in case.farms for claimed in farm.latest for one in _units(farm, claimed)]
    return tuple(sorted(found, key=lambda one: (-(one.g_co2e or 0), -(one.bushels or 0), one.farm_id, one.unit)))


def practices_in(places: Iterable[FieldPriority]) -> tuple[Practice, ...]:
    named = {name for one in places for name in one.practices}
    return tuple(one for one in Practice if not named or one in named)


def _units(farm: FarmPart, claimed: ReportFile) -> Iterator[FieldPriority]:
    document = claimed.document
    where = _boundaries(farm)
    default = scaled(document.get("national_default_g_per_bu"), CI_SCALE)
    for unit in rows_of(document.get("units")):
        practices = _practices(unit)
        if not practices:
            continue
        bushels, ci = scaled(unit.get("bushels"), SCALE), scaled(unit.get("ci_g_per_bu"), CI_SCALE)
        grams = None if bushels is None or ci is None or default is None else effect_g_co2e(bushels, ci, default)
        yield FieldPriority(
            claimed.key[0], str(document["farm"].get("name") or ""), str(unit.get("county") or ""),
            str(unit.get("unit_id")), where.get(str(unit.get("unit_id")), ""), claimed.key[1], claimed.key[2],
            practices, bushels, grams,
            (*_seen(unit), *_late(document)),
        )  # fmt: skip


def _practices(unit: Mapping[str, Any]) -> tuple[str, ...]:
    used = unit.get("used")
    return tuple(str(one) for one in used) if isinstance(used, list) else ()


def _seen(unit: Mapping[str, Any]) -> Iterator[str]:
    """Yield the days of cover and planting, the STIR against its limit, and what was noted of the unit."""
    for interval in rows_of(unit.get("intervals")):
        facts = {str(one.get("name")): one.get("value") for one in rows_of(interval.get("facts"))}
        days = [f"{words} {facts[name]}" for name, words in _DAYS if facts.get(name)]
        if days:
            yield ", ".join(days)
        for practice, part, whole, words in _NITROGEN:
            if practice in _practices(unit) and facts.get(part) and facts.get(whole):
                yield f"{facts[part]} of {facts[whole]} lb N/ac {words}"
        yield from _stir(facts.get(_STIR), interval.get("stir_limits"), _practices(unit))
    notes = unit.get("notes")
    yield from (str(one) for one in notes) if isinstance(notes, list) else ()


def _stir(value: object, limits: object, practices: Iterable[str]) -> Iterator[str]:
    stir = scaled(value, STIR_SCALE)
    if stir is None or not isinstance(limits, Mapping):
        return
    for name in practices:
        limit = scaled(limits.get(name), STIR_SCALE)
        if limit is not None:
            close = ", close to it" if stir * 100 >= limit * _CLOSE_PCT else ""
            yield f"STIR {value} of at most {limits[name]}{close}"


def _late(document: Mapping[str, Any]) -> Iterator[str]:
    for one in rows_of(document.get("evidence_grades")):
        share = scaled(one.get("percent"), SCALE)
        if one.get("grade") == _LATE and share:
            yield f"{one['percent']} % typed after harvest"


def _boundaries(farm: FarmPart) -> dict[str, str]:
    """Return the middle of each unit's boundary, for those kept as GeoJSON."""
    found = {}
    for row in farm.rows("unit"):
        path = file_inside(farm.folder / BOUNDARIES, row["boundary"] or "")
        if path is not None:
            found[str(row["unit_id"])] = middle(path.read_bytes())
    return found


def middle(geojson: bytes) -> str:
    """Return the middle of what a GeoJSON file draws, in degrees; empty where it cannot be read."""
    try:
        points = list(_points(json.loads(geojson)))
        west, east = min(point[0] for point in points), max(point[0] for point in points)
        south, north = min(point[1] for point in points), max(point[1] for point in points)
    except (LookupError, RecursionError, TypeError, ValueError):
        return ""
    latitude, longitude = (south + north) / 2, (west + east) / 2
    return f"{abs(latitude):.4f} {'NS'[latitude < 0]} {abs(longitude):.4f} {'EW'[longitude < 0]}"


def _points(value: Any) -> Iterator[tuple[float, float]]:  # noqa: ANN401 - any JSON
    if isinstance(value, Mapping):
        for name in ("features", "geometry", "geometries", "coordinates"):
            yield from _points(value.get(name))
    elif isinstance(value, list) and value and all(isinstance(one, int | float) for one in value):
        yield value[0], value[1]
    elif isinstance(value, list):
        for one in value:
            yield from _points(one)


# The work programme to carry along: a workbook to fill in and a PDF to print.

_ITEM_COLUMNS: Final = (
    ("Kind", 10), ("Role", 20), ("7 CFR", 20), ("What", 70), ("How", 24), ("Left to do", 26), ("When", 30),
    ("Done on", 12), ("By", 16), ("Evidence", 30), ("Result", 30),
)  # fmt: skip
_VISIT_COLUMNS: Final = (
    ("What can be seen", 44), ("First day", 12), ("Last day", 12), ("When", 12), ("From", 28), ("Tasks", 50),
)  # fmt: skip
_PLACE_COLUMNS: Final = (
    ("Farm", 28), ("Unit", 14), ("County", 18), ("Middle of the boundary", 26), ("Practices", 26), ("Bushels", 14),
    ("t CO2e at stake", 16), ("What to see", 50), ("Seen on", 12), ("By", 16), ("Result", 30),
)  # fmt: skip
_LINE_HEIGHT: Final = 15
"""Points; a column of some width holds two letters less a line, since lines end between words."""
_NO_BREAK: Final = "\u00a0"
_TITLES: Final = {DUTY: "Duty", STANDARD: "Standard", TASK: "Task"}


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above a programme."""

    party: str  # name of the audited party
    verifier: str  # name of the verifier, empty while unknown
    harvest_year: int  # the year under audit
    as_of: date  # the day the programme was made
    warning: str = ""  # sentence of the rule version, empty without


def _when(item: Item, visits: Mapping[str, Visit]) -> str:
    visit = visits.get(item.window)
    return f"{visit.first} to {visit.last}" if visit else ""


def _place_row(one: FieldPriority) -> tuple[str, ...]:
    about = (one.farm or one.farm_id, one.unit, one.county, one.at, one.practice_words)
    return (*about, one.bushel_words, one.tonnes, "; ".join(one.see), "", "", "")


def programme_xlsx(
    heading: Heading, items: Sequence[Item], calendar: Sequence[Visit], places: Sequence[FieldPriority] = ()
) -> bytes:
    """Return a workbook: the lines with columns to fill in, the ground to look at, and the season calendar.

    Every cell is written as text, so that nothing in a name can become a formula or a link.
    """
    visits = {visit.window: visit for visit in calendar}
    rows = [
        (_TITLES[one.kind], str(one.role), one.cite, one.text, one.how, one.left, _when(one, visits), "", "", "", "")
        for one in items
    ]
    days = ((one.label, str(one.first), str(one.last), one.when, one.source, ", ".join(one.tasks)) for one in calendar)

    def fill(book: "xlsxwriter.Workbook") -> None:
        _sheet(book, "Program", _ITEM_COLUMNS, rows)
        if places:
            _sheet(book, "Places", _PLACE_COLUMNS, map(_place_row, places))
        _sheet(book, "Calendar", _VISIT_COLUMNS, days)

    return write_workbook(f"Work program {heading.party} {heading.harvest_year}", heading.as_of, fill)


def _lines_of(row: Sequence[str], columns: Sequence[tuple[str, int]]) -> int:
    return max(
        (ceil_div(len(text), width - 2) for text, (_, width) in zip(row, columns, strict=True) if text), default=1
    )


def _sheet(
    book: "xlsxwriter.Workbook", name: str, columns: Sequence[tuple[str, int]], rows: Iterable[tuple[str, ...]]
) -> None:
    sheet = book.add_worksheet(name)
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    body = book.add_format({"text_wrap": True, "valign": "top"})
    last = 0
    sheet.set_row(0, _LINE_HEIGHT)
    for index, (label, width) in enumerate(columns):
        sheet.set_column(index, index, width)
        sheet.write_string(0, index, label, head)
    for last, row in enumerate(rows, start=1):
        # Not every spreadsheet program makes rows of wrapped text as high as they need to be.
        sheet.set_row(last, _LINE_HEIGHT * _lines_of(row, columns))
        for index, text in enumerate(row):
            sheet.write_string(last, index, text, body) if text else sheet.write_blank(last, index, None, body)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, last, len(columns) - 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)


def programme_pdf(
    heading: Heading, items: Sequence[Item], calendar: Sequence[Visit], places: Sequence[FieldPriority] = ()
) -> bytes:
    """Return the programme as a PDF: when and where to look, tasks for people, then what recomputation has settled."""
    visits = {visit.window: visit for visit in calendar}

    def lines(kinds: tuple[str, ...]) -> list[dict[str, Any]]:
        return [
            {"cite": one.cite, "text": one.text, "how": one.how, "left": one.left, "when": _when(one, visits)}
            for one in items
            if one.kind in kinds
        ]

    data = {
        "party": heading.party,
        "verifier": heading.verifier,
        "year": str(heading.harvest_year),
        "roles": ", ".join(dict.fromkeys(str(one.role) for one in items)),
        "warning": f"{heading.warning[:1].upper()}{heading.warning[1:]}." if heading.warning else "",
        "tasks": lines((TASK,)),
        "paragraphs": lines((DUTY, STANDARD)),
        "calendar": [write(visit, whole=True) for visit in calendar],
        "places": [_spot(one) for one in places],
    }
    return render(files("provender.audit") / "templates" / "programme.typ", data, as_of=heading.as_of)


def _spot(one: FieldPriority) -> dict[str, str]:
    unit, spot = one.where
    spot = spot.replace(one.at, one.at.replace(" ", _NO_BREAK))
    return {
        "where": f"{unit} ({spot})" if spot else unit,
        "practices": one.practice_words,
        "bushels": one.bushel_words,
        "tonnes": one.tonnes,
        "see": "; ".join(one.see),
        "done": "",
    }


# The farm sample as people read it: why it has as many farms as it has, and what chance each kind of farm had.

SIZE: Final = "2100.040(a)(3)(ii)"
CHOICE: Final = "2100.040(a)(3)(iii)"
CROP, _THIRD, _COUNTY, _RISK, STATE = "crop", "size", "county", "risk", "state"
_BUSHELS: Final = {"small": "fewest", "middle": "middle", "large": "most"}


class SamplePart(NamedTuple):
    """Some farms of a sample."""

    farms: tuple[str, ...]  # their codes
    why: str  # they are in it, in words
    cite: str  # the paragraph

    @property
    def brief(self) -> str:
        """Return why in a word, as each of its farms says it: what stands before the reasons."""
        return self.why.partition(":")[0]


def sample_parts(document: Mapping[str, Any]) -> list[SamplePart]:
    """Return the farms of a sample file in parts, none in two: by lot, on top, by judgment, after a failure."""
    found, seen = [], set[str]()
    for part in _parts(document):
        fresh = tuple(farm for farm in part.farms if farm not in seen)
        seen.update(fresh)
        if fresh:
            found.append(part._replace(farms=fresh))
    return found


def _parts(document: Mapping[str, Any]) -> Iterator[SamplePart]:
    strata = document["strata"]
    yield SamplePart(tuple(farm for one in strata for farm in one["sample"]), _by_lot(document), SIZE)
    count = sum(len(one["sample"]) for one in strata)
    for farm, trait in sorted(document["on_top"].items()):
        yield SamplePart((farm,), _on_top(trait, count), CHOICE)
    stays = "Stays in the sample: a list frozen before for this party and year drew it, or its seed stays closed"
    yield SamplePart(tuple(document["staying"]), stays, CHOICE)
    for farm, why in sorted(document["added"].items()):
        yield SamplePart((farm,), f"Added by the verifier's judgment: {why}", CHOICE)
    for one in document["extensions"]:
        decision = one["decision"]
        why = f"Joined after {decision['farm_id']} failed: {decision['reason']}"
        yield SamplePart(tuple(one["added"]), why, CHOICE)


def _by_lot(document: Mapping[str, Any]) -> str:
    """Say how many are drawn by lot, and how they fall on the strata."""
    strata, farms, least = document["strata"], document["farms"], document["minimum"]
    root = f"the square root of {farms} farms, rounded up, is {least}"
    asked = document["size_asked"]
    why = root if asked is None else f"the verifier asked for {asked}; {root}, and fewer may not be drawn"
    falls = ", ".join(f"{len(one['sample'])} in {one['name']}" for one in strata)
    return f"Drawn by lot: {why}. They are {falls}."


def on_top_said(trait: str) -> str:
    """Return for what a farm stands that was drawn on top: a crop, a place or a band of risk."""
    kind, _, value = trait.partition(" ")
    third = f"the third of farms with the {_BUSHELS.get(value)} bushels"
    said = {_COUNTY: county_said(value), _RISK: f"{value} risk", STATE: STATE_BY_FIPS.get(value, value), _THIRD: third}
    return said.get(kind, value)


def _on_top(trait: str, count: int) -> str:
    """Say why a farm joins those drawn by lot: nobody among them is of its crop, risk or place."""
    kind, what, share = trait.partition(" ")[0], on_top_said(trait), f"at least 1/{count} of all bushels"
    if kind == CROP:
        why = f"none of the {count} farms drawn by lot supplies it"
    elif kind == _THIRD:
        why = "a sample of three farms or more has one of each third, and no other is of it"
    elif kind == _RISK:
        why = f"farms with {share} have it, and none of the {count} drawn by lot does"
    else:
        why = f"{share} are from there, and none of the {count} farms drawn by lot is"
    return f"On top, for {what}: {why}. The first such farm in line joins them, and nobody gives up a place."


_SHARE: Final = "share_of_weight"
_MIRRORED: Final = {
    "crop": "Crop", "size": "Size", "risk": "Risk", "state": "State", "county": "County", "last_audit": "Last audit",
}  # fmt: skip


def chance_tables(document: Mapping[str, Any]) -> dict[str, Table]:
    """Return what chances the farms of a sample file had, and what it can find."""
    return {"strata": _strata(document), "chances": _chances(document["detection"]), "mirror": _mirror(document)}


def size_table(document: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    """Return how the number of farms comes about: parts that add up to it, each with its paragraph."""
    rows = []
    for at, part in enumerate(sample_parts(document)):
        note = ", ".join(names.get(farm, farm) for farm in part.farms) if at else ""
        rows.append([Cell(str(len(part.farms))), Cell(part.why, note=note), Cell(f"7 CFR {part.cite}")])
    total = [Cell(str(len(document["sample"]))), Cell("In the sample"), Cell("")]
    columns = heads(numeric("Farms"), "Why", "Paragraph")
    caption = f"Why {counted(len(document['sample']), 'farm')}"
    return Table("number of farms", columns, [*rows, total], caption=caption, totals=1)


def _strata(document: Mapping[str, Any]) -> Table:
    share = numeric("Share of all weight (bushels, raised by risk, lowered after an audit)")
    columns = heads("Stratum", numeric("Farms"), numeric("Drawn by lot"), share)
    rows = [
        [Cell(one["name"]), Cell(str(one["farms"])), Cell(str(len(one["sample"]))), Cell(one["chance"][_SHARE])]
        for one in document["strata"]
    ]
    return Table("strata", columns, rows, caption="Strata")


def _mirror(document: Mapping[str, Any]) -> Table:
    """Return how far the sample mirrors the farms, and what chance each kind of them had."""
    columns = heads("Farms by", "Which", numeric("Farms"), numeric("In the sample"), numeric("Mean chance"))
    rows = [
        [Cell(label), Cell(on_top_said(f"{kind} {value}"), saved=value),
         *(Cell(str(one[name])) for name in ("farms", "sample", "chance"))]
        for kind, label in _MIRRORED.items() for value, one in document["representation"][kind].items()
    ]  # fmt: skip
    caption = f"What chance each kind of farm had, counted over {document['trial_draws']} trial draws"
    return Table("chances of farms", columns, rows, caption=caption)


def _chances(lines: list[dict[str, Any]]) -> Table:
    found, missed = numeric("The sample finds one"), numeric("It misses all")
    columns = heads("Farms that do not conform", numeric("Share"), found, missed)
    names = ("non_conforming_farms", "share_pct", "chance_found", "chance_missed")
    rows = [[Cell(f"{one[name]} %" if name == "share_pct" else str(one[name])) for name in names] for one in lines]
    return Table("chances", columns, rows, caption="What the sample can find")
