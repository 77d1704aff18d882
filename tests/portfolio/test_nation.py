"""Every kind of planted fault of a small nation is found, and no honest farm is accused."""

from pathlib import Path

from bench.nation.build import build
from bench.nation.judge import ALSO, judge


def test_all_planted_faults_are_found_and_nothing_else(tmp_path: Path) -> None:
    planted = build(tmp_path / "p", 7, farms=150, each=1, states=("KS",))
    outcome = judge(tmp_path / "p", tmp_path / "out", planted)
    assert len(planted) >= 34
    assert set(ALSO) <= set(planted)
    assert [line for line in outcome.lines if line.found != line.planted] == []
    assert outcome.false_alarms == ()
