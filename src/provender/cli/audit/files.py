"""What the commands of ``provender audit`` share: reading documents, writing results, stopping with reasons."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from provender.cli.output import WRONGLY_CALLED, print_json, print_problems
from provender.problem import ProblemsError, refuse
from provender.signing.canonical import canonical_json, read_json


def read_document(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file.

    Raises:
        ProblemsError: the file cannot be opened, is not strict JSON, or is no object.
    """
    try:
        data = read_json(path.read_bytes(), file=path.name)
    except OSError as trouble:
        raise refuse(path.name, f"The file cannot be opened ({trouble.strerror}).", "Check its name.") from None
    if not isinstance(data, dict):
        raise refuse(path.name, "The file holds no JSON object.", "Use the file as the program wrote it.")
    return data


def stop(refused: ProblemsError, *, as_json: bool) -> typer.Exit:
    """Show why nothing could be done, for people or machines, and return the exit to raise."""
    if as_json:
        print_json({"problems": [problem.as_json() for problem in refused.problems]})
    else:
        print_problems(refused.problems)
    return typer.Exit(WRONGLY_CALLED)


def read_bytes(path: Path) -> bytes:
    """Read a file.

    Raises:
        ProblemsError: it cannot be opened.
    """
    try:
        return path.read_bytes()
    except OSError as trouble:
        raise refuse(path.name, f"The file cannot be opened ({trouble.strerror}).", "Check its name.") from None


def write_new(path: Path, content: bytes) -> None:
    """Write a file that does not exist yet.

    Raises:
        ProblemsError: it exists, or cannot be written.
    """
    try:
        with path.open("xb") as stream:
            stream.write(content)
    except OSError as trouble:
        cause = f"The file cannot be written ({trouble.strerror})."
        raise refuse(path.name, cause, "Choose another name.") from None


def write_document(path: Path, document: Mapping[str, object]) -> None:
    """Write a document as canonical JSON to a new file; errors as ``write_new``."""
    write_new(path, canonical_json(document) + b"\n")
