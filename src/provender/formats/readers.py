"""Which readers there are: a name, and the function that is imported only when the name is asked for.

A reader is ``read(path, name, **options) -> Parsed[T]``: the file, the name a person knows it by (an upload is stored
under another), and options that are plain JSON data. It never raises for what the file holds.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol, get_args, get_type_hints

from provender.formats.parsed import Parsed

READERS: Final[dict[str, str]] = {
    "acreage": "provender.formats.acreage:read_acreage",
    "adapt": "provender.formats.adapt:read_adapt",
    "applied_points": "provender.formats.points.reader:read_applied",
    "boundaries": "provender.formats.boundaries:read_boundaries",
    "crop_sequence": "provender.formats.crop_sequence:read_crop_sequence",
    "farmos": "provender.formats.farmos:read_farmos",
    "fieldview": "provender.formats.fieldview:read_plantings",
    "isoxml": "provender.formats.isoxml.reader:read_isoxml",
    "lab_soil": "provender.formats.lab_soil:read_lab_soil",
    "leaf": "provender.formats.leaf:read_leaf",
    "pdf_text": "provender.formats.pdf_text:read_pdf_text",
    "photo": "provender.formats.photos:read_photo",
    "sniff": "provender.formats.sniff:read_kind",
    "spreadsheet": "provender.formats.spreadsheet:read_spreadsheet",
    "yield_log": "provender.formats.yield_log:read_yield_log",
}


class Read(Protocol):
    """The shape of every reader."""

    def __call__(self, path: Path, name: str, **options: object) -> Parsed[object]:
        """Read one file."""
        ...


def find(name: str) -> Callable[..., Parsed[object]]:
    """Import a reader by its name.

    Raises:
        KeyError: there is no such reader.
    """
    module, _, function = READERS[name].partition(":")
    found: Callable[..., Parsed[object]] = getattr(import_module(module), function)
    return found


def result_type(reader: Callable[..., Parsed[object]]) -> object:
    """Return T of a reader declared to return ``Parsed[T]``."""
    return get_args(get_type_hints(reader)["return"])[0]
