"""What a limited process read out of a farm's file is there for the next process, in the server's cache."""

from django.core.cache import cache

from provender.services.farm.book import READ_BEFORE


def test_what_was_read_is_kept_until_the_cache_loses_it() -> None:
    name = "outlines-1-test.geojson"
    cache.delete(name)
    assert READ_BEFORE.get(name) is None
    READ_BEFORE.put(name, "null")
    assert READ_BEFORE.get(name) == "null"
    cache.set(name, 7)  # somebody else's thing under our name is none of ours
    assert READ_BEFORE.get(name) is None
    cache.delete(name)
