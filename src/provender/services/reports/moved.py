"""What a change of a farm's book moved, for whoever made it: verdicts, what cannot be claimed, things left, the CI."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from provender.services.farm.book import FarmBook
from provender.services.farm.differences import IntensityChange, intensities_changed, verdicts_changed
from provender.services.farm.intensity import intensities_of
from provender.services.farm.verdicts import Standing, told_against, verdicts_of
from provender.services.reports.left import left_since

MOST: Final = 4
"""Verdicts that a message names; the page of the fields has them all."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What a change moved, in sentences.

    Attributes:
        against: practices that the records speak against since: what cannot be met, what is claimed and contradicted.
        left: what is left before the signatures.
        rest: each practice judged otherwise, each carbon intensity that is another.
    """

    against: tuple[str, ...]
    left: tuple[str, ...]
    rest: tuple[str, ...]


def moved_between(before: FarmBook, after: FarmBook) -> Moved:
    """Return what moved between two versions of a book."""
    rest = (*_verdicts(before, after), *_intensities(before, after))
    return Moved(tuple(_against(before, after)), tuple(left_since(before, after)), rest)


def _against(before: FarmBook, after: FarmBook) -> Iterator[str]:
    intervals = [verdicts_of(one)["intervals"] for one in (before, after)]
    for standing, says in (
        (Standing.RULED_OUT, "{practice} cannot be met on {unit}: {why}"),
        (Standing.CONTRADICTED, "{practice} is claimed on {unit}, and your records say otherwise: {why}"),
    ):
        earlier, now = (told_against(each, standing) for each in intervals)
        known = {one[:2] for one in earlier}
        for unit, practice, why in now:
            if (unit, practice) not in known:
                yield says.format(practice=practice, unit=unit, why=why)


def _verdicts(before: FarmBook, after: FarmBook) -> Iterator[str]:
    """Say of each practice that is judged otherwise where, how until now and how since."""
    found = list(verdicts_changed(verdicts_of(before), verdicts_of(after)))
    for one in found[:MOST]:
        yield f"{one.practice} is judged otherwise on {one.where}: {one.before} → {one.after}."
    if len(found) > MOST:
        yield f"{len(found) - MOST} more verdicts changed."


def _intensities(before: FarmBook, after: FarmBook) -> Iterator[str]:
    for one in intensities_changed(intensities_of(before), intensities_of(after)):
        yield from _intensity(one)


def _intensity(one: IntensityChange) -> Iterator[str]:
    """Say how a CI moved by one source; of an official one that no longer fits, that and what the open model says."""
    if one.outdated:
        yield (
            f"The calculator's run behind the CI of {one.crop}, {one.outdated} g CO2e/bu, no longer fits the records "
            "and must be made anew."
        )
    default = f" ({one.default})" if one.default else ""
    then, now = one.before or "not shown", one.after or "not shown"
    if then == now:
        yield f"CI of {one.crop} by {one.source}: {now} g CO2e/bu, as before{default}."
    else:
        yield f"CI of {one.crop} by {one.source}: {then} → {now} g CO2e/bu{default}."
