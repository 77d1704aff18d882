"""``provender audit``: subpart E for verifiers and for those they audit."""

import typer

from provender.cli import (
    audit_finding,
    audit_package,
    audit_population,
    audit_programme,
    audit_request,
    audit_sample,
    audit_statement,
    audit_status,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Draw the farm sample, work through an audit, state its result (7 CFR 2100.040, .041).",
)
app.command()(audit_population.population)
app.command()(audit_sample.sample)
app.command()(audit_sample.redraw)
app.command()(audit_programme.programme)
app.command()(audit_request.request)
app.command()(audit_package.package)
app.command()(audit_package.pins)
app.add_typer(audit_finding.app, name="finding")
app.add_typer(audit_statement.app, name="statement")
app.command()(audit_status.status)
