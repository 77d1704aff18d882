"""The index of evidence made again, and facts that were written or shown late (interpretations 57, 75).

Beside each fact stand the day it happened, the day its evidence was made and the day on which that file is proved to
have existed. What was typed after the harvest, or is shown by a file made after it, is listed for the verifier.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

import polars as pl

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import ROOTS, PackageContents
from provender.audit.package.evidence_index import FORMAT, KIND, evidence_index
from provender.audit.package.farm_section import FarmPart
from provender.audit.package.layout import EVIDENCE_INDEX, STAMP
from provender.audit.package.stamps import stamped
from provender.problem import ProblemsError
from provender.records.kind import BASES
from provender.report.grades import KINDS as GRADED
from provender.signing.hashes import sha256_hex
from provender.signing.timestamps import read_roots

CITE: Final = "2100.051(c)"
CITES: Final = (CITE, "2100.030(d)")
SHOWN: Final = 5
"""So many rows of a kind are named, the rest counted."""


def index_of(case: PackageContents) -> dict[str, Any]:
    """Return the index of the package's evidence, made again, with the day on which each file is proved to be there."""
    return case.once(_index)


def _index(case: PackageContents) -> dict[str, Any]:
    out = {one.path: one.sha256 for one in case.header.left_out} if case.header else {}
    parties = case.header.parties if case.header else {}

    def hashed(path: str) -> str:
        return sha256_hex(case[path]) if path in case else out.get(path, "")

    return evidence_index(parties, [*case, *out], lambda path: case.get(path, b""), hashed)


def proved_days(case: PackageContents) -> Mapping[tuple[str, str], date]:
    """Return the day on which files of evidence are proved to have existed, by farm and file."""
    return case.once(_proved)


def _proved(case: PackageContents) -> dict[tuple[str, str], date]:
    stamps = [path for path in case if "/evidence/" in path and path.endswith(STAMP)]
    if not stamps or case.header is None:
        return {}
    try:
        roots = read_roots(case.get(ROOTS, b""))
    except ProblemsError:
        return {}
    found = {}
    for folder, party in case.header.parties.items():
        start = f"{folder}/evidence/"
        for stamp in stamps:
            path = stamp.removesuffix(STAMP)
            proof = stamped(case, path, roots)[0] if path.startswith(start) and path in case else None
            if proof is not None:
                found[party, path.removeprefix(start)] = proof.on
    return found


def evidence_of(case: PackageContents) -> tuple[dict[str, Any], ...]:
    """Return the index of the evidence, each file with the day on which it is proved to have existed."""
    proved = proved_days(case)
    rows = index_of(case)["files"]
    return tuple({**row, "proved_on": str(proved.get((row["farm"], row["file"]), ""))} for row in rows)


def recompute(case: PackageContents) -> CheckResult:
    """Hold the package's own index against one made again, and list what was written or shown late."""
    index = index_of(case)
    told: list[str] = []
    differences: list[Difference] = []
    if EVIDENCE_INDEX in case:
        differences += _differs(case.json(EVIDENCE_INDEX), index)
    elif index["files"]:
        told.append("The package holds no index of its evidence.")
    for farm in case.farms:
        told += [*_typed_late(farm), *_shown_late(farm, index)]
    return CheckResult("evidence index", CITES, len(index["files"]), tuple(differences), tuple(told))


def _differs(given: object, index: Mapping[str, Any]) -> Iterator[Difference]:
    files = given.get("files") if isinstance(given, Mapping) else None
    rows = [row for row in files if isinstance(row, Mapping)] if isinstance(files, list) else []
    said = {(str(row.get("farm")), str(row.get("file"))): row for row in rows}
    right = {(row["farm"], row["file"]): row for row in index["files"]}
    named = (given.get("kind"), given.get("format")) == (KIND, FORMAT) if isinstance(given, Mapping) else False
    whole = named and isinstance(files, list)
    if not whole or len(said) != len(rows) or len(rows) != len(files or ()):
        words = ("an index of evidence", "it cannot be read as one, or names a file twice")
        yield Difference("evidence_index_unreadable", CITE, EVIDENCE_INDEX, *words)
    for key in sorted({*said, *right}):
        one, again = said.get(key, {}), right.get(key, {})
        for name in sorted({*one, *again}):
            if one.get(name) != again.get(name):
                place = f"{EVIDENCE_INDEX}, {key[0]}, {key[1]}, {str(name).replace('_', ' ')}"
                yield Difference("evidence_index_differs", CITE, place, _brief(one.get(name)), _brief(again.get(name)))


def _brief(value: object) -> str:
    text = "nothing" if value in (None, "", []) else str(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."  # noqa: PLR2004 - a line of a screen or two


def _typed_late(farm: FarmPart) -> Iterator[str]:
    """Tell of the rows that credit a practice and were typed after the harvest."""
    for kind in GRADED:
        frame = farm.assessment.loaded.graded[kind]
        late = frame.filter((frame["farm_id"] == farm.farm_id) & (frame["known_by"].cast(pl.String) == BASES[-1]))
        if late.height:
            key = next(column for column in late.columns if column.endswith("_id") and column != "farm_id")
            words = f"{late.height} {kind.replace('_', ' ')} rows typed after harvest"
            yield f"{farm.farm_id}: {words}: {_some(late[key])}."


def _shown_late(farm: FarmPart, index: Mapping[str, Any]) -> Iterator[str]:
    """Tell of files made after the last harvest of the farm's reports, and what they show of the season before."""
    keys = {claimed.key for claimed in farm.latest}
    days = [one.facts.get("last_day") for key, of in farm.assessment.harvests.items() if key in keys for one in of]
    last = max((day for day in days if day is not None), default=date.max)
    for row in index["files"]:
        made = _day(row["made_on"])
        before = [one for one in row["supports"] if (day := _day(one["happened_on"])) is not None and day <= last]
        if row["farm"] == farm.farm_id and before and made is not None and made > last:
            names = _some(f"{one['record'].replace('_', ' ')} {one['row']} of {one['happened_on']}" for one in before)
            yield f"{farm.farm_id}: {row['file']}, made on {row['made_on']} after the harvest, shows {names}."


def _day(text: str) -> date | None:
    """Return a day of the index; None for what stands in its table and is no day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _some(names: Any) -> str:  # noqa: ANN401 - a column or texts
    given = [str(name) for name in names]
    more = f" and {len(given) - SHOWN} more" if len(given) > SHOWN else ""
    return ", ".join(given[:SHOWN]) + more
