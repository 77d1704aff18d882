"""Sentences of the readings gone through by hand, each with the hostile change, its honest neighbor and the gap."""

from typing import Final

from tests.proof import changes as c
from tests.proof.outcome import NO, NO_TILL, TOLD, YES, Cases

_FIRE: Final = "Burn residue"
_WITHOUT: Final = c.both(c.less("cover_crop"), c.less("cover_species"))
_NO_COVER: Final = c.of("calculator_run", cover_crop="no")


def _given_up(day: str, crop: str = "corn") -> c.Change:
    """Say that a stand was given up on a day, with the adjuster's form."""
    return c.more("harvest", harvest_id="H25f", unit_id="N40", crop=crop, ending="terminated", first_day=day,
                  termination_record="adjuster form 12")  # fmt: skip


def _disked(*story: c.Change) -> c.Change:
    """Disk in November before a crop whose cover is not claimed."""
    disk = c.a_pass("2024-11-15", "Disk, tandem heavy primary op.", "6", "6", "30")
    return c.both(disk, _NO_COVER, *story)


_WHEAT: Final = c.more("planting", planting_id="P0", harvest_id="H25f", planted_on="2024-11-16")
_DRILL: Final = c.more("operation", operation_id="O8", unit_id="N40", day="2024-11-16", equipment="drill",
                       operation="Drill or airseeder, double disk")  # fmt: skip

READINGS: Final[Cases] = {
    "66 disked in the fall": (_disked(), NO, NO_TILL),
    "66 disked before a stand that nobody planted": (_disked(_given_up("2024-12-12")), NO, NO_TILL),
    "66 disked before wheat that nobody planted": (_disked(_given_up("2025-04-12", "wheat")), NO, NO_TILL),
    "66 disked before wheat given up after the corn was planted": (
        _disked(_given_up("2025-05-12", "wheat")), NO, NO_TILL,
    ),
    "66 disked before wheat that was planted": (
        _disked(_given_up("2025-04-12", "wheat"), _WHEAT, _DRILL, _WITHOUT), YES, "",
    ),
    "66 disked before wheat that a pass planted": (
        _disked(_given_up("2025-04-12", "wheat"), _DRILL, _WITHOUT), YES, "",
    ),
    "66 the same with a cover drilled before the wheat": (
        _disked(_given_up("2025-04-12", "wheat"), _WHEAT, _DRILL), NO, NO_TILL,
    ),
    "66 given up before it was planted": (c.both(_given_up("2025-04-20"), _NO_COVER), NO, NO_TILL),
    "66 the crop given up before records began": (
        c.of("harvest", ending="terminated", first_day="2024-08-02", last_day="", bushels="", crop="corn",
             termination_record="adjuster form 11"), YES, "",
    ),
    "66 burned before the stand that failed": (
        c.both(c.replanted(), _NO_COVER, c.more("operation", operation_id="O8", unit_id="N40", day="2025-04-15",
               equipment="torch", operation=_FIRE)), TOLD, "fire before a stand that was given up in 1 row",
    ),
}  # fmt: skip
