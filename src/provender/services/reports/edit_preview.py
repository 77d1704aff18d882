"""What a correction or removal of a row would change, before anybody writes it; putting one back as well."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from provender.records.kind import KINDS, Kind
from provender.schema import field, view
from provender.services.farm.book import Edit, FarmBook
from provender.services.farm.intensity import (
    FallenVerdict,
    IntensityChange,
    intensities_changed,
    intensities_of,
    quantify_all,
    verdicts_changed,
)
from provender.services.farm.verdicts import judge, verdicts_of
from provender.services.refused import MissingError
from provender.services.reports.drafts import agrees_with, crop_label, draft_at_hand, harvests_of
from provender.standards.standard import Verdict

AFTERWARDS: Final = {
    True: "says again what was signed",
    False: "an amendment would wait for its signature",
    None: "no harvest would stand behind it",
}
"""What becomes of a signed report, by whether the records would still say what was signed."""


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
        """Return whether nothing rests on it."""
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


def preview_of(farm: FarmBook, edits: Iterable[Edit]) -> ChangePreview:
    """Return what edits would change, taken together, and whether somebody is to be asked first."""
    would = changed_by(farm, edits)
    return ChangePreview(version=farm.version, asks_first=would.moves_what_stands, would_change=would)


def removal_of(farm: FarmBook, kind: Kind, key: str) -> Removal:
    """Return what taking a row out would change; nothing is written.

    Raises:
        MissingError: there is no such row.
    """
    if key not in farm.of(kind):
        raise MissingError
    return changed_by(farm, [Edit(kind.name, key, None)])


def needs_reason(farm: FarmBook, kind: Kind, key: str, texts: Mapping[str, str]) -> bool:
    """Tell whether other texts of a row change what was said; a blank is filled in without saying why.

    A signed report that rests on the row asks for it in any case: it was signed with the blank.
    """
    before = farm.texts(kind, key) or {}
    if any(said and texts.get(name, "") != said for name, said in before.items() if name in texts):
        return True
    return texts != before and bool(return_of(farm, kind, key, texts).reports)


def return_of(farm: FarmBook, kind: Kind, key: str, texts: Mapping[str, str]) -> Removal:
    """Return what other texts of a row would change, typed ones or those of an earlier state; nothing is written."""
    return changed_by(farm, [Edit(kind.name, key, texts)])


def changed_by(farm: FarmBook, edits: Iterable[Edit]) -> Removal:
    """Return what edits would change, all of them written at once; nothing is."""
    rows = dict(farm.rows)
    for edit in edits:
        mine = {**rows.get(edit.kind, {})}
        if edit.row is None:
            mine.pop(edit.key, None)
        else:
            mine[edit.key] = edit.row
        rows[edit.kind] = mine
    other = farm.with_rows(rows)
    return Removal(
        verdicts=tuple(verdicts_changed(verdicts_of(farm), judge(other.judged))),
        intensities=tuple(intensities_changed(intensities_of(farm), quantify_all(other.judged))),
        reports=() if farm.on_disk else tuple(_reports(farm, other)),
        orphans=tuple(_orphans(farm, other)),
    )


def _reports(farm: FarmBook, other: FarmBook) -> Iterator[SignedReportChange]:
    """Yield the signed reports that agree with the records on one side of a change only."""
    for crop, year in harvests_of(farm):
        draft = draft_at_hand(farm, crop, year)
        if draft.last is None:
            continue
        then = agrees_with(other, draft)
        if then is None or then is draft.is_news:
            name = f"{crop_label(crop)} {year}"
            yield SignedReportChange(report=name, version=draft.last.number, after=AFTERWARDS[then])


def _orphans(farm: FarmBook, other: FarmBook) -> Iterator[Orphans]:
    """Yield by kind how many rows would name one that is gone."""
    gone = {name: set(rows) - set(other.of(KINDS[name])) for name, rows in farm.rows.items() if name in KINDS}
    for kind in KINDS.values():
        names = [(name, gone.get(column.refers)) for name, column in kind.fields.items() if column.refers]
        asked = [(name, keys) for name, keys in names if keys]
        count = sum(any(str(row.get(name) or "") in keys for name, keys in asked) for row in other.of(kind).values())
        if count:
            yield Orphans(kind=kind.label, count=count)
