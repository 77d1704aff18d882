"""Files of a farm that none of its records names are told by ``verify``, and are no difference."""

from pathlib import Path

import pytest

from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER, Part, farm_path
from provender.audit.recompute import evidence
from provender.signing.canonical import canonical_json
from tests.audit import forge
from tests.audit.forge import FARM, Files


def told(files: Files, folder: Path) -> tuple[list[str], int]:
    """Return what is told of unnamed files, and how many differences there are."""
    given = {**forge.clean(), **files, HEADER: canonical_json(forge.header().document())}
    outcome = evidence.hashes(PackageContents(given, folder))
    return [one for one in outcome.not_shown if "no record names" in one], len(outcome.differences)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (farm_path(FARM, Part.RECORDS, "harvest old.csv"), "1 file of the package: records/harvest old.csv."),
        (farm_path(FARM, Part.RECORDS, "boundaries/other.geojson"), "records/boundaries/other.geojson"),
        (farm_path(FARM, Part.EVIDENCE, "note.txt"), "1 file of the package: evidence/note.txt."),
        (farm_path(FARM, Part.EVIDENCE, "note.txt.tsr"), ""),
        (farm_path(FARM, Part.RECORDS, "sources.csv"), ""),
    ],
)
def test_a_file_that_no_record_names_is_told_and_is_no_difference(path: str, shown: str, tmp_path: Path) -> None:
    lines, differences = told({path: b"x"}, tmp_path)
    assert [shown in one for one in lines] == ([True] if shown else [])
    assert differences == told({}, tmp_path / "clean")[1]


def test_many_are_counted_and_the_first_are_named(tmp_path: Path) -> None:
    lines, _ = told({farm_path(FARM, Part.EVIDENCE, f"note {n}.txt"): b"x" for n in range(7)}, tmp_path)
    assert lines[0].endswith("evidence/note 4.txt and 2 more.")
    assert "7 files" in lines[0]


def test_a_package_whose_files_are_all_named_tells_nothing_of_it(tmp_path: Path) -> None:
    assert told({}, tmp_path) == ([], 0)
