"""The API put together: add a router here and its calls are described, guarded and tested."""

from typing import Final

from ninja import Router

from provender import __version__
from provender.web.api import (
    audit_findings,
    audit_packages,
    audit_sample,
    audit_statements,
    audit_work,
    audits,
    boundaries,
    custody,
    custody_entries,
    custody_files,
    custody_periods,
    custody_stock,
    evidence,
    files,
    grants,
    import_choices,
    imports,
    keys,
    members,
    organisation,
    problems,
    records,
    report_files,
    season,
    slips,
    tokens,
    trade,
    verifier,
)
from provender.web.api.described import DescribedApi

ROUTERS: Final[tuple[Router, ...]] = (
    organisation.router,
    members.router,
    grants.router,
    tokens.router,
    files.router,
    records.router,
    imports.router,
    import_choices.router,
    boundaries.router,
    evidence.router,
    season.router,
    report_files.router,
    keys.router,
    slips.router,
    custody.router,
    custody_stock.router,
    custody_periods.router,
    custody_entries.router,
    custody_files.router,
    trade.router,
    verifier.router,
    audits.router,
    audit_sample.router,
    audit_work.router,
    audit_packages.router,
    audit_findings.router,
    audit_statements.router,
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
