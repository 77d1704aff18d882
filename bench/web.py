"""Pages over HTTP against gunicorn with a full database: how fast they answer, and what a worker holds.

Sizes: ``default`` loads 500 farms, 20,000 fields and 53,000 movements; ``full`` 10,000 farms, 400,000 fields and a
million movements (set ``PROVENDER_BENCH_SIZE``, or ``python -m bench web --size full``). The database is SQLite as
embedded, or the PostgreSQL that ``PROVENDER_DATABASE_URL`` names, which must be empty. One worker with its usual
threads answers two visitors at once. A first look comes to an organisation of which nothing is kept. Judged is the
worker's processor time; the clock's, which other work on the machine makes longer, stands beside it.
"""

import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.measure import Measure, at_most, full_size, is_so, peer, timed

DISTRICTS, FULL_DISTRICTS = 10, 200
KILOBYTES: Final = 100.0
"""Of a page as it travels."""
MEGABYTES: Final = 400.0
MS: Final = "ms of CPU"
VISITS: Final = 200
DRAWN: Final = 40
"""Different organisations whose pages are visited."""
SEED: Final = 20261121


def run() -> list[Measure]:
    """Load, visit every kind of page once to see what a first look costs, then visit them again."""
    from provender.web import start

    districts = FULL_DISTRICTS if full_size() else DISTRICTS
    with tempfile.TemporaryDirectory() as name:
        start.set_environment(Path(name))
        return [*_load(districts), *_visit(Path(name), districts)]


def _load(districts: int) -> list[Measure]:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from bench.server.copies import copy_district
    from bench.server.district import UNITS, make_district
    from provender.database import guards
    from provender.database.models.custody import CustodyEvent
    from provender.database.models.farm import Book

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
        is_so(f"{connection.vendor}: guards stand after loading", answer=not guards.missing("default")),
    ]


def _visit(folder: Path, districts: int) -> list[Measure]:
    from django.db import connection

    from bench.server.pages import visits_of
    from bench.server.visits import Visit, running_server, times_of

    chance = random.Random(SEED)
    pages = visits_of(districts, DRAWN, chance)
    vendor = connection.vendor
    connection.close()
    rows: list[Measure] = []
    first, again = dict[str, float](), dict[str, float]()
    with running_server(folder / "gunicorn.log") as server:

        def look(what: str, visits: Sequence[Visit], found: dict[str, float]) -> None:
            found[what], clock, largest = times_of(server, visits)
            which = "first" if found is first else "another"
            rows.append(peer(f"{what}, {which} look, processor time of the worker, mean", found[what], MS))
            rows.append(peer(f"{what}, {which} look, median by the clock", clock, "ms"))
            if found is first:
                rows.append(at_most(f"{what}, largest as it travels", largest / 1000, "kB", KILOBYTES))

        def look_at_all(found: dict[str, float]) -> float:
            for what, visits in pages.items():
                look(what, visits if found is first else chance.choices(visits, k=VISITS), found)
            return sum(found.values())

        judged = [
            timed(f"{vendor}: a first look at each page, together", lambda: look_at_all(first), MS, None, taken=1),
            timed(f"{vendor}: another look at each page, together", lambda: look_at_all(again), MS, None, taken=1),
        ]
        peak = server.peak_megabytes()
    return [*rows, *judged, at_most(f"{vendor}: memory of the worker at its peak", peak, "MB", MEGABYTES)]
