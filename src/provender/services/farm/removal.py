"""What taking a row out of a farm's book takes with it, or putting an earlier one back, before anybody does it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from provender.database.actor import Actor
from provender.database.models import Change
from provender.plain import field, view
from provender.records import KINDS, Kind
from provender.services.farm.book import Edit, FarmBook, called, change_book
from provender.services.farm.intensity import intensities_of, leading, quantify_all
from provender.services.farm.row_history import history_of
from provender.services.farm.verdicts import judge, verdicts_of
from provender.services.refused import MissingError

Place = tuple[str, str, str]
WORDS: Final = {True: "met", False: "not met", None: "not shown"}


@view
class FallenVerdict:
    """A practice of a crop on a unit that would be judged otherwise."""

    where: str = field("Field and crop")
    practice: str = field("Practice")
    before: str = field("Now")
    after: str = field("Without the row")


@view
class IntensityChange:
    """The farm's carbon intensity of a crop before and after: by the calculator's runs, else the estimate.

    None where it is not shown.
    """

    crop: str = field("Crop")
    before: str | None = field("Now", help="g CO2e/bu")
    after: str | None = field("Without the row", help="g CO2e/bu")


@view
class Orphans:
    """Rows of a kind that name the row."""

    kind: str = field("Records")
    count: int = field("Rows")


@view
class Removal:
    """What goes with a row: verdicts and carbon intensities that would be others, rows that name it."""

    verdicts: tuple[FallenVerdict, ...] = field("Practices judged otherwise")
    intensities: tuple[IntensityChange, ...] = field("Carbon intensities that change")
    orphans: tuple[Orphans, ...] = field("Rows that name it")


def removal_of(farm: FarmBook, kind: Kind, key: str) -> Removal:
    """Return what taking a row out would change; nothing is written.

    Raises:
        MissingError: there is no such row.
    """
    if key not in farm.of(kind):
        raise MissingError
    left = {other: row for other, row in farm.of(kind).items() if other != key}
    return _with(farm, kind, left, _orphans(farm, kind, key))


def _with(farm: FarmBook, kind: Kind, rows: Mapping[str, Mapping[str, object]], orphans: Iterable[Orphans]) -> Removal:
    """Return what other rows of a kind would change."""
    other = farm.with_rows({**farm.rows, kind.name: dict(rows)})
    return Removal(
        verdicts=tuple(_fallen(verdicts_of(farm), judge(other.judged))),
        intensities=tuple(intensities_changed(intensities_of(farm), quantify_all(other.judged))),
        orphans=tuple(orphans),
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
            yield FallenVerdict(where=place[0], practice=place[2], before=WORDS[verdict], after=new)


def intensities_changed(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterator[IntensityChange]:
    """Yield the carbon intensities that are others after than before."""
    then = {(one["crop"], one["harvest_year"]): leading(one)["ci"] for one in after}
    for one in before:
        ci, new = leading(one)["ci"], then.get((one["crop"], one["harvest_year"]))
        if ci != new:
            yield IntensityChange(crop=f"{one['crop_label']} {one['harvest_year']}", before=ci, after=new)


def _orphans(farm: FarmBook, kind: Kind, key: str) -> Iterator[Orphans]:
    for other in KINDS.values():
        names = [name for name, column in other.fields.items() if column.refers == kind.name]
        count = sum(any(str(row.get(name) or "") == key for name in names) for row in farm.of(other).values())
        if count:
            yield Orphans(kind=other.label, count=count)


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


def texts_at(farm: FarmBook, kind: Kind, key: str, version: int | None) -> dict[str, str]:
    """Return what a row said after one of its changes.

    Raises:
        MissingError: the row stands no more, or that change left none of it.
    """
    if key in farm.of(kind):
        for one in history_of(farm, kind, key):
            if one.change.number == version and one.after:
                return one.after
    raise MissingError


def return_of(farm: FarmBook, kind: Kind, key: str, texts: Mapping[str, str]) -> Removal:
    """Return what putting an earlier state of a row back would change; nothing is written."""
    return _with(farm, kind, {**farm.of(kind), key: texts}, ())


def put_back(farm: FarmBook, kind: Kind, key: str, version: int | None, *, after: int | None, actor: Actor) -> Change:
    """Write what a row said after one of its changes as a new change.

    Raises:
        MissingError: the row stands no more, or that change left none of it.
        RefusedError: somebody changed the book meanwhile.
    """
    texts = texts_at(farm, kind, key, version)
    reason = f"{kind.label}: {called(kind, key)} put back as of version {version}"
    return change_book(farm.book, [Edit(kind.name, key, texts)], reason=reason, actor=actor, after=after)
