from enum import StrEnum


class OrganisationInRolesItem(StrEnum):
    FARM = "farm"
    FIRST_POINT = "first_point"
    INTERMEDIARY = "intermediary"
    PROCESSOR = "processor"
    REFINER = "refiner"
    VERIFIER = "verifier"

    def __str__(self) -> str:
        return str(self.value)
