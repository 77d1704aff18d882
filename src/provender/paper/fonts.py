"""The fonts of every document: they come with provender and with Typst, the machine's own are never used.

They stand apart from the palette, since who only writes a table must not import Typst.
"""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import typst


@cache
def fonts() -> typst.Fonts:
    """Return the fonts, read once; the same on every machine."""
    with as_file(files("provender.paper") / "data" / "fonts") as folder:
        return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(Path(folder))])
