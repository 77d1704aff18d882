from enum import StrEnum


class Forum(StrEnum):
    GLOBAL_ACCREDITATION_COOPERATION_INCORPORATED = "Global Accreditation Cooperation Incorporated"
    IAF = "IAF"

    def __str__(self) -> str:
        return str(self.value)
