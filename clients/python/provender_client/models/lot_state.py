from enum import StrEnum


class LotState(StrEnum):
    DISPUTED = "disputed"
    HELD = "held"
    IN_TRANSIT = "in_transit"
    LOST = "lost"
    RELEASED = "released"
    RETIRED = "retired"
    UNVERIFIED = "unverified"
    VOID = "void"

    def __str__(self) -> str:
        return str(self.value)
