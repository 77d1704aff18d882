"""The program called in this process, as ``main`` runs it."""

import pytest

from provender.cli import app


def called(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Return exit status, standard output and standard error of one command."""
    try:
        status = app.call([str(one) for one in arguments])
    except SystemExit as left:
        status = int(left.code or 0)
    said = capsys.readouterr()
    return status, said.out, said.err
