"""``provender custody choose``: the fewest lots that give a mean carbon intensity, to be named in a sale."""

from typing import Annotated

import typer

from provender.cli.custody.book import BookPath
from provender.cli.output import AsOf, Json, print_json, print_problems, today
from provender.custody.book_file import open_book
from provender.plain import write
from provender.quantity import CI_SCALE, parse, show
from provender.services.steps import counted

Crop = Annotated[str, typer.Option("--crop", help="The crop; left out with a product.")]
Bushels = Annotated[str, typer.Option("--bushels", help="How many, of a crop.")]
Form = Annotated[str, typer.Option("--form", help="A product instead, such as soybean_oil.")]
Pounds = Annotated[str, typer.Option("--pounds", help="How many, of a product.")]
Mean = Annotated[str, typer.Option("--mean", help="The mean carbon intensity may be at most this, g CO2e/bu.")]
Least = Annotated[str, typer.Option("--mean-from", help="And at least this.")]
Low = Annotated[str, typer.Option("--ci-min", help="No lot below this.")]
High = Annotated[str, typer.Option("--ci-max", help="No lot above this.")]
Site = Annotated[str, typer.Option("--site", help="Only from this site.")]


def choose(
    book: BookPath,
    *,
    mean: Mean,
    crop: Crop = "",
    bushels: Bushels = "0",
    form: Form = "",
    pounds: Pounds = "0",
    mean_from: Least = "0",
    ci_min: Low = "",
    ci_max: High = "",
    site: Site = "",
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Choose the fewest lots that give a mean CI; enter nothing.

    It prints them as `sell` takes them, and beside them what the period's policy would take.
    """
    from provender.services.custody.choosing import by_mean, sale_asked

    try:
        wanted = parse(bushels), parse(pounds)
        most, least = parse(mean, CI_SCALE), parse(mean_from, CI_SCALE)
        low, high = (parse(text, CI_SCALE) if text else None for text in (ci_min, ci_max))
    except ValueError as wrong:
        raise typer.BadParameter(f"{wrong}.") from None
    with open_book(book) as opened:
        print_problems(opened.problems)
        asked = sale_asked(opened.entity, form or crop, wanted, as_of or today(), site=site, ci_min=low, ci_max=high)
        found = by_mean(opened.store, asked, most, least)
    if as_json:
        print_json(write(found, whole=True))
        return
    for lot in found.lots:
        pounds = f"={show(lot.pounds)}" if lot.pounds else ""
        typer.echo(f"--lot {lot.origin}:{show(lot.start_bu)}-{show(lot.stop_bu)}{pounds}")
    shown = "shown to be the fewest" if found.fewest else "not shown to be the fewest"
    typer.echo(
        f"{counted(len(found.lots), 'lot')} at a mean of {show(found.mean_ci_g_per_bu, CI_SCALE, group=True)}, {shown}."
    )
    if found.policy_mean_ci_g_per_bu is None:
        typer.echo(f"By the policy: {found.policy}")
    else:
        told = show(found.policy_mean_ci_g_per_bu, CI_SCALE, group=True)
        typer.echo(f"By the policy, {found.policy}: {found.policy_lots} lots at a mean of {told}.")
