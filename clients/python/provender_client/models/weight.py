from enum import StrEnum


class Weight(StrEnum):
    CONFIRM = "confirm"
    ERROR = "error"
    NOTE = "note"

    def __str__(self) -> str:
        return str(self.value)
