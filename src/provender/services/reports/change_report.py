"""What a change of a farm's book moves: two judged books held against each other, before it is written and after."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from provender.records.kind import KINDS, Kind
from provender.schema import field, view
from provender.services.farm.book import Edit, FarmBook
from provender.services.farm.intensity import ESTIMATED, OFFICIAL_RUNS, SOURCES, default_said, intensities_of
from provender.services.farm.verdicts import Standing, told_against, verdicts_of
from provender.services.refused import MissingError
from provender.services.reports.checklist import left_of
from provender.services.reports.drafts import crop_label, draft_at_hand, harvests_of
from provender.standards.standard import Verdict

_GONE: Final = "gone"
"""The verdict of a crop that is no longer there."""
_NO_FIGURES: Final[Mapping[str, Any]] = {source: {"ci": None, "findings": []} for source in SOURCES}
"""The intensities of such a crop."""
_AFTERWARDS: Final = {
    True: "says again what was signed",
    False: "an amendment would wait for its signature",
    None: "no harvest would stand behind it",
}
"""What becomes of a signed report, by whether the records would still say what was signed."""


@view
class FallenVerdict:
    """A practice of a crop on a unit that would be judged otherwise."""

    where: str = field("Field and crop")
    practice: str = field("Practice")
    before: str = field("Now")
    after: str = field("Then")


@view
class IntensityChange:
    """The farm's carbon intensity of a crop before and after, both of one source.

    None where it is not shown.
    """

    crop: str = field("Crop")
    before: str | None = field("Now", help="g CO2e/bu")
    after: str | None = field("Then", help="g CO2e/bu")
    source: str = field("Source", help="Of both figures: the calculator's runs, or the open model.")
    default: str = field("Default", help="Of the same source, named; empty where it is not at hand.", default="")
    outdated: str = field(
        "Official CI that no longer fits",
        help="Of the calculator's runs that no longer fit the records and must be made anew; empty where they fit.",
        default="",
    )


@view
class Orphans:
    """Rows of a kind that name the row."""

    kind: str = field("Records")
    count: int = field("Rows")


@view
class SignedReportChange:
    """A signed report that the records would overtake, or that would say again what was signed."""

    report: str = field("Report", help="Crop and harvest year.")
    version: int = field("Version", help="The one in force.")
    after: str = field("Afterwards")


@view
class Removal:
    """What goes with a row: verdicts, carbon intensities and signed reports that change, rows that name it."""

    verdicts: tuple[FallenVerdict, ...] = field("Practices judged otherwise")
    intensities: tuple[IntensityChange, ...] = field("Carbon intensities that change")
    reports: tuple[SignedReportChange, ...] = field("Signed reports")
    orphans: tuple[Orphans, ...] = field("Rows that name it")

    @property
    def is_nothing(self) -> bool:
        return not (self.verdicts or self.intensities or self.reports or self.orphans)

    @property
    def moves_what_stands(self) -> bool:
        """Return whether something that is shown or signed today would say something else.

        Whoever fills in what a verdict or a carbon intensity still lacks takes nothing from anybody.
        """
        judged = any(one.before != Verdict.NOT_SHOWN for one in self.verdicts)
        return judged or any(one.before for one in self.intensities) or bool(self.reports)


@view
class ChangePreview:
    """What a change would do if it were written now; nothing is written."""

    version: int = field("Version", help="Of the book, as it was looked at: what a change names as `after`.")
    asks_first: bool = field(
        "Asks first",
        help="Whether a page would ask before it saves: something shown or signed today would say something else.",
    )
    would_change: Removal = field("What would change")


def change_report(before: FarmBook, after: FarmBook) -> Removal:
    """Return what two books say otherwise: versions of one, or a version and the same with other rows."""
    return Removal(
        verdicts=tuple(_verdicts(before, after)),
        intensities=tuple(_intensities(before, after)),
        reports=() if before.on_disk else tuple(_reports(before, after)),
        orphans=tuple(_orphans(before, after)),
    )


def change_by(farm: FarmBook, *edits: Edit) -> Removal:
    """Return what edits would change, all of them written at once; nothing is."""
    rows = {kind: dict(of) for kind, of in farm.rows.items()}
    for edit in edits:
        mine = rows.setdefault(edit.kind, {})
        if edit.row is None:
            mine.pop(edit.key, None)
        else:
            mine[edit.key] = edit.row
    return change_report(farm, farm.with_rows(rows))


def preview_of(farm: FarmBook, edits: Iterable[Edit]) -> ChangePreview:
    """Return what edits would change, taken together, and whether somebody is to be asked first."""
    would = change_by(farm, *edits)
    return ChangePreview(version=farm.version, asks_first=would.moves_what_stands, would_change=would)


def removal_of(farm: FarmBook, kind: Kind, key: str) -> Removal:
    """Return what taking a row out would change; nothing is written.

    Raises:
        MissingError: there is no such row.
    """
    if key not in farm.of(kind):
        raise MissingError
    return change_by(farm, Edit(kind.name, key, None))


def needs_reason(farm: FarmBook, kind: Kind, key: str, texts: Mapping[str, str]) -> bool:
    """Tell whether other texts of a row change what was said; a blank is filled in without saying why.

    A signed report that rests on the row asks for it in any case: it was signed with the blank.
    """
    before = farm.texts(kind, key) or {}
    if any(said and texts.get(name, "") != said for name, said in before.items() if name in texts):
        return True
    return texts != before and bool(change_by(farm, Edit(kind.name, key, texts)).reports)


def _verdicts(before: FarmBook, after: FarmBook) -> Iterator[FallenVerdict]:
    """Yield the practices that are judged otherwise after than before."""
    then = _by_place(after)
    for place, verdict in _by_place(before).items():
        new = then.get(place, _GONE)
        if verdict != new:
            yield FallenVerdict(where=place[0], practice=place[2], before=verdict, after=new)


def _by_place(farm: FarmBook) -> dict[tuple[str, str, str], str]:
    return {
        (f"{one['unit_id']}, {one['crop_label'].lower()} {one['harvest_year']}", one["harvest_id"], practice["label"]):
        practice["implementation"]
        for one in verdicts_of(farm)["intervals"] for practice in one["practices"] if practice["claimable"]
    }  # fmt: skip


def _intensities(before: FarmBook, after: FarmBook) -> Iterator[IntensityChange]:
    """Yield the carbon intensities that are others after than before: never a figure of one source beside another's.

    The calculator's runs are held against themselves. Where they give no CI any more while the open model still
    answers, its figures stand on both sides. A CI whose runs fit the records no longer is named as such either way.
    """
    then: dict[tuple[str, int], Any] = {(one["crop"], one["harvest_year"]): one for one in intensities_of(after)}
    for one in intensities_of(before):
        where = (one["crop"], one["harvest_year"])
        new = then.get(where, _NO_FIGURES)
        ran, runs = one[OFFICIAL_RUNS]["ci"], new[OFFICIAL_RUNS]["ci"]
        lost = ran and not runs and new[ESTIMATED]["ci"]
        outdated = ran if ran and (lost or _misfits(new) - _misfits(one)) else ""
        source = OFFICIAL_RUNS if (ran or runs) and not lost else ESTIMATED
        was, now = one[source]["ci"], new[source]["ci"]
        if was != now or outdated:
            yield IntensityChange(
                crop=f"{one['crop_label']} {one['harvest_year']}", before=was, after=now, source=SOURCES[source],
                default=default_said(then.get(where, one), source), outdated=outdated,
            )  # fmt: skip


def _misfits(one: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return what the runs say that the records do not, by run."""
    found = one[OFFICIAL_RUNS]["findings"]
    return {(each["code"], each["subject"]) for each in found if each["code"].startswith("run_")}


def _reports(before: FarmBook, after: FarmBook) -> Iterator[SignedReportChange]:
    """Yield the signed reports that agree with the records on one side of a change only."""
    still = harvests_of(after)
    for crop, year in harvests_of(before):
        draft = draft_at_hand(before, crop, year)
        if draft.last is None:
            continue
        agrees = not draft_at_hand(after, crop, year).is_news if (crop, year) in still else None
        if agrees is None or agrees is draft.is_news:
            name = f"{crop_label(crop)} {year}"
            yield SignedReportChange(report=name, version=draft.last.number, after=_AFTERWARDS[agrees])


def _orphans(before: FarmBook, after: FarmBook) -> Iterator[Orphans]:
    """Yield by kind how many rows would name one that is gone."""
    gone = {name: set(rows) - set(after.of(KINDS[name])) for name, rows in before.rows.items() if name in KINDS}
    for kind in KINDS.values():
        names = [(name, gone.get(column.refers)) for name, column in kind.fields.items() if column.refers]
        asked = [(name, keys) for name, keys in names if keys]
        count = sum(any(str(row.get(name) or "") in keys for name, keys in asked) for row in after.of(kind).values())
        if count:
            yield Orphans(kind=kind.label, count=count)


# The same in sentences, for whoever wrote a change: verdicts, what cannot be claimed, things left, the CI.

_MOST: Final = 4
"""Verdicts that a message names; the page of the fields has them all."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What a change moved, in sentences."""

    # practices that the records speak against since: what cannot be met, what is claimed and contradicted
    against: tuple[str, ...]
    left: tuple[str, ...]  # what is left before the signatures
    rest: tuple[str, ...]  # each practice judged otherwise, each carbon intensity that is another


def moved_between(before: FarmBook, after: FarmBook) -> Moved:
    return Moved(
        tuple(_new_contradictions(before, after)),
        tuple(_remaining_work_change(before, after)),
        tuple(_other_changes(before, after)),
    )


def _new_contradictions(before: FarmBook, after: FarmBook) -> Iterator[str]:
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


def _remaining_work_change(before: FarmBook, after: FarmBook) -> Iterator[str]:
    """Say how many things stand before the signatures, what only waits for one, and whether nothing is left at all."""
    left, earlier = left_of(after), left_of(before)
    number, until_now = (sum(one.things for one in each if one.blocked) for each in (left, earlier))
    if not left and earlier:
        yield "Nothing is left: every report is signed as the records stand."
    elif number != until_now:
        yield f"Left to do before the signatures: {number} (until now: {until_now})."
    elif number:
        yield f"Left to do before the signatures: {number}."
    known = {one.name for one in earlier if not one.blocked}
    for one in left:
        if not one.blocked and (one.name not in known or not number):
            yield one.words


def _other_changes(before: FarmBook, after: FarmBook) -> Iterator[str]:
    """Say of each practice that is judged otherwise where, how until now and how since; then of each CI."""
    found = list(_verdicts(before, after))
    for one in found[:_MOST]:
        yield f"{one.practice} is judged otherwise on {one.where}: {one.before} → {one.after}."
    if len(found) > _MOST:
        yield f"{len(found) - _MOST} more verdicts changed."
    for moved in _intensities(before, after):
        yield from _intensity(moved)


def _intensity(one: IntensityChange) -> Iterator[str]:
    """Say how a CI moved by one source; of an official one that no longer fits, that and what the open model says."""
    if one.outdated:
        yield (
            f"The calculator's run behind the CI of {one.crop}, {one.outdated} g CO2e/bu, no longer fits the records "
            "and must be made anew."
        )
    then, now = one.before or "not shown", one.after or "not shown"
    moved = f"{now} g CO2e/bu, as before" if then == now else f"{then} → {now} g CO2e/bu"
    yield f"CI of {one.crop} by {one.source}: {moved}{f' ({one.default})' if one.default else ''}."
