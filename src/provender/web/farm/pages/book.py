"""A farm's book on pages: its home with the practice matrix, and one crop on one unit with every requirement."""

from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.database.choices import Area
from provender.paper.tables import Cell, Column, Table
from provender.records.field import starting_small
from provender.records.kind import KINDS
from provender.rule.crops import Practice
from provender.services.accounts.access import Access
from provender.services.farm import growing as growing_crops
from provender.services.farm import verdicts
from provender.services.farm.book import FarmBook, farm_book_of, open_farm_book, opened_book_of
from provender.services.farm.check import EXPLAINED, totals_table, why_against
from provender.services.farm.field_says import before_crop, empty_years, why_no_verdict
from provender.services.farm.growing import NOW as GROWING_NOW
from provender.services.farm.intensity import intensities_of, plans_of
from provender.services.farm.sown import gap_row, key_in_book
from provender.standards.standard import Verdict
from provender.verdicts.words import requirements_of
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.lists import crop_address, empty_links, form_address
from provender.web.inputs import back_to, number_in
from provender.web.tables import on_page, page_with_tables
from provender.web.templatetags.page import STANDINGS

_MOST_ROWS: Final = 6
"""Rows of a kind that a page names behind a verdict; the others are counted."""


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
    found = verdicts.overview_of(book)
    rejected = any(problem["code"] == "rejected_rows" for problem in found["problems"])
    context = {
        "version": book.version, "problems": found["problems"], "rejected": rejected, "explained": EXPLAINED,
    }  # fmt: skip
    crops = [*found["crops"], *map(_as_judged, growing_crops.growing_of(book))]
    tables = {"matrix": _matrix(access, crops), "totals": totals_table(verdicts.totals_of(book))}
    return page_with_tables(request, "farm/home.html", tables, context)


def _as_judged(growing: dict[str, Any]) -> dict[str, Any]:
    """Return a crop that is not harvested yet as ``overview_of`` has those that are."""
    practices = [
        {
            **each,
            "waits": verdicts.as_seen(growing, each, signs=False) is verdicts.Standing.WAITING,
            "why": why_against(growing, each),
        }
        for each in growing["practices"]
    ]
    return {**growing, "practices": practices}


def _matrix(access: Access, crops: list[dict[str, Any]]) -> Table:
    columns = [
        Column("Unit"),
        Column("Crop"),
        *(Column(practice.label) for practice in Practice),
    ]
    rows = []
    for one in crops:
        where = crop_address(access.organisation.handle, one["harvest_id"])
        crop = Cell(growing_crops.name_of_crop(one), note=growing_crops.NOT_HARVESTED if "growing" in one else "")
        cells = [Cell(one["unit_id"], where, typed=True), crop]
        cells += (_verdict(access, each, f"{where}#{each['practice']}") for each in one["practices"])
        rows.append(cells)
    if rows:
        rows.append([Cell("All"), Cell(""), *(Cell(text) for text in verdicts.shown_of(crops))])
    empty = (
        "No corn, soybeans or sorghum with a day of harvest yet. Upload a spreadsheet, or add a management unit and "
        "then its crops."
    )
    return Table(
        "practices", columns, rows, empty=empty, caption="Practices by field and crop", totals=min(1, len(rows)),
        sorts=True,
    )  # fmt: skip


def _verdict(access: Access, found: dict[str, Any], where: str) -> Cell:
    seen = verdicts.Standing.WAITING if found["waits"] and not access.may_sign else verdicts.Standing(found["standing"])
    chip, text, _ = STANDINGS[seen]
    note = found["why"] if seen in (verdicts.Standing.RULED_OUT, verdicts.Standing.CONTRADICTED) else ""
    return Cell(text, where if found["claimable"] else "", "unasked" if seen in verdicts.UNASKED else chip, note=note)


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_crop(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show one crop on one unit: every practice with its requirements, what was found, and what would close a gap.

    Raises:
        Http404: there is no crop entry of this name.
    """
    book, entry = farm_book_of(access.organisation), request.GET.get("crop", "")
    one = growing_crops.crop_of(book, entry)
    if one is None:
        return _unjudged(request, book, entry)
    back = request.get_full_path()
    one = {**one, "practices": [*map(dict, one["practices"])]}
    for practice in one["practices"]:
        practice["seen"] = verdicts.as_seen(one, practice, signs=access.may_sign)
        rules = requirements_of(one, practice)
        lacks = [_with_form(book, one, lack, back) for lack in verdicts.lacks_of(rules)]
        practice["gaps"] = _by_kind(lack for lack in lacks if lack["time"].when is not growing_crops.When.LATER)
        practice["later"] = _by_step(lack for lack in lacks if lack["time"].when is growing_crops.When.LATER)
        found = [_with_rows(book, rule, back) for rule in rules]
        practice["wrong"] = [rule for rule in found if rule["verdict"] == Verdict.NOT_MET]
        practice["reasons"] = list(dict.fromkeys(reason for rule in practice["wrong"] for reason in rule["reasons"]))
        practice["unshown"] = _together((rule for rule in found if rule["verdict"] == Verdict.NOT_SHOWN), lacks)
        met = [rule for rule in found if rule["verdict"] == Verdict.MET]
        practice["moot"] = [rule for rule in met if rule["moot"]]
        practice["met"] = [rule for rule in met if not rule["moot"]]
    over = before_crop(empty_years(book), one["unit_id"], one["harvest_year"])
    empty = empty_links(access, over, back)
    return render(
        request, "farm/crop.html", {"one": one, "named": growing_crops.name_of_crop(one), "empty_before": empty}
    )


def _unjudged(request: PersonRequest, book: FarmBook, entry: str) -> HttpResponseBase:
    """Say why a crop entry has no verdict.

    Raises:
        Http404: there is no such entry.
    """
    why = why_no_verdict(book, entry)
    if not why:
        raise Http404
    return render(request, "farm/crop_unjudged.html", {"entry": entry, "why": why, "kind": growing_crops.HARVEST})


def _with_rows(book: FarmBook, rule: dict[str, Any], back: str) -> dict[str, Any]:
    """Return a requirement with the rows that its verdict rests on, kind by kind, each with its form."""
    kinds: dict[str, dict[str, str]] = {}
    for found in (*rule["against"], *rule["shown"]):
        kind = KINDS[found["kind"]]
        key = key_in_book(book, kind, found["row"])
        href = form_address(book.farm_id, kind.name, {"row": key}, back) if key else ""
        kinds.setdefault(kind.label, {})[found["words"]] = href
    rested = [
        {"label": label, "rows": list(rows.items())[:_MOST_ROWS], "more": max(len(rows) - _MOST_ROWS, 0)}
        for label, rows in kinds.items()
    ]
    return {**rule, "rested": rested, "reasons": list(dict.fromkeys(found["says"] for found in rule["against"]))}


def _together(rules: Iterable[dict[str, Any]], lacks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put requirements that wait for records of the same kinds side by side, with what lacks; those with figures alone.

    Args:
        rules: the requirements.
        lacks: of the practice, each with its form.
    """
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for rule in rules:
        kinds = sorted({missing["kind"] for missing in rule["missing"]})
        alone = rule["observed"] or not kinds
        alike.setdefault((rule["cite"], rule["says"]) if alone else tuple(kinds), []).append(rule)
    found = []
    for same in alike.values():
        missing = {(each["kind"], each["column"], each["reason"]) for rule in same for each in rule["missing"]}
        mine = [lack for lack in lacks if (lack["kind"], lack["column"], lack["reason"]) in missing]
        found.append({"rules": same, "lacks": mine})
    return found


def _with_form(book: FarmBook, one: dict[str, Any], lack: dict[str, Any], back: str) -> dict[str, Any]:
    """Return what lacks with the form where it is entered, and when: that of a harvested crop at once."""
    row, given = gap_row(book, one, lack)
    href = form_address(book.farm_id, lack["kind"], {"row": row} if row else given, back, lack["column"])
    time = growing_crops.time_of(book, one, lack, row) if "growing" in one else GROWING_NOW
    why = starting_small(lack["says"].rstrip("."))
    return {**lack, "why": why, "href": href, "time": time}


def _by_step(lacks: Iterable[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Return what comes with a later step of the season by that step, each by its name in the form."""
    found: dict[str, dict[str, None]] = {}
    for lack in lacks:
        found.setdefault(lack["time"].until, {})[growing_crops.name_of(lack)] = None
    return [(until, list(names)) for until, names in found.items()]


def _by_kind(lacks: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return what lacks kind by kind, in the order it is asked for."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for lack in lacks:
        kinds.setdefault(lack["kind"], []).append(lack)
    return list(kinds.values())


# What other practices would do, on a page: the CI of every combination a crop may claim, unit by unit.
#
# Estimates, not USDA FD-CIC: for deciding what to do next season, never for a report.

_NO_ANSWER: Final = "no answer"
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
_CAPTION: Final = (
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
        units = _units(access, found, growing_crops.growing_by_crop(farm))
        return page_with_tables(request, "farm/plan.html", {"units": units}, {})
    one = next((unit for unit in found if unit["harvest_id"] == entry), None)
    if one is None:
        raise Http404
    context = {"one": one, "gaps": _gaps(one)}
    return page_with_tables(request, "farm/plan_unit.html", {"options": _options(one)}, context)


def _units(
    access: Access, found: list[dict[str, Any]], growing: list[tuple[str, list[growing_crops.Growing]]]
) -> Table:
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
                Cell((today["ci"] if today else None) or _NO_ANSWER),
                Cell(best["ci"] or _NO_ANSWER),
                Cell(best["practices"] if best["ci"] else ""),
            ]
        )
    for crop, fields in growing:
        for each in fields:
            unit = Cell(each.unit, crop_address(access.organisation.handle, each.entry))
            rows.append([unit, Cell(crop), Cell(growing_crops.NOT_HARVESTED), *(Cell("") for _ in UNITS[3:])])
    empty = "No corn, soybeans or sorghum with a day of harvest yet. Add a management unit, then its crops."
    return Table("plan", UNITS, rows, empty=empty, caption="Units; CI in g CO2e/bu is an estimate, not USDA FD-CIC")


def _gaps(one: dict[str, Any]) -> list[str]:
    """Return what keeps each practice from being credited today, once; the table names the practices alone."""
    return list(dict.fromkeys(piece["says"] for option in one["options"] for piece in option["missing"]))


def _options(one: dict[str, Any]) -> Table:
    rows = [
        [
            Cell(option["practices"], note=NOW if option["today"] else ""),
            *(Cell(option[name] or _NO_ANSWER) for name in ("ci", "to_today", "to_national", "kilograms")),
            Cell(
                ", ".join(piece["practice"] for piece in option["missing"]) or "nothing",
                saved="; ".join(piece["says"] for piece in option["missing"]) or "nothing",
            ),
        ]
        for option in one["results"]
    ]
    name = f"options {one['harvest_id']}"
    return Table(name, OPTIONS, rows, caption=_CAPTION)


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
    found = growing_crops.claims_of(farm)
    if request.method == "POST":
        sent = set(request.POST.getlist(NAME))
        ticks = {
            one.harvest_id: {each for each in one.may if f"{one.harvest_id}/{each}" in sent}
            for one in found if one.harvest_id in request.POST.getlist("crop")
        }  # fmt: skip
        seen = number_in(request.POST.get("seen", ""))
        nothing = request.POST.getlist(NOTHING)
        changed = (
            growing_crops.tick_claims(farm, ticks, actor=access.actor, after=seen, nothing=nothing) if ticks else None
        )
        messages.success(request, "Your claims are saved." if changed else "Nothing was changed.")
        return redirect(back_to(request) or reverse("farm", args=(access.organisation.handle,)))
    rows = _claim_rows(found, request.GET.getlist("unit"), request.GET.getlist("crop"))
    context = {"practices": list(Practice), "crops": rows, "version": farm.version}
    return render(request, "farm/claims.html", context)


def _claim_rows(
    found: Sequence[growing_crops.CropClaims], units: Sequence[str], entries: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the rows of the page; those of the units or crops asked for are marked, and it opens at the first."""
    named = [one for one in found if one.unit_id in units or one.harvest_id in entries]
    marked = [one.harvest_id for one in ([one for one in named if one.may_say_none] or named)]
    return [{**_row(one), "asked": one.harvest_id in marked, "first": marked[:1] == [one.harvest_id]} for one in found]


def _row(one: growing_crops.CropClaims) -> dict[str, Any]:
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

_SIDES: Final = {"official": "USDA FD-CIC runs", "estimate": "open model (an estimate)"}
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
        for side, title in _SIDES.items():
            table = _table(one, side)
            tables[f"units_{len(tables)}"] = table
            sides.append({**one[side], "title": title, "side": side, "table": on_page(table, request.GET)})
        shown.append({**one, "sides": sides})
    return page_with_tables(
        request, "farm/intensity.html", tables, {"crops": shown, "growing": growing_crops.growing_by_crop(farm)}
    )


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
    caption = f"Step by step: {crop}, {_SIDES[side]}"
    return Table(f"CI {one['crop']} {one['harvest_year']} {side}", COLUMNS, rows, caption=caption, totals=1)
