"""What a PDF of ours carries inside: the signed JSON of what it prints, read back without a PDF library.

Only the layout that ``paper.pdf`` writes is understood. What comes out is as untrusted as the file: whoever uses it
checks the signature.
"""

import re
import zlib
from typing import Final

MARK: Final = b"%PDF"
"""How every PDF begins."""
LARGEST: Final = 64_000_000
"""Bytes of an attachment; what unpacks to more is left out."""
_FILE: Final = re.compile(
    rb"<</Length (?P<length>\d{1,9})/Type/EmbeddedFile(?P<packed>/Filter/FlateDecode)?"
    rb"/Subtype/application#2Fjson[^\r\n]{0,300}>>"
    rb"\r?\nstream\r?\n"
)


def attached_json(pdf: bytes) -> list[bytes]:
    """Return the JSON files inside a PDF that ``paper.pdf`` made, in the order in which they lie there.

    A file that is damaged or too large is left out; of any other PDF, or of no PDF, nothing is returned.
    """
    found = (_content(pdf[one.end() : one.end() + int(one["length"])], one) for one in _FILE.finditer(pdf))
    return [content for content in found if content is not None]


def _content(raw: bytes, head: re.Match[bytes]) -> bytes | None:
    if not head["packed"]:  # so small that packing would have made it longer
        return raw if len(raw) == int(head["length"]) else None
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(raw, LARGEST)
    except zlib.error:
        return None
    return content if unpacking.eof else None
