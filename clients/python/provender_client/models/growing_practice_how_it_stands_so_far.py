from enum import StrEnum


class GrowingPracticeHowItStandsSoFar(StrEnum):
    CONTRADICTED = "contradicted"
    MET = "met"
    NOT_CLAIMED = "not_claimed"
    NOT_FOR_CROP = "not_for_crop"
    NOT_SHOWN = "not_shown"
    RULED_OUT = "ruled_out"
    WAITING = "waiting"

    def __str__(self) -> str:
        return str(self.value)
