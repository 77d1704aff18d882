"""An entity's package verifies clean; whatever is changed in book or papers is found and named, re-sealed or not."""

import json

import pytest

from tests.audit.chain import book, clean, verify
from tests.audit.tamper_entity import TAMPERINGS, Tampering, forged

SEED = 2026


@pytest.mark.parametrize("me", ["coop", "crush"])
def test_the_clean_package_verifies_clean(me: str) -> None:
    found = verify(clean(me), me)
    assert found.text == ""


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda one: one.name)
def test_a_tampering_is_found_and_named(tampering: Tampering) -> None:
    missed = forged(tampering, f"{SEED} {tampering.name}")
    assert not missed, missed


def test_the_layout_of_book_and_papers_is_not_reported() -> None:
    files = clean("coop")
    for path, content in list(files.items()):
        if path.endswith(".json"):
            files[path] = json.dumps(json.loads(content), indent=3).encode()
    files[book("coop")] = files[book("coop")].replace(b"\n", b"\r\n")
    assert verify(files, "coop").text == ""
