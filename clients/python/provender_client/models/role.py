from enum import StrEnum


class Role(StrEnum):
    BIOFUEL_REFINER = "biofuel refiner"
    FARM = "farm"
    FIRST_POINT_OF_AGGREGATION = "first point of aggregation"
    INTERMEDIARY_ENTITY = "intermediary entity"
    PROCESSOR = "processor"

    def __str__(self) -> str:
        return str(self.value)
