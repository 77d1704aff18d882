from enum import StrEnum


class Severity(StrEnum):
    MAJOR = "major"
    MINOR = "minor"
    OBSERVATION = "observation"

    def __str__(self) -> str:
        return str(self.value)
