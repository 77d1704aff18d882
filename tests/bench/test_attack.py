"""Slow strangers and slow files keep nobody waiting: the attack with small counts, on both databases."""

import pytest

from bench.attack import SLOW, attack, long, wide

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("on_postgres", [False, True])
def test_nobody_waits_for_the_slow(on_postgres: bool, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = [slow for slow in SLOW if not slow.drip or slow.name == "endless chunks"]
    files = {"wide.csv": wide(600, 30), "long.csv": long(4_000)}
    assert attack([24], kinds, files, 3, on_postgres=on_postgres), capsys.readouterr().out
