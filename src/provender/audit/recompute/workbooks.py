"""The workbooks of a package: one per unit, one per farm crop, one per entity, with live formulas (interpretation 58).

Inputs come straight from records and the operations list; no sum, share or mean of ours is written but as the claim
that the spreadsheet's own result is held against.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Protocol

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from provender.audit.outcome import scaled
from provender.audit.package.contents import FarmPart, PackageContents, ReportFile
from provender.audit.package.custody_section import EntityBook, books, papers
from provender.catalog.tables import TYPE_HUNDREDTHS
from provender.custody.documents.build import PERIOD, form_words
from provender.custody.model.balances import BalanceLine, period_balances
from provender.custody.model.lots import unit_of
from provender.exact import CI_SCALE, SCALE, STIR_SCALE, show, to_decimal
from provender.paper.tables import tab_name, write_workbook
from provender.rule.law import RuleVersion, parameters
from provender.standards import stir
from provender.standards.judge import IntervalJudged
from provender.standards.unit import Pass

# A recomputation that is not our code: spreadsheets with live formulas (interpretation 58).
#
# A verifier opens the workbook in any spreadsheet program. Inputs stand in plain cells; formulas compute STIR, the
# split share, the weighted mean and the balance from them, with the claimed value beside each. No result of ours is an
# input, and every text is written as text, never as a formula or link. Formulas round exact halves to even, as the rule
# version does; a spreadsheet alone rounds them away from zero.

_TYPE_SCALE: Final = 2
_HALF: Final = "0.00000001"
"""What binary fractions may leave beside an exact half, in units of the last digit that is kept."""
_HINTS: Final = (
    "Inputs are plain cells, results are formulas without stored results: the spreadsheet program computes them.",
    "Where results stay blank, ask it to: Ctrl+Alt+F9 in Excel, Ctrl+Shift+F9 in LibreOffice.",
    "Exact halves go to the even digit, as in the rule version; ROUND of a spreadsheet alone would send them up.",
)


class Page:
    """A sheet being written row by row: labels, inputs as exact as a spreadsheet holds them, formulas."""

    def __init__(self, book: xlsxwriter.Workbook, sheet: Worksheet) -> None:
        self._sheet = sheet
        self._bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        self._title = book.add_format({"bold": True})
        self._result = book.add_format({"bold": True, "top": 1})
        self.row = 1

    def line(self, *values: str | None, bold: bool = False) -> int:
        """Write one row from column A on; None leaves a cell blank. Return its number as people count."""
        heavy = (self._bold if len(values) > 1 else self._title) if bold else None
        for column, value in enumerate(values):
            if value is not None:
                self._sheet.write_string(self.row - 1, column, value, heavy)
        self.row += 1
        return self.row - 1

    def number(self, row: int, column: str, value: int | None, scale: int) -> None:
        """Write a scaled integer as the number it stands for; a missing one stays blank."""
        if value is not None:
            # A spreadsheet holds binary floats only; fifteen digits of them give back the decimal that was written.
            self._sheet.write_number(f"{column}{row}", float(to_decimal(value, scale)))

    def formula(self, row: int, column: str, formula: str) -> None:
        """Write a formula without a stored result, so that the program that opens it must compute."""
        self._sheet.write_formula(f"{column}{row}", formula, self._result, "")


class SheetOf(Protocol):
    """One recomputation."""

    @property
    def name(self) -> str: ...

    def write(self, page: Page) -> None: ...


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of the rule as of the rule version: what it is called, paragraph, value in the scale of its sheet."""

    label: str
    cite: str
    value: int


@dataclass(frozen=True, slots=True)
class StirRow:
    """One tool of one pass, or one pass by its published value."""

    pass_id: str  # rows of one pass share it
    day: str  # texts to read
    operation: str  # texts to read
    tillage_type: str  # texts to read
    speed_mph: int | None  # thousandths
    depth_in: int | None = None  # thousandths
    surface_pct: int | None = None  # thousandths
    type_hundredths: int | None = None  # factor of the tillage type, hundredths; None for a published value
    published_stir: int | None = None  # ten-thousandths; None where the formula is used
    published_speed_mph: int | None = None  # thousandths; with it the published value is scaled by the recorded speed


@dataclass(frozen=True, slots=True)
class StirSheet:
    """STIR of one crop interval of one unit: rounded per pass to four decimals, then added up."""

    unit: str  # what it is about
    interval: str  # what it is about
    rows: tuple[StirRow, ...]  # at least one
    limits: tuple[Limit, ...]  # the greatest STIR under each practice, ten-thousandths
    claimed: int | None  # ten-thousandths, None where nothing was claimed

    @property
    def name(self) -> str:
        return f"STIR {self.unit}"

    def write(self, page: Page) -> None:
        """Write one row per tool, one per pass, the sum and its limits."""
        page.line(f"STIR of {self.unit}, {self.interval}", bold=True)
        page.line(
            "Pass", "Day", "Operation", "Tillage type", "Speed mph", "Depth in", "Surface %", "Type factor",
            "Published STIR", "at mph", "STIR, not rounded", bold=True,
        )  # fmt: skip
        rows = [self._tool(page, row) for row in self.rows]
        first, last = rows[0], rows[-1]
        page.line("Pass", "STIR of the pass", f"Sum times {10**STIR_SCALE}", bold=True)
        passes = []
        for pass_id in dict.fromkeys(row.pass_id for row in self.rows):
            at = page.line(pass_id)
            ids, values = f"$A${first}:$A${last}", f"$K${first}:$K${last}"
            page.formula(at, "C", f"=SUMIF({ids},A{at},{values})*{10**STIR_SCALE}")
            page.formula(at, "B", f"={_half_even(f'C{at}', STIR_SCALE)}")
            passes.append(at)
        total = page.line("STIR of the interval", bold=True)
        page.formula(total, "B", f"=SUM(B{passes[0]}:B{passes[-1]})")
        for limit in self.limits:
            at = page.line(f"{limit.label} [7 CFR {limit.cite}]")
            page.number(at, "B", limit.value, STIR_SCALE)
            page.formula(at, "C", f'=IF(ROUND(B{total},{STIR_SCALE})<=B{at},"met","not met")')
        _claim(page, total, self.claimed, STIR_SCALE)

    @staticmethod
    def _tool(page: Page, row: StirRow) -> int:
        at = page.line(row.pass_id, row.day, row.operation, row.tillage_type)
        for column, value, scale in (
            ("E", row.speed_mph, SCALE),
            ("F", row.depth_in, SCALE),
            ("G", row.surface_pct, SCALE),
            ("H", row.type_hundredths, _TYPE_SCALE),
            ("I", row.published_stir, STIR_SCALE),
            ("J", row.published_speed_mph, SCALE),
        ):
            page.number(at, column, value, scale)
        if row.published_stir is None:
            page.formula(at, "K", f"=0.5*E{at}*3.25*H{at}*F{at}*G{at}/100")
        elif row.published_speed_mph is not None and row.speed_mph is not None:
            page.formula(at, "K", f"=I{at}*E{at}/J{at}")
        else:
            page.formula(at, "K", f"=I{at}")
        return at


@dataclass(frozen=True, slots=True)
class NitrogenRow:
    """One application of synthetic nitrogen; ``when`` is ``before`` or ``after`` emergence, amounts in thousandths."""

    day: str
    product: str
    when: str
    n_lb_per_ac: int


@dataclass(frozen=True, slots=True)
class SplitSheet:
    """Share of the crop's synthetic nitrogen need applied after emergence (2100.053(d)(1))."""

    unit: str  # what it is about
    interval: str  # what it is about
    rows: tuple[NitrogenRow, ...]  # at least one
    need_lb_per_ac: int  # the need in the budget, thousandths lb/ac, above zero
    reduced_lb_per_ac: int  # documented reductions after emergence, thousandths lb/ac
    after_least: Limit  # least share after emergence; before_most: greatest share before, thousandths of a percent
    before_most: Limit
    # nitrogen after emergence with reductions as claimed, thousandths lb/ac; None where nothing was
    claimed: int | None

    @property
    def name(self) -> str:
        return f"Split N {self.unit}"

    def write(self, page: Page) -> None:
        """Write applications, need and both shares."""
        page.line(f"Split application on {self.unit}, {self.interval}", bold=True)
        page.line("Day", "Product", "Emergence", "N lb/ac", bold=True)
        rows = []
        for row in self.rows:
            at = page.line(row.day, row.product, row.when)
            page.number(at, "D", row.n_lb_per_ac, SCALE)
            rows.append(at)
        need = page.line("Need of synthetic N in the budget, lb/ac")
        page.number(need, "B", self.need_lb_per_ac, SCALE)
        less = page.line("Documented reductions after emergence, lb/ac")
        page.number(less, "B", self.reduced_lb_per_ac, SCALE)
        times, amounts = f"C{rows[0]}:C{rows[-1]}", f"D{rows[0]}:D{rows[-1]}"
        after = page.line("After emergence with reductions, % of need")
        # Rounded to nine digits: what is left of binary fractions must not decide at the limit.
        page.formula(after, "B", f'=ROUND((SUMIF({times},"after",{amounts})+B{less})/B{need}*100,9)')
        before = page.line("Before emergence, % of need")
        page.formula(before, "B", f'=ROUND(SUMIF({times},"before",{amounts})/B{need}*100,9)')
        for limit, at, sign in ((self.after_least, after, ">="), (self.before_most, before, "<=")):
            asked = page.line(f"{limit.label} [7 CFR {limit.cite}]")
            page.number(asked, "B", limit.value, SCALE)
            page.formula(asked, "C", f'=IF(B{at}{sign}B{asked},"met","not met")')
        amount = page.line("N after emergence with documented reductions, lb/ac")
        page.formula(amount, "B", f'=ROUND(SUMIF({times},"after",{amounts})+B{less},{SCALE})')
        _claim(page, amount, self.claimed, SCALE)


@dataclass(frozen=True, slots=True)
class MeanSheet:
    """The farm's CI: weighted by bushels over all of them (2100.020)."""

    subject: str  # farm, crop and harvest year
    # (unit or ``conventional``, thousandths of a bushel, hundredths of g CO2e/bu), at least one
    rows: tuple[tuple[str, int, int], ...]
    claimed: int | None  # hundredths of g CO2e/bu

    @property
    def name(self) -> str:
        return "Weighted mean"

    def write(self, page: Page) -> None:
        """Write units, bushels and CIs, and their mean rounded once."""
        page.line(f"Farm-level CI of {self.subject}", bold=True)
        page.line("Unit", "Bushels", "CI g CO2e/bu", bold=True)
        rows = []
        for unit, bushels, ci in self.rows:
            at = page.line(unit)
            page.number(at, "B", bushels, SCALE)
            page.number(at, "C", ci, CI_SCALE)
            rows.append(at)
        total = page.line("All bushels")
        page.formula(total, "B", f"=SUM(B{rows[0]}:B{rows[-1]})")
        exact = page.line(f"Mean times {10**CI_SCALE}, not rounded")
        products = f"SUMPRODUCT(B{rows[0]}:B{rows[-1]},C{rows[0]}:C{rows[-1]})"
        page.formula(exact, "B", f"={products}/B{total}*{10**CI_SCALE}")
        mean = page.line("Farm-level CI [7 CFR 2100.020(c)]", bold=True)
        page.formula(mean, "B", f"={_half_even(f'B{exact}', CI_SCALE)}")
        _claim(page, mean, self.claimed, CI_SCALE)


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """One form of one line of a balance, in the unit of the form; thousandths."""

    form: str  # such as ``soybean, bu`` or ``oil, lb``
    beginning: int  # amounts in that form
    incoming: int  # amounts in that form
    outgoing: int  # amounts in that form
    claimed: int | None = None  # the ending in the signed statement; None where there is none


@dataclass(frozen=True, slots=True)
class BalanceSheet:
    """The equation of 2100.034(d) for one entity, crop, CI and period: bushels over all forms, then each form."""

    number: int  # tells sheets apart
    subject: str  # entity, crop, harvest year, CI and period
    beginning: int  # thousandths of a bushel
    incoming: tuple[tuple[str, int], ...]  # how it came and left, thousandths of a bushel
    outgoing: tuple[tuple[str, int], ...]  # how it came and left, thousandths of a bushel
    claimed: int | None  # the ending in the signed statement of the period; None where there is none
    forms: tuple[BalanceRow, ...]  # each form in its own unit

    @property
    def name(self) -> str:
        return f"Balance {self.number}"

    def write(self, page: Page) -> None:
        """Write what came and left, the ending it leaves, and the same for each form."""
        page.line(f"Mass balance: {self.subject}", bold=True)
        page.line("Bushels over all forms", "Bushels", bold=True)
        first = page.line("Beginning stored feedstock")
        page.number(first, "B", self.beginning, SCALE)
        came = self._kinds(page, "Incoming", self.incoming)
        left = self._kinds(page, "Outgoing", self.outgoing)
        ending = page.line("Beginning + incoming - outgoing = ending [7 CFR 2100.034(d)]", bold=True)
        page.formula(ending, "B", f"=ROUND(B{first}+B{came}-B{left},{SCALE})")
        _claim(page, ending, self.claimed, SCALE)
        page.line("Form", "Beginning", "Incoming", "Outgoing", "Ending", "Claimed", bold=True)
        for row in self.forms:
            at = page.line(row.form)
            for column, value in zip("BCDF", (row.beginning, row.incoming, row.outgoing, row.claimed), strict=True):
                page.number(at, column, value, SCALE)
            page.formula(at, "E", f"=ROUND(B{at}+C{at}-D{at},{SCALE})")
            if row.claimed is not None:
                page.formula(at, "G", f'=IF(E{at}=F{at},"agrees","differs")')

    @staticmethod
    def _kinds(page: Page, way: str, amounts: tuple[tuple[str, int], ...]) -> int:
        rows = []
        for kind, amount in amounts or (("none", 0),):
            at = page.line(f"{way}: {kind}")
            page.number(at, "B", amount, SCALE)
            rows.append(at)
        total = page.line(f"All {way.lower()}")
        page.formula(total, "B", f"=SUM(B{rows[0]}:B{rows[-1]})")
        return total


def _half_even(cell: str, scale: int) -> str:
    """Return the expression that takes a value times ``10**scale`` to that many digits, exact halves to even."""
    half = f"ABS({cell}-INT({cell})-0.5)<{_HALF}"
    return f"IF({half},2*ROUND({cell}/2,0),ROUND({cell},0))/{10**scale}"


def _claim(page: Page, result: int, claimed: int | None, scale: int) -> None:
    at = page.line("Claimed" if claimed is not None else "Nothing was claimed")
    if claimed is not None:
        page.number(at, "B", claimed, scale)
        page.formula(at, "C", f'=IF(ROUND(B{result},{scale})=B{at},"agrees","differs")')


def workbook(title: str, sheets: Sequence[SheetOf], as_of: date) -> bytes:
    """Return an XLSX of one sheet for each recomputation, after a page that says how to read it."""

    def fill(book: xlsxwriter.Workbook) -> None:
        names = {"about"}
        about = book.add_worksheet("About")
        about.set_column(0, 0, 100)
        cover = Page(book, about)
        for text in (title, f"Made on {as_of.isoformat()}.", *_HINTS):
            cover.line(text)
        for one in sheets:
            sheet = book.add_worksheet(tab_name(one.name, names))
            sheet.set_column(0, 0, 46)
            sheet.set_column(1, 10, 16)
            sheet.set_column(2, 2, 34)  # operations have long names
            sheet.set_landscape()
            sheet.fit_to_pages(1, 0)
            one.write(Page(book, sheet))

    return write_workbook(title, as_of, fill)


STIR: Final = "STIR by recorded values"
_AFTER: Final = "N after emergence, with reductions"
"""What the report calls the facts that a workbook computes anew."""


def workbooks(case: PackageContents, as_of: date) -> Iterator[tuple[str, bytes]]:
    """Yield file names and workbooks: ``FARM-crop-year-UNIT.xlsx``, ``FARM-crop-year.xlsx``, ``ENTITY.xlsx``."""
    for farm in case.farms:
        for claimed in farm.latest:
            yield from _of_report(farm, claimed, as_of)
    for found in books(case).values():
        sheets = list(_balances(case, found))
        if sheets:
            yield f"{_file(found.entity)}.xlsx", workbook(f"Mass balance of {found.entity}", sheets, as_of)


def _file(*parts: object) -> str:
    text = "-".join(str(part) for part in parts)
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in text)


def _of_report(farm: FarmPart, claimed: ReportFile, as_of: date) -> Iterator[tuple[str, bytes]]:
    _, crop, year = claimed.key
    intervals = [one for one in farm.assessment.intervals if (one.crop, one.harvest_year) == (crop, year)]
    for unit in sorted({one.unit_id for one in intervals}):
        sheets: list[SheetOf] = [
            StirSheet(unit, one.harvest_id, rows, _limits(one.rule), _claimed(claimed, one, STIR, STIR_SCALE))
            for one in intervals
            if one.unit_id == unit
            and (rows := tuple(row for each, *_ in one.season.stir.points for row in _pass(each)))
        ]
        sheets += [
            _split(farm, claimed, one)
            for one in intervals
            if one.unit_id == unit and one.nitrogen.need and one.nitrogen.emergence is not None
        ]
        if sheets:
            name = _file(farm.farm_id, crop, year, unit)
            yield f"{name}.xlsx", workbook(f"{unit} of {farm.farm_id}, {crop} {year}", sheets, as_of)
    mean = _mean(claimed)
    if mean.rows:
        yield f"{_file(farm.farm_id, crop, year)}.xlsx", workbook(claimed.name, [mean], as_of)


def _limits(law: RuleVersion) -> tuple[Limit, ...]:
    return (
        Limit("No-till: at most", "2100.051(b)(1)", law.no_till_stir_max),
        Limit("Reduced till: at most", "2100.051(a)(1)", law.reduced_till_stir_max),
    )


def _split(farm: FarmPart, claimed: ReportFile, interval: IntervalJudged) -> SplitSheet:
    """Return the synthetic N of an interval with its place before, in or after the days in which the crop emerged."""
    nitrogen, (first, last) = interval.nitrogen, interval.nitrogen.emergence or (date.min, date.max)
    _, after, possible = nitrogen.timing
    rows = [
        NitrogenRow(
            str(row["day"]), row["product"] or "",
            "before" if row["day"] < first else "after" if row["day"] > last else "in between", row["n_lb_per_ac"],
        )
        for row in farm.rows("nutrient_application")
        if row["unit_id"] == interval.unit_id and _counts(row, interval)
    ]  # fmt: skip
    limits = [
        Limit(label, cite, getattr(interval.rule, name) * 10 ** (SCALE - parameters().by_name[name].scale))
        for label, cite, name in (
            ("After emergence: at least", "2100.053(d)(1)", "split_post_emergence_pct_min"),
            ("Before emergence: at most", "2100.053(d)(2)", "split_pre_emergence_pct_max"),
        )
    ]
    return SplitSheet(
        interval.unit_id, f"{interval.harvest_id}, emerged {first} to {last}",
        tuple(rows) or (NitrogenRow("", "none", "before", 0),),
        nitrogen.need or 0, nitrogen.documented, limits[0], limits[1],
        _claimed(claimed, interval, _AFTER, SCALE) if possible == after else None,
    )  # fmt: skip


def _counts(row: Mapping[str, Any], interval: IntervalJudged) -> bool:
    """Tell whether a row is synthetic N that went on for the cash crop between the last harvest and this one."""
    first = interval.season.starts_on
    inside = row["day"] and (first is None or first <= row["day"]) and row["day"] <= interval.last_day
    return bool(
        inside and row["n_lb_per_ac"] and row["synthetic_n"] is not False and row["intended_for"] != "cover_crop"
    )


def _pass(one: Pass) -> Iterator[StirRow]:
    """Yield a pass as one row per tool, one by the formula, or one by its published value."""
    known, listed, used = (one.id, str(one.day), one.operation), one.listed, stir.of_pass(one)
    if one.tools:
        for tool in one.tools:
            factor = TYPE_HUNDREDTHS.get(tool.tillage_type, 0)
            yield StirRow(*known, tool.tillage_type, used.speed_mph, tool.depth_in, tool.surface_pct, factor)
    elif listed is None:
        yield StirRow(*known, "not in the list", one.row.speed_mph)
    elif used.how == "formula":
        amounts = (used.speed_mph, used.depth_in, used.surface_pct, listed.type_hundredths)
        yield StirRow(*known, "by formula", *amounts)
    else:
        at = listed.speed_mph if used.how == "published, scaled by speed" else None
        speed = stir.recorded(one, "speed_mph")
        yield StirRow(*known, used.how, speed, published_stir=used.published, published_speed_mph=at)


def _claimed(claimed: ReportFile, interval: IntervalJudged, name: str, scale: int) -> int | None:
    """Return a fact of a crop interval as the signed report states it; None where it states none."""
    for unit in claimed.document.get("units", []):
        for one in unit.get("intervals", []):
            if one["harvest_id"] == interval.harvest_id:
                facts = {fact["name"]: fact["value"] for fact in one["facts"]}
                return scaled(facts.get(name), scale)
    return None


def _mean(claimed: ReportFile) -> MeanSheet:
    document = claimed.document
    default = scaled(document.get("national_default_g_per_bu"), CI_SCALE)
    rows = []
    for unit in document.get("units", []):
        bushels, ci = scaled(unit.get("bushels"), SCALE), scaled(unit.get("ci_g_per_bu"), CI_SCALE)
        used = default if ci is None else ci
        if bushels is not None and used is not None:
            rows.append((str(unit["unit_id"]), bushels, used))
    return MeanSheet(claimed.name, tuple(rows), scaled(document.get("farm_ci_g_per_bu"), CI_SCALE))


def _balances(case: PackageContents, found: EntityBook) -> Iterator[BalanceSheet]:
    """Yield a sheet per line: what the book's movements sum to, beside the ending that its signed statement claims."""
    number = 0
    store = found.store
    statements = {
        str(paper.document["start"]): paper.document["balance"]["lines"]
        for paper in papers(case)
        if paper.kind == PERIOD and paper.issuer == found.entity
    }
    for balance in period_balances(store, found.entity):
        claims = {
            ((str(line["crop"]), int(line["harvest_year"]), scaled(line["ci_g_per_bu"], CI_SCALE))): line
            for line in statements.get(balance.start.isoformat(), ())
        }
        for line in balance.lines:
            number += 1
            subject = (
                f"{found.entity}, {line.key.crop} {line.key.harvest_year}, "
                f"{show(line.key.ci, CI_SCALE)} g CO2e/bu, {balance.start} to {balance.end}"
            )
            yield _balance(number, subject, line, claims.get(line.key, {}))


def _balance(number: int, subject: str, line: BalanceLine, claim: Mapping[str, Any]) -> BalanceSheet:
    endings = {str(one["form"]): scaled(one["ending"], SCALE) for one in claim.get("forms", ())}
    forms = tuple(
        BalanceRow(
            f"{form_words(form)}, {unit_of(form)}", sheet.beginning, sheet.incoming, sheet.outgoing, endings.get(form)
        )
        for form, sheet in sorted(line.sheets.items())
    )
    came, left = (tuple(sorted(kinds.items())) for kinds in (line.incoming, line.outgoing))
    return BalanceSheet(number, subject, line.beginning, came, left, scaled(claim.get("ending_bu"), SCALE), forms)
