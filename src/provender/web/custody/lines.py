"""Fields of a form that take several things, one a line: tickets, serials, co-products, sites."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol, cast, get_args

from django import forms

from provender.custody.model.event import Coproduct, DocumentLine, Range, Ticket
from provender.plain import Info
from provender.quantity import SCALE, Serials, show
from provender.wire import Name, Text, is_tuple

Plain = list[object]
_SERIALS: Final = re.compile(
    r"(?P<origin>\S+)[\s:]+(?P<start>[\d.,]+)\s*(?:-|to|\u2013)\s*(?P<stop>[\d.,]+)(?:\s*=\s*(?P<pounds>[\d.,]+))?"
)
_SPAN: Final = re.compile(r"(?P<start>[\d.,]+)\s*(?:-|to|\u2013)\s*(?P<stop>[\d.,]+)")


def amount_text(text: str) -> str:
    """Return an amount as people type it, without the commas between thousands."""
    plain = text.strip().replace(" ", "")
    return plain.replace(",", "") if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d*)?", plain) else plain


class LinesField(forms.CharField):
    """A box with one thing a line; gives plain data for an event.

    Args:
        read: reads one line.
        example: what a line looks like.
    """

    def __init__(self, read: Callable[[str], object], example: str, **options: Any) -> None:  # noqa: ANN401 - Django's
        super().__init__(widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}), **options)
        self.read = read
        self.example = example
        self.beside = f"One a line, such as: {example}"

    def clean(self, value: Any) -> Any:  # noqa: ANN401 - as Django declares it
        """Read every line.

        Raises:
            ValidationError: a line cannot be read; names it.
        """
        text = str(super().clean(value))
        return list(self._lines(text))

    def _lines(self, text: str) -> Iterator[object]:
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            found = self.read(line.strip())
            if found is None:
                raise forms.ValidationError(f"Line {number}, {line.strip()[:40]!r}: write it like {self.example}")
            yield found


_TICKET: Final = ("number", "bushels", "day")


def read_ticket_line(line: str) -> object:
    """Read ``T-1001, 950.25, 2026-10-05``; the day may be left out."""
    parts = [part.strip() for part in re.split(r"[;\t]|,\s+", line)]
    if len(parts) not in range(2, len(_TICKET) + 1):
        return None
    said = dict(zip(_TICKET, (parts[0], amount_text(parts[1]), *parts[2:]), strict=False))
    return {name: text for name, text in said.items() if text}


def read_serials_line(line: str) -> object:
    """Read ``ORIGIN 0-500``, of a product also ``ORIGIN 0-500 = 5500``: its pounds."""
    found = _SERIALS.fullmatch(line)
    if found is None:
        return None
    return {name: text if name == "origin" else amount_text(text) for name, text in found.groupdict().items() if text}


class Spanned(Protocol):
    """Serials of one origin."""

    @property
    def origin(self) -> str:
        """Return whose serials."""

    @property
    def start_bu(self) -> int:
        """Return the first."""

    @property
    def stop_bu(self) -> int:
        """Return the one after the last."""


def serials_line(of: Spanned, pounds: int = 0) -> str:
    """Write serials as ``read_serials_line`` reads them."""
    span = f"{of.origin} {show(of.start_bu, SCALE)}-{show(of.stop_bu, SCALE)}"
    return f"{span} = {show(pounds, SCALE)}" if pounds else span


def read_span_line(line: str) -> object:
    """Read ``0-500``."""
    found = _SPAN.fullmatch(line)
    return [amount_text(found["start"]), amount_text(found["stop"])] if found else None


def read_coproduct_line(line: str) -> object:
    """Read ``soybean_meal, 44000``."""
    form, _, pounds = line.partition(",")
    if not pounds.strip():
        return None
    return {"form": form.strip().replace(" ", "_").casefold(), "pounds": amount_text(pounds)}


def read_document_line(line: str) -> object:
    """Read ``corn, 2025, 29150.37, 1000``: crop, harvest year, CI, bushels; for a product also form and pounds."""
    parts = [part.strip() for part in re.split(r"[;\t]|,\s+", line)]
    if len(parts) not in (4, 6) or not parts[1].isdecimal():
        return None
    crop, year, ci, bushels = parts[:4]
    more = {"form": parts[4], "pounds": amount_text(parts[5])} if len(parts) == 6 else {"form": crop}  # noqa: PLR2004
    return {"crop": crop, "harvest_year": int(year), "ci": amount_text(ci), "bushels": amount_text(bushels), **more}


LINES: Final[Mapping[object, tuple[Callable[[str], object], str]]] = {
    Ticket: (read_ticket_line, "T-1001, 950.25, 2026-10-05"),
    Range: (read_serials_line, "3f9ac2d1 0-500"),
    Serials: (read_span_line, "0-500"),
    Coproduct: (read_coproduct_line, "soybean_meal, 44000"),
    DocumentLine: (read_document_line, "corn, 2025, 29150.37, 1000"),
}
"""How people type one of several things on a line, with an example, by its type."""


def line_of(kind: object, info: Info) -> tuple[Callable[[str], object], str] | None:
    """Return how a field of several things is typed, one a line; None where it is not."""
    if not is_tuple(kind):
        return None
    inside = get_args(kind)[0]
    if inside in (Text, Name) and not info.choices:
        return str, cast("list[str]", info.example)[0]
    return LINES.get(inside)
