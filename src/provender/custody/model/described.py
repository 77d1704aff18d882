"""What an event and its fields mean, read from the docstrings where they are declared: for forms."""

import inspect
import re
from functools import cache


def said_of(cls: type) -> str:
    """Return what an event is, in the words of its docstring, without its fields."""
    return _one_line(inspect.cleandoc(cls.__doc__ or "").split("\n\nAttributes:")[0])


def meanings(cls: type) -> dict[str, str]:
    """Return what each field of an event means, from the class and its bases; a class's own words win."""
    return _meanings(cls)


@cache
def _meanings(cls: type) -> dict[str, str]:
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        _, _, listed = inspect.cleandoc(base.__doc__ or "").partition("Attributes:\n")
        for name, meaning in re.findall(r"^    (\w+): (.+(?:\n      .+)*)", listed, re.MULTILINE):
            found[name] = _one_line(meaning)
    return found


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("``", "`")).strip()
