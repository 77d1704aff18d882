"""The API put together: add a router here and its calls are described, guarded and tested."""

from typing import Final

from ninja import Router

from provender import __version__
from provender.web.api import (
    audits,
    custody,
    files,
    grants,
    members,
    organisation,
    problems,
    records,
    season,
    tokens,
    trade,
)
from provender.web.api.described import DescribedApi

ROUTERS: Final[tuple[Router, ...]] = (
    organisation.router,
    members.router,
    grants.router,
    tokens.router,
    files.router,
    records.router,
    season.router,
    custody.router,
    trade.router,
    audits.router,
)

api = DescribedApi(
    title="provender",
    version=__version__,
    description=(
        "Records, verdicts, reports, custody and audits under 7 CFR part 2100. A token opens one organisation. "
        "Every POST carries an Idempotency-Key. Refusals are problems (RFC 9457)."
    ),
    docs_url=None,
    urls_namespace="api",
)
problems.register(api)
for _router in ROUTERS:
    api.add_router("", _router)
