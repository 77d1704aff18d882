"""Stock with claims: sums by carbon intensity, a chart over time, the lots one by one; and opening the book."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from provender.custody.model.lots import FORMS, POUND, LotState
from provender.custody.model.store_view import printed
from provender.custody.queries.day_sheet import Defaults
from provender.database.actor import today
from provender.database.choices import Area
from provender.exact import CI_SCALE, SCALE, show, show_whole, weighted_mean
from provender.paper.charts import in_two_widths
from provender.paper.tables import Cell, Column, Row, Table, quantity, table_of
from provender.services.accounts.access import Access
from provender.services.custody import stock, views
from provender.services.custody.book_entry import OFFERS
from provender.services.custody.checks import voiding
from provender.services.custody.context import CustodyContext, party_names
from provender.services.custody.entry import register_entity
from provender.services.custody.movements import Trace, trace
from provender.services.custody.stock import BandView, band_in, banded, defaults_of
from provender.web.access import PersonRequest, of_organisation
from provender.web.custody.forms import at, at_desk, form_of, require_trader, serials_line, words
from provender.web.custody.pages.movements import CODED, done, lots_table, party_cell, shown_amount
from provender.web.inputs import number_in
from provender.web.tables import all_said, page_with_tables, rows_wanted


@require_POST
@of_organisation("write")
def custody_open(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Open the organisation's part of the book, or add sites to it."""
    require_trader(access)
    sites = request.POST.get("sites", "").splitlines()
    done = register_entity(access.organisation, day=today(), sites=sites, actor=access.actor)
    said = "The book says the same already." if done is None else "The book is open." if done.status.well else ""
    (messages.success if said else messages.error)(request, said or (done.message if done else ""))
    return redirect("custody_stock", access.organisation.handle)


@require_GET
@at_desk(areas=(Area.BOOKS,))
def custody_stock(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show what is in stock by crop, year, carbon intensity and site."""
    every, defaults = stock.stock(desk), defaults_of(desk)
    chosen = {name: request.GET.get(name, "") for name in ("crop", "year", "band")}
    rows = [row for row in every if _is_chosen(row, chosen, defaults)]
    by_crop, unverified = stock.stock_sums(rows), stock.unverified_in(rows)
    crops = [f"{whole_cell(one.bushels).text} bu of {words(one.crop).lower()}" for one in by_crop]
    context = {
        "chart": stock.drawn_stock(desk, in_two_widths),
        "bushels": " and ".join([", ".join(crops[:-1]), crops[-1]] if len(crops) > 1 else crops),
        "products": [
            f"{whole_cell(one.amount, one.unit).text} of {words(one.form).lower()}" for one in stock.product_sums(rows)
        ],
        "unverified": whole_cell(unverified).text if unverified else "",
        "typed": stock.typed_in(desk),
        "period": desk.period,
        "periods": desk.periods,
        "begin": at(desk, "custody_enter", "period"),
        "chosen": ", ".join(words(text) for text in chosen.values() if text),
        "sell": at(desk, "custody_enter", "sale", **_sold_of(rows, chosen)),
    }
    table = _table(desk, rows)
    # A file holds no sums: whoever adds its rows up would count everything twice.
    table = table if "save" in request.GET else _with_sums(table, rows, by_crop)
    tables = {"stock": table}
    if parts := banded(every, defaults):
        tables["bands"] = _bands([one for one in parts if one.band or "save" not in request.GET])
    return page_with_tables(request, "custody/stock.html", tables, context)


def _sold_of(rows: Sequence[stock.StockView], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return what a sale of the chosen rows begins with: their crop and year, and of a band the span of their CI."""
    known = {"crop": chosen["crop"], "harvest_year": chosen["year"]}
    if rows and chosen["band"]:
        least, most = stock.ci_span(rows)
        known |= {"ci_min": show(least, CI_SCALE), "ci_max": show(most, CI_SCALE)}
    return {name: text for name, text in known.items() if text}


def _is_chosen(row: stock.StockView, chosen: Mapping[str, str], defaults: Defaults) -> bool:
    """Tell whether a row is among those asked for by crop, harvest year and band; nothing asked for asks for all."""
    known = {
        "crop": row.crop,
        "year": str(row.harvest_year),
        "band": band_in(defaults, row.crop, row.harvest_year, row.ci_g_per_bu),
    }
    return all(not asked or known[name] == asked for name, asked in chosen.items())


def _bands(parts: Sequence[BandView]) -> Table:
    """Return the bands of each crop below its sum; a click shows the rows of the stock behind one."""
    made = table_of(
        BandView,
        parts,
        name="bands",
        only=("crop", "band", "bushels", "share", "mean_ci_g_per_bu", "lots"),
        caption="By crop, against the national default, each rounded to whole bushels",
        cells={
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "band": lambda one: Cell(one.band or "all of it", _behind(one)),
            "bushels": lambda one: whole_cell(one.bushels),
            "share": lambda one: Cell(show(one.share, 1)),
            "mean_ci_g_per_bu": lambda one: Cell(
                show_whole(one.mean_ci_g_per_bu, CI_SCALE), saved=show(one.mean_ci_g_per_bu, CI_SCALE)
            ),
        },
    )
    return replace(made, groups=True)


def _behind(one: BandView) -> str:
    """Return the address that shows the rows of the stock in a band, or of a whole crop."""
    asked = [("crop", one.crop), ("year", str(one.harvest_year)), ("band", one.band)]
    return "?" + urlencode([(name, text) for name, text in asked if text])


def whole_cell(value: int, unit: str = "") -> Cell:
    """Return an amount in whole units, what is less than one as that; a file has it exact."""
    text = "< 1" if 0 < value < 10**SCALE else show_whole(value)
    return quantity(value, unit, f"{text} {unit}".rstrip())


def _with_sums(table: Table, rows: list[stock.StockView], by_crop: Sequence[stock.CropSum]) -> Table:
    """Return the stock with a sum below for each crop, of its bushels with claims in whatever form it is."""
    if len(rows) <= len(by_crop):
        return table
    unit = "" if _has_products(rows) else "bu"
    sums: list[list[Cell]] = []
    for one in by_crop:
        line = [Cell("") for _ in table.columns]
        line[0], line[-1] = Cell(f"All {words(one.crop).lower()}"), Cell(str(one.lots))
        line[-2] = whole_cell(one.bushels, unit)  # the column of bushels, or of amounts in them
        sums.append(line)
    return replace(table, rows=[*table.cells, *sums], totals=len(sums))


def _has_products(rows: list[stock.StockView]) -> bool:
    return any(row.form != row.crop for row in rows)


def _table(desk: CustodyContext, rows: list[stock.StockView]) -> Table:
    houses = party_names(row.custodian for row in rows)
    # What is crop already says its bushels once.
    more = ("bushels",) if _has_products(rows) else ()
    made = table_of(
        stock.StockView,
        rows,
        name="stock",
        only=("form", "ci_g_per_bu", "site", "state", "amount", *more, "lots"),
        caption="Stock by carbon intensity, each amount rounded to whole units",
        empty="Nothing with a claim is in stock. Buy from a farm, or take in a delivery, and it shows here.",
        cells={
            "form": _what,
            "site": lambda row: Cell(row.site if row.custodian == desk.id else f"{houses[row.custodian]}, {row.site}"),
            "state": lambda row: Cell(words(row.state), chip="plain" if row.state == LotState.UNVERIFIED else ""),
            "amount": lambda row: whole_cell(row.amount, row.unit),
            "bushels": lambda row: whole_cell(row.bushels),
            "lots": lambda row: Cell(str(row.lots), _lots_of(desk, row)),
        },
    )
    return replace(made, sorts=True)


def _lots_of(desk: CustodyContext, row: stock.StockView) -> str:
    year, ci = row.harvest_year, row.ci_g_per_bu
    return at(desk, "custody_lots", crop=row.crop, year=year, ci=ci, form=row.form, site=row.site)


def _what(row: stock.StockView) -> Cell:
    """Name crop and year, and for a product what it is."""
    crop = f"{words(row.crop)} {row.harvest_year}"
    if row.form == row.crop:
        return Cell(crop)
    return Cell(words(row.form), note=f"from {crop.lower()}", saved=f"{words(row.form)} from {crop.lower()}")


@require_GET
@at_desk()
def custody_lots(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List the lots behind a row of the stock, a page at a time, with what can be done with each."""
    asked = request.GET
    where: dict[str, str | int] = {name: asked[name] for name in ("crop", "form", "site") if asked.get(name)}
    for name, column in (("year", "harvest_year"), ("ci", "ci")):
        number = number_in(asked.get(name, ""))
        if number is not None:
            where[column] = number
    after = max(0, number_in(asked.get("after", "")) or 0)
    page = stock.lots(desk, after=after, size=rows_wanted(request), where=where)
    empty = "No lots in stock here. Lots come from purchases and accepted deliveries."
    table = lots_table(
        "lots", page.items, caption="Lots in stock", trace=at(desk, "custody_trace"), empty=empty,
        beside=(lambda lot: _sell(desk, lot)) if desk.may_write else None,
    )  # fmt: skip
    more = "?" + urlencode({**asked.dict(), "after": str(page.next)}) if page.next else ""
    chosen = [
        (words(name), words(str(text)) if name in CODED and text in FORMS else str(text))
        for name, text in where.items()
        if name != "ci"
    ]
    if "ci" in where:
        chosen.append(("CI", show(int(str(where["ci"])), CI_SCALE, group=True)))
    context = {"more": more, "chosen": chosen, "sell": at(desk, "custody_enter", "sale", **_sold_from(where))}
    tables = {"lots": all_said(request, table, more=bool(more))}
    return page_with_tables(request, "custody/lots.html", tables, context)


def _sold_from(where: Mapping[str, str | int]) -> dict[str, str]:
    """Return what a sale from a list of lots begins with: what the list was asked for."""
    known = {name: str(text) for name, text in where.items() if name not in ("ci", "form")}
    if "form" in where and where["form"] != where.get("crop"):
        known["form"] = str(where["form"])
    if "ci" in where:
        exactly = show(int(where["ci"]), CI_SCALE)
        known |= {"ci_min": exactly, "ci_max": exactly}
    return known


def _sell(desk: CustodyContext, lot: views.LotView) -> Cell:
    """Return the way to the sale of one lot; none for what lies in transit or in another's house."""
    product = {"form": lot.form} if lot.form != lot.crop else {}
    lots = serials_line(lot, lot.amount if lot.unit == POUND else 0)
    to = at(desk, "custody_enter", "sale", crop=lot.crop, lots=lots, site=lot.site, **product)
    return Cell("Sell", to) if lot.custodian == desk.id else Cell("")


WAYS: Final = {"in": "In", "out": "Out", "measured": "Measured"}


@require_GET
@at_desk(areas=(Area.BOOKS,))
def custody_grain(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show grain and claims of every site, conventional grain too, and the tickets of one."""
    sites = stock.grain_sites(desk)
    tables = {"grain": _sites(desk, sites)}
    asked = (request.GET.get("site"), request.GET.get("form"))
    books = [one for one in sites if one.covered is not None]
    book = next((one for one in books if (one.site, one.form) == asked), books[0] if books else None)
    more = ""
    if book is not None:
        before = max(0, number_in(request.GET.get("before", "")) or 0)
        page = stock.grain_entries(desk, book.site, book.form, before=before, size=rows_wanted(request))
        tables["tickets"] = all_said(request, _tickets(desk, book, page.items), more=bool(page.next))
        if page.next:
            more = "?" + urlencode({"site": book.site, "form": book.form, "before": str(page.next)})
    return page_with_tables(request, "custody/grain.html", tables, {"book": book, "more": more})


def _sites(desk: CustodyContext, sites: list[views.GrainSiteView]) -> Table:
    columns = [
        Column("Site"), Column("What", file_only=True), Column("Grain by the tickets", number=True, measured=True),
        Column("Your claims", number=True, measured=True), Column("", page_only=True), Column("Entries", number=True),
    ]  # fmt: skip
    rows: list[Row] = []
    for one in sites:
        has_book = one.covered is not None
        none = Cell("—" if has_book else "no entry", saved="")
        called = f"{one.site}, {words(one.form).lower()}"
        # The way to its tickets of a form, which the link says: a site may have several.
        to = at(desk, "custody_grain", site=one.site, form=one.form) if has_book else ""
        rows.append([
            Cell(called, to, saved=one.site, typed=True), words(one.form),
            none if one.grain is None else quantity(one.grain, one.unit), quantity(one.claims, one.unit), _cover(one),
            str(one.entries),
        ])  # fmt: skip
    empty = "No ticket is entered yet. Read your scale tickets from a file, or enter the measured stock."
    return Table("grain", columns, rows, caption="Grain and claims by site", empty=empty)


def _cover(one: views.GrainSiteView) -> Cell:
    if one.covered is None:
        return Cell("No grain book", chip="not-shown")
    return Cell("Covered", chip="met") if one.covered else Cell("Claims above grain", chip="not-met")


def _tickets(desk: CustodyContext, book: views.GrainSiteView, entries: list[views.GrainEntryView]) -> Table:
    """Return the tickets of a site, each with the way to make it void: a ticket behind claims goes back with those."""
    names = party_names(entry.party for entry in entries)

    def void(entry: views.GrainEntryView) -> Cell:
        ends = entry.void or entry.claim
        return Cell("") if ends else Cell("Void", form_of(desk, voiding(book.site, book.form, entry)))

    return table_of(
        views.GrainEntryView,
        entries,
        name="tickets",
        only=("day", "number", "direction", "party", "name", "amount", "claim"),
        caption=f"{words(book.form)} at {book.site}, last entered first",
        cells={
            "number": lambda entry: Cell(entry.number, note="Void" if entry.void else ""),
            "direction": lambda entry: Cell(WAYS[entry.direction]),
            "party": lambda entry: party_cell(names, entry.party),
            "amount": lambda entry: quantity(entry.amount, book.unit),
            "claim": lambda entry: (
                Cell("Its movement", at(desk, "custody_movement", id=entry.claim), saved=entry.claim)
                if entry.claim
                else Cell("")
            ),
            **({"": void} if desk.may_write else {}),
        },
    )


# The chain behind a claim, drawn and in words: from its holder back to the farm's report (2100.032(a)).

PASSING: Final = frozenset({LotState.HELD, LotState.IN_TRANSIT})
"""States that end where a lot goes on."""


@require_GET
@at_desk()
def custody_trace(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the chain of a lot, or of the lots of a movement or document; without either ask for one."""
    asked = (request.GET.get("lot") or request.GET.get("find") or "").strip()
    context: dict[str, object] = {"asked": asked}
    if not asked:
        return page_with_tables(request, "custody/trace.html", {}, context)
    found = trace(desk, asked)
    if found is None:
        return page_with_tables(request, "custody/trace.html", {}, {**context, "missing": True})
    context |= {"found": found, "picture": found.picture, "lots": found.lots, "went_on": found.went_on}
    if found.lot is not None:
        context["facts"] = _facts(found.lot)
        if found.lots == 1 and desk.may_write:
            context["uses"] = _uses(desk, found.lot)
    tables = {"farms": _farms(found), "links": _trace_table(found)}
    return page_with_tables(request, "custody/trace.html", tables, context)


def _uses(desk: CustodyContext, detail: views.LotDetailView) -> list[tuple[str, str]]:
    """Return what can be done with a lot, as links to forms that name it."""
    lot = detail.lot
    known = {
        "crop": lot.crop,
        "form": lot.form if lot.form != lot.crop else "",
        "site": lot.site,
        "lots": f"{lot.origin} {show(lot.start_bu)}-{show(lot.stop_bu)}",
    }
    return [(OFFERS[kind].title, at(desk, "custody_enter", kind, **known)) for kind in detail.uses]


def _facts(detail: views.LotDetailView) -> list[tuple[str, str]]:
    """Return what stands behind a lot: origin, report, carbon intensity, amount."""
    lot = detail.lot
    facts = [
        ("Origin", printed(lot.origin)),
        ("Serials", f"{show(lot.start_bu, group=True)} to {show(lot.stop_bu, group=True)} bu"),
        ("What", f"{words(lot.form)} {lot.harvest_year}, {shown_amount(lot)}"),
        ("Carbon intensity", f"{show(lot.ci_g_per_bu, CI_SCALE, group=True)} g CO2e/bu"),
    ]
    if detail.report_version is not None:
        mark = printed(detail.report_hash) if detail.report_hash else "not at hand"
        known = f"version {detail.report_version}, {detail.report_standing}; hash {mark}"
        facts.append(("Farm's report", known))
    return facts


def _farms(found: Trace) -> Table:
    """Return what each farm has of the bushels, with their sum: the numbers of the drawing."""
    table = table_of(
        views.FarmShareView,
        found.farms,
        name="farms",
        caption="By farm of origin",
        cells={
            "origin": lambda one: Cell(printed(one.origin), saved=one.origin),
            "bushels": lambda one: quantity(one.bushels, "bu"),
        },
    )
    together = quantity(found.bushels, "bu")
    foot = [Cell("Together"), Cell(""), Cell(""), together, Cell("100.0"), Cell(_mean(found))]
    return replace(_aligned(table, "Share (%)", number=True), rows=[*table.rows, foot], totals=1)


def _aligned(table: Table, label: str, *, number: bool) -> Table:
    """Return a table one of whose columns is of numbers, or is not: a share is a text to its view, serials are two."""
    columns = [replace(one, number=number) if one.label == label else one for one in table.columns]
    return replace(table, columns=columns)


def _mean(found: Trace) -> str:
    """Return the mean carbon intensity of all farms, weighted by bushels; nothing where one is not the viewer's."""
    known = [(one.ci_g_per_bu, one.bushels) for one in found.farms if one.ci_g_per_bu is not None]
    mean = weighted_mean(known) if len(known) == len(found.farms) else None
    return "" if mean is None else show(mean, CI_SCALE, group=True)


def _trace_table(found: Trace) -> Table:
    """Return every station in words: the same as the picture, lot by lot. What went on lies and travels no more."""
    last = {(one.lot, one.start_bu): one for one in found.stations}

    def state(one: views.StationView) -> str:
        gone_on = one.state in PASSING and last[one.lot, one.start_bu] is not one
        return "" if gone_on or not one.state else words(one.state)

    table = table_of(
        views.StationView,
        found.stations,
        name="chain",
        only=("day", "type", "giver", "taker", "origin", "start_bu", "bushels", "form"),
        caption="Every station, lot by lot, the oldest first",
        cells={
            "type": lambda one: Cell(done(one.type)),
            "giver": lambda one: Cell(one.giver or "The farm's report"),
            "origin": lambda one: Cell(printed(one.origin), saved=one.origin),
            "start_bu": lambda one: Cell(f"{show(one.start_bu, group=True)}-{show(one.stop_bu, group=True)}"),
            "bushels": lambda one: whole_cell(one.bushels, "bu"),
            "form": lambda one: Cell(words(one.form), note=state(one)),
        },
    )
    return _aligned(table, "Serials (bu)", number=False)
