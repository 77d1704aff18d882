from enum import StrEnum


class State(StrEnum):
    DIFFERS = "differs"
    OPEN = "open"
    SETTLED = "settled"

    def __str__(self) -> str:
        return str(self.value)
