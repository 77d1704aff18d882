"""Passes that other records prove: what a machine put on, sowed, ended or cut in the field (2100.051(c)(2)).

Each way of doing it needs a pass that can have done it; one of another kind on the same day does not do. What comes by
air, by hand or in irrigation water needs none. A row that does not say how may have been done by any of them.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from provender.records.kinds.season import Operation, Planting
from provender.standards.standard import FarmRows
from provender.standards.unit import SEEDING, Application, Cover, Pass, Stand

SPREADING: Final = ("spreading", "spraying")
DRIVEN_OVER: Final = 1_500
"""STIR of a pass that only drives over the ground, ten-thousandths: it drills, tills and mixes nothing."""
_TILLING: Final = (
    "aeration", "bedding", "chisel", "disking", "field_cultivation", "harrowing", "plowing", "rotary_hoe",
    "rotary_tillage", "row_cultivation", "seedbed_finishing", "strip_tillage", "subsoiling", "undercutting",
    "vertical_tillage",
)  # fmt: skip
"""Groups that work soil through, and so bury or mix in what lies on it."""
_INJECTING: Final = (
    *SEEDING, "injection", "strip_tillage", "row_cultivation", "field_cultivation", "chisel", "subsoiling",
    "undercutting", "plowing", "aeration",
)  # fmt: skip
"""Groups whose openers, knives or shanks can carry a fertilizer into the ground."""


class Work(NamedTuple):
    """What must have been done in the field, and by which groups of the operations list."""

    what: str  # a record says
    groups: tuple[str, ...]
    in_soil: bool = False  # only by tools that reach into the soil: a broadcast seeder drills nothing

    def fits(self, one: Pass) -> bool:
        """Tell whether a pass may have done it: the list says so, or does not know the pass."""
        if one.listed is None:
            return True
        return one.group in self.groups and not (self.in_soil and one.listed.published_stir <= DRIVEN_OVER)


PLANTED: Final = Work("planted", SEEDING, in_soil=True)
_SPREAD: Final = Work("spread", SPREADING)
_SPRAYED: Final = Work("sprayed", ("spraying",))
_INJECTED: Final = Work("put into the ground", _INJECTING)
CUT_OFF: Final = Work("cut and taken off", ("hay", "harvest", "mowing", "residue"))
_WITH_PLANTER: Final = Work("put into the ground at planting", SEEDING, in_soil=True)
_ANYHOW: Final = Work("put on", (*_INJECTING, *SPREADING))

PUT_ON: Final[Mapping[str | None, tuple[Work, ...]]] = {
    "injected": (_INJECTED,),
    "starter_band": (_WITH_PLANTER,),
    "in_furrow": (_WITH_PLANTER,),
    "broadcast": (_SPREAD,),
    "topdress": (_SPREAD,),
    "broadcast_incorporated": (_SPREAD, Work("worked in", _TILLING)),
    "banded": (_ANYHOW,),
    "sidedress": (_ANYHOW,),
    "foliar": (_SPRAYED,),
    "with_herbicide": (_SPRAYED,),
    "fertigation": (),
    "aerial": (),
    "by_hand": (),
}
"""By method of a nutrient application."""
SOWN: Final[Mapping[str | None, tuple[Work, ...]]] = {
    "drilled": (Work("drilled", SEEDING, in_soil=True),),
    "precision": (Work("drilled", SEEDING, in_soil=True),),
    "broadcast": (Work("seeded", (*SEEDING, *SPREADING)),),
    "interseeded": (Work("seeded", (*SEEDING, *SPREADING, "row_cultivation")),),
    "broadcast_incorporated": (
        Work("seeded and worked in", (*SEEDING, *_TILLING, "rolling", "residue"), in_soil=True),
    ),
    "aerial": (),
    "by_hand": (),
}
"""By method of seeding a cover crop."""
DRILLED: Final = ("drilled", "precision")
_UNSAID: Final = (Work("seeded, without a method", SEEDING),)
ENDED: Final[Mapping[str | None, tuple[Work, ...]]] = {
    "herbicide": (Work("sprayed", ("spraying",)),),
    "roller_crimper": (Work("rolled", ("rolling",)),),
    "mowing": (Work("mowed", ("mowing", "residue", "hay")),),
    "tillage": (Work("tilled", (*_TILLING, *SEEDING), in_soil=True),),
    "mechanical_harvest": (CUT_OFF,),
    "grazing": (Work("grazed", ("grazing",)),),
    "burning": (Work("burned", ("burning",)),),
}
"""By how a cover crop was ended; winter needs no pass, and one that does not say is asked how it ended."""


class ImpliedPass(NamedTuple):
    """A record of something that takes a pass over the ground."""

    kind: str  # of the record
    row: Planting | Cover | Application
    day: date | None
    work: Work
    reason: str  # the code where none is recorded


def of_planting(row: Planting) -> Iterator[ImpliedPass]:
    """Yield the planter's pass; a planting without a day is said where the borders of the crop are judged."""
    if row.planted_on is not None:
        yield ImpliedPass("planting", row, row.planted_on, PLANTED, "planting_without_pass")


def of_cover(cover: Cover) -> Iterator[ImpliedPass]:
    """Yield what seeded and what ended a cover crop."""
    for work in SOWN.get(cover.method, _UNSAID):
        yield ImpliedPass("cover_crop", cover, cover.seeded_on, work, "cover_without_pass")
    for work in ENDED.get(cover.termination_method, ()):
        yield ImpliedPass("cover_crop", cover, cover.terminated_on, work, "cover_without_pass")


def of_application(one: Application) -> Iterator[ImpliedPass]:
    """Yield what put nutrients on; a gas goes into the ground whether or not its row says so."""
    works = (_INJECTED,) if one.is_gas and one.method != "fertigation" else PUT_ON.get(one.method, (_ANYHOW,))
    for work in works:
        yield ImpliedPass("nutrient_application", one, one.day, work, "nutrients_without_pass")


class HarvestPass(Pass):
    """The pass of the combine that a crop entry proves, at the list's value; no row of its own is on record."""

    is_logged = False
    tools = ()

    def __init__(self, rows: FarmRows, stand: Stand) -> None:
        """Make the pass of a stand's last day; of all its columns it has only day, unit and name."""
        entry = stand.entries[-1]
        name = "Forage harvester" if stand.use == "silage" else "Combine harvest"
        row = Operation(
            farm_id=entry.farm_id, operation_id=entry.id, unit_id=entry.unit_id, day=stand.last_day, operation=name
        )
        super().__init__(rows, row)

    @property
    def known_by(self) -> str:
        """Return that nobody wrote it down."""
        return "implied"
