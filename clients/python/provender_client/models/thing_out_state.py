from enum import StrEnum


class ThingOutState(StrEnum):
    MISSING = "Missing"
    WAITING_FOR_OTHERS = "Waiting for others"
    YOUR_RECORDS_SAY_OTHERWISE = "Your records say otherwise"

    def __str__(self) -> str:
        return str(self.value)
