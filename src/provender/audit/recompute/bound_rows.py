"""Every row of a farm's records against the roots in its signed report (2100.030(d), .031(a)).

A report carries one root for each kind of record and unit, over salted leaves; the farm's package brings what opens
them. Then each row that was changed, dropped or added since the signature is named, whatever follows from it or not.
"""

from collections.abc import Iterator

from provender.audit.outcome import Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.farm_section import FarmPart, ReportFile
from provender.audit.shape import scaled
from provender.problem import Weight
from provender.quantity import SCALE
from provender.records.kind import KINDS
from provender.report.leaves_file import ENDING
from provender.report.of_one_crop import of_this_crop
from provender.report.record_rows import WHOLE_FARM, Leaves

CITE = "2100.031(a)"
KEPT = "2100.030(d)"


def has_roots(claimed: ReportFile) -> bool:
    """Tell whether a report binds every kind of record; one made without a key does not."""
    rests_on = claimed.document.get("rests_on")
    return isinstance(rests_on, dict) and "leaves" in rests_on


def opened(farm: FarmPart, claimed: ReportFile) -> bool:
    """Tell whether the package holds what opens a report's roots row by row."""
    opening = farm.opening(claimed)
    return opening is not None and opening.fits(claimed.document["rests_on"]["records"])


def changed_rows(farm: FarmPart, claimed: ReportFile) -> Iterator[Difference]:
    """Yield every row and file that is not as it was signed; the file that opens the roots where it is not here."""
    if not has_roots(claimed):
        return
    opening = farm.opening(claimed)
    if opening is None:
        words = ("every row as signed", f"the file {ENDING} that the farm keeps beside the report is not here")
        yield Difference("leaves_missing", KEPT, claimed.name, *words, claimed.bushels)
    elif not opening.leaves:
        return  # only the secret came along: the roots themselves are compared
    elif not opened(farm, claimed):
        words = ("the roots in the signed report", f"its file {ENDING} gives others")
        yield Difference("leaves_do_not_open", KEPT, claimed.name, *words, claimed.bushels)
    else:
        yield from _rows(claimed, opening.leaves, farm.leaves.get(claimed.key, {}))


def unreadable_rows(farm: FarmPart, claimed: ReportFile) -> Iterator[Difference]:
    """Yield what cannot be read in the records and could be when the report was signed: it would count as blank."""
    if not has_roots(claimed):
        return
    known = {one.get("cause") for one in claimed.document.get("problems", [])}
    again = farm.quantified(claimed)
    # A report does not name the rows of other crops that could not be read either when it was signed.
    found = farm.book.problems if again is None else of_this_crop(farm.assessment, again)
    for one in found:
        if one.weight is Weight.ERROR and one.cause not in known:
            place = f"{claimed.name}: {one.place}"
            yield Difference(
                "record_unreadable", CITE, place, "a row that could be read", one.cause, claimed.bushels
            ).of((claimed.name,))


def _rows(claimed: ReportFile, signed: Leaves, now: Leaves) -> Iterator[Difference]:
    for unit in sorted({*signed, *now}):
        for kind in sorted({*signed.get(unit, {}), *now.get(unit, {})}):
            then, here = signed.get(unit, {}).get(kind, {}), now.get(unit, {}).get(kind, {})
            for label in sorted(label for label in {*then, *here} if then.get(label) != here.get(label)):
                words = (
                    "the row as signed" if label in then else "",
                    "" if label not in here else "another row" if label in then else "a row that was not signed",
                )
                yield Difference(
                    f"record_changed:{kind}", CITE, f"{claimed.name}: {_place(unit, kind, label)}", *words,
                    _bushels(claimed, unit), about=((claimed.name,) if unit == WHOLE_FARM else (claimed.name, unit),),
                )  # fmt: skip


def _place(unit: str, kind: str, label: str) -> str:
    whose = "the farm" if unit == WHOLE_FARM else f"unit {unit}"
    return f"{kind.replace('_', ' ')} {label} of {whose}".replace("  ", " ")


def _bushels(claimed: ReportFile, unit: str) -> int | None:
    units = claimed.document.get("units", [])
    return next((scaled(one.get("bushels"), SCALE) for one in units if one["unit_id"] == unit), claimed.bushels)


def unbound(case: PackageContents) -> Iterator[str]:
    """Yield what no signature binds: records of reports without roots, and rows that belong to no report."""
    for farm in case.farms:
        for claimed in farm.latest:
            if not has_roots(claimed):
                yield (
                    f"{claimed.name} was made without a key: records without a part in its "
                    "numbers, and boundaries, may have been changed since."
                )
        if all(map(has_roots, farm.latest)) and farm.latest:
            yield from _of_no_report(farm)


def _of_no_report(farm: FarmPart) -> Iterator[str]:
    bound = {kind: set[str]() for kind in KINDS}
    for leaves in farm.leaves.values():
        for kinds in leaves.values():
            for kind, of_kind in kinds.items():
                if kind in bound:
                    bound[kind] |= of_kind.keys()
    for kind, labels in bound.items():
        if (left := sum(1 for _ in farm.rows(kind)) - len(labels)) > 0:
            words = f"{left} rows of {KINDS[kind].label}" if left > 1 else f"a row of {KINDS[kind].label}"
            yield f"{farm.farm_id}: {words} rest on no signed report; see who wrote them and when."
