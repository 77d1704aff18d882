from enum import StrEnum


class Mark(StrEnum):
    DONE = "done"
    NOT_NEEDED = "not needed"
    OPEN = "open"

    def __str__(self) -> str:
        return str(self.value)
