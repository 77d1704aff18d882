from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.key_out_public_key_jwk import KeyOutPublicKeyJWK


T = TypeVar("T", bound="KeyOut")


@_attrs_define
class KeyOut:
    """A registered public key; the last one signs.

    Attributes:
        fingerprint (str):
        public (KeyOutPublicKeyJWK):
        by_rotation (bool):
        reason (str):
        at (str):
        by (str):
        signs (bool):
    """

    fingerprint: str
    public: KeyOutPublicKeyJWK
    by_rotation: bool
    reason: str
    at: str
    by: str
    signs: bool

    def to_dict(self) -> dict[str, Any]:
        fingerprint = self.fingerprint

        public = self.public.to_dict()

        by_rotation = self.by_rotation

        reason = self.reason

        at = self.at

        by = self.by

        signs = self.signs

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "fingerprint": fingerprint,
                "public": public,
                "by_rotation": by_rotation,
                "reason": reason,
                "at": at,
                "by": by,
                "signs": signs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.key_out_public_key_jwk import KeyOutPublicKeyJWK  # noqa: PLC0415

        d = dict(src_dict)
        fingerprint = d.pop("fingerprint")

        public = KeyOutPublicKeyJWK.from_dict(d.pop("public"))

        by_rotation = d.pop("by_rotation")

        reason = d.pop("reason")

        at = d.pop("at")

        by = d.pop("by")

        signs = d.pop("signs")

        key_out = cls(
            fingerprint=fingerprint,
            public=public,
            by_rotation=by_rotation,
            reason=reason,
            at=at,
            by=by,
            signs=signs,
        )

        return key_out
