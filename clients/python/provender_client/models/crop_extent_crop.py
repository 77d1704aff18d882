from enum import StrEnum


class CropExtentCrop(StrEnum):
    CORN = "corn"
    SORGHUM = "sorghum"
    SOYBEANS = "soybeans"

    def __str__(self) -> str:
        return str(self.value)
