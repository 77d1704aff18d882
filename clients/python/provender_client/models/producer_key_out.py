from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.producer_key_out_public_key import ProducerKeyOutPublicKey


T = TypeVar("T", bound="ProducerKeyOut")


@_attrs_define
class ProducerKeyOut:
    """A key on file. Compare ``short`` by telephone; ``in_force`` is the key that the producer's record names.

    ``sealed_here`` tells that its private half lies here sealed under the holder's passphrase; no call gives it out.

        Attributes:
            id (int):
            producer_id (str):
            fingerprint (str):
            short (str):
            public (ProducerKeyOutPublicKey):
            holder (str):
            at (datetime.datetime):
            replaces (str):
            sealed_here (bool):
            in_force (bool):
    """

    id: int
    producer_id: str
    fingerprint: str
    short: str
    public: ProducerKeyOutPublicKey
    holder: str
    at: datetime.datetime
    replaces: str
    sealed_here: bool
    in_force: bool

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        producer_id = self.producer_id

        fingerprint = self.fingerprint

        short = self.short

        public = self.public.to_dict()

        holder = self.holder

        at = self.at.isoformat()

        replaces = self.replaces

        sealed_here = self.sealed_here

        in_force = self.in_force

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "producer_id": producer_id,
                "fingerprint": fingerprint,
                "short": short,
                "public": public,
                "holder": holder,
                "at": at,
                "replaces": replaces,
                "sealed_here": sealed_here,
                "in_force": in_force,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.producer_key_out_public_key import ProducerKeyOutPublicKey  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        producer_id = d.pop("producer_id")

        fingerprint = d.pop("fingerprint")

        short = d.pop("short")

        public = ProducerKeyOutPublicKey.from_dict(d.pop("public"))

        holder = d.pop("holder")

        at = datetime.datetime.fromisoformat(d.pop("at"))

        replaces = d.pop("replaces")

        sealed_here = d.pop("sealed_here")

        in_force = d.pop("in_force")

        producer_key_out = cls(
            id=id,
            producer_id=producer_id,
            fingerprint=fingerprint,
            short=short,
            public=public,
            holder=holder,
            at=at,
            replaces=replaces,
            sealed_here=sealed_here,
            in_force=in_force,
        )

        return producer_key_out
