from enum import StrEnum


class Bearing(StrEnum):
    MISSTATEMENT = "misstatement"
    NO_MISSTATEMENT = "no misstatement"

    def __str__(self) -> str:
        return str(self.value)
