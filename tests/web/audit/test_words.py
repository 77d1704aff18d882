"""Pages of an audit write days as all pages do, and no name of the program; what was entered stays as it is."""

import re
from html import unescape
from typing import Any, Final

from django.test import Client
from django.urls import reverse

from provender.database.models import EntryKind
from provender.database.store.audits import data_of, entries
from provender.services.audits.audits import add_entry
from provender.web.tables import ISO_DAY
from tests.web.cast import Cast

NAME: Final = re.compile(r"\b[a-z]+_[a-z_]+\b")
WHY: Final = "Finding 1 is open, due 2026-12-27: book of mill: 2026-05-28: claims on soybean_oil, made 2026-05-30."
SAID: Final = (
    "Finding 1 is open, due Dec 27, 2026: book of mill: May 28, 2026: claims on soybean oil, made May 30, 2026."
)
CHECK: Final = {"check": "book", "cites": ["2100.032"], "computed": 1, "state": "open", "not_shown": [WHY]}
FOUND: Final[dict[str, Any]] = {
    "what": "book", "clean": False, "asked": 1, "made": {"mark": "0" * 64, "absent": [], "allowed": []},
    "package": {"subject": "audit", "audited_name": "Mia's Mill", "first": "2026-01-01", "last": "2026-09-30",
                "rule_version": "interim", "software": "provender"},
    "problems": [{"cause": "The verifier asked for 2026-01-01 to 2026-09-30.", "remedy": "Ask for 2026-02-01."}],
    "differences": [{"code": "sum", "place": "soybean_oil on 2026-03-31", "claimed": "2 of soybean_oil",
                     "cite": "2100.034", "recomputed": "1 of soybean_oil", "effect_bushels": "1", "effect_g_co2e": ""}],
    "checks": [CHECK], "needs_eyes": {"not_shown": [{"why": WHY}], "places": []},
}  # fmt: skip
"""What a recomputation entered."""


def text_of(client: Client, where: str) -> str:
    page = client.get(where).content.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<select\b.*?</select>|<[^>]*>", " ", page, flags=re.DOTALL)).split())


def test_a_finding_writes_the_days_of_what_was_said(cast: Cast) -> None:
    finding = {"text": "It was entered on 2026-05-28."}
    ours = reverse("audit_of_us_finding", args=(cast.farm.handle, cast.audit.handle, "1"))
    assert cast.client().post(ours, finding).status_code == 302
    theirs = reverse("audit_finding", args=(cast.verifier.handle, cast.audit.handle, "1"))
    for client, where in ((cast.client(), ours), (cast.client("verifier_in"), theirs)):
        text = text_of(client, where)
        assert ISO_DAY.findall(text) == []
        assert "It was entered on May 28, 2026." in text
    assert "2026-05-28" in data_of(entries(cast.audit, EntryKind.FINDING)[-1])["text"]


def test_a_result_writes_days_and_products_in_words_and_a_file_keeps_what_was_entered(cast: Cast) -> None:
    entry = add_entry(cast.audit, EntryKind.RESULT, FOUND, actor=cast.actor("verifier_in"), about="result")
    where = reverse("audit_result", args=(cast.verifier.handle, cast.audit.handle, entry.number))
    text = text_of(cast.client("verifier_in"), where)
    assert (ISO_DAY.findall(text), NAME.findall(text)) == ([], [])
    assert "Audit of Mia's Mill, Jan 1, 2026 to Sep 30, 2026." in text
    assert text.count(SAID) == 2
    assert "soybean oil on Mar 31, 2026" in text
    saved = cast.client("verifier_in").get(where, {"save": "csv", "table": "differences"}).content.decode()
    assert "soybean_oil on 2026-03-31" in saved
