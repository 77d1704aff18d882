"""The colours of pages, paper and charts, with the contrast each must keep, and the families of their text."""

from typing import Final

INK: Final = "#1c2321"
MUTED: Final = "#55605b"
RULE: Final = "#c3cac5"
FAINT: Final = "#f1f4f1"
PAPER: Final = "#ffffff"
ACCENT: Final = "#1d5c4a"
LIMIT: Final = "#a32116"

MET: Final = "#1d5c4a"
NOT_MET: Final = "#a32116"
NOT_SHOWN: Final = "#7a5200"

SERIES: Final = ("#1d5c4a", "#c77d0a", "#3f6fb0", "#8a3f6b", "#6f7a1e", "#2b2f77", "#9a5b3c", "#5b6770")
"""Fills of charts in order; past the last they start again with another hatch."""

TEXT_CONTRAST: Final = 4.5
"""What WCAG 2.2 (1.4.3) asks of text against its ground."""

SHAPE_CONTRAST: Final = 3.0
"""What WCAG 2.2 (1.4.11) asks of shapes that carry meaning."""

PALETTE: Final = {
    "ink": INK,
    "muted": MUTED,
    "rule": RULE,
    "faint": FAINT,
    "paper": PAPER,
    "accent": ACCENT,
    "limit": LIMIT,
    "met": MET,
    "not-met": NOT_MET,
    "not-shown": NOT_SHOWN,
}
"""The same colours by name, as the Typst templates read them."""

_LINEAR_BELOW: Final = 0.04045


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` by WCAG 2.2, from 0 (black) to 1 (white)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= _LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2.2, from 1 (none) to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def on(fill: str) -> str:
    """Return the ink or paper colour, whichever reads better on a fill."""
    return INK if contrast(INK, fill) >= contrast(PAPER, fill) else PAPER


FAMILY: Final = "Source Sans 3"
"""The family of text and charts; Typst's own Libertinus, New Computer Modern and DejaVu Sans Mono stand in for
letters it lacks."""

SVG_FAMILIES: Final = f"'{FAMILY}', 'Source Sans Pro', system-ui, 'Segoe UI', Arial, sans-serif"
