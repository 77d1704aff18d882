"""The fonts of every document: those that come with provender and with Typst, never the machine's own."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import typst

FAMILY: Final = "Source Sans 3"
"""The family of text and charts; Typst's own Libertinus, New Computer Modern and DejaVu Sans Mono stand in for
letters it lacks."""

SVG_FAMILIES: Final = f"'{FAMILY}', 'Source Sans Pro', system-ui, 'Segoe UI', Arial, sans-serif"


@cache
def fonts() -> typst.Fonts:
    """Return the fonts, read once; the same on every machine."""
    with as_file(files("provender.paper") / "data" / "fonts") as folder:
        return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(Path(folder))])
