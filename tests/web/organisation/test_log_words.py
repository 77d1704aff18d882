"""The log and the overview say what a deed was about in words; its file keeps the log's own."""

from django.urls import reverse

from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER
from provender.database.actor import write_log
from tests.web.cast import Cast


def test_a_signed_document_is_called_what_it_is(cast: Cast) -> None:
    papers = (
        (PERIOD, "mill/2025-01-01", "Statement of the period from Jan 1, 2025"),
        (RESTATEMENT, "mill/2026-01-01/9f", "Restatement of the period from Jan 1, 2026"),
        (TRANSFER, "sale-1", "Transfer document of sale-1"),
    )
    actor = cast.actor("owner")
    for kind, number, _ in papers:
        write_log(actor, "keep signed document", organisation=cast.mill, about=number, new={"kind": kind, "key": "x"})
    log, overview = (reverse(name, args=(cast.mill.handle,)) for name in ("log", "organisation"))
    client = cast.client()
    shown = [client.get(where).content.decode() for where in (log, overview)]
    saved = client.get(log, {"save": "csv", "table": "log"}).content.decode()
    for _, number, words in papers:
        assert all(words in page for page in shown), words
        assert number == "sale-1" or not any(number in page for page in shown), number
        assert number in saved


def test_the_programs_own_names_lose_their_underscores_and_what_was_typed_keeps_them(cast: Cast) -> None:
    new = {"type": "purchase_pending", "roles": ["first_point"], "name": "north_bin"}
    write_log(cast.actor("owner"), "post movement", organisation=cast.mill, about="p1", new=new)
    log, client = reverse("log", args=(cast.mill.handle,)), cast.client()
    assert "type: purchase pending; roles: first point; name: north_bin" in client.get(log).content.decode()
    saved = client.get(log, {"save": "csv", "table": "log"}).content.decode()
    assert "type: purchase_pending; roles: first_point; name: north_bin" in saved
