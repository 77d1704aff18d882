"""Who prepared the records, or works in both places, cannot verify (interpretation 55)."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from provender.database.choices import Role
from provender.database.models.accounts import Membership, Organisation, OrganisationRole, ReadGrant
from provender.services.accounts.access import against_independence
from provender.services.accounts.grants import enter_contract, grant_reading, revoke_reading
from provender.services.accounts.organisations import accept_invitation, add_member, invite_person, remove_member
from provender.services.farm.book import Edit, change_book
from provender.services.refused import RefusedError
from tests.web.cast import Cast


def grant(cast: Cast, audited: Organisation, verifier: Organisation) -> ReadGrant:
    today = timezone.localdate()
    return grant_reading(audited, verifier, first_day=today, last_day=today, purpose="audit", actor=cast.actor("owner"))


def make_verifier(organisation: Organisation) -> None:
    OrganisationRole.objects.create(organisation=organisation, role=Role.VERIFIER)


def test_a_stranger_to_the_records_may_verify_and_a_firm_whose_consultant_works_there_not(cast: Cast) -> None:
    assert against_independence(cast.verifier, cast.farm) == []
    make_verifier(cast.adviser)
    with pytest.raises(RefusedError, match="member in common"):
        grant(cast, cast.farm, cast.adviser)
    make_verifier(cast.elevator)
    with pytest.raises(RefusedError) as refused:
        grant(cast, cast.elevator, cast.elevator)
    assert [one.cause for one in refused.value.problems] == [f"{cast.elevator} cannot verify itself."]


def test_a_firm_that_prepared_records_may_not_even_after_its_consultant_left(cast: Cast) -> None:
    make_verifier(cast.adviser)
    consultant = cast.membership("consultant")
    by = cast.actor("consultant")
    by = type(by)(by.person, by.via, for_firm=cast.adviser)
    change_book(cast.book, [Edit("harvest", "h9", {"bushels": 1})], reason="advice", actor=by)
    remove_member(consultant, actor=cast.actor("owner"))
    found = against_independence(cast.adviser, cast.farm)
    assert [one.cause for one in found] == ["Good Advice prepared records of Ada's Farm."]


def test_nor_may_it_verify_the_farms_buyer(cast: Cast) -> None:
    make_verifier(cast.adviser)
    assert against_independence(cast.adviser, cast.elevator) == []
    enter_contract(cast.farm, cast.elevator, number="1", signed_on=date(2026, 1, 1), actor=cast.actor("stranger"))
    with pytest.raises(RefusedError) as refused:
        grant(cast, cast.elevator, cast.adviser)
    assert [one.cause for one in refused.value.problems] == [
        f"{tie} Ada's Farm supplies {cast.elevator}."
        for tie in (
            "Good Advice and Ada's Farm have a member in common.",
            "Good Advice advises Ada's Farm.",
        )
    ]


def test_a_verifiers_person_cannot_join_what_it_verifies_nor_a_member_the_verifier(cast: Cast) -> None:
    invitation, _ = invite_person(cast.verifier, label="Ada", right="read", actor=cast.actor("verifier_in"))
    with pytest.raises(RefusedError, match="must stay independent"):
        accept_invitation(invitation, cast.person("owner"), actor=cast.actor("owner"))
    invitation, _ = invite_person(cast.farm, label="Vic", right="read", actor=cast.actor("owner"))
    with pytest.raises(RefusedError, match="must stay independent"):
        accept_invitation(invitation, cast.person("verifier_in"), actor=cast.actor("verifier_in"))
    revoke_reading(cast.grant, actor=cast.actor("owner"))
    accept_invitation(invitation, cast.person("verifier_in"), actor=cast.actor("verifier_in"))
    assert Membership.objects.filter(organisation=cast.farm, person=cast.person("verifier_in")).exists()


def test_only_a_verifier_gets_access_and_only_with_days_in_order(cast: Cast) -> None:
    with pytest.raises(RefusedError, match="not a verifier"):
        grant(cast, cast.farm, cast.elevator)
    today = timezone.localdate()
    with pytest.raises(RefusedError, match="last day is before"):
        grant_reading(
            cast.farm,
            cast.verifier,
            first_day=today,
            last_day=today - timedelta(days=1),
            purpose="x",
            actor=cast.actor("owner"),
        )


def test_the_last_manager_of_the_house_stays(cast: Cast) -> None:
    with pytest.raises(RefusedError, match="last member"):
        remove_member(cast.membership("owner"), actor=cast.actor("owner"))
    remove_member(cast.membership("writer"), actor=cast.actor("owner"))
    add_member(cast.farm, cast.person("writer"), "manage", actor=cast.actor("owner"))
    remove_member(cast.membership("owner"), actor=cast.actor("owner"))


def test_an_invitation_works_once(cast: Cast) -> None:
    by = cast.actor("stranger")
    accept_invitation(cast.invitation, cast.person("stranger"), actor=by)
    with pytest.raises(RefusedError, match="used or withdrawn"):
        accept_invitation(cast.invitation, cast.person("verifier_out"), actor=by)
