"""What is offered about the seed is what would be taken: no commitment once the sample is drawn or a part is open."""

import pytest
from django.test import Client
from django.urls import reverse

from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.population import FarmCrop, freeze
from provender.audit.sampling.seed import commitment
from provender.database.models import Audit
from tests.web.cast import Cast, open_audit

pytestmark = pytest.mark.django_db
PART = "a text of the mill's own that nobody guesses"


@pytest.fixture
def audit(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Audit:
    rows = [FarmCrop(f"farm-{at}", "soybeans", "17019", 1_000_000 * at, 500_000, 80_000) for at in range(1, 10)]
    monkeypatch.setattr("provender.database.store.audits.population_from_lots", lambda _: freeze(rows))
    return open_audit(cast.verifier, cast.mill, AuditRole.FIRST_POINT, actor=cast.actor("verifier_in"), number="V-seed")


def offered(client: Client, where: str) -> set[str]:
    page = client.get(where).content.decode()
    return {name for name in ("commitment", "secret", "seed") if f'name="{name}"' in page}


def test_a_commitment_is_offered_while_it_counts_and_an_opening_where_there_is_one(cast: Cast, audit: Audit) -> None:
    vic, mill = cast.client("verifier_in"), cast.client("owner")
    its = reverse("audit_sample", args=(cast.verifier.handle, audit.handle))
    ours = reverse("audit_of_us", args=(cast.mill.handle, audit.handle))
    assert (offered(vic, its), offered(mill, ours)) == ({"commitment"}, {"commitment"})
    assert mill.post(ours, {"commitment": commitment(PART)}).status_code == 302
    assert vic.post(its, {"do": "freeze"}).status_code == 302
    assert offered(mill, ours) == {"commitment", "secret"}
    assert mill.post(ours, {"secret": PART}).status_code == 302
    assert offered(mill, ours) == set(), "its part is open: what is drawn from these farms stands"
    assert offered(vic, its) == {"seed"}
    assert vic.post(its, {"do": "draw"}).status_code == 302
    assert (offered(vic, its), offered(mill, ours)) == (set(), set())
    assert "are drawn" in mill.get(ours).content.decode()
