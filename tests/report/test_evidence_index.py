"""The evidence of a folder: recording hashes fills blank cells and leaves everything else as it is written."""

from pathlib import Path

from provender.report.evidence_index import record_hashes
from provender.signing.hashes import sha256_hex

HEADING = "evidence_id,unit_id,what,file,taken_on,sha256"
ROWS = (
    'E1,,ticket,"a, b.pdf",2025-10-01,',
    "E2,,ticket,,2025-10-01,",
    "E3,,ticket,c.pdf,the first of May,",
    "E4,,ticket,gone.pdf,2025-10-01,",
    f"E5,,ticket,c.pdf,2025-10-01,{'ab' * 32}",
)


def folder_with(tmp_path: Path, text: str) -> Path:
    (tmp_path / "farm.csv").write_text("farm_id,name\nF1,Ada\n")
    (tmp_path / "evidence.csv").write_text(text)
    for name in ("a, b.pdf", "c.pdf"):
        for place in (tmp_path, tmp_path / "evidence"):
            place.mkdir(exist_ok=True)
            (place / name).write_bytes(name.encode())
    return tmp_path


def test_only_blank_hashes_are_written_and_no_row_goes(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "\n".join([HEADING, *ROWS, ""]))
    assert record_hashes(folder) == 2
    lines = (folder / "evidence.csv").read_text().splitlines()
    first, unreadable_day = ROWS[0] + sha256_hex(b"a, b.pdf"), ROWS[2] + sha256_hex(b"c.pdf")
    assert lines == [HEADING, first, ROWS[1], unreadable_day, *ROWS[3:]]
    assert record_hashes(folder) == 0
    assert (folder / "evidence.csv").read_text().splitlines() == lines


def test_a_table_without_the_column_gets_it(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "evidence_id,what,file\nE1,ticket,c.pdf\nE2,nonsense,c.pdf\n")
    assert record_hashes(folder) == 1
    lines = (folder / "evidence.csv").read_text().splitlines()
    assert lines == ["evidence_id,what,file,sha256", f"E1,ticket,c.pdf,{sha256_hex(b'c.pdf')}", "E2,nonsense,c.pdf,"]


def test_a_file_that_rows_of_two_units_name_is_recorded_for_neither(tmp_path: Path) -> None:
    rows = "E1,photograph,c.pdf,N1\nE2,photograph,c.pdf,N2\nE3,ticket,a.pdf,\n"
    folder = folder_with(tmp_path, f"evidence_id,what,file,unit_id\n{rows}")
    (folder / "evidence" / "a.pdf").write_bytes(b"a")
    assert record_hashes(folder) == 1
    assert [line.count(sha256_hex(b"c.pdf")) for line in (folder / "evidence.csv").read_text().splitlines()] == [0] * 4
