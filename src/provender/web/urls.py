"""Every address. Each name has a row in the tests that says how the whole cast is answered."""

from typing import Any, Final

from django.urls import URLPattern, URLResolver, include, path
from ninja import Router

from provender import __version__
from provender.web import errors, tables
from provender.web.api import problems
from provender.web.api.described import DescribedApi
from provender.web.audit import api as audit_api
from provender.web.audit.pages import OF_AUDITS
from provender.web.custody.api import stock
from provender.web.custody.urls import OF_CUSTODY
from provender.web.farm.api import imports, records, reports
from provender.web.farm.pages import field
from provender.web.farm.urls import OF_FARM
from provender.web.organisation import accounts
from provender.web.organisation.api import members, organisation
from provender.web.organisation.pages import members as pages_members
from provender.web.organisation.pages import notices, organisations
from provender.web.organisation.urls import OF_MEMBERS

# The API put together: add a router here and its calls are described, guarded and tested.

ROUTERS: Final[tuple[Router, ...]] = (
    organisation.router,
    members.router,
    organisation.transparency_router,
    imports.files_router,
    records.router,
    imports.router,
    imports.import_answers_router,
    imports.boundaries_router,
    records.evidence_router,
    records.season_router,
    records.exchange_router,
    reports.router,
    reports.keys_router,
    reports.sales_router,
    stock.router,
    audit_api.verifier_router,
    audit_api.router,
    audit_api.sample_router,
    audit_api.programme_router,
    audit_api.packages_router,
    audit_api.findings_router,
    audit_api.statements_router,
)

api = DescribedApi(
    title="provender",
    version=__version__,
    description=(
        "Records, verdicts, reports, custody and audits under 7 CFR part 2100. A token opens one organization. "
        "Every POST carries an Idempotency-Key. Refusals are problems (RFC 9457)."
    ),
    docs_url=None,
    posted=organisation.POSTED,
    urls_namespace="api",
)
problems.register(api)
for _router in ROUTERS:
    api.add_router("", _router)


OF_ORGANISATION: list[URLPattern] = [
    *OF_MEMBERS,
    *OF_FARM,
    *OF_CUSTODY,
    *OF_AUDITS,
    path("files/<slug:file>/", tables.stored_file, name="stored_file"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", organisations.home, name="home"),
    path("account/", organisations.account, name="account"),
    path("account/sessions/", notices.account_sessions, name="account_sessions"),
    path("account/browser/<str:key>/", accounts.let_browser_in, name="account_browser"),
    path("account/", include("allauth.account.urls")),
    path("account/codes/", include("allauth.mfa.urls")),
    path("join/<str:secret>/", pages_members.join, name="join"),
    path("organisations/new/", organisations.new_organisation, name="new_organisation"),
    path("o/<slug:handle>/", include(OF_ORGANISATION)),
    path("field/", field.field, name="field"),
    path("field/worker.js", field.field_worker, name="field_worker"),
    path("field/now", field.field_now, name="field_now"),
    path("interpretations/<int:number>/", errors.interpretation_page, name="interpretation"),
    path("health", errors.health, name="health"),
    path("csp-report", errors.csp_report, name="csp_report"),
    path("api/v1/", api.urls),
]

handler400: Any = "provender.web.errors.bad_request"
handler403: Any = "provender.web.errors.forbidden"
handler404: Any = "provender.web.errors.not_found"
handler500: Any = "provender.web.errors.server_error"
