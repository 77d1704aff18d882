from enum import StrEnum


class Crop(StrEnum):
    CORN = "corn"
    SORGHUM = "sorghum"
    SOYBEANS = "soybeans"

    def __str__(self) -> str:
        return str(self.value)
