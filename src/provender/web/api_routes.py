"""The API put together: add a router here and its calls are described, guarded and tested."""

from typing import Final

from ninja import Router

from provender import __version__
from provender.web.api import problems
from provender.web.api.described import DescribedApi
from provender.web.audit.api import audits, findings, packages, programme, sample, statements, verifier
from provender.web.custody.api import came_in, deliveries, entries, figures, overview, papers, periods, stock
from provender.web.custody.api import files as custody_files
from provender.web.custody.api import keys as custody_keys
from provender.web.farm.api import (
    boundaries,
    evidence,
    exchange,
    files,
    import_choices,
    imports,
    keys,
    records,
    report_files,
    sales,
    season,
)
from provender.web.organisation.api import grants, members, notices, organisation, reviewers, transparency

ROUTERS: Final[tuple[Router, ...]] = (
    organisation.router,
    members.router,
    grants.router,
    reviewers.router,
    transparency.router,
    notices.router,
    files.router,
    records.router,
    imports.router,
    import_choices.router,
    boundaries.router,
    evidence.router,
    season.router,
    exchange.router,
    report_files.router,
    keys.router,
    sales.router,
    overview.router,
    came_in.router,
    stock.router,
    periods.router,
    deliveries.router,
    figures.router,
    entries.router,
    custody_files.router,
    papers.router,
    custody_keys.router,
    verifier.router,
    audits.router,
    sample.router,
    programme.router,
    packages.router,
    findings.router,
    statements.router,
)

api = DescribedApi(
    title="provender",
    version=__version__,
    description=(
        "Records, verdicts, reports, custody and audits under 7 CFR part 2100. A token opens one organization. "
        "Every POST carries an Idempotency-Key. Refusals are problems (RFC 9457)."
    ),
    docs_url=None,
    posted=notices.POSTED,
    urls_namespace="api",
)
problems.register(api)
for _router in ROUTERS:
    api.add_router("", _router)
