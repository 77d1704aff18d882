"""The TOML files that ship in this room's ``data`` folder, read when first asked for."""

from collections.abc import Iterator
from typing import Any


def read_data(name: str) -> dict[str, Any]:
    """Return one file of the data folder, such as ``parameters.toml``."""
    # The parser and the package reader cost as much as this whole room, and most commands need neither at once.
    import tomllib
    from importlib.resources import files

    return tomllib.loads((files("provender.rule") / "data" / name).read_text(encoding="utf-8"))


def data_names(folder: str) -> Iterator[str]:
    """Yield the files of a folder inside the data folder, sorted, as ``read_data`` takes them."""
    from importlib.resources import files

    names = sorted(one.name for one in (files("provender.rule") / "data" / folder).iterdir())
    return (f"{folder}/{name}" for name in names if name.endswith(".toml"))
