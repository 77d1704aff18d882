from enum import StrEnum


class PurchaseEventTermsType0(StrEnum):
    CASH = "cash"
    DELAYED_PRICE = "delayed_price"
    OPEN_STORAGE = "open_storage"
    WAREHOUSE_RECEIPT = "warehouse_receipt"

    def __str__(self) -> str:
        return str(self.value)
