"""The client that is generated from the description talks to the application, and the description is today's."""

import sys
import uuid
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import httpx
import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from provender.web.wsgi import application
from tests.web.cast import Cast
from tools import client as made_by

ROOT = Path(__file__).parents[3]
MODULES = ("", ".models", ".api.organisation.make_webhook", ".api.organisation.list_notices",
           ".api.organisation.list_webhooks", ".api.organisation.get_organisation")  # fmt: skip


@pytest.fixture(scope="module")
def generated() -> Iterator[dict[str, ModuleType]]:
    sys.path.insert(0, str(ROOT / "clients" / "python"))
    yield {name.rpartition(".")[2]: import_module(f"provender_client{name}") for name in MODULES}
    sys.path.remove(str(ROOT / "clients" / "python"))


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Leave the database's connection to the test, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_the_description_beside_the_client_is_the_applications() -> None:
    assert made_by.DESCRIPTION.read_text("utf-8") == made_by.written(made_by.described()), "run `make client`"


def test_each_call_has_its_module() -> None:
    modules = {path.stem for path in (made_by.FOLDER / made_by.PACKAGE / "api").rglob("[a-z]*.py")}
    described = made_by.described()["paths"].values()
    assert modules == {call["operationId"] for path in described for call in path.values()}


@pytest.mark.usefixtures("one_connection")
def test_the_client_reads_writes_and_brings_refusals(cast: Cast, generated: dict[str, ModuleType]) -> None:
    models = generated["models"]
    client = generated[""].AuthenticatedClient(
        "http://localhost", token=cast.token_secret, httpx_args={"transport": httpx.WSGITransport(app=application)}
    )
    assert generated["get_organisation"].sync(client=client).name == "Ada's Farm"
    assert generated["list_notices"].sync(client=client).items == []
    wanted = models.HookIn("https://scale.example.com/told", [models.NewsKind.DOCUMENT_ARRIVED])
    made = generated["make_webhook"].sync(client=client, body=wanted, idempotency_key=str(uuid.uuid4()))
    assert made.secret.startswith("whsec_")
    (listed,) = generated["list_webhooks"].sync(client=client).items
    assert (listed.address, listed.kinds) == (wanted.address, wanted.kinds)
    inside = models.HookIn("https://10.0.0.1/", [models.NewsKind.DOCUMENT_ARRIVED])
    refused = generated["make_webhook"].sync(client=client, body=inside, idempotency_key=str(uuid.uuid4()))
    assert isinstance(refused, models.ProblemDocument)
    client.get_httpx_client().close()
