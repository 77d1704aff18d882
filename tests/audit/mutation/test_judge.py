"""Judging again only what a change touches says what judging all of it anew says."""

from pathlib import Path
from random import Random

import pytest

from provender.audit.package.contents import PackageContents, with_verifiers_files
from provender.audit.recompute.checks import recompute_case
from tests.audit.mutation.changes import changes
from tests.audit.mutation.hands import Hand, tampered
from tests.audit.mutation.run import Run, parties
from tests.audit.mutation.whole import of_files
from tests.audit.prairie import chain

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("prairie")]

FARMS = 5
TRIED = 4


@pytest.mark.parametrize("name", ["farm", "elevator", "refiner", "audit"])
def test_what_is_judged_again_and_what_is_judged_anew_are_the_same(name: str, tmp_path: Path) -> None:
    folder, rng = chain(FARMS), Random(name)
    pins = (folder / "pins.json").read_bytes()
    run = Run(name, parties(folder)[name], pins)
    every = [*changes(run.files), *of_files(run.files)]
    for number, change in enumerate(rng.sample(every, TRIED)):
        files = tampered(run.party, change, rng.choice(list(Hand)))
        given = with_verifiers_files(files, pins, run.party.held)
        anew = recompute_case(PackageContents(given, tmp_path / str(number)))
        again = run.judge.outcomes(files)
        assert again == anew, change.name
