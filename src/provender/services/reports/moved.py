"""What a change of a farm's book moved, for whoever made it: what a field can no longer claim, things left, the CI."""

from collections.abc import Iterator
from dataclasses import dataclass

from provender.services.farm.book import FarmBook
from provender.services.farm.intensity import intensities_of
from provender.services.farm.removal import intensities_changed
from provender.services.farm.verdicts import Standing, told_against, verdicts_of
from provender.services.reports.things import count_things


@dataclass(frozen=True, slots=True)
class Moved:
    """What a change moved, in sentences.

    Attributes:
        against: practices that the records speak against since: what cannot be met, what is claimed and contradicted.
        rest: how many things are left before the signatures, and each carbon intensity that is another.
    """

    against: tuple[str, ...]
    rest: tuple[str, ...]


def moved_between(before: FarmBook, after: FarmBook) -> Moved:
    """Return what moved between two versions of a book."""
    return Moved(tuple(_against(before, after)), (*_left(before, after), *_intensities(before, after)))


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


def _left(before: FarmBook, after: FarmBook) -> Iterator[str]:
    """Say how many things keep reports from being signed; nothing where the book has no report yet."""
    counted = count_things(after)
    if not counted:
        return
    left, earlier = sum(counted.values()), sum(count_things(before).values())
    if left == 0 and earlier == 0:
        return
    if not left:
        yield f"Nothing is left before the signatures (until now: {earlier})."
    elif left == earlier:
        yield f"Left to do before the signatures: {left}."
    else:
        yield f"Left to do before the signatures: {left} (until now: {earlier})."


def _intensities(before: FarmBook, after: FarmBook) -> Iterator[str]:
    for one in intensities_changed(intensities_of(before), intensities_of(after)):
        yield f"CI of {one.crop}: {one.before or 'not shown'} → {one.after or 'not shown'} g CO2e/bu."
