"""``provender custody bins``: what lies in the bins of the sites, commingled."""

from provender.cli.custody.book import BookPath
from provender.cli.output import AsOf, Json, print_json, print_problems, today
from provender.cli.tables import console, print_table
from provender.custody.book_file import look_into
from provender.paper.table import table_of
from provender.plain import write


def bins(book: BookPath, *, as_of: AsOf = None, as_json: Json = False) -> None:
    """Show what lies in each bin, commingled.

    By crop year and CI of what came in: an estimate by proportion. A ticket names a bin, a claim never does.
    """
    from provender.services.custody.bins import BinPartView
    from provender.services.custody.bins import bins as all_bins

    with look_into(book) as opened:
        print_problems(opened.problems)
        found = all_bins(opened.store, opened.entity, as_of or today())
    if as_json:
        print_json({"bins": [write(one, whole=True) for one in found]})
        return
    print_table(console(), table_of(BinPartView, found, name="bins"))
