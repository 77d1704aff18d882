"""Every address of the site by name, read from the URL configuration, and one of each within the cast."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from provender.database.models.accounts import Hook, Review
from provender.database.models.farm import BookImport
from provender.formats.importing.questions import Answers
from provender.formats.parsed import encode
from tests.web.cast import Cast
from tests.web.custody_season import opened_mill


@cache
def parameters() -> Mapping[str, tuple[str, ...]]:
    """Return the names of what each address takes, by the name of the address with its namespace."""
    return MappingProxyType(dict(_walk(get_resolver().url_patterns, "", ())))


def all_names() -> set[str]:
    """Return the name of every address, with its namespace."""
    return set(parameters())


def _walk(
    patterns: list[URLPattern | URLResolver], space: str, before: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for pattern in patterns:
        taken = (*before, *pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from _walk(pattern.url_patterns, inner, taken)
        else:
            assert pattern.name, f"{pattern.pattern} has no name"
            yield f"{space}{pattern.name}", taken


def _import(cast: Cast) -> str:
    """Return an import that nobody has begun to read."""
    said = {"units": {}, "replace": False, "said": encode(Answers())}
    return BookImport.objects.get_or_create(book=cast.book, handle="theimport", defaults={"said": said})[0].handle


def _hook(cast: Cast) -> int:
    owner, address = cast.people["owner"], "https://a.example"
    return Hook.objects.get_or_create(organisation=cast.farm, address=address, made_by=owner)[0].pk


def _reviewer(cast: Cast) -> int:
    return Review.objects.get(organisation=cast.farm).pk


Given = Callable[[Cast], object]

BY_PARAMETER: Final[Mapping[str, object]] = {
    "number": 1, "pk": 1, "kind": "harvest", "crop": "corn", "year": 2025, "version": 0, "form": "pdf", "slip": "none",
    "mark": "0" * 64, "line": "0" * 16, "ending": "json", "start": "2025-01-01", "key": "no-such-key", "uidb36": "x",
    "index": 0,
}  # fmt: skip
OF_CAST: Final[Mapping[str, Given]] = {
    "audit": lambda cast: cast.audit.handle, "file": lambda cast: cast.upload.handle,
    "secret": lambda cast: cast.secret, "code": _import,
}  # fmt: skip
OF_ADDRESS: Final[Mapping[str, Given]] = {
    **dict.fromkeys(
        ("member", "member_remove", "api:get_member", "api:change_member", "api:remove_member"),
        lambda cast: cast.membership("reader").pk),
    **dict.fromkeys(
        ("farm_import", "farm_import_again", "farm_import_answer", "farm_import_give_up", "farm_import_progress",
         "farm_import_write"), _import),
    **dict.fromkeys(("invitation_withdraw", "api:withdraw_invitation"), lambda cast: cast.invitation.pk),
    **dict.fromkeys(("grant_revoke", "api:take_access_back"), lambda cast: cast.grant.pk),
    **dict.fromkeys(("token_revoke", "api:revoke_token"), lambda cast: cast.token.pk),
    **dict.fromkeys(("reviewer_end", "api:end_reviewer"), _reviewer),
    **dict.fromkeys(("hook_end", "api:end_webhook"), _hook),
    **dict.fromkeys(("custody_enter", "api:get_event_kind"), lambda _: "sale"),
    **dict.fromkeys(("api:get_report_pdf", "api:get_report_jws"), lambda _: 0),
    **dict.fromkeys(("api:get_slip", "api:get_slip_pdf"), lambda _: "none"),
    "interpretation": lambda _: 43, "audit_work_file": lambda _: "xlsx", "api:get_work_file": lambda _: "pdf",
}  # fmt: skip
"""What an address takes last that its parameter alone does not say."""


def address(name: str, cast: Cast) -> str:
    """Return the address of a name, with what stands around the cast's farm, mill or verifier."""
    taken = parameters()[name]
    return reverse(name, args=[_given(name, one, cast, last=one == taken[-1]) for one in taken])


def _given(name: str, parameter: str, cast: Cast, *, last: bool) -> object:
    if parameter == "handle":
        if name.startswith("custody_"):
            return opened_mill(cast)
        return (cast.verifier if name.startswith("audit") and "of_us" not in name else cast.farm).handle
    if last and name in OF_ADDRESS:
        return OF_ADDRESS[name](cast)
    return OF_CAST[parameter](cast) if parameter in OF_CAST else BY_PARAMETER[parameter]
