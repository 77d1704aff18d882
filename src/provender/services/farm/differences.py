"""What two versions of a farm's book, or a book and one supposed, judge otherwise: verdicts and carbon intensities."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from provender.plain import field, view
from provender.services.farm.intensity import ESTIMATED, OFFICIAL_RUNS, SOURCES, default_said

Place = tuple[str, str, str]
WORDS: Final = {True: "met", False: "not met", None: "not shown"}
GONE: Final = "gone"


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


def verdicts_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[FallenVerdict]:
    """Yield the practices that are judged otherwise after than before.

    Args:
        before: as ``verdicts_of`` gives them.
        after: the same later, or as ``judge`` gives them of a supposed book.
    """
    then = _verdicts(after)
    for place, verdict in _verdicts(before).items():
        new = WORDS[then[place]] if place in then else GONE
        if WORDS[verdict] != new:
            yield FallenVerdict(where=place[0], practice=place[2], before=WORDS[verdict], after=new)


def _verdicts(found: Mapping[str, Any]) -> dict[Place, bool | None]:
    return {
        (f"{one['unit_id']}, {one['crop'].lower()} {one['harvest_year']}", one["harvest_id"], practice["label"]):
        practice["implementation"]
        for one in found["intervals"] for practice in one["practices"] if practice["claimable"]
    }  # fmt: skip


def intensities_changed(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[IntensityChange]:
    """Yield the carbon intensities that are others after than before: never a figure of one source beside another's.

    The calculator's runs are held against themselves. Where they give no CI any more while the open model still
    answers, its figures stand on both sides. A CI whose runs fit the records no longer is named as such either way.
    """
    then = {(one["crop"], one["harvest_year"]): one for one in after}
    for one in before:
        new = then.get((one["crop"], one["harvest_year"]), {})
        ran, runs = one[OFFICIAL_RUNS]["ci"], _ci(new, OFFICIAL_RUNS)
        lost = ran and not runs and _ci(new, ESTIMATED)
        outdated = ran if ran and (lost or (new and _misfits(new) - _misfits(one))) else ""
        source = OFFICIAL_RUNS if (ran or runs) and not lost else ESTIMATED
        was, now = one[source]["ci"], _ci(new, source)
        if was != now or outdated:
            yield IntensityChange(
                crop=f"{one['crop_label']} {one['harvest_year']}", before=was, after=now, source=SOURCES[source],
                default=default_said(new or one, source), outdated=outdated,
            )  # fmt: skip


def _misfits(one: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return what the runs say that the records do not, by run."""
    found = one[OFFICIAL_RUNS]["findings"]
    return {(each["code"], each["subject"]) for each in found if each["code"].startswith("run_")}


def _ci(of: Mapping[str, Any], source: str) -> str | None:
    ci: str | None = of[source]["ci"] if of else None
    return ci
