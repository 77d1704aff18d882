"""``provender deliver``: who is to have the report, and the recording of a delivery (2100.031(c))."""

from typing import TYPE_CHECKING, Annotated

import typer

from provender.cli import output

if TYPE_CHECKING:
    from provender.report.versions import Delivery

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def deliver(
    book: output.Book,
    buyer: Annotated[str, typer.Option("--to", metavar="BUYER", help="Record that this buyer was given it.")] = "",
    how: Annotated[str, typer.Option(help="in_person, by_post, by_email or by_link.")] = "in_person",
    evidence: Annotated[str, typer.Option(help="Id of the receipt among the evidence, if there is one.")] = "",
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """List to whom the report was given; with --to, record that a buyer has it from the day of --as-of.

    Exit status 1 while a buyer of reduced-CI crop has none on file.
    """
    from provender.cli.audit.files import stop
    from provender.problem import ProblemsError, refuse
    from provender.records.kinds.quantification import HANDED
    from provender.report.versions import deliveries_of, record_delivery

    try:
        if how not in HANDED:
            raise refuse("how", f"{how!r} is no way to give a report.", f"Write one of {', '.join(HANDED)}.")
        if buyer:
            record_delivery(book, buyer, how, as_of or output.today(), evidence=evidence)
        every = deliveries_of(book)
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    if as_json:
        output.print_json({"deliveries": [_plain(one) for one in every]})
    else:
        _print(every)
    raise typer.Exit(output.ALL_WELL if all(one.given_on for one in every) else output.SOMETHING_TO_LOOK_AT)


def _plain(one: "Delivery") -> dict[str, object]:
    days = {"sold_on": one.sold_on and str(one.sold_on), "given_on": one.given_on and str(one.given_on)}
    return {"farm": one.farm, "crop": one.crop, "harvest_year": one.harvest_year, "buyer": one.buyer,
            "sale": one.sale_id, "how": one.how, **days}  # fmt: skip


def _print(every: "tuple[Delivery, ...]") -> None:
    from rich.table import Table

    table = Table("farm", "crop", "year", "buyer", "sold", "report given", "how")
    for one in every:
        given = (str(one.given_on or "not on file"), (one.how or "").replace("_", " "))
        table.add_row(one.farm, one.crop, str(one.harvest_year), one.buyer, str(one.sold_on or ""), *given)
    output.print_whole(table)
