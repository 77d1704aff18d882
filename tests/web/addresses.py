"""Every address of the site by name, read from the URL configuration."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def all_names() -> set[str]:
    """Return the name of every address, with its namespace."""
    return set(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: list[URLPattern | URLResolver], space: str) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from _walk(pattern.url_patterns, inner)
        else:
            assert pattern.name, f"{pattern.pattern} has no name"
            yield f"{space}{pattern.name}"
