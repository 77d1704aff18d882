from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.event_offered import EventOffered
    from ..models.one_problem import OneProblem


T = TypeVar("T", bound="OpenedOut")


@_attrs_define
class OpenedOut:
    """A document as opened: its kind, what its signature is worth, what speaks against it, and what cures that.

    Attributes:
        kind (str):
        signature (None | str):
        fingerprint (str):
        usable (bool):
        problems (list[OneProblem]):
        cures (list[EventOffered]):
    """

    kind: str
    signature: None | str
    fingerprint: str
    usable: bool
    problems: list[OneProblem]
    cures: list[EventOffered]

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        signature: None | str
        signature = self.signature

        fingerprint = self.fingerprint

        usable = self.usable

        problems = []
        for problems_item_data in self.problems:
            problems_item = problems_item_data.to_dict()
            problems.append(problems_item)

        cures = []
        for cures_item_data in self.cures:
            cures_item = cures_item_data.to_dict()
            cures.append(cures_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "signature": signature,
                "fingerprint": fingerprint,
                "usable": usable,
                "problems": problems,
                "cures": cures,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_offered import EventOffered  # noqa: PLC0415
        from ..models.one_problem import OneProblem  # noqa: PLC0415

        d = dict(src_dict)
        kind = d.pop("kind")

        def _parse_signature(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        signature = _parse_signature(d.pop("signature"))

        fingerprint = d.pop("fingerprint")

        usable = d.pop("usable")

        problems = []
        _problems = d.pop("problems")
        for problems_item_data in _problems:
            problems_item = OneProblem.from_dict(problems_item_data)

            problems.append(problems_item)

        cures = []
        _cures = d.pop("cures")
        for cures_item_data in _cures:
            cures_item = EventOffered.from_dict(cures_item_data)

            cures.append(cures_item)

        opened_out = cls(
            kind=kind,
            signature=signature,
            fingerprint=fingerprint,
            usable=usable,
            problems=problems,
            cures=cures,
        )

        return opened_out
