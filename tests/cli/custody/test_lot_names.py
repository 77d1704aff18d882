"""A book on disk is traced by the code that a paper prints cut short."""

from pathlib import Path

from provender.custody.book_file import open_book
from provender.custody.model.origins import Origin, origin_name
from tests.cli.custody.test_app import call, put
from tests.custody.world import ev


def test_a_code_cut_short_names_the_lots_of_a_trace(tmp_path: Path) -> None:
    path, early = str(tmp_path / "coop.jsonl"), ("--as-of", "2025-11-01")
    call("init", path, "--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "north", *early)
    days, soy = {"start_day": "2026-01-01", "end_day": "2026-03-31"}, {"crop": "soybeans", "harvest_year": 2025}
    put(
        path,
        ev("entity", "e-ada", "2025-11-01", entity="ada", name="Ada", roles=["farm"]),
        ev("period", "p-1", "2025-11-01", entity="coop", policy="oldest_first", **days),
        ev("report", "r-1", "2026-01-02", entity="ada", bushels="10000", ci="5500.25", salt="a" * 43, **soy),
    )
    origin, both = _origin(path), {"giver": "ada", "taker": "coop"}
    tickets = [{"number": "T1", "bushels": "500.5"}]
    put(
        path,
        ev("slip", "slip-1", "2026-01-03", origin=origin, bushels="500", **both),
        ev("purchase", "b-1", "2026-01-04", slip="slip-1", tickets=tickets, **both),
    )
    assert call("trace", path, f"{origin[:10]}… 0-500") == call("trace", path, f"{origin}:0-500")


def _origin(path: str) -> str:
    """Return the blinded code of the farm's report: the one that its book knows."""
    with open_book(Path(path)) as opened:
        (found,) = opened.store.many(Origin, origin_name("ada", "soybeans", 2025))
    return found.id
