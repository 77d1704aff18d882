from enum import StrEnum


class MapInTarget(StrEnum):
    SETTLEMENT = "settlement"
    TICKET = "ticket"

    def __str__(self) -> str:
        return str(self.value)
