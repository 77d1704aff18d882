"""What a Spark task does: reads the batches it was given, judges them, writes each whole, and returns a receipt.

Its module is found by name on the executor; nothing but numbers and texts travels.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa

from provender.portfolio.jobs import judged, write_batch
from provender.portfolio.reading import Farms, Guest, read_farms
from provender.portfolio.registry import judge_of
from provender.portfolio.whole import whole_folder

WORK: Final = (
    "item long, job string, root string, data_sets array<string>, paths array<string>, lacking array<string>, "
    "least string, below string, also array<string>, away array<string>, guest_sets array<string>, "
    "guest_paths array<string>, guest_farms array<array<string>>, number int, folder string, "
    "options map<string,string>"
)
"""A batch of work: which farms of which files, and the folder of its result."""
RECEIPT: Final = "item long, rows long"


def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Do the batches of work in some rows of ``WORK``; yield a ``RECEIPT`` for each."""
    for batch in batches:
        for row in batch.to_pylist():
            files = [(name, Path(path)) for name, path in zip(row["data_sets"], row["paths"], strict=True)]
            farms = Farms(row["least"], row["below"], tuple(row["also"]), tuple(row["away"]))
            named = zip(row["guest_sets"], row["guest_paths"], row["guest_farms"], strict=True)
            guests = [Guest(name, Path(path), tuple(of)) for name, path, of in named]
            book = read_farms(Path(row["root"]), files, farms, lacking=row["lacking"], guests=guests)
            frames = judged(judge_of(row["job"], dict(row["options"])), book)
            # A task that is run a second time, after a worker died, replaces what the first one left.
            with whole_folder(Path(row["folder"])) as aside:
                write_batch(aside, row["number"], frames)
            count = sum(frame.height for frame in frames.values())
            yield pa.RecordBatch.from_pydict({"item": pa.array([row["item"]], pa.int64()),
                                              "rows": pa.array([count], pa.int64())})  # fmt: skip
