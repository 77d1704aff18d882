"""The workbooks of a package: one per unit, one per farm crop, one per entity, with live formulas (interpretation 58).

Inputs come straight from records and the operations list; no sum, share or mean of ours is written but as the claim
that the spreadsheet's own result is held against.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.audit.package.contents import PackageContents
from provender.audit.package.custody_section import EntityBook, books, papers
from provender.audit.package.farm_section import FarmPart, ReportFile
from provender.audit.recompute.workbook import (
    BalanceRow,
    BalanceSheet,
    Limit,
    MeanSheet,
    NitrogenRow,
    SheetOf,
    SplitSheet,
    StirRow,
    StirSheet,
    workbook,
)
from provender.audit.shape import scaled
from provender.catalog.operations import find_operation
from provender.catalog.tillage_types import TYPE_HUNDREDTHS
from provender.custody.documents.build import PERIOD, form_words
from provender.custody.model.amounts import unit_of
from provender.custody.model.balances import BalanceLine, period_balances
from provender.custody.model.periods import Period
from provender.practices.explain import IntervalVerdict
from provender.practices.stir import of_pass
from provender.quantity import CI_SCALE, SCALE, STIR_SCALE, show
from provender.rule.parameters import parameters
from provender.rule.version import RuleVersion

STIR: Final = "STIR by recorded values"
AFTER: Final = "N after emergence, with reductions"
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
            if one.unit_id == unit and (rows := tuple(_passes(farm, one)))
        ]
        sheets += [_split(farm, claimed, one) for one in intervals if one.unit_id == unit and _has_need(one)]
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


def _has_need(interval: IntervalVerdict) -> bool:
    return bool(interval.facts.get("synthetic_n_need_lb_per_ac")) and interval.facts.get("emerges_from") is not None


def _split(farm: FarmPart, claimed: ReportFile, interval: IntervalVerdict) -> SplitSheet:
    """Return the synthetic N of an interval with its place before, in or after the days in which the crop emerged."""
    facts, law = interval.facts, interval.rule
    rows = [
        NitrogenRow(str(row["day"]), row["product"] or "", _when(row["day"], facts), row["n_lb_per_ac"])
        for row in farm.rows("nutrient_application")
        if row["unit_id"] == interval.unit_id and _counts(row, facts)
    ]
    limits = [
        Limit(label, cite, getattr(law, name) * 10 ** (SCALE - parameters().by_name[name].scale))
        for label, cite, name in (
            ("After emergence: at least", "2100.053(d)(1)", "split_post_emergence_pct_min"),
            ("Before emergence: at most", "2100.053(d)(2)", "split_pre_emergence_pct_max"),
        )
    ]
    subject = f"{interval.harvest_id}, emerged {facts['emerges_from']} to {facts['emerged_by']}"
    return SplitSheet(
        interval.unit_id, subject, tuple(rows) or (NitrogenRow("", "none", "before", 0),),
        facts["synthetic_n_need_lb_per_ac"], facts.get("n_reduced") or 0, limits[0], limits[1],
        None if facts.get("n_band") else _claimed(claimed, interval, AFTER, SCALE),
    )  # fmt: skip


def _counts(row: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Tell whether a row is synthetic N that went on for the cash crop between the last harvest and this one."""
    first, last = facts.get("starts_on"), facts.get("last_day")
    inside = row["day"] and (first is None or first <= row["day"]) and (last is None or row["day"] <= last)
    return bool(
        inside and row["n_lb_per_ac"] and row["synthetic_n"] is not False and row["intended_for"] != "cover_crop"
    )


def _when(day: date, facts: Mapping[str, Any]) -> str:
    return "before" if day < facts["emerges_from"] else "after" if day > facts["emerged_by"] else "in between"


def _passes(farm: FarmPart, interval: IntervalVerdict) -> Iterator[StirRow]:
    first, last = interval.facts.get("starts_on"), interval.facts.get("last_day")
    tools: dict[str, list[dict[str, Any]]] = {}
    for tool in farm.rows("operation_tool"):
        tools.setdefault(tool["operation_id"], []).append(tool)
    rows = [row for row in farm.rows("operation") if row["unit_id"] == interval.unit_id and row["day"]]
    for row in sorted(rows, key=lambda one: one["day"]):
        if (first is None or first <= row["day"]) and (last is None or row["day"] <= last):
            yield from _pass(row, tools.get(row["operation_id"], []))


def _pass(row: dict[str, Any], tools: list[dict[str, Any]]) -> Iterator[StirRow]:
    """Yield a pass as one row per tool, one by the formula, or one by its published value."""
    name, day, listed = row["operation_id"], str(row["day"]), find_operation(row["operation"])
    speed = row["speed_mph"] or (listed.speed_mph if listed else None)
    if tools:
        for tool in tools:
            kind = tool["tillage_type"]
            amounts = (speed, tool["depth_in"], tool["surface_pct"], TYPE_HUNDREDTHS.get(kind, 0))
            yield StirRow(name, day, row["operation"], kind, *amounts)
        return
    if listed is None:
        yield StirRow(name, day, row["operation"], "not in the list", speed)
        return
    used = of_pass(listed, speed_mph=row["speed_mph"], depth_in=row["depth_in"], surface_pct=row["surface_pct"])
    if used.how == "formula":
        factor = listed.type_hundredths
        yield StirRow(
            name, day, row["operation"], "by formula", used.speed_mph, used.depth_in, used.surface_pct, factor
        )
        return
    at = listed.speed_mph if used.how == "published, scaled by speed" else None
    yield StirRow(
        name, day, row["operation"], used.how, row["speed_mph"],
        published_stir=used.published, published_speed_mph=at,
    )  # fmt: skip


def _claimed(claimed: ReportFile, interval: IntervalVerdict, name: str, scale: int) -> int | None:
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
    for balance in period_balances(store.steps(found.entity), found.entity, store.many(Period, found.entity)):
        claims = {_key_of(line): line for line in statements.get(balance.start.isoformat(), ())}
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


def _key_of(line: Mapping[str, Any]) -> tuple[str, int, int | None]:
    return str(line["crop"]), int(line["harvest_year"]), scaled(line["ci_g_per_bu"], CI_SCALE)
