"""What was signed stands in the server's log once it is kept, and its proofs are those of ``provender log``."""

import json
from datetime import date
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from provender.audit.package.layout import LOG_PROOF
from provender.database.actor import Actor
from provender.database.models.accounts import Organisation
from provender.database.models.farm import LogLeaf
from provender.problem import ProblemsError
from provender.services import transparency as log
from provender.signing.canonical import canonical_json
from provender.signing.keys import SigningKey
from provender.signing.transparency import LogHead, LogTree, check_proof, mark_of, sign_head
from tests.database.store.test_custody_race import SHARED
from tests.web.cast import Cast

KEY: Final = SigningKey.generate()
PINNED: Final = {KEY.fingerprint: KEY.public}
DAY: Final = date(2026, 11, 24)
ACTOR: Final = Actor(None, "test")


def paper(number: int) -> dict[str, object]:
    return {"document": {"number": f"T-{number}"}, "signature": "s"}


def enter(organisation: Organisation, *numbers: int, using: str = "default") -> None:
    for number in numbers:
        log.append(organisation, "sale slip", f"T-{number}", paper(number), using=using)


def mark(number: int) -> str:
    return mark_of(canonical_json(paper(number)))


def sign(name: str = "co-op log") -> LogHead:
    found = log.head_to_sign(name, DAY)
    log.keep_head(sign_head(found, KEY), actor=ACTOR)
    return found


@pytest.mark.parametrize("using", SHARED)
def test_writers_at_once_get_places_one_after_the_other(using: str) -> None:
    organisation = Organisation.objects.using(using).create(name="Mill")

    def write(first: int) -> None:
        enter(organisation, *range(first, first + 5), using=using)
        connections[using].close()

    writers = [Thread(target=write, args=(first,)) for first in (0, 3)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    places = list(LogLeaf.objects.using(using).order_by("number").values_list("number", "about"))
    assert [number for number, _ in places] == list(range(8)), "no place is left out, and no document stands twice"
    assert {about for _, about in places} == {f"T-{number}" for number in range(8)}


def test_a_proof_holds_for_its_document_alone_and_since_any_head_that_was_given(cast: Cast, tmp_path: Path) -> None:
    enter(cast.farm, 1, 2, 3)
    with pytest.raises(ProblemsError, match="No head"):
        log.proof(mark(1))
    with pytest.raises(ProblemsError, match="no name yet"):
        log.head_to_sign("", DAY)
    first = sign()
    enter(cast.mill, 4, 5)
    with pytest.raises(ProblemsError, match="not in the log of this head"):
        log.proof(mark(4))
    second = sign("")
    assert (first.size, second.size, second.log) == (3, 5, "co-op log")
    for number in (1, 4):
        proof = log.proof(mark(number))
        assert check_proof(proof, mark(number), PINNED, [first, second]) == []
        assert [one.code for one in check_proof(proof, mark(2), PINNED)] == ["not_in_log"]
    assert check_proof(log.proof(mark(1), [3]), mark(1), PINNED, [first]) == []
    assert log.growth([3, 99])["grew_from"].keys() == {"3"}
    for name in ("documents", "pins"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "T-4.json").write_bytes(json.dumps(paper(4), indent=2).encode())
    (tmp_path / "documents" / "other.json").write_bytes(b"{}")
    log.write_proofs(tmp_path)
    (beside,) = tmp_path.rglob(f"*{LOG_PROOF}")
    assert beside == tmp_path / "documents" / f"T-4.json{LOG_PROOF}"
    assert check_proof(json.loads(beside.read_bytes()), mark(4), PINNED, [first]) == []


def test_no_head_of_another_log_is_kept(cast: Cast) -> None:
    enter(cast.farm, 1, 2)
    sign()
    with pytest.raises(ProblemsError, match="calls itself co-op log"):
        log.head_to_sign("another", DAY)
    for marks in ([mark(2), mark(1)], [mark(1), mark(2), mark(3)]):
        with pytest.raises(ProblemsError, match="no signed head of this log"):
            log.keep_head(sign_head(LogTree(marks).head("co-op log", DAY), KEY), actor=ACTOR)
    with pytest.raises(ProblemsError, match="no signed head of this log"):
        log.keep_head({**sign_head(log.head_to_sign("", DAY), KEY), "signature": "x"}, actor=ACTOR)
    assert log.state().signed == 2


def test_page_and_calls_show_size_head_and_proof(cast: Cast) -> None:
    enter(cast.farm, 1)
    sign()
    enter(cast.farm, 2)
    address = reverse("transparency", args=(cast.farm.handle,))
    page = cast.client().get(address).content.decode()
    assert "with the next signed head" in page
    assert log.state().root in page
    proof = reverse("transparency_proof", args=(cast.farm.handle, mark(1)))
    assert proof in page
    assert check_proof(cast.client().get(proof).json(), mark(1), PINNED) == []
    head = cast.client().get(reverse("transparency_head", args=(cast.farm.handle,))).json()
    call = Client()
    token = {"Authorization": f"Bearer {cast.token_secret}"}
    assert call.get("/api/v1/log/head", headers=token).json() == head
    assert call.get("/api/v1/log/state", headers=token).json()["documents"] == 2
    assert check_proof(call.get(f"/api/v1/log/proof/{mark(1)}?since=1", headers=token).json(), mark(1), PINNED) == []
    assert call.get("/api/v1/log/consistency?since=1", headers=token).json()["head"] == head
    refused = call.get(f"/api/v1/log/proof/{mark(2)}", headers=token)
    assert (refused.status_code // 100, refused.json()["problems"][0]["code"]) == (4, "not_in_log")
