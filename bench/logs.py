"""Machine logs of forty fields, two million points: a terminal's card, and a yield monitor's texts."""

import resource
import struct
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from bench.measure import Measure, at_most
from provender.formats.child import parse_many

FIELDS: Final = 40
POINTS: Final = 50_000
SECONDS: Final = 10.0
MEBIBYTES: Final = 1024.0
CHANNELS: Final = ((67, 9144), (84, 1_100_000), (99, 155_000), (141, 1), (397, 1800), (116, 0))
"""Width, yield, moisture, work state, speed and total area, with what the first record states."""
_HEAD: Final = struct.Struct("<IHiiBB")
_VALUE: Final = struct.Struct("<Bi")


def run() -> list[Measure]:
    """Measure processor time and memory of the limited children, their start included."""
    with tempfile.TemporaryDirectory() as folder:
        card = Path(folder) / "card.zip"
        _card(card)
        texts = [_text(Path(folder) / f"N{at:02d}.txt", f"N{at:02d}") for at in range(FIELDS)]
        logged = _seconds("isoxml", [card])
        weighed = _seconds("yield_log", texts)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    points = f"{FIELDS * POINTS:,} points"
    return [
        at_most(f"binary logs of {FIELDS} fields, {points}, processor", logged, "s", SECONDS),
        at_most(f"yield texts of {FIELDS} fields, {points}, processor", weighed, "s", SECONDS),
        at_most("memory of the larger of both", memory, "MiB", MEBIBYTES),
    ]


def _seconds(reader: str, files: list[Path]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for parsed in parse_many(reader, [(path, path.name) for path in files]):
        if parsed.result is None or parsed.problems:
            raise AssertionError(f"a log was not read: {parsed.problems}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _text(path: Path, name: str) -> Path:
    """Write a yield monitor's text: a point a second, up and down the field."""
    rows = (
        f"{-93.5 + at % 800 * 3e-5:.7f},{42.0 + at // 800 * 8e-5:.7f},{10 + at % 977 / 50:.3f},{1_353_000_000 + at},1,"
        f'{60 + at % 20}.0,240,{14 + at % 61 / 10:.2f},33,{at // 800},1234,"F0:{name}","L0:1","Corn",1,2.0,950'
        for at in range(POINTS)
    )
    path.write_text("\n".join(rows) + "\n")
    return path


def _card(path: Path) -> None:
    """Write task data with a log for each field; each record states three values anew."""
    tasks = "".join(
        f'<PFD A="PFD{at}" C="N{at:02d}"/><TSK A="TSK{at}" B="Harvest corn" E="PFD{at}"><TLG A="TLG{at:05d}"/></TSK>'
        for at in range(FIELDS)
    )
    device = f'<DVC A="DVC1" B="combine" D="{7 << 49:016X}"><DET A="DET1" B="1" C="1" D="whole" E="0" F="0"/></DVC>'
    channels = "".join(f'<DLV A="{ddi:04X}" B="" C="DET1"/>' for ddi, _ in CHANNELS)
    log = b"".join(_record(at) for at in range(POINTS))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as card:
        head = '<ISO11783_TaskData VersionMajor="4" VersionMinor="0">'
        card.writestr("TASKDATA/TASKDATA.XML", f"{head}{device}{tasks}</ISO11783_TaskData>")
        for at in range(FIELDS):
            card.writestr(f"TASKDATA/TLG{at:05d}.BIN", log)
            card.writestr(f"TASKDATA/TLG{at:05d}.XML", f'<TIM A="" D="4"><PTN A="" B="" D=""/>{channels}</TIM>')


def _record(at: int) -> bytes:
    said = [(1, 1_100_000 + at % 5000), (2, 150_000 + at % 700), (5, at * 18)]
    if at == 0:
        said = [(place, value) for place, (_, value) in enumerate(CHANNELS)]
    head = _HEAD.pack(at * 1000, 16_000, 420_000_000 + at % 800 * 250, -935_000_000 + at // 800 * 800, 4, len(said))
    return head + b"".join(_VALUE.pack(*each) for each in said)
