"""The crops of 2100.011 and which practice each of them may claim (2100.012)."""

from enum import StrEnum
from typing import Final

from provender.rule.law import Cite


class Crop(StrEnum):
    """A crop for which a reduced CI may be quantified (2100.011)."""

    field_corn = "corn"
    soybeans = "soybeans"
    sorghum = "sorghum"

    @property
    def label(self) -> str:
        """Return the rule's name of the crop."""
        return CROP_LABELS[self]

    @property
    def cite(self) -> Cite:
        """Return the paragraph that lists the crop."""
        return Cite("2100.011", (_LETTERS[self],))


class Practice(StrEnum):
    """A practice that makes a crop a CSA crop (2100.012)."""

    no_till = "no_till"
    reduced_till = "reduced_till"
    cover_crop = "cover_crop"
    nitrification_inhibitor = "nitrification_inhibitor"
    no_fall_application = "no_fall_application"
    split_in_season = "split_in_season"

    @property
    def label(self) -> str:
        """Return the rule's name of the practice."""
        return PRACTICE_LABELS[self]

    @property
    def cite(self) -> Cite:
        """Return the paragraph of subpart F that sets the practice's standard."""
        return _STANDARDS[self]


CROP_LABELS: Final = {Crop.field_corn: "Field corn", Crop.soybeans: "Soybeans", Crop.sorghum: "Sorghum"}
PRACTICE_LABELS: Final = {
    Practice.no_till: "No-till",
    Practice.reduced_till: "Reduced till",
    Practice.cover_crop: "Cover crop",
    Practice.nitrification_inhibitor: "Nitrification inhibitor",
    Practice.no_fall_application: "No fall application",
    Practice.split_in_season: "Split in-season application",
}
_LETTERS: Final = {Crop.field_corn: "a", Crop.soybeans: "b", Crop.sorghum: "c"}
_STANDARDS: Final = {
    Practice.no_till: Cite("2100.051", ("b",)),
    Practice.reduced_till: Cite("2100.051", ("a",)),
    Practice.cover_crop: Cite("2100.052", ("a",)),
    Practice.nitrification_inhibitor: Cite("2100.053", ("b",)),
    Practice.no_fall_application: Cite("2100.053", ("c",)),
    Practice.split_in_season: Cite("2100.053", ("d",)),
}

_EVERY_CROP: Final = (
    Practice.no_till,
    Practice.reduced_till,
    Practice.cover_crop,
    Practice.nitrification_inhibitor,
)
CLAIMABLE: Final[dict[Crop, tuple[Practice, ...]]] = {
    Crop.field_corn: (*_EVERY_CROP, Practice.no_fall_application, Practice.split_in_season),
    Crop.soybeans: _EVERY_CROP,
    Crop.sorghum: (*_EVERY_CROP, Practice.split_in_season),
}
TILLAGE: Final = frozenset({Practice.no_till, Practice.reduced_till})
NUTRIENTS: Final = frozenset({Practice.nitrification_inhibitor, Practice.no_fall_application, Practice.split_in_season})


def claimable(crop: Crop) -> tuple[Practice, ...]:
    """Return the practices that a crop may claim (2100.012), in the order of ``Practice``."""
    return CLAIMABLE[crop]
