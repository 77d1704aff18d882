"""Movements of one's own book, each one event: thin words over the same decisions as ``custody run``."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from provender.cli.custody.book import BookPath, enter, print_answers
from provender.cli.output import AsOf, Json, today
from provender.custody.book_file import open_book

Crop = Annotated[str, typer.Option(help="corn, soybeans or sorghum.")]
Form = Annotated[str | None, typer.Option(help="A product such as soybean_oil; the crop itself without it.")]
Bushels = Annotated[str | None, typer.Option(help="How many bushels of crop.")]
Pounds = Annotated[str | None, typer.Option(help="How many pounds of product.")]
Site = Annotated[str | None, typer.Option(help="Which of your sites.")]
Lots = Annotated[
    list[str] | None, typer.Option("--lot", metavar="ORIGIN:FIRST-STOP", help="Exactly these serials; repeat.")
]
CiMin = Annotated[str | None, typer.Option("--ci-min", help="Lowest CI that will do, g CO2e/bu.")]
CiMax = Annotated[str | None, typer.Option("--ci-max", help="Highest CI that will do.")]
Tickets = Annotated[
    list[str] | None, typer.Option("--ticket", metavar="NUMBER=BUSHELS", help="A scale ticket behind it; repeat.")
]


def _lots(texts: list[str] | None) -> list[dict[str, str]] | None:
    found = []
    for text in texts or ():
        origin, _, span = text.rpartition(":")
        start, dash, stop = span.partition("-")
        if not (origin and dash):
            raise typer.BadParameter(f"{text!r} is not ORIGIN:FIRST-STOP, such as ada/corn/2025:0-500.")
        found.append({"origin": origin, "start": start, "stop": stop})
    return found or None


def _tickets(texts: list[str] | None) -> list[dict[str, str]] | None:
    found = []
    for text in texts or ():
        number, equals, bushels = text.rpartition("=")
        if not equals:
            raise typer.BadParameter(f"{text!r} is not NUMBER=BUSHELS, such as T-1041=912.5.")
        found.append({"number": number, "bushels": bushels})
    return found or None


def _post(book: Path, kind: str, me: str, as_of: date | None, *, as_json: bool, **fields: Any) -> None:  # noqa: ANN401 - fields of any event
    """Post one event of the book's owner, who takes the part named by ``me``."""
    given = {name: value for name, value in fields.items() if value is not None}
    with open_book(book) as opened:
        head = {"type": kind, "id": opened.next_id(kind), "day": (as_of or today()).isoformat(), me: opened.entity}
        answer = enter(opened, {**head, **given})
    print_answers([answer], as_json=as_json)


def buy(
    book: BookPath,
    giver: Annotated[str, typer.Option("--from", help="The farm or landowner.")],
    slip: Annotated[str, typer.Option(help="The farm's sale slip.")],
    bushels: Bushels = None,
    site: Site = None,
    ticket: Tickets = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Buy the serials of a farm's sale slip."""
    tickets = _tickets(ticket)
    fields = {"giver": giver, "slip": slip, "bushels": bushels, "site": site, "tickets": tickets}
    _post(book, "purchase", "taker", as_of, as_json=as_json, **fields)


def sell(
    book: BookPath,
    to: Annotated[str, typer.Option(help="The buyer.")],
    crop: Crop,
    form: Form = None,
    bushels: Bushels = None,
    pounds: Pounds = None,
    site: Site = None,
    lot: Lots = None,
    ci_min: CiMin = None,
    ci_max: CiMax = None,
    ticket: Tickets = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Sell claims: the lots named, or by the period's policy."""
    fields = {"taker": to, "crop": crop, "form": form, "bushels": bushels, "pounds": pounds, "site": site}
    more = {"lots": _lots(lot), "ci_min": ci_min, "ci_max": ci_max, "tickets": _tickets(ticket)}
    _post(book, "sale", "giver", as_of, as_json=as_json, **fields, **more)


def process(
    book: BookPath,
    crop: Crop,
    output: Annotated[str, typer.Option(help="What it becomes, such as soybean_oil.")],
    form: Form = None,
    bushels: Bushels = None,
    pounds: Pounds = None,
    plant: Annotated[str | None, typer.Option(help="Who crushes, if not you (toll crushing).")] = None,
    site: Site = None,
    lot: Lots = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Turn claims on crop into claims on a product."""
    fields = {"crop": crop, "output": output, "form": form, "bushels": bushels, "pounds": pounds}
    more = {"plant": plant, "site": site, "lots": _lots(lot)}
    _post(book, "process", "entity", as_of, as_json=as_json, **fields, **more)


def release(
    book: BookPath,
    crop: Crop,
    form: Form = None,
    bushels: Bushels = None,
    pounds: Pounds = None,
    site: Site = None,
    lot: Lots = None,
    lost: Annotated[bool, typer.Option("--lost", help="It was discarded or wasted, not given up.")] = False,
    reason: Annotated[str | None, typer.Option(help="Why.")] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Give claims up, or with --lost book a loss."""
    fields = {"crop": crop, "form": form, "bushels": bushels, "pounds": pounds, "site": site}
    kind = "loss" if lost else "release"
    _post(book, kind, "entity", as_of, as_json=as_json, **fields, lots=_lots(lot), reason=reason)


def retire(
    book: BookPath,
    crop: Crop,
    fuel: Annotated[str, typer.Option(help="Which fuel, such as renewable diesel.")],
    batch: Annotated[str, typer.Option(help="The batch of fuel.")],
    gallons: Annotated[str, typer.Option(help="Gallons made of it.")],
    form: Form = None,
    bushels: Bushels = None,
    pounds: Pounds = None,
    site: Site = None,
    lot: Lots = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Retire claims into a batch of fuel (refiners)."""
    fields = {"crop": crop, "form": form, "bushels": bushels, "pounds": pounds, "site": site, "lots": _lots(lot)}
    made = {"fuel": fuel, "batch": batch, "gallons": gallons}
    _post(book, "retire", "entity", as_of, as_json=as_json, **fields, **made)


def return_(
    book: BookPath,
    movement: Annotated[str, typer.Argument(help="The purchase or sale.")],
    to: Annotated[str, typer.Option(help="The seller, who gets it back.")],
    amount: Annotated[str | None, typer.Option(help="How much; all that is left of it without this.")] = None,
    lot: Lots = None,
    reason: Annotated[str | None, typer.Option(help="Why.")] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Give back what was bought, dated today."""
    fields = {"movement": movement, "taker": to, "amount": amount, "lots": _lots(lot), "reason": reason}
    _post(book, "return", "giver", as_of, as_json=as_json, **fields)


def correct(
    book: BookPath,
    movement: Annotated[str, typer.Argument(help="The event entered in error.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Take back a movement entered in error."""
    _post(book, "correct", "entity", as_of, as_json=as_json, movement=movement, reason=reason)


def close(
    book: BookPath,
    end: Annotated[str, typer.Argument(metavar="LAST-DAY", help="The last day of the period, such as 2026-03-31.")],
    surplus: Annotated[str | None, typer.Option(help="Claims beyond the grain: released or refused.")] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Close a period; claims are held against the grain."""
    closed_on = (as_of or today()).isoformat()
    _post(book, "close", "entity", None, as_json=as_json, day=end, closed_on=closed_on, surplus=surplus)
