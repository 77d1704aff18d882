"""What reconciling many books found, as one report: the findings by bushels at stake, and a picture of the trade."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape
from typing import Final

from provender.custody.documents.print import manual_pdf
from provender.custody.model.entities import Entity
from provender.custody.queries.claims import Claim
from provender.custody.queries.double_claims import counted_once, frame
from provender.custody.queries.manual import table_lines
from provender.custody.queries.trace import chain_picture
from provender.custody.reconcile.discrepancies import CITES, Discrepancy
from provender.exact import show
from provender.problem import Problem
from provender.services.steps import counted

KIND: Final = "Books side by side, 7 CFR 2100.032(a)"
MOST: Final = 500
"""Findings on paper; JSON has all."""


@dataclass(slots=True)
class Directory:
    """Who everybody is, as several books say; the first one that knows somebody counts."""

    _known: dict[str, Entity] = field(default_factory=dict)

    def add(self, entities: Iterable[Entity]) -> None:
        """Add everybody whom a book knows."""
        for one in entities:
            self._known.setdefault(one.id, one)

    def one(self, kind: type[Entity], key: str) -> Entity | None:
        """Return an entity, or None."""
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
    """Return the report; a transfer that several books tell of is drawn once."""
    once = [Claim(source=0, **row) for row in counted_once(frame(list(claims))).iter_rows(named=True)]
    picture = chain_picture(known, once, title=f"The trade in {counted(len(files), 'file')}")
    return NetworkReport(day, files, sorted(found, key=lambda one: -one.bushels), problems, picture)


def report_pdf(report: NetworkReport) -> bytes:
    """Return it as PDF."""
    return manual_pdf("\n".join(_text(report)), report.day, KIND, picture=report.picture)


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


def _text(report: NetworkReport) -> Iterator[str]:
    title, said = _head(report)
    yield from (f"# {title}, {report.day}", "", said)
    for name, head, rows in _tables(report, MOST):
        yield from ("", f"## {name}", "", *table_lines(head, rows))
    if len(report.found) > MOST:
        yield from ("", f"{len(report.found) - MOST} more findings are not printed; the JSON has all.")
    yield from ("", "## Files", "", *(f"- {name}" for name in report.files))


def _kinds(report: NetworkReport) -> Iterator[tuple[str, str, str, str]]:
    number, bushels = Counter(one.kind for one in report.found), Counter[str]()
    for one in report.found:
        bushels[one.kind] += one.bushels
    for kind in sorted(number, key=lambda kind: (-bushels[kind], kind)):
        yield kind.replace("_", " "), str(number[kind]), show(bushels[kind], group=True), CITES[kind]


def report_html(report: NetworkReport) -> str:
    """Return it as one page that needs nothing else and runs nothing."""
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
