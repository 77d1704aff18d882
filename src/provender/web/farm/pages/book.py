"""A farm's book on pages: its home with the practice matrix, and one crop on one unit with every requirement."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.database.choices import Area
from provender.paper.tables import Cell, Column, Table
from provender.rule.crops import Practice
from provender.services.accounts.access import Access
from provender.services.farm.book import FarmBook, farm_book_of, open_farm_book, opened_book_of
from provender.services.farm.check import EXPLAINED, totals_table, why_against
from provender.services.farm.field_says import before_crop, empty_years, why_no_verdict
from provender.services.farm.growing import (
    HARVEST,
    NOT_HARVESTED,
    CropClaims,
    Growing,
    Time,
    When,
    claims_of,
    crop_of,
    growing_by_crop,
    growing_of,
    name_of,
    named,
    tick_claims,
    time_of,
    without_repeats,
)
from provender.services.farm.growing import NOW as GROWING_NOW
from provender.services.farm.intensity import intensities_of, plans_of
from provender.services.farm.sown import gap_row
from provender.services.farm.verdicts import Standing, as_seen, shown_of, totals_of, verdicts_of
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.lists import at_field, empty_links
from provender.web.inputs import back_to, number_in
from provender.web.tables import on_page, page_with_tables

CHIPS: Final = {
    Standing.MET: ("Met", "met"),
    Standing.CONTRADICTED: ("Your records say otherwise", "not-met"),
    Standing.WAITING: ("Waiting for the producer", "waiting"),
    Standing.NOT_SHOWN: ("Not shown yet", "not-shown"),
    Standing.RULED_OUT: ("Cannot be met", "unasked"),
    Standing.NOT_CLAIMED: ("Not claimed", "unasked"),
}


@require_http_methods(["GET", "POST"])
@of_organisation("read", areas=(Area.RECORDS,))
def farm(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the practice matrix of the farm's book and the totals of its practices; a farm opens its book by POST."""
    organisation = access.organisation
    if request.method == "POST":
        open_farm_book(organisation, actor=access.actor)
        messages.success(request, "Your record book is open. Begin with the farm and its management units.")
        return redirect("farm_records", organisation.handle)
    book = opened_book_of(organisation)
    if book is None:
        return render(request, "farm/unopened.html")
    found = verdicts_of(book)
    rejected = any(problem["code"] == "rejected_rows" for problem in found["problems"])
    context = {
        "version": book.version, "problems": found["problems"], "rejected": rejected, "explained": EXPLAINED,
    }  # fmt: skip
    tables = {"matrix": _matrix(access, found["intervals"], growing_of(book)), "totals": totals_table(totals_of(book))}
    return page_with_tables(request, "farm/home.html", tables, context)


def _matrix(access: Access, intervals: list[dict[str, Any]], growing: list[dict[str, Any]]) -> Table:
    columns = [
        Column("Unit"),
        Column("Crop"),
        *(Column(practice.label) for practice in Practice),
    ]
    rows = []
    for one in (*intervals, *growing):
        where = unit_address(access, one["harvest_id"])
        crop = Cell(named(one), note=NOT_HARVESTED if "growing" in one else "")
        cells = [Cell(one["unit_id"], where, typed=True), crop]
        found = one["practices"]
        rows.append([*cells, *(_verdict(access, each, f"{where}#{each['name']}") for each in found)])
    if rows:
        rows.append([Cell("All"), Cell(""), *(Cell(text) for text in shown_of([*intervals, *growing]))])
    empty = (
        "No corn, soybeans or sorghum with a day of harvest yet. Upload a spreadsheet, or add a management unit and "
        "then its crops."
    )
    return Table(
        "practices", columns, rows, empty=empty, caption="Practices by field and crop", totals=min(1, len(rows)),
        sorts=True,
    )  # fmt: skip


def _verdict(access: Access, found: dict[str, Any], where: str) -> Cell:
    if not found["claimable"]:
        return Cell("Not for this crop", chip="unasked")
    seen = as_seen(found, signs=access.may_sign)
    text, chip = CHIPS[seen]
    wrong = seen in (Standing.RULED_OUT, Standing.CONTRADICTED)
    return Cell(text, where, chip, note=why_against(found) if wrong else "")


def unit_address(access: Access, harvest_id: str) -> str:
    """Return the address of the page of one crop on one unit."""
    return f"{reverse('farm_crop', args=(access.organisation.handle,))}?{urlencode({'crop': harvest_id})}"


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_crop(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show one crop on one unit: every practice with its requirements, what was found, and what would close a gap.

    Raises:
        Http404: there is no crop entry of this name.
    """
    book, entry = farm_book_of(access.organisation), request.GET.get("crop", "")
    one = crop_of(book, entry)
    if one is None:
        return _unjudged(request, book, entry)
    when = partial(_when, book, one)
    address = partial(gap_address, access, book, one, back=request.get_full_path())
    for practice in one["practices"]:
        practice["seen"] = as_seen(practice, signs=access.may_sign)
        rows = _rows_against(access, practice, back=request.get_full_path())
        practice["findings"] = [
            {**_with_places(finding, address, when), "rows": rows.get(finding["says"], [])}
            for finding in practice["findings"]
        ]
        practice["open"] = _together([each for each in practice["findings"] if each["verdict"] is not True])
        practice["wrong"] = [group for group in practice["open"] if group["verdict"] is False]
        practice["unshown"] = [group for group in practice["open"] if group["verdict"] is not False]
        missing = _once(practice["findings"])
        practice["gaps"] = _by_kind(record for record in missing if record["time"].when is not When.LATER)
        practice["later"] = _by_step(record for record in missing if record["time"].when is When.LATER)
        met = [each for each in practice["findings"] if each["verdict"] is True]
        practice["moot"] = [each for each in met if each["moot"]]
        practice["met"] = [{**each, "rules": [each]} for each in met if not each["moot"]]
    over = before_crop(empty_years(book), one["unit_id"], one["harvest_year"])
    empty = empty_links(access, over, request.get_full_path())
    return render(request, "farm/crop.html", {"one": one, "named": named(one), "empty_before": empty})


def _unjudged(request: PersonRequest, book: FarmBook, entry: str) -> HttpResponseBase:
    """Say why a crop entry has no verdict.

    Raises:
        Http404: there is no such entry.
    """
    why = why_no_verdict(book, entry)
    if not why:
        raise Http404
    return render(request, "farm/crop_unjudged.html", {"entry": entry, "why": why, "kind": HARVEST})


def _rows_against(access: Access, practice: dict[str, Any], *, back: str) -> dict[str, list[dict[str, str]]]:
    """Return by requirement the rows that speak against it, each with the form that corrects it."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in practice["rows_against"]:
        address = reverse("farm_row", args=(access.organisation.handle, row["kind"]))
        href = f"{address}?{urlencode({'row': row['row'], 'next': back})}"
        found.setdefault(row["says"], []).append({**row, "href": href})
    return found


def _with_places(
    finding: dict[str, Any], address: Callable[[dict[str, str]], str], when: Callable[[dict[str, str]], Time]
) -> dict[str, Any]:
    """Return a finding with form and time of each gap; other crops share the finding and have their own forms."""
    missing = [{**record, "href": address(record), "time": when(record)} for record in finding["missing"]]
    return {**finding, "missing": missing}


def _together(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put requirements that wait for records of the same kinds into one, as ``rules``; figures stay alone.

    What any of them misses stands once.
    """
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for place, one in enumerate(findings):
        alone = one["verdict"] is False or one["observed"] or one["limit"] or not one["missing"]
        kinds = sorted({record["kind"] for record in one["missing"]})
        alike.setdefault((str(place),) if alone else (*kinds, one["gap"], one["remedy"]), []).append(one)
    return [{**same[0], "rules": same, "missing": _once(same)} for same in alike.values()]


def _when(book: FarmBook, one: dict[str, Any], record: dict[str, str]) -> Time:
    """Return when a record can be written: that of a harvested crop at once."""
    return time_of(book, one, record, gap_row(book, one, record)[0]) if "growing" in one else GROWING_NOW


def _by_step(missing: Iterable[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Return what comes with a later step of the season by that step, each by its name in the form."""
    found: dict[str, dict[str, None]] = {}
    for record in missing:
        found.setdefault(record["time"].until, {})[name_of(record)] = None
    return [(until, list(names)) for until, names in found.items()]


def _by_kind(missing: Iterable[dict[str, Any]]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Return each kind of record that is missing once, with what of it is missing, in the order it is asked for."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for record in missing:
        said = record["said"] if record["label"] else record["said"].strip("()")
        kinds.setdefault(record["kind"], []).append({**record, "said": said})
    return [(records[0], records) for records in kinds.values()]


def _once(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return without_repeats([record for one in findings for record in one["missing"]])


def gap_address(access: Access, book: FarmBook, one: dict[str, Any], record: dict[str, str], *, back: str = "") -> str:
    """Return the address of the form that closes a gap: of the very row that lacks a value, or of a new one.

    Args:
        access: the open door.
        book: the farm's book.
        one: the crop on its unit.
        record: what is missing.
        back: the page to return to once it is saved.
    """
    row, given = gap_row(book, one, record)
    asked = {"row": row} if row else given
    query = urlencode({**asked, **({"next": back} if back else {})})
    kind = record["kind"]
    address = reverse("farm_row", args=(access.organisation.handle, kind))
    return f"{address}?{query}{at_field(kind, record['column'])}"


# What other practices would do, on a page: the CI of every combination a crop may claim, unit by unit.
#
# Estimates, not USDA FD-CIC: for deciding what to do next season, never for a report.

NO_ANSWER: Final = "no answer"
NOW: Final = "Today"
UNITS: Final = (
    Column("Unit"),
    Column("Crop"),
    Column("Bushels", number=True),
    Column("Practices today"),
    Column("CI today", number=True),
    Column("Lowest CI", number=True),
    Column("With"),
)
OPTIONS: Final = (
    Column("Practices"),
    Column("CI", number=True),
    Column("To today", number=True),
    Column("To the model's default", number=True),
    Column("kg CO2e", number=True),
    Column("Missing today"),
)
CAPTION: Final = (
    "CI in g CO2e/bu (estimate), today's first, then the cheapest missing piece first; combinations that end in one CI "
    "at the same cost are one line, dearer ones are left out; its distance to today's and to the open model's own "
    "default, below zero is better; kilograms on these bushels against today"
)


@require_GET
@of_organisation("read")
def farm_plan(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the units with their CI today and the lowest there is; with ``crop`` the distinct results of one crop entry.

    Raises:
        Http404: no such crop entry was planned.
    """
    farm, entry = farm_book_of(access.organisation), request.GET.get("crop")
    found = plans_of(farm)
    if entry is None:
        units = _units(access, found, growing_by_crop(farm))
        return page_with_tables(request, "farm/plan.html", {"units": units}, {})
    one = next((unit for unit in found if unit["harvest_id"] == entry), None)
    if one is None:
        raise Http404
    context = {"one": one, "gaps": _gaps(one)}
    return page_with_tables(request, "farm/plan_unit.html", {"options": _options(one)}, context)


def _units(access: Access, found: list[dict[str, Any]], growing: list[tuple[str, list[Growing]]]) -> Table:
    where = reverse("farm_plan", args=(access.organisation.handle,))
    rows = []
    for one in found:
        today = next((option for option in one["options"] if option["today"]), None)
        best = one["options"][0]
        rows.append(
            [
                Cell(one["unit_id"], f"{where}?{urlencode({'crop': one['harvest_id']})}"),
                Cell(f"{one['crop']} {one['harvest_year']}"),
                Cell(one["bushels"] or "not recorded"),
                Cell(today["practices"] if today else ""),
                Cell((today["ci"] if today else None) or NO_ANSWER),
                Cell(best["ci"] or NO_ANSWER),
                Cell(best["practices"] if best["ci"] else ""),
            ]
        )
    for crop, fields in growing:
        for each in fields:
            unit = Cell(each.unit, unit_address(access, each.entry))
            rows.append([unit, Cell(crop), Cell(NOT_HARVESTED), *(Cell("") for _ in UNITS[3:])])
    empty = "No corn, soybeans or sorghum with a day of harvest yet. Add a management unit, then its crops."
    return Table("plan", UNITS, rows, empty=empty, caption="Units; CI in g CO2e/bu is an estimate, not USDA FD-CIC")


def _gaps(one: dict[str, Any]) -> list[str]:
    """Return what keeps each practice from being credited today, once; the table names the practices alone."""
    return list(dict.fromkeys(gap for option in one["options"] for gap in option["missing"]))


def _options(one: dict[str, Any]) -> Table:
    rows = [
        [
            Cell(option["practices"], note=NOW if option["today"] else ""),
            *(Cell(option[name] or NO_ANSWER) for name in ("ci", "to_today", "to_national", "kilograms")),
            Cell(
                ", ".join(text.partition(":")[0] for text in option["missing"]) or "nothing",
                saved="; ".join(option["missing"]) or "nothing",
            ),
        ]
        for option in one["results"]
    ]
    name = f"options {one['harvest_id']}"
    return Table(name, OPTIONS, rows, caption=CAPTION)


# Which practices a farm claims, ticked for each field and crop.

NAME: Final = "claim"
NOTHING: Final = "nothing"


@require_http_methods(["GET", "POST"])
@of_organisation("read", areas=(Area.RECORDS,))
def farm_claims(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the ticks of every field and crop; a POST writes them.

    Raises:
        RefusedError: a tick that its crop may not have, or somebody changed the book meanwhile.
    """
    farm = farm_book_of(access.organisation)
    found = claims_of(farm)
    if request.method == "POST":
        sent = set(request.POST.getlist(NAME))
        ticks = {
            one.harvest_id: {each for each in one.may if f"{one.harvest_id}/{each}" in sent}
            for one in found if one.harvest_id in request.POST.getlist("crop")
        }  # fmt: skip
        seen = number_in(request.POST.get("seen", ""))
        nothing = request.POST.getlist(NOTHING)
        changed = tick_claims(farm, ticks, actor=access.actor, after=seen, nothing=nothing) if ticks else None
        messages.success(request, "Your claims are saved." if changed else "Nothing was changed.")
        return redirect(back_to(request) or reverse("farm", args=(access.organisation.handle,)))
    rows = _rows(found, request.GET.getlist("unit"), request.GET.getlist("crop"))
    context = {"practices": list(Practice), "crops": rows, "version": farm.version}
    return render(request, "farm/claims.html", context)


def _rows(found: Sequence[CropClaims], units: Sequence[str], entries: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of the page; those of the units or crops asked for are marked, and it opens at the first."""
    named = [one for one in found if one.unit_id in units or one.harvest_id in entries]
    marked = [one.harvest_id for one in ([one for one in named if one.may_say_none] or named)]
    return [{**_row(one), "asked": one.harvest_id in marked, "first": marked[:1] == [one.harvest_id]} for one in found]


def _row(one: CropClaims) -> dict[str, Any]:
    cells = [
        {
            "practice": each,
            "may": each in one.may,
            "named": each in one.named,
            "on": each in one.offered,
            "standing": str(one.may.get(each, "")),
        }
        for each in Practice
    ]
    return {"claims": one, "cells": cells}


# Carbon intensity on a page: the farm-level average of each crop step by step, against the national default.

SIDES: Final = {"official": "USDA FD-CIC runs", "estimate": "open model (an estimate)"}
MISSING: Final = "not shown"
COLUMNS: Final = (
    Column("Unit"),
    Column("Practices behind the CI"),
    Column("Bushels", number=True),
    Column("CI, g CO2e/bu", number=True),
    Column("Bushels times CI, g CO2e", number=True),
)


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_intensity(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show each crop and harvest year: by official runs, and by the open model as an estimate."""
    tables: dict[str, Table] = {}
    shown = []
    farm = farm_book_of(access.organisation)
    for one in intensities_of(farm):
        sides = []
        for side, title in SIDES.items():
            table = _table(one, side)
            tables[f"units_{len(tables)}"] = table
            sides.append({**one[side], "title": title, "side": side, "table": on_page(table, request.GET)})
        shown.append({**one, "sides": sides})
    return page_with_tables(request, "farm/intensity.html", tables, {"crops": shown, "growing": growing_by_crop(farm)})


def _table(one: dict[str, Any], side: str) -> Table:
    found = one[side]
    rows = [
        [
            Cell(unit["unit_id"], typed=True),
            Cell(unit["behind_ci"]),
            Cell(unit["bushels"] or "not recorded"),
            Cell(unit["ci"] or MISSING),
            Cell(unit["product"] or MISSING),
        ]
        for unit in found["units"]
    ]
    whole = [found["bushels"], found["ci"], found["product"]]
    rows.append([Cell("Farm"), Cell("sum, and sum divided by bushels"), *(Cell(text or MISSING) for text in whole)])
    crop = f"{one['crop_label']} {one['harvest_year']}"
    caption = f"Step by step: {crop}, {SIDES[side]}"
    return Table(f"CI {one['crop']} {one['harvest_year']} {side}", COLUMNS, rows, caption=caption, totals=1)
