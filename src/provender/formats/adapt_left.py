"""What of a record book does not go into a data set of the ADAPT Standard: told row by row, each with its reason.

A whole kind of record, or a column, that the standard has no place for is a note; a row, an amount or a day that stays
behind although its like goes out is a doubt, and somebody looks at it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from provender.formats.parsed import doubt, grouped, note
from provender.problem import Place, Problem
from provender.quantity import show
from provender.records import KINDS
from provender.records.book import RecordBook
from provender.records.folder import write_cell

WHOLE: Final[Mapping[str, frozenset[str]]] = {
    "farm": frozenset({"farm_id", "name"}),
    "unit": frozenset({"unit_id", "name", "acres", "boundary"}),
    "harvest": frozenset({"harvest_id", "unit_id", "crop", "first_day", "last_day", "bushels", "harvested_acres",
                          "moisture_pct"}),
    "operation": frozenset({"operation_id", "unit_id", "day", "operation", "equipment", "depth_in", "speed_mph",
                            "width_ft", "treated_acres"}),
    "nutrient_application": frozenset({"application_id", "unit_id", "day", "product", "rate", "rate_unit",
                                       "treated_acres", "inhibitor", "inhibitor_rate", "inhibitor_rate_unit"}),
}  # fmt: skip
"""What of each kind the standard has a place for; what of it does not go out all the same is told by row."""
_OF_OTHERS: Final = frozenset({"farm_id", "source_file", "source_sheet", "source_row"})
_STAYS: Final = "It stays in the book."
TYPE_RATE: Final = "Type its rate with a unit, and export again."
_APPLICATION: Final = "nutrient_application"

Row = Mapping[str, Any]


def place_in(kind: str, row: Row, column: str = "") -> Place:
    """Return where a row of the book stands."""
    named = KINDS[kind]
    key = next((str(row[name]) for name in named.key_columns if name != "farm_id" and row[name]), "")
    at = str(row.get("source_file") or named.label)
    label = named.fields[column].label if column else ""
    return Place(f"{at}, {key}" if key else at, row=int(row.get("source_row") or 0), column=label)


def stays(kind: str, row: Row, cause: str, remedy: str = _STAYS, *, column: str = "") -> Problem:
    """Tell of something that does not go out although its like does."""
    return doubt(place_in(kind, row, column), cause, remedy, "left_out")


def amounts_left(row: Row) -> Iterator[Problem]:
    """Tell which amounts do not go out: a rate without a unit, no rate at all, nutrients typed an acre."""
    if row["rate"] is None or not row["rate_unit"]:
        said = "has no rate" if row["rate"] is None else f"has the rate {show(row['rate'])} and no unit"
        cause = f"{row['product']} {said}; it is named without an amount."
        yield stays(_APPLICATION, row, cause, TYPE_RATE, column="rate")
    for nutrient in ("n", "p2o5", "k2o"):
        if row[f"{nutrient}_lb_per_ac"] is not None:
            yield nutrient_left(row, nutrient, "the standard holds rates of products")


def nutrient_left(row: Row, nutrient: str, why: str) -> Problem:
    """Tell of pounds of a nutrient an acre that do not go out."""
    column = f"{nutrient}_lb_per_ac"
    cause = f"{show(row[column])} lb of {nutrient.upper()} an acre stay in the book: {why}."
    return stays(_APPLICATION, row, cause, "Nothing to do where the product's rate says the same.", column=column)


def unplaced(book: RecordBook) -> list[Problem]:
    """Tell what the standard has no place for: kinds of record as a whole, columns of those that go out by row."""
    return [*_kinds(book), *(one for kind in WHOLE for one in grouped(_columns(book, kind)))]


def _kinds(book: RecordBook) -> Iterator[Problem]:
    for name, kind in KINDS.items():
        rows = book[name].height
        if rows and name not in WHOLE:
            cause = f"the standard has no place for them ({rows} {'row' if rows == 1 else 'rows'})."
            yield note(Place(kind.label), cause, "They stay in the book.", "no_place")


def _columns(book: RecordBook, kind: str) -> Iterable[Problem]:
    described = KINDS[kind]
    without = [name for name in described.fields if name not in WHOLE[kind] | _OF_OTHERS]
    for row in book[kind].iter_rows(named=True):
        for name in without:
            if row[name] is not None and row[name] != "":
                told = described.fields[name]
                cause = f"{told.label} '{write_cell(row[name], told)}': the standard has no place for it."
                at = Place(str(row["source_file"] or described.label), row=int(row["source_row"] or 0), column=name)
                yield note(at, cause, _STAYS, "no_place")
