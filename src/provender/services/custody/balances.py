"""Balances over any days, for every interface: as figures by crop, and as paper.

A period's statement stands under ``periods``; what is made here closes nothing, and knows no server.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from typing import Any, Final

from provender.custody.documents.print import manual_pdf
from provender.custody.model import balances
from provender.custody.model.entities import Entity, Period
from provender.custody.model.store_view import StoreView
from provender.custody.queries.claims import Claim
from provender.custody.queries.day_sheet import Band, DaySheet, Defaults, band_of, sheet_text
from provender.custody.queries.double_claims import counted_once, frame
from provender.custody.queries.manual import table_lines
from provender.custody.queries.trace import chain_picture
from provender.custody.reconcile.discrepancies import Discrepancy
from provender.exact import CI_SCALE, Bushels, Ci, grouped, half_even, parse, show
from provender.problem import Problem, counted, refuse
from provender.schema import YEARS, field, view

RETIRED: Final = "retired into fuel"
_MONTH: Final = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])", re.ASCII)
PARTS: Final = ("beginning", "incoming", "outgoing", "ending", "unverified")
Document = Mapping[str, Any]


@view
class BalanceSumView:
    """A balance by crop and harvest year, all carbon intensities together, bushels of crop."""

    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    band: str = field("Band", help="Against the national default; empty for the whole crop.", default="")
    beginning_bu: Bushels = field("Opening")
    incoming_bu: Bushels = field("In")
    retired_bu: Bushels = field("Retired into fuel")
    otherwise_bu: Bushels = field("Out otherwise")
    ending_bu: Bushels = field("On hand")
    mean_ci_g_per_bu: Ci | None = field("Mean CI on hand", help="Of what is on hand; none without any.")
    retired_mean_ci_g_per_bu: Ci | None = field("Mean CI retired", help="Of what was retired into fuel; none without.")
    intensities: int = field("Intensities")


def interim(store: StoreView, entity: str, last: date, first: date | None = None) -> dict[str, Any]:
    """Return the equations of an entity as of the end of a day, whatever periods there are.

    Without a first day it is that of the period which holds the last one, else that of the month.

    Raises:
        ProblemsError: the first day lies after the last one.
    """
    balances.check_date_range(first, last)
    days = balances.stretch_to(store.many(Period, entity), last, first)
    told = "Not a period statement: nothing is closed by it, and what is entered later may change it."
    return {**balances.balance_document(balances.balance_between(store, entity, *days)), "interim": told}


def month_of(text: str) -> balances.Span:
    """Return the days of a month, such as 2026-02. Raises ProblemsError: it is none."""
    found = _MONTH.fullmatch(text)
    if found is None or int(found[1]) not in YEARS:
        raise refuse("month", f"{text!r} is no month.", "Write it as 2026-02.", code="month_unreadable")
    first = date(int(found[1]), int(found[2]), 1)
    return balances.Span(first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


def months_at(day: date) -> tuple[str, str]:
    """Return the month of a day and the one before it, as addresses name them."""
    before = day.replace(day=1) - timedelta(days=1)
    return f"{day:%Y-%m}", f"{before:%Y-%m}"


def sums(document: Document, defaults: Defaults | None = None) -> list[BalanceSumView]:
    """Return a balance, of a period or of any days, by crop and harvest year.

    With ``defaults`` by band of carbon intensity, too; nothing then of crops without one.
    """
    groups: dict[tuple[str, int, str], list[Document]] = {}
    for line in document["lines"]:
        crop, year, band = line["crop"], line["harvest_year"], ""
        if defaults is not None:
            default = defaults.get((crop, year))
            if not default:
                continue
            band = str(band_of(parse(str(line["ci_g_per_bu"]), CI_SCALE), default))
        groups.setdefault((crop, year, band), []).append(line)
    order = ["", *map(str, Band)]
    ordered = sorted(groups, key=lambda key: (*key[:2], order.index(key[2])))
    return [_sum(crop, year, groups[crop, year, band], band) for crop, year, band in ordered]


def _sum(crop: str, year: int, lines: list[Document], band: str) -> BalanceSumView:
    def total(part: str) -> int:
        return sum(parse(str(line[part])) for line in lines)

    def mean(amounts: list[int]) -> int | None:
        weighed = zip(amounts, (parse(str(line["ci_g_per_bu"]), CI_SCALE) for line in lines), strict=True)
        grams = sum(bushels * ci for bushels, ci in weighed)
        return half_even(grams, sum(amounts)) if sum(amounts) else None

    burned = [parse(str(line["outgoing"].get(RETIRED, "0"))) for line in lines]
    retired, ending = sum(burned), total("ending_bu")
    return BalanceSumView(
        crop=crop, harvest_year=year, band=band, beginning_bu=total("beginning_bu"), incoming_bu=total("incoming_bu"),
        retired_bu=retired, otherwise_bu=total("outgoing_bu") - retired, ending_bu=ending,
        mean_ci_g_per_bu=mean([parse(str(line["ending_bu"])) for line in lines]),
        retired_mean_ci_g_per_bu=mean(burned), intensities=len(lines),
    )  # fmt: skip


def interim_paper(document: Document, name: str, day: date) -> bytes:
    """Return equations over any days as PDF."""
    return manual_pdf("\n".join(_text(document, name)), day, "Interim statement, not a statement of a period")


def day_paper(sheet: DaySheet, day: date) -> bytes:
    return manual_pdf(sheet_text(sheet), day, "Day sheet: grain by the tickets, claims by the book")


def _text(document: Document, name: str) -> Iterator[str]:
    yield from (f"# Balance of {name}, {document['start']} to {document['end']}", "", str(document["interim"]), "")
    yield from ("## By crop, bushels; means in g CO2e/bu", "")
    heads: tuple[str, ...] = ("Crop", "Opening", "In", "Retired", "Out otherwise", "On hand")
    heads += ("Mean CI on hand", "Mean CI retired")
    yield from table_lines(heads, (_sum_row(one) for one in sums(document)), amounts=heads[1:])
    yield from ("", "## By carbon intensity: each balances by itself, bushels", "")
    heads = ("Crop", "CI, g CO2e/bu", "Beginning", "Incoming", "Outgoing", "Ending", "Unverified")
    yield from table_lines(
        heads,
        (
            (
                f"{line['crop']} {line['harvest_year']}", grouped(str(line["ci_g_per_bu"])),
                *(grouped(str(line[f"{part}_bu"])) for part in PARTS),
            )
            for line in document["lines"]
        ),
        amounts=heads[1:],
    )  # fmt: skip
    yield from ("", "## What came in and left, bushels", "")
    yield from table_lines(
        ("Crop", "CI, g CO2e/bu", "Way", "Kind", "Bushels"),
        (
            (
                f"{line['crop']} {line['harvest_year']}",
                grouped(str(line["ci_g_per_bu"])),
                way,
                kind,
                grouped(str(amount)),
            )
            for line in document["lines"]
            for way in ("incoming", "outgoing")
            for kind, amount in line[way].items()
        ),
        amounts=("CI, g CO2e/bu", "Bushels"),
    )


def _sum_row(one: BalanceSumView) -> tuple[str, ...]:
    amounts = (one.beginning_bu, one.incoming_bu, one.retired_bu, one.otherwise_bu, one.ending_bu)
    means = (one.mean_ci_g_per_bu, one.retired_mean_ci_g_per_bu)
    said = ("" if mean is None else show(mean, CI_SCALE, group=True) for mean in means)
    return (f"{one.crop} {one.harvest_year}", *(show(each, group=True) for each in amounts), *said)


# What reconciling many books found, as one report: the findings by bushels at stake, and a picture of the trade.

KIND: Final = "Books side by side, 7 CFR 2100.032(a)"
_MOST: Final = 500
"""Findings on paper; JSON has all."""


class Directory:
    """Who everybody is, as several books say; the first one that knows somebody counts."""

    def __init__(self) -> None:
        self._known: dict[str, Entity] = {}

    def add(self, entities: Iterable[Entity]) -> None:
        for one in entities:
            self._known.setdefault(one.id, one)

    def one(self, kind: type[Entity], key: str) -> Entity | None:
        found = self._known.get(key)
        return found if isinstance(found, kind) else None


@dataclass(frozen=True, slots=True)
class NetworkReport:
    """What several books show together."""

    day: date  # of the report
    files: Sequence[str]  # read
    found: Sequence[Discrepancy]  # what does not fit, the most bushels first
    problems: Sequence[Problem]  # of files that could not be read, or not whole
    picture: str  # who handed how many bushels to whom, as SVG


def network_report(
    day: date,
    files: Sequence[str],
    found: Sequence[Discrepancy],
    problems: Sequence[Problem],
    claims: Sequence[Claim],
    known: Directory,
) -> NetworkReport:
    once = [Claim(source=0, **row) for row in counted_once(frame(list(claims))).iter_rows(named=True)]
    picture = chain_picture(known, once, title=f"The trade in {counted(len(files), 'file')}")
    return NetworkReport(day, files, sorted(found, key=lambda one: -one.bushels), problems, picture)


def report_pdf(report: NetworkReport) -> bytes:
    return manual_pdf("\n".join(_report_text(report)), report.day, KIND, picture=report.picture)


def _head(report: NetworkReport) -> tuple[str, str]:
    at_stake = show(sum(one.bushels for one in report.found), group=True)
    if not report.files:
        return "Books side by side", "Nothing was compared: none of the files could be read."
    if not report.found:
        return "Books side by side", f"Nothing found in {counted(len(report.files), 'file')}."
    found, files = counted(len(report.found), "finding"), counted(len(report.files), "file")
    said = f"{found} in {files}, {at_stake} bu at stake where each counts alone."
    return "Books side by side", said


def _tables(report: NetworkReport, most: int | None = None) -> Iterator[tuple[str, Sequence[str], list[Sequence[str]]]]:
    """Yield the tables of a report: the title, headings and rows of each that has any."""
    found = [(show(one.bushels, group=True), one.kind.replace("_", " "), one.said) for one in report.found[:most]]
    if found:
        yield "By kind", ("What", "Findings", "Bushels", "Paragraph"), list(_kinds(report))
        yield "Findings, the most bushels first", ("Bushels", "What", "Found"), [*found]
    problems = [(str(one.place), one.cause, one.remedy) for one in report.problems]
    if problems:
        yield "Files that were not read, or not whole", ("Where", "What", "What to do"), [*problems]


def _report_text(report: NetworkReport) -> Iterator[str]:
    title, said = _head(report)
    yield from (f"# {title}, {report.day}", "", said)
    for name, head, rows in _tables(report, _MOST):
        yield from ("", f"## {name}", "", *table_lines(head, rows))
    if len(report.found) > _MOST:
        yield from ("", f"{len(report.found) - _MOST} more findings are not printed; the JSON has all.")
    yield from ("", "## Files", "", *(f"- {name}" for name in report.files))


def _kinds(report: NetworkReport) -> Iterator[tuple[str, str, str, str]]:
    number, bushels = Counter(one.kind for one in report.found), Counter[str]()
    for one in report.found:
        bushels[one.kind] += one.bushels
    for kind in sorted(number, key=lambda kind: (-bushels[kind], kind)):
        yield kind.replace("_", " "), str(number[kind]), show(bushels[kind], group=True), kind.cite


def report_html(report: NetworkReport) -> str:
    title, said = _head(report)
    parts = [f"<h1>{title}, {report.day}</h1><p>{escape(said)}</p>", report.picture]
    parts += [_html_table(*table) for table in _tables(report)]
    files = "".join(f"<li>{escape(name)}</li>" for name in report.files)
    style = "body{font:15px sans-serif;margin:2em}table{border-collapse:collapse;margin:1.5em 0}"
    style += "td,th{border-bottom:1px solid #ccc;padding:.25em .7em;text-align:left;vertical-align:top}"
    head = f'<meta charset="utf-8"><title>{title}</title><style>{style}</style>'
    body = "\n".join([*parts, f"<h2>Files</h2><ul>{files}</ul>"])
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _html_table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(f'<th scope="col">{escape(text)}</th>' for text in head)
    lines = "\n".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><caption>{name}</caption><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"
