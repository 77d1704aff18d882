"""What a partition of a result was made from: hashes of its input, the rule, the software, the job and its options."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files as resource_files
from pathlib import Path
from typing import Final

import polars as pl

from provender import __version__
from provender.portfolio.manifest import DataFile
from provender.portfolio.whole import ASIDE
from provender.signing.hashes import sha256_hex

NAME: Final = "lineage.json"


@cache
def rule_hash() -> str:
    """Return the SHA-256 of the rule's parameters as the software brings them."""
    return sha256_hex((resource_files("provender.rule") / "data" / "parameters.toml").read_bytes())


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a partition of a result comes from.

    Attributes:
        job: its name.
        options: as given, by name.
        inputs: (path, SHA-256) of every file read.
        rule: SHA-256 of the rule's parameters, all its versions.
        software: name and version.
    """

    job: str
    options: Mapping[str, str]
    inputs: tuple[tuple[str, str], ...]
    rule: str = field(default_factory=rule_hash)
    software: str = f"provender {__version__}"

    def as_json(self) -> str:
        """Return it as JSON text."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def lineage(job: str, files: Sequence[DataFile], options: Mapping[str, str] | None = None) -> Lineage:
    """Return the lineage of a job over files."""
    return Lineage(job, dict(options or {}), tuple(sorted((one.path, one.sha256) for one in files)))


def write_result(frame: pl.DataFrame, path: Path, job: str, files: Sequence[DataFile]) -> None:
    """Write the one file of a job that looks at the whole portfolio, whole or not at all, with its lineage inside."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(ASIDE + path.name)
    frame.write_parquet(aside, metadata={"lineage": lineage(job, files).as_json()})
    aside.replace(path)


def stands(folder: Path, wanted: Lineage) -> bool:
    """Tell whether a partition of a result is there, made of the same input by the same job and software."""
    path = folder / NAME
    return path.is_file() and path.read_text(encoding="utf-8") == wanted.as_json()
