"""How long it takes to ask whether a unit's row places it in words."""

from time import process_time

from provender.practices.prepared_book import is_placed_in_words


def test_a_long_description_is_read_in_no_time() -> None:
    before = process_time()
    assert not is_placed_in_words({"fsa_field": "", "legal_description": "nw " * 300 + "1" * 1100})
    assert process_time() - before < 1
