from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.outcome_out_facts import OutcomeOutFacts


T = TypeVar("T", bound="OutcomeOut")


@_attrs_define
class OutcomeOut:
    """The answer of the book to one event.

    Attributes:
        id (str):
        status (str):
        message (str):
        facts (OutcomeOutFacts):
    """

    id: str
    status: str
    message: str
    facts: OutcomeOutFacts

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status = self.status

        message = self.message

        facts = self.facts.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "status": status,
                "message": message,
                "facts": facts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.outcome_out_facts import OutcomeOutFacts  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        status = d.pop("status")

        message = d.pop("message")

        facts = OutcomeOutFacts.from_dict(d.pop("facts"))

        outcome_out = cls(
            id=id,
            status=status,
            message=message,
            facts=facts,
        )

        return outcome_out
