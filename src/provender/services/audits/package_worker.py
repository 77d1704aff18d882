"""The process that makes a package and recomputes it: ``python -I -m provender.services.audits.package_worker FOLDER``.

It reads ``request.json`` and what lies beside it, tells how far it is in ``progress.json`` and answers in
``outcome.json``. A package is somebody else's files: what this process may take is limited.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from provender.audit.package import collect
from provender.audit.package.layout import Pin, read_pins
from provender.audit.package.write import Allowance, Package, PackageRequest, Subject, make_package, open_package
from provender.audit.programme import Role
from provender.audit.recompute.verify import verify_package
from provender.problem import Place, Problem, ProblemsError
from provender.schema import read
from provender.services.background import Tell, Turn, Work, be_the_process
from provender.signing.jws import sign
from provender.signing.keys import SigningKey

# What passes between the server and the process: plain data and the folder it lies in.

ENTITY: Final = "entity"
WHOLE: Final = "audit"
BOOK, DOCUMENTS, STATEMENTS = "entity/book.jsonl", "entity/documents", "entity/statements"
FARMS: Final = "farms"
PINS: Final = "pins"
SAMPLE, FINDINGS = "sample.json", "findings.jsonl"
KNOWN: Final = "known-keys.json"
"""The keys of all parties as the server knows them: what is recomputed is held against these, not the party's list."""


@dataclass(frozen=True, slots=True)
class Order:
    """A package that a verifier asks for."""

    what: str  # ``entity`` (the party's period), ``audit`` (all of it), or the code of a farm
    verify: bool  # it is to be recomputed, not taken away
    name: str  # file name of the zip
    verifier: str  # code of the verifier
    role: str  # in which role the party is audited
    first: date  # the days the audit covers
    last: date  # the days the audit covers
    day: date  # today
    allowances: tuple[Allowance, ...] = ()  # what may be absent, each with the verifier's reason
    farms: tuple[str, ...] = ()  # codes of the farms laid out
    absent: tuple[str, ...] = ()  # drawn farms that are not, because they let the verifier in no longer or not yet

    @property
    def allowed(self) -> list[dict[str, str]]:
        """What may be absent, with the reason."""
        return [{"part": str(one.part), "reason": one.reason} for one in self.allowances]


def run(order: Order, folder: Path, tell: Tell) -> dict[str, Any]:
    """Make a package out of what lies in the folder, and recompute it where that is asked for.

    Args:
        order: what is asked for.
        folder: the working folder.
        tell: called with what is at work, how many steps are done and how many there are.

    Returns:
        What the audit keeps of the package (``made``) and of its recomputation (``found``), or why there is none
        (``problems``).
    """
    steps = len(order.farms) + 1 + order.verify
    try:
        content = _content(order, folder, lambda name, done: tell(name, done, steps))
        tell("The package", len(order.farms), steps)
        path = folder / order.name
        made = _pack(order, content, path)
        if not order.verify:
            return {"made": made}
        tell("Recomputation", steps - 1, steps)
        # Of the whole audit a farm's package is a part; the party itself is judged in its role.
        roles = [Role.FARM if content.subject is Subject.FARM_REPORT else Role(order.role)]
        own = [folder / name for name in (SAMPLE, FINDINGS) if order.what == WHOLE and (folder / name).is_file()]
        known = folder / KNOWN
        # It was made here, as of the day it was asked for: no clock is held against it.
        found = verify_package(
            path, pinned=known.read_bytes() if known.is_file() else None, pinned_name="the keys known here",
            held=[(one.name, one.read_bytes()) for one in own], roles=roles,
        ).found  # fmt: skip
        return {"made": made, "found": found.as_json()}
    except ProblemsError as refused:
        return {"problems": [one.as_json() for one in refused.problems]}


def _content(order: Order, folder: Path, tell: Callable[[str, int], None]) -> collect.Content:
    if order.what not in (ENTITY, WHOLE):
        return _farm(order.what, folder)
    entity = collect.collect_entity(
        folder / BOOK, [folder / DOCUMENTS], [folder / STATEMENTS], (order.first, order.last)
    )
    pins = _pins(folder, ENTITY)
    collect.with_keys(entity, pins, _said_by_keys(folder, ENTITY))
    if order.what == ENTITY:
        return entity
    farms: list[Package] = []
    for number, farm in enumerate(order.farms):
        tell(f"Farm {farm}", number)
        path = folder / f"{farm}.zip"
        _pack(order, _farm(farm, folder), path)
        farms.append(open_package(path))
        pins += _pins(folder, farm)
    findings = folder / FINDINGS
    whole = collect.collect_audit(entity, farms, folder / SAMPLE, findings if findings.is_file() else None)
    collect.with_keys(whole, dict.fromkeys(pins))
    return whole


def _farm(farm: str, folder: Path) -> collect.Content:
    at = folder / FARMS / farm
    content = collect.collect_farm(at, [at / "reports"])
    collect.with_keys(content, _pins(folder, farm), _said_by_keys(folder, farm))
    return content


def _pins(folder: Path, name: str) -> list[Pin]:
    path = folder / PINS / f"{name}.json"
    return list(read_pins(path.read_bytes(), path.name).pins)


def _said_by_keys(folder: Path, name: str) -> list[Path]:
    """Return where the rotations of a party's keys lie, if it has any."""
    at = folder / PINS / name
    return [at] if at.is_dir() else []


def _pack(order: Order, content: collect.Content, path: Path) -> dict[str, Any]:
    collect.with_index(content)
    first, last = content.first, content.last
    request = PackageRequest(order.verifier, content.audited, content.subject, first, last, order.allowances, order.day)
    header = collect.header_of(content, first, last, order.day)
    # The request must be whole to be followed; who asked stands in the logs of both sides, not in this key.
    mark = make_package(path, header, content.files, sign(request.document(), SigningKey.generate()))
    return {
        "what": order.what,
        "subject": str(content.subject),
        "mark": mark,
        "files": len(content.files),
        "first": first.isoformat(),
        "last": last.isoformat(),
        "allowed": order.allowed,
        "absent": list(order.absent),
    }


def main(folder: Path) -> None:
    def work_of(asked: object) -> Work:
        order = read(Order, asked)
        return Work(Turn(order.verifier), lambda tell: run(order, folder, tell), lambda why: _spent(order, why))

    be_the_process(folder, work_of)


def _spent(order: Order, why: str) -> dict[str, Any]:
    cause, remedy = f"Making it took more than {why}.", "Ask for smaller packages, one farm at a time."
    return {"problems": [Problem(Place(order.name), cause, remedy, code="too_much").as_json()]}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
