from enum import StrEnum


class TicketOutWay(StrEnum):
    IN = "in"
    OUT = "out"
    VOID = "void"

    def __str__(self) -> str:
        return str(self.value)
