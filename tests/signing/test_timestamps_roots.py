"""The list of roots that a system keeps is read without a word, whatever old certificates stand in it."""

import warnings

import pytest

from provender.signing.timestamps import read_roots, system_roots


@pytest.mark.skipif(not system_roots(), reason="this system keeps no list of roots")
def test_the_list_of_this_system_is_read_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_roots(system_roots())
