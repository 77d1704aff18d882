"""A statement and the papers behind it in one file, for a verifier who signs on a machine of its own.

``provender audit statement sign`` holds a statement against these papers; a hash that nobody can show the paper of is
refused there.
"""

from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from provender.audit.findings.log import write_log
from provender.audit.statement.papers import FINDINGS_NAME, PACKAGE_NAME, RECORDS_FOLDER, SAMPLE_NAME, STATEMENT_NAME
from provender.database.actor import Actor
from provender.database.models import Audit, EntryKind
from provender.database.store.audits import data_of, drawn_farms, finding_events, last, sample_of, statement_of
from provender.services.audits.engagement import records_behind
from provender.services.audits.package_requests import asked_for, take_away
from provender.services.audits.packages import package_file
from provender.services.audits.statement import draft_of
from provender.services.refused import MissingError
from provender.signing.canonical import canonical_json


def papers_file(audit: Audit, view: str, *, actor: Actor) -> tuple[str, IO[bytes]]:
    """Return a zip of the unsigned statement and its papers, with its file name; the caller closes it.

    Raises:
        MissingError: nothing is drafted, or the statement is signed.
        PermissionDenied: somebody whose records are in the package lets the verifier in no longer.
    """
    draft = draft_of(audit)
    if draft is None or statement_of(audit) is not None:
        raise MissingError
    members = {
        STATEMENT_NAME: canonical_json(draft.document()),
        FINDINGS_NAME: write_log(finding_events(audit)),
    }
    if drawn_farms(audit):
        members[SAMPLE_NAME] = canonical_json(sample_of(audit))
    for number, paper in enumerate(records_behind(audit), 1):
        members[f"{RECORDS_FOLDER}{number}.json"] = canonical_json(paper)
    package = _package(audit, view, actor)
    target: IO[bytes] = TemporaryFile()  # noqa: SIM115 - the answer reads and closes it
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        if package is not None:
            archive.write(package, PACKAGE_NAME)
    target.seek(0)
    return f"statement-unsigned-{audit.handle}.zip", target


def _package(audit: Audit, view: str, actor: Actor) -> Path | None:
    """Return the package that the statement names, the last one recomputed."""
    result = last(audit, EntryKind.RESULT)
    if result is None:
        return None
    asked = asked_for(audit, int(data_of(result)["asked"]))
    return take_away(audit, asked.number, view, actor=actor) if package_file(asked) else None
