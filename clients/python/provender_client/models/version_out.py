from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.version_out_official import VersionOutOfficial


T = TypeVar("T", bound="VersionOut")


@_attrs_define
class VersionOut:
    """A signed version of a report; reports of the first format say nothing of ``official`` and the rule's state.

    Attributes:
        number (int):
        document_hash (str):
        at (str):
        official (VersionOutOfficial): Three flags, each apart: calculator final, records complete, rule current.
        rule_state (str): Empty where the text is shown to be the rule in force.
        signed_under (str): The text that the signer named.
    """

    number: int
    document_hash: str
    at: str
    official: VersionOutOfficial
    rule_state: str
    signed_under: str

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        document_hash = self.document_hash

        at = self.at

        official = self.official.to_dict()

        rule_state = self.rule_state

        signed_under = self.signed_under

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "document_hash": document_hash,
                "at": at,
                "official": official,
                "rule_state": rule_state,
                "signed_under": signed_under,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.version_out_official import VersionOutOfficial  # noqa: PLC0415

        d = dict(src_dict)
        number = d.pop("number")

        document_hash = d.pop("document_hash")

        at = d.pop("at")

        official = VersionOutOfficial.from_dict(d.pop("official"))

        rule_state = d.pop("rule_state")

        signed_under = d.pop("signed_under")

        version_out = cls(
            number=number,
            document_hash=document_hash,
            at=at,
            official=official,
            rule_state=rule_state,
            signed_under=signed_under,
        )

        return version_out
