"""QR codes as SVG, for the hash and the fingerprint that a printed document carries."""

from typing import Final

QUIET_MODULES: Final = 4
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
    picture: str = code.svg_inline(border=QUIET_MODULES, omitsize=True, light="#ffffff", title=title)
    return picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" role="img" ', 1)
