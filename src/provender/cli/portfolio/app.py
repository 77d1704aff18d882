"""``provender portfolio``: many farms and many books as folders of Parquet, and jobs over them."""

import typer

from provender.cli.portfolio import exchange, farms, search

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Exchange the records of many farms as Parquet, and judge them all at once.",
)
app.command("export")(exchange.export)
app.command("import")(exchange.import_)
app.command()(exchange.validate)
app.command("check")(farms.check)
app.command("intensity")(farms.intensity)
app.command("plan")(farms.plan)
app.command("sister")(farms.sister)
app.command("sample")(search.sample)
app.command("report")(farms.report)
app.command("book")(search.book)
app.command("claims")(search.claims)
