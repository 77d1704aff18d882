from enum import StrEnum


class Alert(StrEnum):
    DUE_SOON = "due soon"
    NOT_NEEDED = "not needed"
    NO_CONTRACT = "no contract"
    ON_TIME = "on time"
    OVERDUE = "overdue"

    def __str__(self) -> str:
        return str(self.value)
