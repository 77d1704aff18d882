"""Plain data and a Typst template in, PDF/A out: archival, accessible, the same bytes for the same input.

The data reaches the template as a JSON file and is shown as text; nothing is ever pasted into markup. Fonts are those
of ``provender.paper.svg``, the date is an argument, and the machine's own fonts, packages and clock play no part.
"""

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from provender.paper.svg import printable_data

if TYPE_CHECKING:
    import typst
    from typst import PDFStandard

_NO_GLYPH: Final = "could not be displayed"
_ARCHIVAL: Final[list["PDFStandard"]] = ["a-2a", "ua-1"]
_ARCHIVAL_WITH_FILES: Final[list["PDFStandard"]] = ["a-3a", "ua-1"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside a PDF, such as the signed JSON of what is printed."""

    name: str  # its file name, letters, digits, dots and hyphens
    content: bytes  # its bytes
    mime: str  # its type, such as ``application/json``
    description: str  # what it is, for the reader's list of attachments


def render(
    template: Traversable,
    data: Mapping[str, object],
    *,
    as_of: date,
    images: Mapping[str, str] | None = None,
    attachments: Sequence[Attachment] = (),
) -> bytes:
    """Print a document.

    Args:
        template: a ``.typ`` file of the package that owns the document; it finds ``base.typ``, ``data.json`` and
            ``images/`` beside itself.
        data: plain data as JSON knows it; a character without a glyph is shown as its number.
        as_of: the document's date, in its metadata and for ``base.typ``.
        images: SVG text by file name, such as ``{"stir.svg": ...}``.
        attachments: files to carry along.

    Returns:
        A tagged PDF, PDF/A-2a with PDF/UA-1, or PDF/A-3a when it has attachments.

    Raises:
        typst.TypstError: the template is wrong, or asks for data that is not there: a defect, not bad input.
        ValueError: the data is not JSON, or a file name is not plain.
    """
    import typst

    try:
        return _compile(template, printable_data(data), as_of, images or {}, attachments)
    except typst.TypstError as error:
        if _NO_GLYPH not in str(error):
            raise
    # Each character has a glyph, but some combination of them has not: keep Latin letters and number the rest.
    return _compile(template, printable_data(data, strict=True), as_of, images or {}, attachments)


def _compile(
    template: Traversable,
    data: object,
    as_of: date,
    images: Mapping[str, str],
    attachments: Sequence[Attachment],
) -> bytes:
    # The file names are always the same: Typst numbers each new name it meets in a process and keeps the number.
    import typst

    with TemporaryDirectory(prefix="provender-paper-") as name:
        folder = Path(name)
        base = files("provender.paper") / "templates" / "base.typ"
        (folder / "base.typ").write_bytes(base.read_bytes())
        (folder / "main.typ").write_bytes(template.read_bytes())
        (folder / "data.json").write_text(json.dumps(data, allow_nan=False), encoding="ascii")
        (folder / "sheet.json").write_text(json.dumps(_sheet(as_of, attachments)), encoding="ascii")
        for path, content in images.items():
            _put(folder / "images", path, content.encode("utf-8"))
        for one in attachments:
            _put(folder / "attachments", one.name, one.content)
        pdf: bytes = typst.compile(
            folder / "main.typ",
            root=folder,
            font_paths=fonts(),
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=_ARCHIVAL_WITH_FILES if attachments else _ARCHIVAL,
            timestamp=datetime(as_of.year, as_of.month, as_of.day, tzinfo=UTC),
            package_path=folder,
            package_cache_path=folder,
        )
        return pdf


def _sheet(as_of: date, attachments: Sequence[Attachment]) -> dict[str, object]:
    from provender.paper.svg import FAMILY, PALETTE

    return {
        "day": [as_of.year, as_of.month, as_of.day],
        "family": FAMILY,
        "palette": PALETTE,
        "attachments": [
            {"name": one.name, "path": f"attachments/{one.name}", "mime": one.mime, "description": one.description}
            for one in attachments
        ],
    }


def _put(folder: Path, name: str, content: bytes) -> None:
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith("."):
        raise ValueError(f"{name!r} is not a plain file name")
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)


_QUIET_MODULES: Final = 4
MAX_TEXT: Final = 1200


def qr_svg(text: str, *, title: str = "QR code") -> str:
    """Return a QR code of a text as an SVG picture that scales; the same text gives the same picture.

    Args:
        text: what a telephone shall read, at most 1,200 characters.
        title: what it is, for those who cannot see it.

    Raises:
        ValueError: the text is empty or too long to be read from paper.
    """
    if not 0 < len(text) <= MAX_TEXT:
        raise ValueError(f"a QR code holds 1 to {MAX_TEXT} characters, not {len(text)}")
    import segno  # it brings an HTTP client along, and only signed papers need a code

    code = segno.make(text, error="m", micro=False)
    picture: str = code.svg_inline(border=_QUIET_MODULES, omitsize=True, light="#ffffff", title=title)
    return picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" role="img" ', 1)


MARK: Final = b"%PDF"
"""How every PDF begins."""
LARGEST: Final = 64_000_000
_DENSEST: Final = 50
"""Bytes of the attachments of one PDF together, and how many times the PDF's own: what unpacks to more is left out."""
_FILE: Final = re.compile(
    rb"<</Length (?P<length>\d{1,9})/Type/EmbeddedFile(?P<packed>/Filter/FlateDecode)?"
    rb"/Subtype/application#2Fjson[^\r\n]{0,300}>>"
    rb"\r?\nstream\r?\n"
)


def attached_json(pdf: bytes) -> list[bytes]:
    """Return the JSON files inside a PDF that ``paper.pdf`` made, in the order in which they lie there.

    A file that is damaged or too large is left out; of any other PDF, or of no PDF, nothing is returned.
    """
    found: list[bytes] = []
    at, left, whole = 0, min(LARGEST, _DENSEST * len(pdf)), memoryview(pdf)
    while (head := _FILE.search(pdf, at)) is not None:
        at = head.end()
        content = _content(whole[at : at + int(head["length"])], head, left)
        if content is not None:
            found.append(content)
            at, left = at + int(head["length"]), left - len(content)
    return found


def _content(raw: memoryview, head: re.Match[bytes], most: int) -> bytes | None:
    if not head["packed"]:  # so small that packing would have made it longer
        return bytes(raw) if len(raw) == int(head["length"]) <= most else None
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(raw, max(most, 1))
    except zlib.error:
        return None
    return content if unpacking.eof else None


@cache
def fonts() -> "typst.Fonts":
    """Return the fonts of every document, read once; they come with provender and with Typst, never from the machine.

    Typst is imported here, since who only writes a table must not wait for it.
    """
    import typst

    with as_file(files("provender.paper") / "data" / "fonts") as folder:
        return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(Path(folder))])
