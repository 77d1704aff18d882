"""The papers that a verifier shows to sign a statement: read from files or from the zip of a server."""

from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from provender.audit.findings.dealt_with import words_of
from provender.audit.findings.log import findings_now, read_log
from provender.audit.statement.papers import (
    FINDINGS_NAME,
    PACKAGE_NAME,
    RECORDS_FOLDER,
    SAMPLE_NAME,
    STATEMENT_NAME,
    Papers,
    Recomputed,
)
from provender.audit.statement.statement import CITE, VerificationStatement
from provender.cli.audit.files import read_bytes, read_document
from provender.cli.keys import read_public
from provender.formats.archive import opened
from provender.problem import refuse

Period = Annotated[
    list[Path] | None,
    typer.Option("--period", "--report", help="A closed period's statement or a farm's report, .json; repeat."),
]
Sample = Annotated[Path | None, typer.Option(help="The sample file.")]
Findings = Annotated[Path | None, typer.Option(help="The findings.jsonl.")]
PackageOption = Annotated[Path | None, typer.Option("--package", help="The verification package, recomputed here.")]
Pin = Annotated[list[Path] | None, typer.Option("--pin", help="A public key of the audited party; repeat.")]


def read_statement(path: Path) -> VerificationStatement:
    """Read a statement that is not signed yet.

    Raises:
        ProblemsError: it is no statement, or a part is missing or cannot be read.
    """
    data = read_document(path)
    known = {part.name for part in fields(VerificationStatement)} | {"kind"}
    if strange := sorted(data.keys() - known):
        cause = f"The statement has parts that are not known: {', '.join(strange)}."
        raise refuse(path.name, cause, "Take them out: what is signed must be understood.", code="unknown_part")
    if unchosen := [name for name in ("role", "assurance", "opinion") if data.get(name) == ""]:
        cause = f"The statement does not say: {', '.join(unchosen)}."
        raise refuse(path.name, cause, "Choose; nothing is chosen for you.", cite=CITE, code="incomplete")
    try:
        return VerificationStatement.read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        cause = f"This is no verification statement that can be read: {type(wrong).__name__}, {wrong}."
        raise refuse(path.name, cause, "Start from `provender audit statement draft`.") from None


def read_papers(
    sample: Path | None,
    findings: Path | None,
    period: list[Path] | None,
    package: Path | None,
    pin: list[Path] | None = None,
) -> Papers:
    """Read the papers behind a statement, and recompute its package.

    Raises:
        ProblemsError: one of them cannot be used.
    """
    return Papers(
        read_document(sample) if sample else None,
        tuple(findings_now(read_log(read_bytes(findings), findings.name)).values()) if findings else None,
        [read_document(path) for path in period or ()],
        _recomputed(package) if package else None,
        {key.fingerprint: key for key in map(read_public, pin or ())},
    )


def with_papers(
    file: Path,
    sample: Path | None,
    findings: Path | None,
    period: list[Path] | None,
    package: Path | None,
    pin: list[Path] | None,
) -> tuple[VerificationStatement, Papers]:
    """Read a statement and its papers; what is named beside a zip goes before what the zip holds.

    Raises:
        ProblemsError: one of them cannot be used.
    """
    if file.suffix.lower() != ".zip":
        return read_statement(file), read_papers(sample, findings, period, package, pin)
    with TemporaryDirectory() as name, opened(file, file.name) as archive:
        folder = Path(name)
        (folder / RECORDS_FOLDER).mkdir()
        wanted = (STATEMENT_NAME, SAMPLE_NAME, FINDINGS_NAME, PACKAGE_NAME)
        inside = {one: folder / Path(one).name for one in wanted if one in archive.members}
        records = [one for one in archive.members if Path(one).parent == Path(RECORDS_FOLDER)]
        inside |= {one: folder / RECORDS_FOLDER / Path(one).name for one in records}
        for member, path in inside.items():
            path.write_bytes(archive.read(member))
        shown = [inside[one] for one in records]
        one = read_statement(folder / STATEMENT_NAME)
        return one, read_papers(
            sample or inside.get(SAMPLE_NAME), findings or inside.get(FINDINGS_NAME), period or shown,
            package or inside.get(PACKAGE_NAME), pin,
        )  # fmt: skip


def _recomputed(package: Path) -> Recomputed:
    from provender.audit.package.contents import PackageContents
    from provender.audit.package.custody_section import closed_balances
    from provender.audit.package.write import open_package
    from provender.audit.recompute.verify import verify_package

    verified = verify_package(package)
    found = verified.found
    told = [(one.place, words_of(one.claimed, one.recomputed)) for one in found.differences]
    with TemporaryDirectory() as folder:
        shown = closed_balances(PackageContents(verified.files, Path(folder)), found.header.audited)
    return Recomputed(open_package(package).files.mark, found.header.audited, found.outcomes, told, shown)
