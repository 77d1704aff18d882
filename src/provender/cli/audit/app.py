"""``provender audit``: subpart E for verifiers and for those they audit."""

import typer

from provender.cli.audit import findings, package, programme, sample, statement

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Draw the farm sample, work through an audit, state its result (7 CFR 2100.040, .041).",
)
app.command()(sample.population)
app.command()(sample.seed)
app.command("freeze")(sample.freeze_farms)
app.command()(sample.sample)
app.command()(sample.redraw)
app.command()(programme.programme)
app.command()(package.request)
app.command()(package.package)
app.command()(package.pins)
app.add_typer(findings.app, name="finding")
app.add_typer(statement.app, name="statement")
app.command()(programme.status)
