"""The list of roots that a system keeps is read without a word, whatever old certificates stand in it."""

import warnings

from provender.signing.timestamps import read_roots, system_roots


def test_the_list_of_this_system_is_read_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_roots(system_roots())
