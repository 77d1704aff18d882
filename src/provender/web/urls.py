"""Every address. Each name has a row in the tests that says how the whole cast is answered."""

from typing import Any, Final

from django.urls import URLPattern, URLResolver, include, path
from ninja import Router

from provender import __version__
from provender.web import errors, tables
from provender.web.api import problems
from provender.web.api.described import DescribedApi
from provender.web.audit import api as audit_api
from provender.web.audit.pages import audits, package, programme
from provender.web.custody.api import stock
from provender.web.custody.pages import movements, partners, periods, sales
from provender.web.custody.pages import stock as stock_pages
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


OF_CUSTODY: list[URLPattern] = [
    path("custody/", stock_pages.custody_stock, name="custody_stock"),
    path("custody/open/", stock_pages.custody_open, name="custody_open"),
    path("custody/lots/", stock_pages.custody_lots, name="custody_lots"),
    path("custody/grain/", stock_pages.custody_grain, name="custody_grain"),
    path("custody/incoming/", sales.custody_incoming, name="custody_incoming"),
    path("custody/came-in/", periods.custody_came_in, name="custody_came_in"),
    path("custody/receive/", sales.custody_receive, name="custody_receive"),
    path("custody/tickets/", stock_pages.custody_tickets, name="custody_tickets"),
    path("custody/sales/", sales.custody_sales, name="custody_sales"),
    path("custody/document/", sales.custody_document, name="custody_document"),
    path("custody/notices/", sales.custody_notices, name="custody_notices"),
    path("custody/notice/", sales.custody_notice, name="custody_notice"),
    path("custody/consent/", sales.custody_consent, name="custody_consent"),
    path("custody/statement/", sales.custody_statement, name="custody_statement"),
    path("custody/movements/", movements.custody_movements, name="custody_movements"),
    path("custody/movement/", movements.custody_movement, name="custody_movement"),
    path("custody/enter/<slug:kind>/", movements.custody_enter, name="custody_enter"),
    path("custody/periods/", periods.custody_periods, name="custody_periods"),
    path("custody/period/", periods.custody_period, name="custody_period"),
    path("custody/day/", periods.custody_day, name="custody_day"),
    path("custody/balance/", periods.custody_balance, name="custody_balance"),
    path("custody/deliveries/", partners.custody_deliveries, name="custody_deliveries"),
    path("custody/figures/", sales.custody_figures, name="custody_figures"),
    path("custody/key/", sales.custody_key, name="custody_key"),
    path("custody/partners/", partners.custody_partners, name="custody_partners"),
    path("custody/suppliers/", partners.custody_suppliers, name="custody_suppliers"),
    path("custody/checks/", partners.custody_checks, name="custody_checks"),
    path("custody/retention/", partners.custody_retention, name="custody_retention"),
    path("custody/manual/", partners.custody_manual, name="custody_manual"),
    path("custody/trace/", stock_pages.custody_trace, name="custody_trace"),
]

OF_AUDITS: list[URLPattern] = [
    path("audits/", audits.list_audits, name="audits"),
    path("audits/accreditation/", audits.audit_accreditation, name="audit_accreditation"),
    path("audits/key/", programme.audit_key, name="audit_key"),
    path("audits/<slug:audit>/", audits.audit, name="audit"),
    path("audits/<slug:audit>/sample/", audits.audit_sample, name="audit_sample"),
    path("audits/<slug:audit>/sample.json", audits.audit_sample_file, name="audit_sample_file"),
    path("audits/<slug:audit>/work/", programme.audit_work, name="audit_work"),
    path("audits/<slug:audit>/work.<slug:ending>", programme.audit_work_file, name="audit_work_file"),
    path("audits/<slug:audit>/packages/", package.audit_package, name="audit_package"),
    path("audits/<slug:audit>/packages/<int:number>/", package.audit_package_work, name="audit_package_work"),
    path(
        "audits/<slug:audit>/packages/<int:number>/progress/",
        package.audit_package_progress,
        name="audit_package_progress",
    ),
    path("audits/<slug:audit>/packages/<int:number>.zip", package.audit_package_file, name="audit_package_file"),
    path("audits/<slug:audit>/results/<int:number>/", package.audit_result, name="audit_result"),
    path(
        "audits/<slug:audit>/results/<int:number>/<int:index>/finding/",
        programme.audit_finding_from,
        name="audit_finding_from",
    ),
    path("audits/<slug:audit>/engagement/", programme.audit_engagement, name="audit_engagement"),
    path("audits/<slug:audit>/findings/", programme.audit_findings, name="audit_findings"),
    path("audits/<slug:audit>/findings/<slug:number>/", programme.audit_finding, name="audit_finding"),
    path("audits/<slug:audit>/statement/", programme.audit_statement, name="audit_statement"),
    path("audits/<slug:audit>/statement/sign/", programme.audit_statement_sign, name="audit_statement_sign"),
    path("audits/<slug:audit>/statement/later/", programme.audit_statement_later, name="audit_statement_later"),
    path("audits/<slug:audit>/statement.<slug:ending>", programme.audit_statement_file, name="audit_statement_file"),
    path("audits-of-us/", audits.audits_of_us, name="audits_of_us"),
    path("audits-of-us/<slug:audit>/", audits.audit_ours, name="audit_of_us"),
    path("audits-of-us/<slug:audit>/later/<int:number>.json", audits.audit_our_later, name="audit_of_us_later"),
    path("audits-of-us/<slug:audit>/findings/<slug:number>/", audits.audit_our_finding, name="audit_of_us_finding"),
    path("audits-of-us/<slug:audit>/statement.<slug:ending>", audits.audit_our_statement, name="audit_of_us_statement"),
]

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
