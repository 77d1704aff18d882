"""Stock with claims: sums by carbon intensity, a chart over time, lots one by one; opening the book; ticket files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.custody.model.lots import FORMS, POUND, LotState
from provender.custody.model.store_view import printed
from provender.custody.queries.day_sheet import Defaults
from provender.custody.reconcile.ticket_rows import LeftOut, mark_of, said_of
from provender.database.actor import today
from provender.database.choices import Area
from provender.exact import CI_SCALE, SCALE, show, show_whole, weighted_mean
from provender.formats.columns import target
from provender.formats.importing.loads import DELIVERED, NO_LOAD, VOID
from provender.formats.parsed import ColumnMap, ColumnRule
from provender.paper.charts import in_two_widths
from provender.paper.tables import Cell, Column, Row, Table, quantity, table_of
from provender.problem import Problem, ProblemsError, counted
from provender.rule.crops import Crop
from provender.services.accounts.access import Access
from provender.services.custody import stock, ticket_files, views
from provender.services.custody.book_entry import OFFERS
from provender.services.custody.checks import voiding
from provender.services.custody.context import CustodyContext, party_names
from provender.services.custody.entry import register_entity
from provender.services.custody.movements import Trace, trace
from provender.services.custody.stock import BandView, band_in, banded, defaults_of, printed_bands
from provender.services.custody.tickets import LeftOutView, TicketFile, left_out_view, ticket_view
from provender.services.custody.views import TicketView
from provender.services.farm.files import store_upload, upload_of
from provender.web.access import PersonRequest, of_organisation
from provender.web.custody.forms import at, form_of, require_trader, serials_line, site_choices, trader_view, words
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
@trader_view(areas=(Area.BOOKS,))
def custody_stock(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show what is in stock by crop, year, carbon intensity and site."""
    every, defaults = stock.stock(trader), defaults_of(trader)
    chosen = {name: request.GET.get(name, "") for name in ("crop", "year", "band")}
    rows = [row for row in every if _is_chosen(row, chosen, defaults)]
    by_crop, unverified = stock.stock_sums(rows), stock.unverified_in(rows)
    crops = [f"{whole_cell(one.bushels).text} bu of {words(one.crop).lower()}" for one in by_crop]
    context = {
        "chart": stock.drawn_stock(trader, in_two_widths),
        "bushels": " and ".join([", ".join(crops[:-1]), crops[-1]] if len(crops) > 1 else crops),
        "products": [
            f"{whole_cell(one.amount, one.unit).text} of {words(one.form).lower()}" for one in stock.product_sums(rows)
        ],
        "unverified": whole_cell(unverified).text if unverified else "",
        "typed": stock.typed_in(trader),
        "period": trader.period,
        "periods": trader.periods,
        "begin": at(trader, "custody_enter", "period"),
        "chosen": ", ".join(words(text) for text in chosen.values() if text),
        "sell": at(trader, "custody_enter", "sale", **_sold_of(rows, chosen)),
    }
    table = _table(trader, rows)
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
    band = band_in(defaults, row.crop, row.harvest_year, row.ci_g_per_bu)
    known = {"crop": row.crop, "year": str(row.harvest_year), "band": band}
    return all(not asked or known[name] == asked for name, asked in chosen.items())


def _bands(parts: Sequence[BandView]) -> Table:
    """Return the bands of each crop below its sum; a click shows the rows of the stock behind one."""

    def behind(one: BandView) -> str:
        asked = [("crop", one.crop), ("year", str(one.harvest_year)), ("band", one.band)]
        return "?" + urlencode([(name, text) for name, text in asked if text])

    printed = printed_bands([one for one in parts if one.band], "bushels")
    made = table_of(
        BandView,
        parts,
        name="bands",
        only=("crop", "band", "bushels", "share", "mean_ci_g_per_bu", "lots"),
        caption="By crop, against the national default, each rounded to whole bushels",
        cells={
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "band": lambda one: Cell(one.band or "all of it", behind(one)),
            "bushels": lambda one: whole_cell(one.bushels, whole=printed.get((one.crop, one.harvest_year, one.band))),
            "share": lambda one: Cell(show(one.share, 1)),
            "mean_ci_g_per_bu": lambda one: Cell(
                show_whole(one.mean_ci_g_per_bu, CI_SCALE), saved=show(one.mean_ci_g_per_bu, CI_SCALE)
            ),
        },
    )
    return replace(made, groups=True)


def whole_cell(value: int, unit: str = "", whole: int | None = None) -> Cell:
    """Return an amount in whole units, as given where parts are to add up; what is less than one as that.

    A file has it exact.
    """
    text = "< 1" if not whole and 0 < value < 10**SCALE else show_whole(value) if whole is None else f"{whole:,}"
    return quantity(value, unit, f"{text} {unit}".rstrip())


def _with_sums(table: Table, rows: list[stock.StockView], by_crop: Sequence[stock.CropSum]) -> Table:
    """Return the stock with a sum below for each crop, of its bushels with claims in whatever form it is."""
    if len(rows) <= len(by_crop):
        return table
    unit = "" if any(row.form != row.crop for row in rows) else "bu"
    sums: list[list[Cell]] = []
    for one in by_crop:
        line = [Cell("") for _ in table.columns]
        line[0], line[-1] = Cell(f"All {words(one.crop).lower()}"), Cell(str(one.lots))
        line[-2] = whole_cell(one.bushels, unit)  # the column of bushels, or of amounts in them
        sums.append(line)
    return replace(table, rows=[*table.cells, *sums], totals=len(sums))


def _table(trader: CustodyContext, rows: list[stock.StockView]) -> Table:
    custodians = party_names(row.custodian for row in rows)

    def lots_of(row: stock.StockView) -> str:
        year, ci = row.harvest_year, row.ci_g_per_bu
        return at(trader, "custody_lots", crop=row.crop, year=year, ci=ci, form=row.form, site=row.site)

    # What is crop already says its bushels once.
    more = ("bushels",) if any(row.form != row.crop for row in rows) else ()
    made = table_of(
        stock.StockView,
        rows,
        name="stock",
        only=("form", "ci_g_per_bu", "site", "state", "amount", *more, "lots"),
        caption="Stock by carbon intensity, each amount rounded to whole units",
        empty="Nothing with a claim is in stock. Buy from a farm, or take in a delivery, and it shows here.",
        cells={
            "form": _what,
            "site": lambda row: Cell(
                row.site if row.custodian == trader.id else f"{custodians[row.custodian]}, {row.site}"
            ),
            "state": lambda row: Cell(words(row.state), chip="plain" if row.state == LotState.UNVERIFIED else ""),
            "amount": lambda row: whole_cell(row.amount, row.unit),
            "bushels": lambda row: whole_cell(row.bushels),
            "lots": lambda row: Cell(str(row.lots), lots_of(row)),
        },
    )
    return replace(made, sorts=True)


def _what(row: stock.StockView) -> Cell:
    """Name crop and year, and for a product what it is."""
    crop = f"{words(row.crop)} {row.harvest_year}"
    if row.form == row.crop:
        return Cell(crop)
    return Cell(words(row.form), note=f"from {crop.lower()}", saved=f"{words(row.form)} from {crop.lower()}")


@require_GET
@trader_view()
def custody_lots(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List the lots behind a row of the stock, a page at a time, with what can be done with each."""
    asked = request.GET
    where: dict[str, str | int] = {name: asked[name] for name in ("crop", "form", "site") if asked.get(name)}
    for name, column in (("year", "harvest_year"), ("ci", "ci")):
        number = number_in(asked.get(name, ""))
        if number is not None:
            where[column] = number
    after = max(0, number_in(asked.get("after", "")) or 0)
    page = stock.lots(trader, after=after, size=rows_wanted(request), where=where)
    empty = "No lots in stock here. Lots come from purchases and accepted deliveries."
    table = lots_table(
        "lots", page.items, caption="Lots in stock", trace=at(trader, "custody_trace"), empty=empty,
        beside=(lambda lot: _sell(trader, lot)) if trader.may_write else None,
    )  # fmt: skip
    more = "?" + urlencode({**asked.dict(), "after": str(page.next)}) if page.next else ""
    chosen = [
        (words(name), words(str(text)) if name in CODED and text in FORMS else str(text))
        for name, text in where.items()
        if name != "ci"
    ]
    if "ci" in where:
        chosen.append(("CI", show(int(str(where["ci"])), CI_SCALE, group=True)))
    context = {"more": more, "chosen": chosen, "sell": at(trader, "custody_enter", "sale", **_sold_from(where))}
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


def _sell(trader: CustodyContext, lot: views.LotView) -> Cell:
    """Return the way to the sale of one lot; none for what is in transit or stored with another party."""
    product = {"form": lot.form} if lot.form != lot.crop else {}
    lots = serials_line(lot, lot.amount if lot.unit == POUND else 0)
    to = at(trader, "custody_enter", "sale", crop=lot.crop, lots=lots, site=lot.site, **product)
    return Cell("Sell", to) if lot.custodian == trader.id else Cell("")


COVERED: Final = {
    None: Cell("No grain book", chip="not-shown"),
    True: Cell("Covered", chip="met"),
    False: Cell("Claims above grain", chip="not-met"),
}
WAYS: Final = {"in": "In", "out": "Out", "measured": "Measured"}


@require_GET
@trader_view(areas=(Area.BOOKS,))
def custody_grain(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show grain and claims of every site, conventional grain too, and the tickets of one."""
    sites = stock.grain_sites(trader)
    tables = {"grain": _sites(trader, sites)}
    asked = (request.GET.get("site"), request.GET.get("form"))
    books = [one for one in sites if one.covered is not None]
    book = next((one for one in books if (one.site, one.form) == asked), books[0] if books else None)
    more = ""
    if book is not None:
        before = max(0, number_in(request.GET.get("before", "")) or 0)
        page = stock.grain_entries(trader, book.site, book.form, before=before, size=rows_wanted(request))
        tables["tickets"] = all_said(request, _tickets(trader, book, page.items), more=bool(page.next))
        if page.next:
            more = "?" + urlencode({"site": book.site, "form": book.form, "before": str(page.next)})
    return page_with_tables(request, "custody/grain.html", tables, {"book": book, "more": more})


def _sites(trader: CustodyContext, sites: list[views.GrainSiteView]) -> Table:
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
        to = at(trader, "custody_grain", site=one.site, form=one.form) if has_book else ""
        rows.append([
            Cell(called, to, saved=one.site, typed=True), words(one.form),
            none if one.grain is None else quantity(one.grain, one.unit), quantity(one.claims, one.unit),
            COVERED[one.covered], str(one.entries),
        ])  # fmt: skip
    empty = "No ticket is entered yet. Read your scale tickets from a file, or enter the measured stock."
    return Table("grain", columns, rows, caption="Grain and claims by site", empty=empty)


def _tickets(trader: CustodyContext, book: views.GrainSiteView, entries: list[views.GrainEntryView]) -> Table:
    """Return the tickets of a site, each with the way to make it void: a ticket behind claims goes back with those."""
    names = party_names(entry.party for entry in entries)

    def void(entry: views.GrainEntryView) -> Cell:
        ends = entry.void or entry.claim
        return Cell("") if ends else Cell("Void", form_of(trader, voiding(book.site, book.form, entry)))

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
                Cell("Its movement", at(trader, "custody_movement", id=entry.claim), saved=entry.claim)
                if entry.claim
                else Cell("")
            ),
            **({"": void} if trader.may_write else {}),
        },
    )


# The chain behind a claim, drawn and in words: from its holder back to the farm's report (2100.032(a)).

_PASSING: Final = frozenset({LotState.HELD, LotState.IN_TRANSIT})
"""States that end where a lot goes on."""


@require_GET
@trader_view()
def custody_trace(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the chain of a lot, or of the lots of a movement or document; without either ask for one."""
    asked = (request.GET.get("lot") or request.GET.get("find") or "").strip()
    context: dict[str, object] = {"asked": asked}
    if not asked:
        return page_with_tables(request, "custody/trace.html", {}, context)
    found = trace(trader, asked)
    if found is None:
        return page_with_tables(request, "custody/trace.html", {}, {**context, "missing": True})
    context |= {"found": found, "picture": found.picture, "lots": found.lots, "went_on": found.went_on}
    if found.lot is not None:
        context["facts"] = _facts(found.lot)
        if found.lots == 1 and trader.may_write:
            context["uses"] = _uses(trader, found.lot)
    tables = {"farms": _farms(found), "links": _trace_table(found)}
    return page_with_tables(request, "custody/trace.html", tables, context)


def _uses(trader: CustodyContext, detail: views.LotDetailView) -> list[tuple[str, str]]:
    """Return what can be done with a lot, as links to forms that name it."""
    lot = detail.lot
    form = lot.form if lot.form != lot.crop else ""
    known = {"crop": lot.crop, "form": form, "site": lot.site, "lots": serials_line(lot)}
    return [(OFFERS[kind].title, at(trader, "custody_enter", kind, **known)) for kind in detail.uses]


def _facts(detail: views.LotDetailView) -> list[tuple[str, str]]:
    """Return what stands behind a lot: origin, report, carbon intensity, amount."""
    lot = detail.lot
    store = [
        ("Origin", printed(lot.origin)),
        ("Serials", f"{show(lot.start_bu, group=True)} to {show(lot.stop_bu, group=True)} bu"),
        ("What", f"{words(lot.form)} {lot.harvest_year}, {shown_amount(lot)}"),
        ("Carbon intensity", f"{show(lot.ci_g_per_bu, CI_SCALE, group=True)} g CO2e/bu"),
    ]
    if detail.report_version is not None:
        mark = printed(detail.report_hash) if detail.report_hash else "not at hand"
        known = f"version {detail.report_version}, {detail.report_standing}; hash {mark}"
        store.append(("Farm's report", known))
    return store


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
        gone_on = one.state in _PASSING and last[one.lot, one.start_bu] is not one
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


# Scale tickets from another program's file: read apart from the server, confirmed by a person, then entered.

# What the columns of an elevator's files mean: asked once per layout, remembered among the organisation's files.

_LEFT_OUT: Final = ("", "Leave out")
_ORDERS: Final = (
    ("", "No doubt"),
    ("mdy", "Month first, 10/5/2026"),
    ("dmy", "Day first, 5/10/2026"),
    ("ymd", "Year first"),
)


_MEANINGS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "crop": tuple((str(crop), words(str(crop))) for crop in Crop),
    "direction": (("in", "In"), ("out", "Out")),
    "void": (("yes", "Void"), ("no", "Not void")),
    "status": (
        (DELIVERED, "Delivered or shipped"),
        (VOID, "Void: the ticket is taken back"),
        (NO_LOAD, "No load: planned, a test, a copy"),
    ),
}
"""What a word of a column may mean, by the field that the column is."""


class MapForm(forms.Form):
    """What each column means, for a person to confirm."""

    upload = forms.CharField(widget=forms.HiddenInput)
    site = forms.CharField(widget=forms.HiddenInput, required=False)
    confirmed = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, found: ColumnMap, trader: CustodyContext, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(*args, **kwargs)
        self.map = found
        heading_of = {rule.field: rule.heading for rule in found.columns}
        self.asked = [(name, text) for name, each in found.words.items() if name in heading_of for text in each]
        meanings = [_LEFT_OUT, *((name, words(name)) for name in target(found.target).fields)]
        known = {rule.heading: rule.field for rule in found.columns}
        headings = [*known, *(one for one in found.ignored if one not in known)]
        for number, heading in enumerate(headings):
            self.fields[f"column_{number}"] = forms.ChoiceField(
                label=heading or f"Column {number + 1}",
                choices=meanings,
                required=False,
                initial=known.get(heading, ""),
            )
        self.headings = headings
        meant = {**_MEANINGS, "site": tuple(site_choices(trader))}
        for number, (name, text) in enumerate(self.asked):
            self.fields[f"word_{number}"] = forms.ChoiceField(
                label=f"\u201c{text}\u201d in {heading_of[name]} means",
                choices=[("", "Nobody has said: leave its loads out"), *meant.get(name, ())],
                required=False,
                initial=found.words[name][text],
            )
        self.fields["date_order"] = forms.ChoiceField(
            label="How days are written", choices=_ORDERS, required=False, initial=found.date_order
        )

    def chosen(self) -> ColumnMap:
        units = {rule.heading: rule for rule in self.map.columns}
        rules, ignored = [], []
        for number, heading in enumerate(self.headings):
            field = self.cleaned_data[f"column_{number}"]
            if not field:
                ignored.append(heading)
            elif heading in units:
                rules.append(replace(units[heading], field=field))
            else:
                rules.append(ColumnRule(heading, field))
        order = self.cleaned_data["date_order"]
        said = {name: dict(each) for name, each in self.map.words.items()}
        for number, (name, text) in enumerate(self.asked):
            said[name][text] = self.cleaned_data[f"word_{number}"]
        return replace(
            self.map, columns=tuple(rules), ignored=tuple(ignored), date_order=order, words=said, confirmed=True
        )


def suggested(given: Mapping[str, str]) -> ColumnMap:
    """Return the map that the page carried along. Raises Http404: it is none, or one for other files."""
    found = ticket_files.map_in(given.get("confirmed", ""))
    if found is None:
        raise Http404
    return found


_SHOWN: Final = 20
_UNREAD: Final = 422
_REFUSED: Final = 409


class FileForm(forms.Form):
    """The file with the tickets."""

    file = forms.FileField(label="Tickets", help_text="CSV, XLSX, XLS or ODS, as your scale house program exports it.")
    site = forms.ChoiceField(label="Site, where the file names none", required=False)

    def __init__(self, trader: CustodyContext, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(*args, **kwargs)
        site = self.fields["site"]
        assert isinstance(site, forms.ChoiceField)  # noqa: S101 - declared above
        site.choices = site_choices(trader) or [("", "You have no site")]


@require_http_methods(["GET", "POST"])
@trader_view("write")
def custody_tickets(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Ask for a file, show what its columns seem to mean, and enter the tickets once a person agrees."""
    if request.method == "GET":
        return _asked(request, FileForm(trader))
    if "upload" in request.POST:
        return _confirmed(request, trader)
    form = FileForm(trader, request.POST, request.FILES)
    if not form.is_valid():
        return _asked(request, form, status=_UNREAD)
    file = form.cleaned_data["file"]
    try:
        upload = store_upload(trader.organisation, file.name, file.read(), actor=trader.actor)
    except ProblemsError as refused:
        return _asked(request, form, problems=refused.problems, status=_UNREAD)
    site = form.cleaned_data["site"]
    read = ticket_files.tickets_in(trader, upload, site)
    if read.map is None:
        return _asked(request, form, problems=read.problems, status=_UNREAD)
    return _to_confirm(request, _form_of(trader, read.map, upload.handle, site), read)


def _form_of(trader: CustodyContext, found: ColumnMap, upload: str, site: str) -> MapForm:
    return MapForm(found, trader, initial={"upload": upload, "site": site, "confirmed": found.to_text()})


def _confirmed(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    upload = upload_of(trader.organisation, request.POST["upload"])
    begun = suggested(request.POST)
    form = MapForm(begun, trader, request.POST)
    if not form.is_valid():
        return _to_confirm(request, form, ticket_files.tickets_in(trader, upload, "", [begun]), status=_UNREAD)
    chosen = form.chosen()
    site = form.cleaned_data["site"]
    read = ticket_files.tickets_in(trader, upload, site, [chosen])
    is_asked = read.map is not None and read.map.words != chosen.words
    form = _form_of(trader, read.map or chosen, request.POST["upload"], site)
    if is_asked or request.POST.get("do") != "enter":
        return _to_confirm(request, form, read, status=_UNREAD if request.POST.get("do") == "enter" else 200)
    entered = ticket_files.enter_tickets(trader, upload, read, chosen, request.POST.get("leave_out", ""))
    if isinstance(entered, ticket_files.TicketsEntered):
        return _tickets_answer(request, trader, entered)
    if entered and entered[0].code == ticket_files.LEFT_OUT:
        return _to_confirm(request, form, read, status=_UNREAD, unconfirmed=entered[0].remedy)
    return _to_confirm(request, form, replace(read, problems=entered), status=_UNREAD)


def _tickets_answer(
    request: PersonRequest, trader: CustodyContext, done: ticket_files.TicketsEntered
) -> HttpResponseBase:
    said = f"{counted(done.new, 'ticket')} entered, {_were(done.known)} there already"
    said += f", {_were(len(done.refused))} refused"
    said += f", {_were(len(done.left_out))} left out." if done.left_out else "."
    places = {
        f"{words(form)} at {site}": at(trader, "custody_grain", site=site, form=form) for site, form in done.places
    }
    if not (done.refused or done.doubts or done.left_out):
        messages.success(request, said)
        return redirect(next(iter(places.values()), at(trader, "custody_grain")))
    context = {
        "said": said,
        "problems": [*done.refused, *done.doubts],
        "left_out": _left_out(done.left_out),
        "places": places,
    }
    return render(request, "custody/tickets_done.html", context, status=_REFUSED if done.refused else 200)


def _were(number: int) -> str:
    return f"{number} {'was' if number == 1 else 'were'}"


def _asked(
    request: PersonRequest, form: FileForm, *, problems: Sequence[Problem] = (), status: int = 200
) -> HttpResponseBase:
    return render(request, "custody/tickets.html", {"form": form, "problems": problems}, status=status)


def _left_out(left: Sequence[LeftOut]) -> Table:
    """Return the loads that are not taken, each with its row, ticket and column, why, and what to do."""
    loads = [replace(one, problem=ticket_files.reworded([one.problem])[0]) for one in left]
    return table_of(
        LeftOutView,
        [left_out_view(one) for one in loads],
        name="left-out",
        caption="Why, and what to do",
    )


def _to_confirm(
    request: PersonRequest, form: MapForm, read: TicketFile, *, status: int = 200, unconfirmed: str = ""
) -> HttpResponseBase:
    whole = counted(len(read.tickets), "ticket")
    table = table_of(
        TicketView,
        [ticket_view(ticket) for ticket in read.tickets[:_SHOWN]],
        name="tickets",
        caption=f"The first {min(_SHOWN, len(read.tickets))} of {whole}, as they would be entered",
        empty="No row makes a ticket as the columns stand.",
        cells={"crop": lambda one: Cell(words(one.crop))},
    )
    beside = ticket_files.told_beside(read)
    context = {
        "form": form,
        "tickets": table,
        "left_out": _left_out(read.left_out),
        "left_said": said_of(read.left_out).removesuffix("."),
        "leave_out": mark_of(read.left_out),
        "unconfirmed": unconfirmed,
        "problems": ticket_files.reworded(beside[:_SHOWN]),
        "more_problems": max(0, len(beside) - _SHOWN),
        "count": len(read.parts),
        "most": ticket_files.MOST,
    }
    return render(request, "custody/tickets_confirm.html", context, status=status)
