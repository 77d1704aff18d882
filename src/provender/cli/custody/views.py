"""What a book answers: balances, chains, lots, alerts, retention, the manual."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from provender.cli import output
from provender.cli.custody.book import BookPath, print_balances
from provender.cli.output import console, print_table, write_file
from provender.custody.book_file import BookFile, look_into, open_book
from provender.custody.documents.build import restatements
from provender.custody.model.balances import balance_document, period_balances
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import LIVE, SPAN_MAX, Lot
from provender.custody.model.store_view import StoreView, book_code, read_lot_name
from provender.custody.queries.day_sheet import Light, day_sheet, sheet_document, sheet_text
from provender.custody.queries.deliveries import CameInSumView, CameInView, came_in, days_meant
from provender.custody.queries.manual import manual as write_manual
from provender.custody.queries.manual import retention as find_retention
from provender.custody.queries.trace import Chain, Link, chain_of, chain_picture, chains_at, retired_into, stock_picture
from provender.exact import CI_SCALE, show
from provender.paper.tables import table_of
from provender.problem import refuse
from provender.rule.crops import Crop
from provender.schema import write
from provender.services.custody.views import lot_view
from provender.whole_file import write_whole

if TYPE_CHECKING:
    from provender.custody.queries.claims import Claim


Svg = Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Also draw it.")]
Day = Annotated[date | None, typer.Option(parser=output.parse_day, metavar="DAY", help="Bound of the picture.")]

On = Annotated[
    date | None, typer.Option("--on", parser=output.parse_day, metavar="DAY", help="As of the end of this day.")
]
Since = Annotated[
    date | None, typer.Option("--since", parser=output.parse_day, metavar="DAY", help="With --on: from this day.")
]
Month = Annotated[str, typer.Option("--month", metavar="YYYY-MM", help="Over this month, whatever the periods are.")]
Paper = Annotated[Path | None, typer.Option("--out", metavar="FILE.pdf", help="With --on or --month: write it as PDF.")]


def balance(
    book: BookPath,
    chart: Svg = None,
    on: On = None,
    since: Since = None,
    month: Month = "",
    out: Paper = None,
    as_json: output.Json = False,
) -> None:
    """Show the balances of periods, or of any day (2100.034(d)).

    With --chart, draw the stock of each carbon intensity over time. A closed period whose reports changed since is
    followed by its restatement. With --on DAY, an interim statement: from the first day of the period that holds it,
    or from --since. --month 2026-02 is that of a month, whatever the periods are.
    """
    from provender.services.custody.balances import interim, interim_paper, month_of

    if since and (on is None or since > on):
        raise typer.BadParameter(
            "--since goes with --on and is not after it, as in --since 2026-02-01 --on 2026-02-28."
        )
    if (month and on) or (out and not (on or month)):
        raise typer.BadParameter("--out goes with --on or --month, and these two not together.")
    since, on = month_of(month) if month else (since, on)
    with open_book(book) as opened:
        if chart:
            write_stock(opened, chart)
        store, name = opened.store, opened.entity
        if on:
            documents, again = [interim(store, name, on, since)], []
            if out:
                write_file(out, interim_paper(documents[0], owner_of(book, store, name).name, output.today()))
        else:
            documents = [balance_document(one) for one in period_balances(store, name)]
            again = restatements(store, name)
    if as_json:
        output.print_json({"balances": documents, "restatements": again})
        return
    print_balances(documents)
    if on:
        typer.echo(str(documents[0]["interim"]))
    if not documents:
        typer.echo("No mass balance time period is declared: add an event of type period.")
    if again:
        typer.echo("Restated, because reports changed after the close; the statements above stay as they were closed:")
        print_balances(again)


def _lot_json(lot: Lot) -> dict[str, object]:
    """Return a lot as plain data: as it is shown everywhere, with its owner and since when it stands so."""
    return {**write(lot_view(lot), whole=True), "owner": lot.owner, "since": lot.since.isoformat()}


def lots(book: BookPath, as_json: output.Json = False) -> None:
    """List the lots in stock, held and unverified."""
    with look_into(book) as opened:
        output.print_problems(opened.problems)
        found = [lot for crop in Crop for lot in opened.store.lots_of(opened.entity, crop)]
    found.sort(key=lambda lot: (lot.acquired, lot.origin, lot.start))
    rows = [_lot_json(lot) for lot in found]
    if as_json:
        output.print_json({"lots": rows})
        raise typer.Exit(output.SOMETHING_TO_LOOK_AT if opened.problems else output.ALL_WELL)
    lines = [
        (
            f"{show(lot.amount, group=True)} {'lb' if lot.is_product else 'bu'}",
            f"{lot.form} {lot.harvest_year or '(year not said)'}",
            f"CI {show(lot.ci, CI_SCALE)}",
            lot.site,
            f"{lot.state} since {lot.since}",
            f"from {lot.supplier}" if lot.supplier else "own harvest",
        )
        for lot in found
    ]
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for lot, (amount, *cells) in zip(found, lines, strict=True):
        padded = (cell.ljust(width) for cell, width in zip(cells, wide[1:], strict=True))
        typer.echo("  ".join((amount.rjust(wide[0]), *padded)).rstrip())
        # In one piece, however long: it is copied into `trace`.
        typer.echo(f"    {lot.origin}:{show(lot.start)}-{show(lot.stop)}")
    if not found:
        typer.echo("Nothing with a claim is in stock.")
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if opened.problems else output.ALL_WELL)


def _chain_json(chain: Chain) -> dict[str, object]:
    origin = chain.origin
    report = origin.current.report if origin else ""
    links = [
        {"event": one.movement, "type": one.type, "day": one.day.isoformat(), "giver": one.giver, "taker": one.taker}
        | {"form": one.form, "state": one.state}
        for one in chain.links
    ]
    return {**_lot_json(chain.lot), "report": report, "version": len(origin.versions) if origin else 0, "links": links}


def trace(
    book: BookPath,
    serials: Annotated[
        str,
        typer.Argument(
            metavar="[ORIGIN:FIRST-STOP]",
            help="Such as ada/corn/2025:0-500, a code as a page prints it, the id of a lot, or a batch of fuel.",
            show_default=False,
        ),
    ] = "",
    chain: Svg = None,
    since: Day = None,
    until: Day = None,
    beside: Annotated[
        list[Path] | None, typer.Option("--beside", metavar="BOOK", help="Draw by this company's book, too; repeat.")
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Show the chain of some serials back to the farm.

    With --chain, draw them; without serials, draw all that changed hands, --since a day and --until another. Books of
    other companies --beside carry the picture on, from the farms to the refiner.
    """
    if not serials and chain is None:
        raise typer.BadParameter("Name serials such as ada/corn/2025:0-500, or a picture with --chain FILE.svg.")
    with open_book(book) as opened:
        fuel = retired_into(opened.store, opened.entity, serials) if serials and not chain else []
        if fuel:
            _print_chains(opened.store, [chain_of(opened.store, lot) for lot in fuel], as_json=as_json)
            return
        span = _serials(opened, serials) if serials else None
        if chain:
            write_chain(opened, chain, serials=span, days=(since, until), beside=beside or ())
        if span is None:
            return
        origin, first, last = span
        chains = chains_at(opened.store, origin, first, last)
    if not chains:
        raise refuse(
            book.name, f"The book has no such serials of {origin!r}.", "`custody lots` lists what is in stock."
        )
    _print_chains(opened.store, chains, as_json=as_json)


def _print_chains(store: StoreView, chains: Sequence[Chain], *, as_json: bool) -> None:
    if as_json:
        output.print_json({"chains": [_chain_json(chain) for chain in chains]})
        return
    for one_chain in chains:
        _print_chain(store, one_chain)


def _print_chain(store: StoreView, chain: Chain) -> None:
    lot, origin = chain.lot, chain.origin
    typer.echo(f"{lot.origin}:{show(lot.start)}-{show(lot.stop)}")
    crop = f"{lot.crop} {lot.harvest_year or '(year not said)'}"
    bushels = f"{show(lot.crop_amount, group=True)} bu of {crop} at CI {show(lot.ci, CI_SCALE)}"
    state = lot.state.replace("_", " ")
    typer.echo(f"  {bushels}; {state if lot.state in LIVE else f'ended: {state}'}, {lot.owner}")
    for one in chain.links:
        typer.echo(f"  {one.day}  {one.type:<10} {_hands(store, one):<32} {one.form:<12} {one.movement}")
    # Where the serials came in by a document, its report is the farm's secret.
    if origin and origin.current.report and chain.links[0].type == "report":
        typer.echo(f"  farm report, version {len(origin.versions)}: {origin.current.report}")


def _hands(store: StoreView, link: Link) -> str:
    """Return whose hands serials changed at a station, in words."""
    if link.type == "report":
        return f"harvest of {link.taker}"
    posted = None if link.giver else store.posted(link.movement)
    giver = link.giver or str(getattr(posted.event if posted else None, "giver", "") or "outside")
    return link.taker if giver == link.taker else f"{giver} -> {link.taker}"


def _serials(opened: BookFile, text: str) -> tuple[str, int, int]:
    """Return the serials that a text names: as `lots` or a page prints them, or by the id of a lot of the book."""
    store, asked = opened.store, read_lot_name(text)
    if asked.span is None and ":" in text:
        raise typer.BadParameter(f"{text!r} is not ORIGIN:FIRST-STOP, such as ada/corn/2025:0-500.")
    lot = next((step.after for step in store.steps(opened.entity) if step.after.id == text.strip()), None)
    if lot is not None:
        return lot.origin, lot.start, lot.stop
    origin = book_code(store, opened.entity, asked.code)
    return (origin, *(asked.span or (0, SPAN_MAX)))


def owner_of(path: Path, store: StoreView, name: str) -> Entity:
    """Return the owner of a book; ProblemsError where it is not registered."""
    found = store.one(Entity, name)
    if found is None:
        raise refuse(path.name, "The book's owner is not registered.", "Add an event of type entity.")
    return found


def alerts(book: BookPath, as_of: output.AsOf = None, as_json: output.Json = False) -> None:
    """List what is worth a look."""
    from provender.custody.queries.alerts import alerts as find_alerts

    with open_book(book) as opened:
        found = find_alerts(opened.store, owner_of(book, opened.store, opened.entity), as_of or output.today())
    if as_json:
        output.print_json({"alerts": [write(one, whole=True) for one in found]})
    for one in () if as_json else found:
        typer.echo(f"{one.kind}: {one.said}")
    if not (found or as_json):
        typer.echo("Nothing needs a look.")
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if found else output.ALL_WELL)


def retention(book: BookPath, as_of: output.AsOf = None, as_json: output.Json = False) -> None:
    """List what to keep until when (2100.030(d))."""
    day = as_of or output.today()
    with open_book(book) as opened:
        kept = find_retention(opened.store.steps(opened.entity), opened.entity, day)
    if as_json:
        rows = [{"event": one.movement, "type": one.type, "until": one.until, "may_go": one.may_go} for one in kept]
        output.print_json({"as_of": day, "keep": rows})
        return
    if not kept:
        typer.echo("Nothing was bought or sold yet, so there is nothing to keep.")
        return
    table = Table("event", "type", "day", "keep until", "may go")
    for one in kept:
        until = str(one.until or "in stock: its years have not begun")
        table.add_row(one.movement, one.type, str(one.day), until, "yes" if one.may_go else "no")
    output.print_whole(table)


Text = Annotated[
    Path | None, typer.Option("--out", metavar="FILE.pdf", help="Write it as PDF, or as Markdown (FILE.md).")
]


def wrote(out: Path | None, text: str, as_pdf: Callable[[], bytes]) -> bool:
    """Write a text where that is asked for, as PDF or as Markdown; tell whether it was."""
    if out is None:
        return False
    if out.suffix not in (".pdf", ".md"):
        raise typer.BadParameter(f"{str(out)!r} is neither FILE.pdf nor FILE.md.")
    write_file(out, as_pdf() if out.suffix == ".pdf" else text.encode())
    return True


def manual(
    book: BookPath,
    out: Text = None,
    as_of: output.AsOf = None,
) -> None:
    """Write the documented system of 2100.032(a), as text or as PDF."""
    from provender.custody.documents.print import manual_pdf

    day = as_of or output.today()
    with open_book(book) as opened:
        text = write_manual(opened.store, owner_of(book, opened.store, opened.entity), day)
    if not wrote(out, text, lambda: manual_pdf(text, day)):
        typer.echo(text)


# ``provender custody journal``: what was entered into a book, in order, by the names that other commands take.

_AMOUNTS = (("bushels", "bu"), ("pounds", "lb"), ("amount", ""))
"""Fields of events that say how much, with their units; a grain entry's amount has the unit of its form."""


def journal(
    book: BookPath,
    kind: Annotated[str, typer.Option("--type", metavar="TYPE", help="Only events of this type, such as sale.")] = "",
    as_json: output.Json = False,
) -> None:
    """List what was entered, in order, by the names that events and `document` take."""
    with look_into(book, listed=True) as opened:
        output.print_problems(opened.problems)
    corrections = {each["movement"]: each["id"] for each in opened.entries if each["type"] == "correct"}

    def taken_back_by(name: str) -> str:
        by = str(corrections.get(name, ""))
        return by if by and not taken_back_by(by) else ""

    entries = [(each, taken_back_by(each["id"])) for each in opened.entries if kind in ("", each["type"])]
    if as_json:
        output.print_json({"events": [event | {"corrected_by": taken_back} for event, taken_back in entries]})
    elif entries:
        rows = [
            (event["day"], event["id"], event["type"], _who(event),
             f"{_what(event)} (taken back by {taken_back})" if taken_back else _what(event))
            for event, taken_back in entries
        ]  # fmt: skip
        output.print_columns(("day", "event", "type", "who", "what"), rows)
    else:
        typer.echo(f"The book has no event{f' of type {kind!r}' if kind else ''}.")
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if opened.problems else output.ALL_WELL)


def _who(event: dict[str, Any]) -> str:
    if "giver" in event and "taker" in event:
        return f"{event['giver']} to {event['taker']}"
    return next((str(event[name]) for name in ("entity", "owner", "taker", "giver") if name in event), "")


def _what(event: dict[str, Any]) -> str:
    amounts = [f"{event[name]} {unit}".strip() for name, unit in _AMOUNTS if name in event]
    named = (event.get(name) for name in ("form", "crop", "output", "movement", "slip", "origin", "number", "batch"))
    return ", ".join((*amounts, *(str(one) for one in named if one)))


# ``provender custody incoming``: what came in over some days, from whom, at which mean carbon intensity.


def incoming(
    book: BookPath, *, since: Since = None, on: On = None, as_of: output.AsOf = None, as_json: output.Json = False
) -> None:
    """Sum up what was bought and accepted, by crop and supplier.

    With the mean CI weighted by bushels. Without days, over the open period up to today.
    """
    with look_into(book) as opened:
        output.print_problems(opened.problems)
        periods = opened.store.many(Period, opened.entity)
        found = came_in(opened.store, opened.entity, days_meant(periods, as_of or output.today(), since, on))
    sums = [*found.in_all, *found.by_supplier]
    if as_json:
        output.print_json({
            "start": found.span.start.isoformat(), "end": found.span.end.isoformat(),
            "incoming": [write(one, whole=True) for one in found.rows],
            "sums": [write(one, whole=True) for one in sums],
        })  # fmt: skip
        return
    days = f"Came in {found.span.start} to {found.span.end}"
    only = ("day", "type", "name", "form", "harvest_year", "bushels", "ci_g_per_bu")
    print_table(console(), table_of(CameInView, found.rows, name="incoming", only=only, caption=days))
    mean = ("form", "name", "entries", "bushels", "mean_ci_g_per_bu")
    print_table(console(), table_of(CameInSumView, sums, name="sums", only=mean, caption="In all, and by supplier"))


# ``provender custody day``: the day of a party on one sheet.


def day(
    book: BookPath,
    out: Text = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Show a day: tickets, and at each site grain against claims.

    Exit status 1 while the grain at some site is not enough for the claims on it: the period could not be closed so.
    """
    from provender.services.custody.balances import day_paper

    on = as_of or output.today()
    with open_book(book) as opened:
        output.print_problems(opened.problems)
        sheet = day_sheet(opened.store, owner_of(book, opened.store, opened.entity), on)
    text = sheet_text(sheet)
    written = wrote(out, text, lambda: day_paper(sheet, output.today()))
    if as_json:
        output.print_json(sheet_document(sheet))
    elif not written:
        typer.echo(text)
    covered = all(one.light is Light.COVERED for one in sheet.places)
    raise typer.Exit(output.ALL_WELL if covered else output.SOMETHING_TO_LOOK_AT)


# Pictures of books as SVG files: the chain behind serials or of a stretch of days, and stock over time.


def write_chain(
    book: BookFile,
    out: Path,
    *,
    serials: tuple[str, int, int] | None,
    days: tuple[date | None, date | None],
    beside: Sequence[Path] = (),
) -> None:
    """Write the chain diagram of some serials, or of all that changed hands between two days.

    Books of other parties ``beside`` show what one's own cannot: where the serials came from before, and went after. A
    transfer that several books tell of is drawn once.
    """
    from provender.custody.queries.claims import Claim, claims_of_book
    from provender.custody.queries.double_claims import counted_once, frame
    from provender.paper.svg import headed
    from provender.services.custody.balances import Directory

    known, claims = Directory(), list(claims_of_book(0, book.store, book.store.events()))
    known.add(book.store.many(Entity, ""))
    # A book is locked while it is open: the same one twice would wait for itself.
    others = {one.resolve(): one for one in beside if one.resolve() != book.path.resolve()}
    for number, path in enumerate(others.values(), 1):
        with open_book(path) as other:
            claims += claims_of_book(number, other.store, other.store.events())
            known.add(other.store.many(Entity, ""))
    if others:
        claims = [Claim(source=0, **row) for row in counted_once(frame(claims)).iter_rows(named=True)]
    chosen = list(_chosen(claims, serials, days))
    if not chosen:
        raise refuse(book.path.name, "Nothing changed hands there.", "Choose other serials or other days.")
    first, last = min(one.day for one in chosen), max(one.day for one in chosen)
    title = f"{serials[0]}: the chain" if serials else f"Who handed what to whom, {first} to {last}"
    write_whole(out, headed(chain_picture(known, chosen, title=title)).encode())
    typer.echo(f"wrote {out}", err=True)


def _chosen(
    claims: "Iterable[Claim]", serials: tuple[str, int, int] | None, days: tuple[date | None, date | None]
) -> "Iterable[Claim]":
    since, until = days[0] or date.min, days[1] or date.max
    for one in claims:
        if serials is None:
            if since <= one.day <= until:
                yield one
        elif one.origin == serials[0] and one.start < serials[2] and serials[1] < one.stop:
            yield one._replace(start=max(one.start, serials[1]), stop=min(one.stop, serials[2]))


def write_stock(book: BookFile, out: Path) -> None:
    """Write the chart of the owner's stock by carbon intensity over time."""
    from provender.paper.svg import headed

    owner = book.store.one(Entity, book.entity)
    title = f"Stock of {owner.name if owner else book.entity} by carbon intensity"
    try:
        picture = stock_picture(book.store.steps(book.entity), book.entity, title=title)
    except ValueError:
        raise refuse(book.path.name, "The book never held a claim.", "Enter purchases first.") from None
    write_whole(out, headed(picture).encode())
    typer.echo(f"wrote {out}", err=True)
