"""A book on disk takes a lot by the code that a paper prints cut short."""

from pathlib import Path

from tests.cli.custody.test_app import ask, call


def test_a_code_cut_short_names_the_lots_of_a_sale_and_of_a_trace(tmp_path: Path) -> None:
    path, early = str(tmp_path / "coop.jsonl"), ("--as-of", "2025-11-01")
    call("init", path, "--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "north", *early)
    call("add", path, "entity", "entity=ada", "name=Ada", 'roles=["farm"]', *early)
    call("add", path, "entity", "entity=crush", "name=Crush", 'roles=["intermediary"]', 'sites=["plant"]', *early)
    call("add", path, "period", "start_day=2026-01-01", "end_day=2026-03-31", "policy=oldest_first", *early)
    soy = ("entity=ada", "crop=soybeans", "harvest_year=2025", "bushels=10000", "ci=5500.25", f"salt={'a' * 43}")
    call("add", path, "report", *soy, "--as-of", "2026-01-02")
    statement = ("entity=coop", "verifier=v", "number=V-1", 'crops=["soybeans"]', "opinion=favourable")
    call("add", path, "statement", *statement, "start_day=2025-11-01", "end_day=2026-10-31", "--as-of", "2026-01-02")
    origin = _origin(path)
    slip = ("giver=ada", "taker=coop", f"origin={origin}", "bushels=500")
    call("add", path, "slip", "id=slip-1", *slip, "--as-of", "2026-01-03")
    call("buy", path, "--from", "ada", "--slip", "slip-1", "--ticket", "T1=500.5", "--as-of", "2026-01-04")
    short = f"{origin[:10]}…"
    assert call("trace", path, f"{short} 0-500") == call("trace", path, f"{origin}:0-500")
    call("sell", path, "--to", "crush", "--crop", "soybeans", "--lot", f"{short}:0-100", "--as-of", "2026-01-05")
    (left,) = ask("lots", path)["lots"]
    assert (left["origin"], left["start"], left["stop"]) == (origin, "100", "500")


def _origin(path: str) -> str:
    """Return the blinded code of the farm's report: the one that its book knows."""
    from provender.custody.book_file import open_book
    from provender.custody.model.origins import Origin, origin_name

    with open_book(Path(path)) as opened:
        (found,) = opened.store.many(Origin, origin_name("ada", "soybeans", 2025))
    return found.id
