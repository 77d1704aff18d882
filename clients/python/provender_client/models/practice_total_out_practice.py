from enum import StrEnum


class PracticeTotalOutPractice(StrEnum):
    COVER_CROP = "cover_crop"
    NITRIFICATION_INHIBITOR = "nitrification_inhibitor"
    NO_FALL_APPLICATION = "no_fall_application"
    NO_TILL = "no_till"
    REDUCED_TILL = "reduced_till"
    SPLIT_IN_SEASON = "split_in_season"

    def __str__(self) -> str:
        return str(self.value)
