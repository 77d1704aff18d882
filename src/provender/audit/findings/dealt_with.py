"""Which differences of a recomputation a finding deals with: asked by the server and by the commands alike."""

from collections.abc import Iterable

from provender.audit.findings.log import Finding

Told = tuple[str, str]
"""The place of a difference and its words."""


def words_of(claimed: str, recomputed: str) -> str:
    """Return a difference in the words of a finding."""
    return f"Claimed: {claimed or 'nothing'}. Recomputed: {recomputed or 'nothing'}."


def open_of(differences: Iterable[Told], findings: Iterable[Finding]) -> list[Told]:
    """Return the differences that no finding deals with.

    A finding deals with the difference whose place it is raised under and whose words it holds: several differences
    may lie at one place, and each is judged by itself.
    """
    raised: dict[str, list[str]] = {}
    for finding in findings:
        raised.setdefault(finding.subject, []).append(finding.text)
    return [(place, words) for place, words in differences if not any(words in text for text in raised.get(place, ()))]
