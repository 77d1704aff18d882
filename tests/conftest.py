"""What all tests share: Hypothesis profiles that print how to replay, and the samples that may not be copied."""

import gc
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings as django_settings
from hypothesis import HealthCheck, settings

from provender.formats import child
from provender.signing import keys
from provender.signing.keys import SigningKey
from tests.reading_here import answers_here
from tests.servers import browser, django_db_setup, postgres_database, postgres_server

__all__ = ["browser", "django_db_setup", "postgres_database", "postgres_server"]

settings.register_profile(
    "quick", max_examples=40, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "deep", max_examples=2000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("PROVENDER_HYPOTHESIS", "quick"))

REPOSITORY = Path(__file__).parent.parent

# Whatever tests leave behind is looked through a twentieth as often: it was a sixteenth of their time.
gc.set_threshold(20_000, 20, 50)

# A key costs most of a second to seal and to open, by design; the tests seal hundreds. One test pays the whole price.
keys.COST = 2**10  # type: ignore[misc]

# Everything the tests sign is an example, and only a demonstration takes those: the servers they start are one.
os.environ["PROVENDER_DEMONSTRATION"] = "1"


@pytest.fixture(scope="session", autouse=True)
def demonstration() -> None:
    """Make this process one too, whose settings may have been read before."""
    django_settings.DEMONSTRATION = True


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    """Give each test the usual umask, whatever shell began the run, and whatever an earlier test left."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without slow tests where those alone are wanted: each worker imports what it collects."""
    wanted = config.getoption("markexpr") != "slow" or collection_path.suffix != ".py"
    return None if wanted or "slow" in collection_path.read_text(encoding="utf-8") else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what waits most, the browser's tests one after the other; keep PostgreSQL's to one worker."""
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("postgres"):
            item.fixturenames = ["postgres_database", *item.fixturenames]
            if not item.get_closest_marker("xdist_group"):
                item.add_marker(pytest.mark.xdist_group("postgres"))
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


def pytest_collection_finish() -> None:
    """Leave what was imported out of every later search for garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def samples() -> Path:
    """Return the folder of other systems' files that may be read but not copied into the project; skip without it."""
    folder = Path(os.environ.get("PROVENDER_SAMPLES", REPOSITORY.parent / "shared" / "samples"))
    if not folder.is_dir():
        pytest.skip("the sample files whose licences forbid copying are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def key_from() -> Callable[[str], SigningKey]:
    """Return a maker of keys that are the same in every run: each belongs to a word, as no real key does."""

    def make(word: str) -> SigningKey:
        return SigningKey(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(word.encode()).digest()))

    return make


@pytest.fixture
def parsed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read other programs' files in this process.

    That the real child reads, tests of hostile files, of tickets by call and of the server's own process show.
    """
    monkeypatch.setattr(child, "_converse", answers_here)
