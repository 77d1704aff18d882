"""The documented system of 2100.032(a) says what the rule asks for, from the book alone, as text and as paper."""

from datetime import date
from io import BytesIO

from pypdf import PdfReader

from provender.custody.documents.print import manual_pdf
from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.queries.manual import manual
from tests.custody.papers import elevator_book, vouched
from tests.custody.world import ev, posted

DAY = date(2026, 2, 10)


def book() -> MemoryStore:
    store = elevator_book(vouched())
    odd = ev("entity", "e-odd", "2026-01-02", entity="odd", name="Odd | Sons", roles=["intermediary"], sites=["yard"])
    signed = {"start_day": "2026-01-01", "signing_key": "thumb"}
    farm = ev(
        "contract", "k-1", "2026-01-02", entity="coop", counterparty="ada", role="supplier", number="K|1", **signed
    )
    buyer = ev(
        "contract", "k-2", "2026-01-02", entity="coop", counterparty="odd", role="recipient", number="K-2", **signed
    )
    proof = ev(
        "statement", "s-ada", "2026-01-02", entity="ada", verifier="Veri", number="V7", start_day="2026-01-01",
        end_day="2026-12-31", crops=["corn"], opinion="first_audit_contracted",
    )  # fmt: skip
    posted(store, [odd, farm, buyer, proof])
    return store


def words(store: MemoryStore, name: str) -> str:
    entity = store.one(Entity, name)
    assert entity is not None
    return manual(store, entity, DAY)


def test_it_names_partners_by_name_role_contract_and_key_and_what_verified_them() -> None:
    text = words(book(), "coop")
    ada = book().one(Entity, "ada")
    assert ada is not None
    assert f"| {ada.name} (ada) | supplier | K\\|1 | 2026-01-01 | pinned |" in text
    assert "| Odd \\| Sons (odd) | recipient | K-2 | 2026-01-01 | pinned |" in text
    assert "(ada): first year, audit contracted with Veri, 2026-01-01 to 2026-12-31, corn (no. V7)." in text
    assert "Reports of farms behind what we bought: 1 on file" in text


def test_only_who_buys_from_farms_says_so() -> None:
    store = book()
    assert "From a farm we buy" in words(store, "coop")
    assert "From a farm we buy" not in words(store, "odd")
    assert "No contract is on file." in words(store, "odd")


def test_on_paper_no_sign_of_the_markup_is_left_and_no_name_is_broken() -> None:
    pages = PdfReader(BytesIO(manual_pdf(words(book(), "coop"), DAY))).pages
    shown = " ".join(" ".join(page.extract_text() for page in pages).replace("\u200b", "").split())
    assert "Odd | Sons (odd) recipient K-2 2026-01-01 pinned" in shown
    assert "Mass balance time periods (2100.034(b))" in shown
    assert not any(mark in shown for mark in ("##", "---", "\\|"))
