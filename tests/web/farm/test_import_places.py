"""A reading that is given up ends at once, one that takes too much is told, and nobody begins without end."""

import os
import time
from contextlib import suppress

import pytest
from django.urls import reverse

from provender.database.models.farm import BookImport
from provender.formats.parsed import encode
from provender.services.background import ALIVE, OUTCOME, PID, write_json
from provender.services.farm.files import store_upload
from provender.services.imports import job, worker
from provender.services.refused import RefusedError
from tests.web.cast import Cast
from tests.web.farm_season import at

ENDED_WITHIN = 5.0


def begun_in(cast: Cast) -> BookImport:
    upload = store_upload(cast.farm, "unit.csv", b"unit_id,acres\nN40,40\n", actor=cast.actor("writer"))
    return job.begin(cast.book, [upload], actor=cast.actor("writer"))


def process_of(begun: BookImport, file: str = ALIVE) -> int:
    """Wait until the process that reads is there, and return its number."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if (job.folder_of(begun) / file).exists():
            return int((job.folder_of(begun) / PID).read_text())
        time.sleep(0.01)
    raise AssertionError("it never began")


def has_ended(process: int) -> bool:
    until = time.monotonic() + ENDED_WITHIN
    while time.monotonic() < until:
        with suppress(ProcessLookupError):
            os.kill(process, 0)
            time.sleep(0.05)
            continue
        return True
    return False


def test_what_is_given_up_or_read_again_ends_its_process(cast: Cast) -> None:
    begun = begun_in(cast)
    first = process_of(begun)
    job.read_again(begun, actor=cast.actor("writer"))
    assert has_ended(first)
    second = process_of(begun, PID)  # which has hardly begun
    cast.client().post(at(cast, "farm_import_give_up", begun.handle))
    assert has_ended(second)
    assert not job.folder_of(begun).parent.exists()


def test_nobody_begins_more_imports_than_are_read_in_a_while(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "spawn", lambda *_, **__: None)
    begun = [begun_in(cast) for _ in range(job.MOST_AT_WORK)]
    with pytest.raises(RefusedError, match="5 imports of this farm are still being read"):
        begun_in(cast)
    write_json(job.folder_of(begun[0]) / OUTCOME, encode(worker._spent(job.folder_of(begun[0]), "2 MB")))
    begun_in(cast)
    shown = cast.client().get(reverse("farm_import", args=(cast.farm.handle, begun[0].handle))).content.decode()
    assert "took more than 2 MB" in shown
    assert "Hand in fewer and smaller files" in shown
