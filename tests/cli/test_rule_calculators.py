"""The calculators that lists know are told, each version once."""

import json

import pytest

from provender.cli.app import call


def test_every_listed_version_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call(["rule", "calculators", "--json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert len(told) == len({(one["calculator"], one["version"]) for one in told}) > 1
