"""Tests of one example world stand on one worker: a group that is lost in silence makes that world once a worker."""

import pytest

pytestmark = pytest.mark.xdist_group("groups")


def test_a_group_reaches_the_scheduler(request: pytest.FixtureRequest) -> None:
    if not hasattr(request.config, "workerinput"):
        pytest.skip("there are no workers here: `make test` has three")
    assert request.node.nodeid.endswith("@groups")
