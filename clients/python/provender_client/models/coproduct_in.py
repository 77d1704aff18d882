from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CoproductIn")


@_attrs_define
class CoproductIn:
    """A co-product of a campaign, listed without a claim.

    Attributes:
        form (str): Such as `soybean_meal`. Example: soybean_meal.
        pounds (str):  Example: 44000.
    """

    form: str
    pounds: str

    def to_dict(self) -> dict[str, Any]:
        form = self.form

        pounds = self.pounds

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "form": form,
                "pounds": pounds,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        form = d.pop("form")

        pounds = d.pop("pounds")

        coproduct_in = cls(
            form=form,
            pounds=pounds,
        )

        return coproduct_in
