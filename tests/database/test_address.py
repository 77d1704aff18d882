"""The database setting is read strictly and never repeated in a message."""

import pytest

from provender.database.address import AddressError, postgres_settings

PLANS = {"prepare_threshold": 5}


def test_an_address_or_a_folder_with_a_socket_is_read_and_behind_a_pooler_no_plans_are_kept() -> None:
    found = postgres_settings("postgresql://ada:p%40ss%2Fword@db.example:5433/books?sslmode=verify-full")
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("ada", "p@ss/word", "db.example")
    assert (found["PORT"], found["NAME"]) == ("5433", "books")
    assert found["OPTIONS"] == {"sslmode": "verify-full", "prepare_threshold": 5}
    found = postgres_settings("postgresql://postgres:@/postgres?host=/tmp/pg")
    assert (found["HOST"], found["NAME"], found["OPTIONS"]) == ("/tmp/pg", "postgres", PLANS)  # noqa: S108 - only a name
    assert postgres_settings("postgresql://db/books?prepared=no")["OPTIONS"] == {}
    assert postgres_settings("postgresql://db/books?prepared=yes")["OPTIONS"] == PLANS


@pytest.mark.parametrize("url", [
    "mysql://ada:secret@db/books", "postgresql://ada:secret@db", "postgresql://ada:secret@db/",
    "postgresql://ada:secret@db/books/more", "postgresql://ada:secret@db:port/books",
    "postgresql://ada:secret@db/books?options=-csearch_path%3Dx",
    "postgresql://ada:secret@db/books?prepared=secret", "secret",
])  # fmt: skip
def test_anything_else_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(AddressError) as refused:
        postgres_settings(url)
    assert "secret" not in str(refused.value)
