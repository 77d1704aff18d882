"""Two versions of the same report laid side by side, field by field: claimed and recomputed, received and shown.

A report is flattened to one line per value. A line is named by what it belongs to (unit, crop entry, requirement), not
by its place in a list, so the order of rows never matters. What a difference touches is read off the report itself: the
paragraph that stands nearest to it, the bushels of its unit, and the grams that a changed CI moves.
"""

from collections.abc import Mapping
from typing import Any, Final

from provender.audit.outcome import Difference, effect_g_co2e
from provender.audit.recompute.flatten import Path, differing, flat, kinds_told, unlike
from provender.audit.shape import scaled
from provender.quantity import CI_SCALE, SCALE

NOT_COMPARED: Final = frozenset(
    {"software", "problems", "contradictions", "findings", "made_on", "type", "rests_on/evidence", "rests_on/book_head"}
)
"""The program's version, its remarks (asked for anew elsewhere), what the comparison took over, evidence, whose hashes
are held against the files themselves, and the head of a book kept as a chain, which a folder of records has not."""
WORDING: Final = frozenset({"observed", "limit", "gap", "missing", "remedy", "says", "label", "why", "text", "notes"})
"""Texts that follow from a verdict: told of only where the verdict beside them agrees."""

RUNNING: Final = frozenset({"sum_recorded", "sum_published", "product_g"})
"""Sums that only repeat the values they add up."""

_CITES: Final[Mapping[str, str]] = {
    "farm": "2100.031(c)(1)",
    "producer": "2100.031(c)(1)",
    "units": "2100.031(c)(2)(i)",
    "calculator": "2100.031(c)(2)(i)",
    "average": "2100.020(c)",
    "farm_ci_g_per_bu": "2100.020(c)",
    "below_national_g_per_bu": "2100.020(c)",
    "national_default_g_per_bu": "2100.020(b)",
    "total_bushels": "2100.020",
    "total_acres": "2100.020",
    "attestation": "2100.031(c)(3)",
    "rests_on": "2100.031(a)",
    "rule": "2100.020",
}
_ELSE: Final = "2100.031(c)"
_WORDS: Final[Mapping[str, str]] = {
    "units": "unit",
    "intervals": "crop entry",
    "facts": "",
    "value": "",
    "practices": "practice",
    "requirements": "requirement",
    "rests_on": "",
    "records": "records of",
    "attestation": "attestation",
    "average": "average",
    "rows": "of",
    "evidence_grades": "grade",
    "working": "step",
}


def compare(
    claimed: Mapping[str, Any], recomputed: Mapping[str, Any], name: str, *, code: str = "report_differs"
) -> list[Difference]:
    """Return every field in which two reports of one key differ, worst effect first within each unit.

    Args:
        claimed: the report as signed.
        recomputed: the same made from the records, or as another party holds it.
        name: what a person calls the report.
        code: what the code of each difference begins with.
    """
    left, right = (flat(one, NOT_COMPARED) for one in unlike(claimed, recomputed))
    kinds_told(left, right)
    changed = [path for path in differing(left, right) if path[-1] not in RUNNING]
    return [
        _difference(path, left, right, (claimed, recomputed), f"{code}:{kind_of(path)}", name)
        for path in _telling(changed)
    ]


def _telling(changed: list[Path]) -> list[Path]:
    """Leave out wordings beside a verdict, footing or value that differs too."""
    plain = {path[:-1] for path in changed if path[-1] not in WORDING}
    return [path for path in changed if path[-1] not in WORDING or path[:-1] not in plain]


def kind_of(path: Path) -> str:
    """Return what a place is about: ``stir``, ``verdict``, ``fact``, ``average``, ``attestation``, ``records``, ..."""
    if path[0] == "units":
        if any("STIR" in part or "stir" in part for part in path):
            return "stir"
        inner = {"requirements": "verdict", "practices": "verdict", "facts": "fact", "intervals": "fact"}
        return next((word for part, word in inner.items() if part in path), "unit")
    known = {"average", "attestation", "farm", "producer", "calculator", "practices", "evidence_grades"}
    if path[0] == "rests_on":
        return "records"
    if path[0] in ("farm_ci_g_per_bu", "below_national_g_per_bu", "national_default_g_per_bu"):
        return "average"
    if path[0].startswith("total_"):
        return "totals"
    return path[0] if path[0] in known else "report"


def _difference(
    path: Path,
    left: Mapping[Path, str],
    right: Mapping[Path, str],
    reports: tuple[Mapping[str, Any], Mapping[str, Any]],
    code: str,
    name: str,
) -> Difference:
    bushels, grams = _effect(path, *reports)
    return Difference(
        code,
        _cite(path, left, right),
        f"{name}: {_place(path)}",
        _shown(path, left.get(path, "")),
        _shown(path, right.get(path, "")),
        bushels,
        grams,
        about=((name, unit) if (unit := _unit_of(path)) else (name,),),
    )


def _unit_of(path: Path) -> str:
    """Return the unit that a place is about; empty where it is about the farm."""
    if path[0] == "units":
        return path[1]
    return path[2] if path[0] == "rests_on" and path[2:3] != ("farm",) and len(path) > 2 else ""  # noqa: PLR2004 - its place


def _shown(path: Path, text: str) -> str:
    # A hash tells nobody anything; that it is another one does.
    return f"rows with hash {text[:12]}" if path[0] == "rests_on" and text else text


def _cite(path: Path, left: Mapping[Path, str], right: Mapping[Path, str]) -> str:
    """Return the paragraph that stands nearest to a place in the report."""
    for length in range(len(path) - 1, 0, -1):
        beside = (*path[:length], "cite")
        if found := right.get(beside) or left.get(beside):
            return found
    if kind_of(path) == "stir":
        return "2100.051"
    return _CITES.get(path[0], _ELSE)


def _of_rows(path: Path) -> bool:
    """Tell whether a place is that of a kind of record of a unit, or of the farm: not all that a report rests on is."""
    return path[0] == "rests_on" and path[3:] != ()


def _place(path: Path) -> str:
    if _of_rows(path):
        unit, kind = path[2], path[3]
        whose = "the farm" if unit == "farm" else f"unit {unit}"
        return f"{kind.replace('_', ' ')} records of {whose}"
    words = []
    for part in path:
        word = _WORDS.get(part, part.replace("_", " "))
        if word:
            words.append(word)
    text = " ".join(words)
    for joint in (" crop entry ", " practice ", " requirement "):
        text = text.replace(joint, f",{joint}")
    return text


def _effect(path: Path, claimed: Mapping[str, Any], recomputed: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return the bushels that hang on a place, and the grams that its CI moves."""
    unit = path[1] if path[0] == "units" else path[2] if _of_rows(path) else ""
    pairs = [_unit(one, unit) for one in (claimed, recomputed)] if unit else []
    if unit and any(pairs):
        bushels = next((b for one in pairs if one and (b := scaled(one.get("bushels"), SCALE)) is not None), None)
        old, new = (_unit_ci(one, whole) for one, whole in zip(pairs, (claimed, recomputed), strict=True))
    else:
        bushels = next(
            (b for one in (claimed, recomputed) if (b := scaled(one.get("total_bushels"), SCALE)) is not None), None
        )
        old, new = (scaled(one.get("farm_ci_g_per_bu"), CI_SCALE) for one in (claimed, recomputed))
    grams = effect_g_co2e(bushels, old, new) if bushels is not None and old is not None and new is not None else None
    return bushels, grams


def _unit(document: Mapping[str, Any], unit: str) -> Mapping[str, Any] | None:
    units = document.get("units")
    rows = units if isinstance(units, list) else []
    return next((one for one in rows if isinstance(one, Mapping) and one.get("unit_id") == unit), None)


def _unit_ci(unit: Mapping[str, Any] | None, document: Mapping[str, Any]) -> int | None:
    """Return a unit's CI; a conventional one has the national default."""
    own = scaled(unit.get("ci_g_per_bu"), CI_SCALE) if unit else None
    return own if own is not None else scaled(document.get("national_default_g_per_bu"), CI_SCALE)
