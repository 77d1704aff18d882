"""Every address against the whole cast, by GET and by POST. An address without its two lines in ``answers`` fails.

A line holds: name, method, then what each of the cast gets, in the order of ``PARTS``: a status, or ``login`` for the
way to the sign-in page. POSTs carry no fields: a form that is shown again is 200, a deed that went through is 302.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Final

import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker, Settings

from provender.database.models.accounts import Hook, Review
from provender.database.models.farm import BookImport
from tests.web.addresses import all_names
from tests.web.cast import PARTS, Cast, make_cast
from tests.web.custody_season import opened_mill
from tests.web.standing import standing

HERE: Final = Path(__file__).parent
METHODS: Final = ("GET", "POST")


def an_import(cast: Cast) -> str:
    """Return an import that nobody has begun to read."""
    return BookImport.objects.get_or_create(book=cast.book, handle="theimport")[0].handle


def a_hook(cast: Cast) -> int:
    """Return a webhook of the farm."""
    made, _ = Hook.objects.get_or_create(
        organisation=cast.farm, address="https://a.example", made_by=cast.people["owner"]
    )
    return made.pk


LED: Final = (
    "audit", "audit_sample", "audit_sample_file", "audit_work", "audit_package", "audit_findings", "audit_statement",
    "audit_statement_sign", "audit_statement_later", "audit_engagement",
)  # fmt: skip
OF_AUDIT: Final = (
    "get_audit", "get_standing", "list_entries", "get_population", "freeze", "draw", "get_sample", "list_drawn",
    "borrow_audit", "fail_farm", "list_work", "list_visits", "list_places", "list_package_choices", "list_packages",
    "ask_package", "list_results", "list_findings", "raise_finding", "get_draft", "save_draft", "get_statement",
    "hand_in_statement", "get_statement_pdf", "get_statement_papers", "list_later", "hand_in_later", "list_needs",
    "get_engagement", "say_engagement", "list_seen", "log_seen", "commit_part", "open_part",
)  # fmt: skip
OF_FINDING: Final = ("get_finding", "respond", "resolve", "reopen_finding", "change_finding")
OF_ENTRY: Final = ("get_package", "get_package_file", "get_result", "list_differences", "get_later")
OF_IMPORT: Final = (
    "get_import", "list_import_rows", "list_import_problems", "list_import_sheets", "list_import_rejected",
    "choose_for_import", "read_import_again", "write_import", "give_up_import",
)  # fmt: skip
ARGUMENTS: Final[Mapping[str, Callable[[Cast], tuple[object, ...]]]] = {
    "join": lambda cast: (cast.secret,),
    "interpretation": lambda _: (43,),
    "member": lambda cast: (cast.farm.handle, cast.membership("reader").pk),
    "member_remove": lambda cast: (cast.farm.handle, cast.membership("reader").pk),
    "invitation_withdraw": lambda cast: (cast.farm.handle, cast.invitation.pk),
    "grant_revoke": lambda cast: (cast.farm.handle, cast.grant.pk),
    "transparency_proof": lambda cast: (cast.farm.handle, "0" * 64),
    "token_revoke": lambda cast: (cast.farm.handle, cast.token.pk),
    "reviewer_end": lambda cast: (cast.farm.handle, Review.objects.get(organisation=cast.farm).pk),
    "farm_kind": lambda cast: (cast.farm.handle, "harvest"),
    "farm_row": lambda cast: (cast.farm.handle, "harvest"),
    "farm_row_remove": lambda cast: (cast.farm.handle, "harvest"),
    "farm_row_put_back": lambda cast: (cast.farm.handle, "harvest"),
    "farm_import": lambda cast: (cast.farm.handle, an_import(cast)),
    "farm_import_again": lambda cast: (cast.farm.handle, an_import(cast)),
    "farm_import_choose": lambda cast: (cast.farm.handle, an_import(cast)),
    "farm_import_give_up": lambda cast: (cast.farm.handle, an_import(cast)),
    "farm_import_progress": lambda cast: (cast.farm.handle, an_import(cast)),
    "farm_import_row": lambda cast: (cast.farm.handle, an_import(cast)),
    "farm_import_write": lambda cast: (cast.farm.handle, an_import(cast)),
    "farm_report": lambda cast: (cast.farm.handle, "corn", 2025),
    "farm_report_sign": lambda cast: (cast.farm.handle, "corn", 2025),
    "farm_report_file": lambda cast: (cast.farm.handle, "corn", 2025, 0, "pdf"),
    "custody_enter": lambda cast: (opened_mill(cast), "sale"),
    "farm_slip_file": lambda cast: (cast.farm.handle, "none", "pdf"),
    "stored_file": lambda cast: (cast.farm.handle, cast.upload.handle),
    "audits": lambda cast: (cast.verifier.handle,),
    "audit_accreditation": lambda cast: (cast.verifier.handle,),
    "audit_key": lambda cast: (cast.verifier.handle,),
    "audit_of_us_later": lambda cast: (cast.farm.handle, cast.audit.handle, 1),
    **{name: lambda cast: (cast.verifier.handle, cast.audit.handle) for name in LED},
    "audit_work_file": lambda cast: (cast.verifier.handle, cast.audit.handle, "xlsx"),
    "audit_statement_file": lambda cast: (cast.verifier.handle, cast.audit.handle, "json"),
    **{
        name: lambda cast: (cast.verifier.handle, cast.audit.handle, 1)
        for name in ("audit_result", "audit_package_work", "audit_package_progress", "audit_package_file")
    },
    "audit_finding_from": lambda cast: (cast.verifier.handle, cast.audit.handle, 1, 0),
    "audit_finding": lambda cast: (cast.verifier.handle, cast.audit.handle, "1"),
    "audit_of_us": lambda cast: (cast.farm.handle, cast.audit.handle),
    "audit_of_us_finding": lambda cast: (cast.farm.handle, cast.audit.handle, "1"),
    "audit_of_us_statement": lambda cast: (cast.farm.handle, cast.audit.handle, "json"),
    **{f"api:{name}": lambda _: ("harvest",) for name in ("get_kind", "list_rows", "list_row_history", "get_removal")},
    **{f"api:{name}": lambda _: ("corn", 2025) for name in ("get_report", "list_report_versions", "keep_report")},
    **{
        f"api:{name}": lambda cast: (cast.membership("reader").pk,)
        for name in ("get_member", "change_member", "remove_member")
    },
    "api:withdraw_invitation": lambda cast: (cast.invitation.pk,),
    "api:take_access_back": lambda cast: (cast.grant.pk,),
    "api:end_reviewer": lambda cast: (Review.objects.get(organisation=cast.farm).pk,),
    "api:revoke_token": lambda cast: (cast.token.pk,),
    "hook_end": lambda cast: (cast.farm.handle, a_hook(cast)),
    "api:end_webhook": lambda cast: (a_hook(cast),),
    **{f"api:{name}": lambda cast: (an_import(cast),) for name in OF_IMPORT},
    **{f"api:{name}": lambda cast: (cast.upload.handle,) for name in ("get_file", "get_file_content")},
    **{f"api:{name}": lambda _: ("none",) for name in ("get_slip", "get_slip_pdf")},
    "api:get_report_standing": lambda _: ("corn", 2025),
    **{f"api:{name}": lambda _: ("corn", 2025, 0) for name in ("get_report_pdf", "get_report_jws")},
    "api:get_report_version": lambda _: ("corn", 2025, 1),
    **{f"api:{name}": lambda _: ("2025-01-01",) for name in ("get_balance", "get_restatement")},
    "api:get_log_proof": lambda _: ("0" * 64,),
    "api:get_event_kind": lambda _: ("sale",),
    **{f"api:{name}": lambda cast: (cast.audit.handle,) for name in OF_AUDIT},
    **{f"api:{name}": lambda cast: (cast.audit.handle, "1") for name in OF_FINDING},
    **{f"api:{name}": lambda cast: (cast.audit.handle, 1) for name in OF_ENTRY},
    "api:raise_finding_from": lambda cast: (cast.audit.handle, 1, 0),
    "api:mark_line": lambda cast: (cast.audit.handle, "0" * 16),
    "api:get_work_file": lambda cast: (cast.audit.handle, "pdf"),
    **{name: lambda _: (1,) for name in ("mfa_edit_webauthn", "mfa_remove_webauthn")},
    "account_confirm_email": lambda _: ("no-such-key",),
    "account_reset_password_from_key": lambda _: ("x", "no-such-key"),
}
"""Arguments of addresses that take more than, or something else than, the farm's handle."""

WITH_HANDLE: Final = frozenset(
    {
        "audits_of_us",
        "farm",
        "farm_claims",
        "farm_crop",
        "farm_draw",
        "farm_evidence",
        "farm_exchange",
        "farm_exchange_file",
        "farm_field",
        "farm_field_book",
        "farm_import_rejected",
        "farm_map",
        "farm_imports",
        "farm_template",
        "farm_intensity",
        "farm_key",
        "farm_plan",
        "farm_reports",
        "farm_sales",
        "farm_slip_sign",
        "farm_records",
        "farm_season",
        "farm_todo",
        "organisation",
        "organisation_search",
        "organisation_settings",
        "members",
        "grants",
        "log",
        "tokens",
        "reviewers",
        "review",
        "transparency",
        "transparency_head",
        "notices",
        "notices_count",
        "hooks",
    }
)


def read_answers() -> dict[tuple[str, str], list[str]]:
    """Read all lines of ``answers/*.txt``; a line that stands twice is an error."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in sorted((HERE / "answers").glob("*.txt")):
        for line in file.read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            name, method, *answers = line.split()
            assert (name, method) not in found, f"{name} {method} stands twice"
            assert len(answers) == len(PARTS), f"{file.name}: {line}"
            found[name, method] = answers
    return found


ANSWERS: Final = read_answers()


def address(name: str, cast: Cast) -> str:
    if name.startswith("custody_") and name not in ARGUMENTS:
        return reverse(name, args=(opened_mill(cast),))
    if name in ARGUMENTS:
        return reverse(name, args=ARGUMENTS[name](cast))
    return reverse(name, args=(cast.farm.handle,) if name in WITH_HANDLE else ())


def word(response: HttpResponseBase) -> str:
    where = response.headers.get("Location", "")
    return "login" if where.startswith(reverse("account_login")) else str(response.status_code)


@dataclass(frozen=True, slots=True)
class Doors:
    """The cast, made once for all addresses, with everybody's cookies and the folder of its uploads."""

    cast: Cast
    cookies: dict[str, SimpleCookie]
    uploads: Path


@pytest.fixture(scope="module")
def doors(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Doors]:
    """Make the cast in a transaction around all the tests: hundreds of casts would cost minutes."""
    with standing(django_db_blocker, tmp_path_factory.mktemp("doors"), make_cast) as made:
        cast = made.what
        yield Doors(cast, {part: cookies_of(cast, part) for part in PARTS}, made.uploads)


def cookies_of(cast: Cast, part: str) -> SimpleCookie:
    client = Client()
    person = cast.people[part]
    if person is not None:
        client.force_login(person)
    return client.cookies


def ask(name: str, method: str, part: str, doors: Doors) -> str:
    """Send one request as one of the cast, and undo what it wrote."""
    client = Client()
    client.cookies.load(doors.cookies[part].output(header=""))
    with transaction.atomic():
        response = client.generic(method, address(name, doors.cast))
        transaction.set_rollback(True)
    b"".join(getattr(response, "streaming_content", ()))
    return word(response)


def test_every_address_has_its_two_lines() -> None:
    assert set(ANSWERS) == {(name, method) for name in all_names() for method in METHODS}


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), list(ANSWERS))
def test_everyone_gets_the_expected_answer(name: str, method: str, doors: Doors, settings: Settings) -> None:
    expected = dict(zip(PARTS, ANSWERS[name, method], strict=True))
    # Where everybody gets the same, a session decides nothing: who has every right and who has none are enough.
    asked = PARTS if len(set(expected.values())) > 1 else ("owner", "anonymous")
    assert_answers(name, method, {part: expected[part] for part in asked}, doors, settings)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), [asked for asked, answers in ANSWERS.items() if len(set(answers)) == 1])
def test_where_all_get_the_same_nobody_gets_another_answer(
    name: str, method: str, doors: Doors, settings: Settings
) -> None:
    expected = dict(zip(PARTS, ANSWERS[name, method], strict=True))
    assert_answers(name, method, expected, doors, settings)


def assert_answers(name: str, method: str, expected: dict[str, str], doors: Doors, settings: Settings) -> None:
    settings.UPLOAD_FOLDER = doors.uploads
    assert {part: ask(name, method, part, doors) for part in expected} == expected
