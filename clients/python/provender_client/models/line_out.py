from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.state import State

if TYPE_CHECKING:
    from ..models.mark_out import MarkOut


T = TypeVar("T", bound="LineOut")


@_attrs_define
class LineOut:
    """A line of the program: what is verified by which paragraph, what recomputation says, what people noted.

    Attributes:
        line (str):
        kind (str):
        role (str):
        cite (str):
        text (str):
        how (str):
        state (State): What recomputation says of a paragraph, best first.
        left (str):
        window (str):
        mark (MarkOut | None):
    """

    line: str
    kind: str
    role: str
    cite: str
    text: str
    how: str
    state: State
    left: str
    window: str
    mark: MarkOut | None

    def to_dict(self) -> dict[str, Any]:
        from ..models.mark_out import MarkOut  # noqa: PLC0415

        line = self.line

        kind = self.kind

        role = self.role

        cite = self.cite

        text = self.text

        how = self.how

        state = self.state.value

        left = self.left

        window = self.window

        mark: dict[str, Any] | None
        if isinstance(self.mark, MarkOut):
            mark = self.mark.to_dict()
        else:
            mark = self.mark

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "line": line,
                "kind": kind,
                "role": role,
                "cite": cite,
                "text": text,
                "how": how,
                "state": state,
                "left": left,
                "window": window,
                "mark": mark,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.mark_out import MarkOut  # noqa: PLC0415

        d = dict(src_dict)
        line = d.pop("line")

        kind = d.pop("kind")

        role = d.pop("role")

        cite = d.pop("cite")

        text = d.pop("text")

        how = d.pop("how")

        state = State(d.pop("state"))

        left = d.pop("left")

        window = d.pop("window")

        def _parse_mark(data: object) -> MarkOut | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                mark_type_0 = MarkOut.from_dict(data)

                return mark_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MarkOut | None, data)

        mark = _parse_mark(d.pop("mark"))

        line_out = cls(
            line=line,
            kind=kind,
            role=role,
            cite=cite,
            text=text,
            how=how,
            state=state,
            left=left,
            window=window,
            mark=mark,
        )

        return line_out
