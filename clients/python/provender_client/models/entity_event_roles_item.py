from enum import StrEnum


class EntityEventRolesItem(StrEnum):
    FARM = "farm"
    FIRST_POINT = "first_point"
    INTERMEDIARY = "intermediary"
    LANDOWNER = "landowner"
    REFINER = "refiner"
    SERVICE_PROVIDER = "service_provider"

    def __str__(self) -> str:
        return str(self.value)
