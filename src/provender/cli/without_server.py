"""Asking the services of a server about a folder: they are set up beside an empty place that is gone again."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def services() -> Iterator[None]:
    """Let services be called in this process; no database is there, and none is asked."""
    from django.apps import apps

    if apps.ready:
        yield
        return
    import django

    from provender.web.start import set_environment

    mask = os.umask(0o077)
    with TemporaryDirectory() as nowhere:  # settings want a folder and a key
        set_environment(Path(nowhere))
        django.setup()
        os.umask(mask)  # what a command saves is read by whoever may read what its user writes
        yield
