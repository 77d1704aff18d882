"""A verifier's desk after an honest audit of the small chain's elevator: statement, papers and package that fit."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from provender import __version__
from provender.audit.package.layout import Pin, folder_name, pins_document
from provender.audit.package.write import Header, Subject, make_package, open_package
from provender.audit.programme import Role
from provender.audit.recompute.verify import verify_package
from provender.audit.sampling.draw import Opened, Side, commitment, freeze_list
from provender.audit.sampling.population import FarmCrop, Proof, freeze, years_shown
from provender.audit.sampling.sample import SampleRequest, draw_sample, sample_document
from provender.audit.statement.opinion import scope_of
from provender.audit.statement.papers import Papers, Recomputed, blank_work, sample_part
from provender.audit.statement.statement import VerificationStatement
from provender.signing.canonical import canonical_json
from provender.signing.keys import SigningKey
from tests.audit.chain import KEYS_OF, clean, coop, own_papers, pins
from tests.audit.engaged import ENGAGEMENT
from tests.audit.verifier import ACCREDITATION, statement

PARTY: Final = "coop"
MADE_ON: Final = date(2026, 5, 10)
FROZEN_ON: Final = date(2026, 4, 20)
AS_OF: Final = date(2026, 5, 30)
SECRETS: Final = {side: f"secret of the {side} side for tests" for side in Side}
ROWS: Final = (
    FarmCrop("ada", "soybeans", "19153", 6_000_000, 510_025, 100_000),
    FarmCrop("ben", "soybeans", "19153", 4_000_000, 620_050, 90_000),
)
"""What the elevator's book has of its farms, from January to June 2026."""


def header(**changes: Any) -> Header:  # noqa: ANN401 - as Header takes it
    """Return what the package says of itself."""
    head = Header(
        Subject.ENTITY_PERIOD, PARTY, PARTY.title(), date(2026, 1, 1), date(2026, 3, 31), "interim-2025",
        f"provender {__version__}", MADE_ON, {f"entities/{folder_name(PARTY)}": PARTY},
    )  # fmt: skip
    return replace(head, **changes)


def packed(folder: Path, files: Mapping[str, bytes] | None = None, **changes: Any) -> Path:  # noqa: ANN401 - as header
    """Write the elevator's package, some of its header or all of its files changed."""
    target = folder / "package.zip"
    make_package(target, header(**changes), files or clean(PARTY))
    return target


def recomputed(package: Path, pinned: bytes | None) -> Recomputed:
    found = verify_package(package, pinned=pinned, pinned_name="pins").found
    assert found.facts is not None
    return Recomputed.of("12" * 32, found.facts, found.outcomes, [one.as_json() for one in found.differences])


@cache
def shown(*, own_keys: bool = True) -> Recomputed:
    """Return what the honest package shows, recomputed once a run."""
    return recomputed(packed(Path(mkdtemp(prefix="desk-"))), pins() if own_keys else None)


def drawn(
    *rows: FarmCrop, refused: bool = False, proofs: tuple[Proof, ...] = (), **changes: Any,  # noqa: ANN401 - as Frozen
) -> dict[str, Any]:  # fmt: skip
    """Return the sample file of the audit: over these farms, or those of the book; perhaps the party opened nothing."""
    population = freeze(rows or ROWS)
    made = {side: commitment(secret) for side, secret in SECRETS.items()}
    before = years_shown(proofs, PARTY, 2026, FROZEN_ON)
    frozen = freeze_list(population, 2026, before, made, between=(PARTY, "verity"), day=FROZEN_ON, salt="salt")
    frozen = replace(frozen, **changes)
    secrets = {Side.VERIFIER: SECRETS[Side.VERIFIER]} if refused else SECRETS
    opened = Opened(secrets, on=frozen.frozen_on + timedelta(days=8 if refused else 0))
    return sample_document(draw_sample(SampleRequest(population, frozen, opened, proofs)))


def period() -> dict[str, Any]:
    """Return the elevator's statement of its closed period, signed."""
    return own_papers(PARTY, coop()[0])["period-2026-01-01.json"]


def papers(**changes: Any) -> Papers:  # noqa: ANN401 - as Papers takes it
    """Return everything that is shown to whoever signs."""
    key = KEYS_OF[PARTY]
    honest = {
        "sample": drawn(), "findings": (), "records": [period()], "recomputed": shown(),
        "keys": {key.fingerprint: key.public}, "signers": ("verity",),
    }  # fmt: skip
    return Papers(**{**honest, **changes})


@cache
def _work() -> dict[str, Any]:
    done = {"answer": "done", "by": "V. Moss", "on": "2026-05-02"}
    seen = {"way": "visit", "by": "V. Moss", "on": "2026-05-03"}
    blank = blank_work([Role.FIRST_POINT], Papers(drawn(), (), [period()]))
    return {
        **blank,
        "lines": [{**row, **done} for row in blank["lines"]],
        "sites": [{"site": "north", "seen": "Bins and scale.", **seen}],
        "farms": [{**row, **seen} for row in blank["farms"]],
    }


def work(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - parts of the work
    return {**_work(), **changes}


def engagement(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - parts of the engagement
    return {**ENGAGEMENT, "engaged_by": "Coop", "reviewed_on": "2026-05-18", **changes}


def favorable(**changes: Any) -> VerificationStatement:  # noqa: ANN401 - parts of the statement
    """Return the honest statement, some of it changed; its scope says what its parts say."""
    honest = {
        "audited": PARTY, "audited_name": "Coop", "crops": ("soybeans",),
        "accreditation": replace(ACCREDITATION, scope="Environmental information: feedstock carbon intensity"),
        "covered_first": date(2026, 1, 1), "covered_last": date(2026, 3, 31), "issued_on": date(2026, 5, 20),
        "package_mark": "12" * 32, "engagement": engagement(), "work": work(), **sample_part(drawn()),
    }  # fmt: skip
    one = statement(**{**honest, **changes})
    return one if "scope" in changes else replace(one, scope=scope_of(one))


def write_desk(desk: Path) -> None:
    """Write the statement and every paper that it names, as a verifier has them on disk."""
    packed(desk)
    (desk / "sample.json").write_bytes(canonical_json(drawn()))
    (desk / "findings.jsonl").write_bytes(b"")
    (desk / "period.json").write_bytes(canonical_json(period()))
    write_desk_statement(desk)


def write_desk_statement(desk: Path, **changes: Any) -> None:  # noqa: ANN401 - parts of the statement
    """Write the statement about the package on the desk, some of it changed."""
    mark = open_package(desk / "package.zip").files.mark
    (desk / "draft.json").write_bytes(canonical_json(favorable(**{"package_mark": mark, **changes}).document()))


def write_pins(desk: Path, **others: SigningKey) -> None:
    """Write the verifier's list of keys: the chain's parties, some of them with another's key."""
    listed = [Pin(name, key.public, "contract") for name, key in {**KEYS_OF, **others}.items()]
    (desk / "pins.json").write_bytes(canonical_json(pins_document(listed)))
