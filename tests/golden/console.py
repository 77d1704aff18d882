"""The command line as its user meets it: the program that the package installs, called in this process."""

import sys
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


class Printed(NamedTuple):
    """What a command leaves: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


class Console:
    """Calls ``provender``."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        (script,) = entry_points(group="console_scripts", name="provender")
        self._main: Callable[[], Any] = script.load()
        self._capsys, self._monkeypatch = capsys, monkeypatch
        monkeypatch.setenv("COLUMNS", "160")

    def __call__(self, *arguments: str) -> Printed:
        """Run one command to its end."""
        self._monkeypatch.setattr(sys, "argv", ["provender", *arguments])
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            self._main()
        out, err = self._capsys.readouterr()
        return Printed(int(ended.value.code or 0), out, err)
