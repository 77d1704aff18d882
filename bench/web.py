"""Pages over HTTP against gunicorn with a full database: how fast they answer, and what a worker holds.

Sizes: ``default`` loads 500 farms, 20,000 fields and 53,000 movements; ``full`` 10,000 farms, 400,000 fields and a
million movements (set ``PROVENDER_BENCH_SIZE``, or ``python -m bench web --size full``). The database is SQLite as
embedded, or the PostgreSQL that ``PROVENDER_DATABASE_URL`` names, which must be empty. Loading is a step of its own and
is not part of the pages' times. One worker with its usual threads answers two visitors at once. A first look comes to
an organisation of which nothing is kept; of each the worker's processor time stands beside the clock's, which other
work on the machine makes longer. Then Chromium looks at each kind of page, as a laptop and as a phone.
"""

import os
import random
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.measure import Measure, at_least, at_most, peer

DISTRICTS: Final[Mapping[str, int]] = {"default": 10, "full": 200}
MEDIAN_MS: Final = 100.0
TAIL_MS: Final = 300.0
FIRST_MS: Final = 150.0
SLOWER: Final = {"work programme": 200.0}
"""First looks that may take longer: milliseconds."""
KILOBYTES: Final = 100.0
"""Of a page as it travels."""
PAINT_MS: Final = 500.0
SHIFT: Final = 0.02
MEGABYTES: Final = 400.0
VISITS: Final = 200
DRAWN: Final = 40
"""Different organisations whose pages are visited."""
SEED: Final = 20261121


def run() -> list[Measure]:
    """Load, visit every kind of page once to see what a first look costs, then time the visits that count."""
    from provender.web import start

    size = os.environ.get("PROVENDER_BENCH_SIZE", "default")
    with _folder() as folder:
        start.set_environment(folder)
        loaded = _load(DISTRICTS[size])
        return [*loaded, *_visit(folder, DISTRICTS[size])]


@contextmanager
def _folder() -> Iterator[Path]:
    """Give the folder named by ``PROVENDER_BENCH_FOLDER``, which keeps what is loaded, or one that goes afterwards."""
    kept = os.environ.get("PROVENDER_BENCH_FOLDER")
    if kept:
        yield Path(kept)
        return
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def _load(districts: int) -> list[Measure]:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from bench.server.copies import copy_district
    from bench.server.district import UNITS, make_district
    from provender.database import guards
    from provender.database.models import Book, CustodyEvent

    begun = time.perf_counter()
    call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
    if not Book.objects.exists():
        make_district()
        copy_district(districts)
    taken = time.perf_counter() - begun
    farms, movements = Book.objects.count(), CustodyEvent.objects.count()
    what = f"{connection.vendor}: loading {farms:,} farms, {farms * UNITS:,} fields, {movements:,} movements"
    return [
        peer(what, taken, "s"),
        at_least(f"{connection.vendor}: guards stand after loading", float(not guards.missing("default")), "yes=1", 1),
    ]


def _visit(folder: Path, districts: int) -> list[Measure]:
    from django.db import connection

    from bench.server.pages import visits_of
    from bench.server.painting import painted
    from bench.server.visits import middle_and_tail, running_server, times_of

    chance = random.Random(SEED)
    pages = visits_of(districts, DRAWN, chance)
    vendor = connection.vendor
    connection.close()
    rows = []
    with running_server(folder / "gunicorn.log") as server:
        for what, visits in pages.items():
            before = server.processor_seconds()
            times, sizes = times_of(server, visits)
            spent = (server.processor_seconds() - before) * 1000 / len(visits)
            again = [chance.choice(visits) for _ in range(VISITS)]
            half, tail = middle_and_tail(times_of(server, again)[0])
            budget = SLOWER.get(what, FIRST_MS)
            rows += [
                at_most(f"{vendor}: {what}, first look, median", middle_and_tail(times)[0], "ms", budget),
                peer(f"{vendor}: {what}, first look, processor time of the worker, mean", spent, "ms"),
                at_most(f"{vendor}: {what}, largest of these", max(sizes) / 1000, "kB", KILOBYTES),
                at_most(f"{vendor}: {what}, median", half, "ms", MEDIAN_MS),
                at_most(f"{vendor}: {what}, 95th percentile", tail, "ms", TAIL_MS),
            ]
        seen = painted(server, pages)
        slowest, unsteadiest = max(seen, key=lambda one: one.first_ms), max(seen, key=lambda one: one.shift)
        rows += [
            at_most(f"{vendor}: first paint, median of the slowest ({slowest.what})", slowest.first_ms, "ms", PAINT_MS),
            at_most(f"{vendor}: layout shift, largest ({unsteadiest.what})", unsteadiest.shift, "CLS", SHIFT),
        ]
        rows.append(at_most(f"{vendor}: memory of the worker at its peak", server.peak_megabytes(), "MB", MEGABYTES))
    return rows
