"""A farm's book as another system reads it: a data set of the ADAPT Standard, and what of the book stays behind."""

from provender.formats.adapt_out import DataSet, data_set
from provender.problem import Problem, Weight
from provender.services.farm.book import FarmBook
from provender.services.farm.boundaries import UNIT, boundary_text


def exchange_of(farm: FarmBook) -> DataSet:
    """Return the book as a data set, with the rows, amounts and kinds that do not go out."""
    outlines = {unit: text for unit in farm.of(UNIT) if (text := boundary_text(farm, unit))}
    return data_set(farm.records(), outlines)


def left_first(made: DataSet) -> list[Problem]:
    """Return what stays behind: what somebody should look at first, what the standard has no place for last."""
    order = list(Weight)
    return sorted(made.left, key=lambda one: order.index(one.weight))
