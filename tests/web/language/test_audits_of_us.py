"""The pages of audits of us, and what is told after saving, are Spanish: no word of ours is left in English."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from provender.audit.findings.log import Severity
from provender.database.actor import today
from provender.services.audits.findings import raise_finding
from provender.services.audits.standing import cycle_of
from provender.web.said import said
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}
ENGLISH = re.compile(
    r"\b(the|of|and|your|you|is|are|was|not|with|from|this|that|by|for|has|have|in|on|at|to|left|what|which|yearly"
    r"|open|statement|finding|findings|due|days|day|price)\b"
)
TYPED = re.compile(
    r'<(?:script|style|code|option)\b.*?</(?:script|style|code|option)>|<span lang="en">.*?</span>', re.DOTALL
)


TYPED_BY_PEOPLE = ("The speed of one pass is not recorded.",)
"""What a verifier wrote in a finding."""


def english_in(page: str, *typed: str) -> set[str]:
    """Return the words of English in the main part of a page, but for what somebody typed."""
    main = TYPED.sub(" ", page.partition("<main")[2].partition("</main>")[0])
    text = unescape(re.sub(r"<[^>]+>", " ", main))
    for one in typed:
        text = text.replace(one, " ")
    return {" ".join(text[max(0, found.start() - 40) : found.end() + 20].split()) for found in ENGLISH.finditer(text)}


def page(client: Client, view: str, *args: object, **asked: str) -> str:
    return client.get(reverse(view, args=args), asked, headers=SPANISH).content.decode()


@pytest.fixture
def found(cast: Cast) -> str:
    """Return the number of a finding that the farm must answer."""
    day = today()
    texts = {
        "text": "Faltan boletas", "subject": "Boletas", "cite": "2100.031", "severity": str(Severity.MAJOR),
        "owner": str(cast.audit.audited), "due": day.isoformat(),
    }  # fmt: skip
    return raise_finding(cast.audit, texts, actor=cast.actor("verifier_in")).number


def test_audits_of_us_have_no_english_left(cast: Cast, found: str) -> None:
    fill_custody(cast)
    browser, farm = cast.client(), cast.farm.handle
    names = (str(cast.audit.verifier), str(cast.audit.audited), cast.audit.number, *TYPED_BY_PEOPLE)
    for view, args in (
        ("audits_of_us", (farm,)),
        ("audit_of_us", (farm, cast.audit.handle)),
        ("audit_of_us_finding", (farm, cast.audit.handle, found)),
    ):
        assert english_in(page(browser, view, *args), *names) == set(), view
    assert cycle_of(cast.mill, today()).due_on is not None
    assert english_in(page(browser, "audits_of_us", cast.mill.handle), str(cast.mill)) == set()


def test_an_answer_that_stands_is_told_in_spanish(cast: Cast, found: str) -> None:
    browser = cast.client()
    where = reverse("audit_of_us_finding", args=(cast.farm.handle, cast.audit.handle, found))
    answer = browser.post(where, {"text": "Corregido", "evidence": ""}, headers=SPANISH, follow=True)
    told = re.findall(r'<p class="message[^"]*">(.*?)</p>', answer.content.decode())
    assert len(told) == 1
    assert told[0].startswith("Su respuesta al hallazgo")
    assert not ENGLISH.search(told[0].replace(str(cast.audit.verifier), ""))


def test_sentences_put_together_are_spanish_whole() -> None:
    price = "12\u00a0t over 40,000 bu · $496 at your $40 a ton, 1.2¢ a bushel"
    row = "Added to Crops and harvests: N40-2027"
    for text in (
        price,
        "The cover crop was ended by tillage. It rests on X1 (2025-04-14).",
        "A plow turned the ground over. It rests on Plow and harrow (2025-04-14) (and 2 more).",
        "Cover crop cannot be met on G35: The cover crop was ended by tillage. It rests on X1 (2025-04-14).",
        "Crops and harvests: N40 is removed. You can put it back here. Left to do before the signatures: 3.",
        f"The records say something else by now: {row} (and 5 more).",
        row,
    ):
        with translation.override("es"):
            told = said(text)
        assert not ENGLISH.search(told.replace("Plow and harrow", "")), (text, told)
