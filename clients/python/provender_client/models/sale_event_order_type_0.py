from enum import StrEnum


class SaleEventOrderType0(StrEnum):
    BY_POLICY = "by_policy"
    HIGHEST_CI_FIRST = "highest_ci_first"
    LOWEST_CI_FIRST = "lowest_ci_first"

    def __str__(self) -> str:
        return str(self.value)
