from enum import StrEnum


class Resolution(StrEnum):
    CORRECTED = "corrected"
    EXPLAINED = "explained"
    STANDS = "stands"

    def __str__(self) -> str:
        return str(self.value)
