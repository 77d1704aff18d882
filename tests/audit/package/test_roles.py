"""As what a party is audited stands in its package; the answer says where it comes from."""

import json
from dataclasses import replace
from datetime import date

import pytest

from provender.audit.package.contents import roles_of
from provender.audit.package.layout import Part, entity_path, folder_name
from provender.audit.package.write import Header, Subject
from provender.audit.programme import Role

HEAD = Header(
    Subject.ENTITY_PERIOD, "me", "Me", date(2026, 1, 1), date(2026, 12, 31), "interim-2025", "provender",
    date(2027, 1, 11), {f"entities/{folder_name('me')}": "me"},
)  # fmt: skip


def book(*events: object) -> dict[str, bytes]:
    lines = [json.dumps({"event": event}) for event in events]
    return {entity_path("me", Part.BOOK): "\n".join(["{}", *lines]).encode()}


def entity(*roles: object, name: str = "me") -> dict[str, object]:
    return {"type": "entity", "entity": name, "roles": list(roles)}


PROCESS = {"type": "process", "entity": "me"}


@pytest.mark.parametrize(
    ("events", "roles"),
    [
        ([entity("first_point")], (Role.FIRST_POINT,)),
        ([entity("refiner", "first_point")], (Role.FIRST_POINT, Role.REFINER)),
        ([entity("intermediary"), PROCESS], (Role.INTERMEDIARY, Role.PROCESSOR)),
        ([entity("intermediary"), {**PROCESS, "entity": "other"}], (Role.INTERMEDIARY,)),
        ([entity("refiner", name="other")], (Role.FIRST_POINT,)),
        ([entity("service_provider", 5)], (Role.FIRST_POINT,)),
        ([], (Role.FIRST_POINT,)),
        (["nothing", {"type": "entity", "entity": "me", "roles": 5}], (Role.FIRST_POINT,)),
    ],
)
def test_a_house_is_audited_as_what_its_book_says(events: list[object], roles: tuple[Role, ...]) -> None:
    assert roles_of(HEAD, book(*events)) == roles


def test_a_farm_is_audited_as_a_farm_and_the_farms_of_a_whole_audit_bring_their_tasks() -> None:
    assert roles_of(replace(HEAD, subject=Subject.FARM_REPORT), {}) == (Role.FARM,)
    whole = replace(HEAD, subject=Subject.AUDIT, parties={**HEAD.parties, "farms/x": "f"})
    assert roles_of(whole, book(entity("first_point"))) == (Role.FARM, Role.FIRST_POINT)
