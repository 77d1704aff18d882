from enum import StrEnum


class PackageState(StrEnum):
    AT_WORK = "at work"
    CLOSED = "closed"
    MADE = "made"
    NOT_POSSIBLE = "not possible"
    RECOMPUTED = "recomputed"
    STOPPED = "stopped"

    def __str__(self) -> str:
        return str(self.value)
