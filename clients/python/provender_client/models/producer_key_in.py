from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.producer_key_in_statement import ProducerKeyInStatement


T = TypeVar("T", bound="ProducerKeyIn")


@_attrs_define
class ProducerKeyIn:
    """A key to put on file; the key stays on its holder's machine.

    ``statement`` is what `provender keys register` writes, signed with the key itself, or what `provender keys rotate`
    writes, signed by the key before and by this one. It carries the day on which it is handed in.

        Attributes:
            producer_id (str):
            statement (ProducerKeyInStatement):
    """

    producer_id: str
    statement: ProducerKeyInStatement

    def to_dict(self) -> dict[str, Any]:
        producer_id = self.producer_id

        statement = self.statement.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "producer_id": producer_id,
                "statement": statement,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.producer_key_in_statement import ProducerKeyInStatement  # noqa: PLC0415

        d = dict(src_dict)
        producer_id = d.pop("producer_id")

        statement = ProducerKeyInStatement.from_dict(d.pop("statement"))

        producer_key_in = cls(
            producer_id=producer_id,
            statement=statement,
        )

        return producer_key_in
