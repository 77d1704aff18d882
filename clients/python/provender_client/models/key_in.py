from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.key_in_shown import KeyInShown


T = TypeVar("T", bound="KeyIn")


@_attrs_define
class KeyIn:
    """A public key (JWK), or the rotation statement by which the key in use names the next one.

    Attributes:
        shown (KeyInShown):
        reason (str | Unset): Why a key in use is replaced without its own word. Default: ''.
    """

    shown: KeyInShown
    reason: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        shown = self.shown.to_dict()

        reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "shown": shown,
            }
        )
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.key_in_shown import KeyInShown  # noqa: PLC0415

        d = dict(src_dict)
        shown = KeyInShown.from_dict(d.pop("shown"))

        reason = d.pop("reason", UNSET)

        key_in = cls(
            shown=shown,
            reason=reason,
        )

        return key_in
