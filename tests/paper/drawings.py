"""Reads what was drawn: the elements of an SVG and the numbers in its attributes."""

import re
from typing import Final
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

NAMESPACE: Final = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> Element:
    root: Element = fromstring(svg)
    return root


def numbers(text: str) -> list[float]:
    return [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", text)]
