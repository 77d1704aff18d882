"""What taking a row out of a farm's book takes with it, before anybody does; and putting it back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from provender.database.actor import Actor
from provender.database.models import Change
from provender.records import KINDS, Kind
from provender.services.farm.book import Edit, FarmBook, called, change_book, history_of
from provender.services.farm.intensity import intensities_of, quantify_all
from provender.services.farm.verdicts import judge, verdicts_of
from provender.services.refused import MissingError

Place = tuple[str, str, str]
WORDS: Final = {True: "met", False: "not met", None: "not shown"}


@dataclass(frozen=True, slots=True)
class FallenVerdict:
    """A practice of a crop on a unit that would be judged otherwise."""

    where: str
    practice: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class IntensityChange:
    """The farm's carbon intensity of a crop by the calculator's runs, before and after; None where it is not shown."""

    crop: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Removal:
    """What goes with a row.

    Attributes:
        verdicts: practices that would be judged otherwise.
        intensities: crops whose carbon intensity would be another.
        orphans: kinds of rows that name the row, and how many of each.
    """

    verdicts: tuple[FallenVerdict, ...]
    intensities: tuple[IntensityChange, ...]
    orphans: tuple[tuple[str, int], ...]


def removal_of(farm: FarmBook, kind: Kind, key: str) -> Removal:
    """Return what taking a row out would change; nothing is written.

    Raises:
        MissingError: there is no such row.
    """
    if key not in farm.of(kind):
        raise MissingError
    left = {other: row for other, row in farm.of(kind).items() if other != key}
    without = farm.with_rows({**farm.rows, kind.name: left})
    return Removal(
        tuple(_fallen(verdicts_of(farm), judge(without.judged))),
        tuple(_changed(intensities_of(farm), quantify_all(without.judged))),
        tuple(_orphans(farm, kind, key)),
    )


def _verdicts(found: Mapping[str, Any]) -> dict[Place, bool | None]:
    return {
        (f"{one['unit_id']}, {one['crop'].lower()} {one['harvest_year']}", one["harvest_id"], practice["label"]):
        practice["implementation"]
        for one in found["intervals"] for practice in one["practices"] if practice["claimable"]
    }  # fmt: skip


def _fallen(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[FallenVerdict]:
    then = _verdicts(after)
    for place, verdict in _verdicts(before).items():
        new = WORDS[then[place]] if place in then else "gone"
        if WORDS[verdict] != new:
            yield FallenVerdict(place[0], place[2], WORDS[verdict], new)


def _changed(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterator[IntensityChange]:
    then = {(one["crop"], one["harvest_year"]): one["official"]["ci"] for one in after}
    for one in before:
        ci, new = one["official"]["ci"], then.get((one["crop"], one["harvest_year"]))
        if ci != new:
            yield IntensityChange(f"{one['crop_label']} {one['harvest_year']}", ci, new)


def _orphans(farm: FarmBook, kind: Kind, key: str) -> Iterator[tuple[str, int]]:
    for other in KINDS.values():
        names = [name for name, field in other.fields.items() if field.refers == kind.name]
        count = sum(any(str(row.get(name) or "") == key for name in names) for row in farm.of(other).values())
        if count:
            yield other.label, count


def remove_row(farm: FarmBook, kind: Kind, key: str, *, after: int | None, actor: Actor) -> Change:
    """Take a row out of the book; it stays in the history, and its page offers to put it back.

    Raises:
        MissingError: there is no such row.
        RefusedError: somebody changed the book meanwhile.
    """
    if key not in farm.of(kind):
        raise MissingError
    reason = f"{kind.label}: {called(kind, key)} removed"
    return change_book(farm.book, [Edit(kind.name, key, None)], reason=reason, actor=actor, after=after)


def removed_texts(farm: FarmBook, kind: Kind, key: str) -> dict[str, str] | None:
    """Return what a row said that was taken out; None where it stands, or was never there."""
    if key in farm.of(kind):
        return None
    changes = list(history_of(farm, kind, key))
    return changes[-1].before if changes else None


def restore_row(farm: FarmBook, kind: Kind, key: str, *, after: int | None, actor: Actor) -> Change:
    """Put a row back that was taken out, with all it said.

    Raises:
        MissingError: no such row was taken out.
        RefusedError: somebody changed the book meanwhile.
    """
    texts = removed_texts(farm, kind, key)
    if texts is None:
        raise MissingError
    reason = f"{kind.label}: {called(kind, key)} put back"
    return change_book(farm.book, [Edit(kind.name, key, texts)], reason=reason, actor=actor, after=after)
