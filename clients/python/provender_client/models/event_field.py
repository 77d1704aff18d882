from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.event_choice import EventChoice


T = TypeVar("T", bound="EventField")


@_attrs_define
class EventField:
    """A field of an event: what it holds, whether it is needed, what may be chosen today, and an example of a list.

    Attributes:
        name (str):
        label (str):
        means (str):
        needed (bool):
        holds (str):
        choices (list[EventChoice] | None):
        example (Any):
    """

    name: str
    label: str
    means: str
    needed: bool
    holds: str
    choices: list[EventChoice] | None
    example: Any

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        label = self.label

        means = self.means

        needed = self.needed

        holds = self.holds

        choices: list[dict[str, Any]] | None
        if isinstance(self.choices, list):
            choices = []
            for choices_type_0_item_data in self.choices:
                choices_type_0_item = choices_type_0_item_data.to_dict()
                choices.append(choices_type_0_item)

        else:
            choices = self.choices

        example = self.example

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "label": label,
                "means": means,
                "needed": needed,
                "holds": holds,
                "choices": choices,
                "example": example,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_choice import EventChoice  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name")

        label = d.pop("label")

        means = d.pop("means")

        needed = d.pop("needed")

        holds = d.pop("holds")

        def _parse_choices(data: object) -> list[EventChoice] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                choices_type_0 = []
                _choices_type_0 = data
                for choices_type_0_item_data in _choices_type_0:
                    choices_type_0_item = EventChoice.from_dict(choices_type_0_item_data)

                    choices_type_0.append(choices_type_0_item)

                return choices_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[EventChoice] | None, data)

        choices = _parse_choices(d.pop("choices"))

        example = d.pop("example")

        event_field = cls(
            name=name,
            label=label,
            means=means,
            needed=needed,
            holds=holds,
            choices=choices,
            example=example,
        )

        return event_field
