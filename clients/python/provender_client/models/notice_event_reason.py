from enum import StrEnum


class NoticeEventReason(StrEnum):
    FEWER_BUSHELS = "fewer_bushels"
    REINSTATED = "reinstated"
    SHORTFALL = "shortfall"
    SUSPENDED = "suspended"
    WITHDRAWN = "withdrawn"
    WORSE_CI = "worse_ci"

    def __str__(self) -> str:
        return str(self.value)
