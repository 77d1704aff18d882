"""What an authority's answer beside a file proves of it: the bytes of that file, or the same JSON in canonical form."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from provender.audit.package.layout import STAMP
from provender.problem import Problem, ProblemsError
from provender.signing.canonical import canonical_json, read_json
from provender.signing.timestamps import Proof, prove

if TYPE_CHECKING:
    from cryptography.x509 import Certificate


def stamped(
    files: Mapping[str, bytes], path: str, roots: "Sequence[Certificate]"
) -> tuple[Proof | None, tuple[Problem, ...]]:
    """Return what the answer beside a file proves, or why it proves nothing; neither where there is no answer."""
    answer = files.get(f"{path}{STAMP}")
    wrong: list[Problem] = []
    for content in _forms(files[path], path) if answer is not None else ():
        try:
            return prove(content, answer or b"", roots, file=path), ()
        except ProblemsError as refused:
            wrong.append(refused.problems[0])
    return None, tuple(wrong)


def _forms(raw: bytes, path: str) -> Iterator[bytes]:
    """Yield a file as it is, and a JSON document in canonical form."""
    yield raw
    if path.endswith(".json"):
        try:
            canonical = canonical_json(read_json(raw, file=path))
        except (ProblemsError, ValueError):
            return
        if canonical != raw:
            yield canonical
