from enum import StrEnum


class WordChosenAbout(StrEnum):
    INHIBITOR = "inhibitor"
    OPERATION = "operation"
    PRODUCT = "product"
    SPECIES = "species"

    def __str__(self) -> str:
        return str(self.value)
