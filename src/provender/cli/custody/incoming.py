"""``provender custody incoming``: what came in over some days, from whom, at which mean carbon intensity."""

from provender.cli.custody.book import BookPath
from provender.cli.custody.views import On, Since
from provender.cli.output import AsOf, Json, print_json, print_problems, today
from provender.cli.tables import console, print_table
from provender.custody.book_file import look_into
from provender.custody.model.periods import Period
from provender.custody.queries.incoming import CameInSumView, CameInView, came_in, days_meant
from provender.paper.table import table_of
from provender.plain import write


def incoming(book: BookPath, *, since: Since = None, on: On = None, as_of: AsOf = None, as_json: Json = False) -> None:
    """Sum up what was bought and accepted, by crop and supplier.

    With the mean CI weighted by bushels. Without days, over the open period up to today.
    """
    with look_into(book) as opened:
        print_problems(opened.problems)
        periods = opened.store.many(Period, opened.entity)
        found = came_in(opened.store, opened.entity, days_meant(periods, as_of or today(), since, on))
    sums = [*found.in_all, *found.by_supplier]
    if as_json:
        print_json({
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
