from enum import StrEnum


class EntryChosenEnding(StrEnum):
    FALLOW = "fallow"
    HARVESTED = "harvested"
    NOT_YET = "not_yet"
    PREVENTED = "prevented"
    TERMINATED = "terminated"
    VALUE_0 = ""

    def __str__(self) -> str:
        return str(self.value)
