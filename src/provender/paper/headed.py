"""A picture that stands alone as a file: its title and what it shows are written above it."""

import re
from html import unescape

from provender.paper.palette import MUTED
from provender.paper.svg import SMALL_SIZE, Svg, number, shorten

HEAD = 44.0
"""Height of the two lines above the picture."""
_SHAPE = re.compile(
    r'<svg [^>]*viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"[^>]*>'
    r"<title>(?P<title>.*?)</title><desc>(?P<said>.*?)</desc>"
)


def headed(picture: str) -> str:
    """Return a picture made by ``Svg`` under its title and its description, which pages show in their own words.

    Raises:
        ValueError: the text is no such picture.
    """
    found = _SHAPE.match(picture)
    if found is None:
        raise ValueError("this is no picture of ours")
    width, height = float(found["width"]), float(found["height"])
    title, said = unescape(found["title"]), unescape(found["said"])
    sheet = Svg(width, height + HEAD, title, said)
    sheet.text((1, 16), shorten(title, width * 0.75, 15.0), size=15.0, font_weight="600")
    sheet.text((1, 32), shorten(said, width, SMALL_SIZE), size=SMALL_SIZE, fill=MUTED)
    inner = picture.replace("<svg ", f'<svg y="{number(HEAD)}" width="{number(width)}" height="{number(height)}" ', 1)
    return sheet.render().removesuffix("</svg>") + inner + "</svg>"
