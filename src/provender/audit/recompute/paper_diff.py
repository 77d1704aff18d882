"""A document of subpart D laid beside the same document made again from a book, or held by somebody else."""

from collections.abc import Mapping
from typing import Any, Final

from provender.audit.outcome import Difference, effect_g_co2e
from provender.audit.recompute.flatten import Path, differing, flat, kinds_told, unlike
from provender.audit.shape import scaled
from provender.custody.documents.book_mark import MARK
from provender.custody.documents.build import PERIOD
from provender.quantity import CI_SCALE, SCALE

NOT_COMPARED: Final = frozenset({"made_on", "format", "warnings", "rule", "matched", "verification", MARK})
"""What the day of making decides; ``recompute_statements`` holds the verification against the book of that day."""

_CITES: Final[Mapping[str, str]] = {
    "amount": "2100.032(c)(2)",
    "crop_used_bu": "2100.033(b)(1)",
    "cis": "2100.032(c)(3)",
    "ci_g_per_bu": "2100.032(a)(1)(iii)",
    "lines": "2100.032(a)",
    "yield_lb_per_bu": "2100.033(a)(1)",
    "product_lb": "2100.033(a)(2)",
    "verification": "2100.032(c)(1)",
    "seller": "2100.032(a)(1)(ii)",
    "buyer": "2100.032(a)(1)(ii)",
    "title_date": "2100.032(a)(1)(iv)",
    "day": "2100.032(a)(1)(iv)",
    "shipments": "2100.032(a)(1)(i)",
    "bushels": "2100.032(a)(1)(i)",
    "spans": "2100.032(a)",
    "balance": "2100.034(d)",
    "balance_sha256": "2100.034(c)",
    "start": "2100.034(b)",
    "end": "2100.034(b)",
    "closed_on": "2100.034(b)",
    "policy": "2100.034(b)",
}
_ELSE: Final = "2100.032(a)(1)"


def compare_papers(
    claimed: Mapping[str, Any], recomputed: Mapping[str, Any], name: str, *, code: str
) -> list[Difference]:
    """Return every field in which two documents differ.

    Args:
        claimed: the document as signed.
        recomputed: the same made again from the book, or as another party holds it.
        name: what a person calls it.
        code: what the code of each difference begins with.
    """
    left, right = (flat(one, NOT_COMPARED) for one in unlike(claimed, recomputed))
    kinds_told(left, right)
    changed = differing(left, right)
    if len(changed) > 1:  # the hash of the balance only says that the balance differs
        changed = [path for path in changed if path != ("balance_sha256",)]
    return [_difference(path, left, right, (claimed, recomputed), name, code) for path in changed]


def _difference(
    path: Path,
    left: Mapping[Path, str],
    right: Mapping[Path, str],
    pair: tuple[Mapping[str, Any], Mapping[str, Any]],
    name: str,
    code: str,
) -> Difference:
    said, again = left.get(path, ""), right.get(path, "")
    cite = _CITES.get(path[-1]) or _CITES.get(path[0], _ELSE)
    bushels = _bushels(path, said, again, *pair)
    return Difference(
        f"{code}:{path[-1]}", cite, f"{name}: {_place(path)}", said, again, bushels, _grams(path, said, again, bushels)
    )


def _place(path: Path) -> str:
    return ", ".join(part.replace("_", " ") for part in path)


def _bushels(
    path: Path, said: str, again: str, claimed: Mapping[str, Any], recomputed: Mapping[str, Any]
) -> int | None:
    """Return how many bushels hang on a field: its own change where it counts bushels, else the whole document."""
    if (
        path[-1] in ("crop_used_bu", "bushels", "start", "stop")
        or path[-1].endswith("_bu")
        or "incoming" in path
        or "outgoing" in path
    ):
        pair = scaled(said, SCALE), scaled(again, SCALE)
        if pair != (None, None):
            return abs((pair[0] or 0) - (pair[1] or 0))
    for one in (claimed, recomputed):
        if (
            one.get("type") != PERIOD
            and (found := scaled(one.get("crop_used_bu", one.get("bushels")), SCALE)) is not None
        ):
            return found
    return None


def _grams(path: Path, said: str, again: str, bushels: int | None) -> int | None:
    old, new = scaled(said, CI_SCALE), scaled(again, CI_SCALE)
    if path[-1] != "ci_g_per_bu" or bushels is None or old is None or new is None:
        return None
    return effect_g_co2e(bushels, old, new)
