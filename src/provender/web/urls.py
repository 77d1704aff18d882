"""Every address. Each name has a row in the tests that says how the whole cast is answered."""

from typing import Any

from django.urls import URLPattern, URLResolver, include, path

from provender.web import csp_report, download, health, interpretations
from provender.web.api.build import api
from provender.web.audit.pages import audits, findings, ours, package, package_work, programme, sample, statement
from provender.web.audit.pages import home as audit_home
from provender.web.audit.pages import key as audit_key
from provender.web.custody.urls import OF_CUSTODY
from provender.web.farm.pages import (
    book,
    evidence,
    field_map,
    import_choose,
    imports,
    intensity,
    plan,
    report,
    rows,
    sales,
    season,
)
from provender.web.farm.pages import key as farm_key
from provender.web.organisation.pages import account, grants, home, joining, log, members, organisations, tokens

OF_ORGANISATION: list[URLPattern] = [
    path("", organisations.organisation_page, name="organisation"),
    path("settings/", organisations.organisation_settings, name="organisation_settings"),
    path("members/", members.members, name="members"),
    path("members/<int:pk>/", members.member, name="member"),
    path("members/<int:pk>/remove/", members.member_remove, name="member_remove"),
    path("invitations/<int:pk>/withdraw/", members.invitation_withdraw, name="invitation_withdraw"),
    path("access/", grants.grants, name="grants"),
    path("access/<int:pk>/revoke/", grants.grant_revoke, name="grant_revoke"),
    path("farm/", book.farm, name="farm"),
    path("farm/crop/", book.farm_crop, name="farm_crop"),
    path("farm/season/", season.farm_season, name="farm_season"),
    path("farm/intensity/", intensity.farm_intensity, name="farm_intensity"),
    path("farm/plan/", plan.farm_plan, name="farm_plan"),
    path("farm/evidence/", evidence.farm_evidence, name="farm_evidence"),
    path("farm/map/", field_map.farm_map, name="farm_map"),
    path("farm/map/draw/", field_map.farm_draw, name="farm_draw"),
    path("farm/template.xlsx", imports.farm_template, name="farm_template"),
    path("farm/imports/", imports.farm_imports, name="farm_imports"),
    path("farm/imports/rejected/", imports.farm_import_rejected, name="farm_import_rejected"),
    path("farm/imports/<slug:pk>/", imports.farm_import, name="farm_import"),
    path("farm/imports/<slug:pk>/progress/", imports.farm_import_progress, name="farm_import_progress"),
    path("farm/imports/<slug:pk>/choose/", import_choose.farm_import_choose, name="farm_import_choose"),
    path("farm/imports/<slug:pk>/row/", import_choose.farm_import_row, name="farm_import_row"),
    path("farm/imports/<slug:pk>/again/", imports.farm_import_again, name="farm_import_again"),
    path("farm/imports/<slug:pk>/write/", imports.farm_import_write, name="farm_import_write"),
    path("farm/imports/<slug:pk>/give-up/", imports.farm_import_give_up, name="farm_import_give_up"),
    path("farm/key/", farm_key.farm_key, name="farm_key"),
    path("farm/reports/", report.farm_reports, name="farm_reports"),
    path("farm/reports/<slug:crop>/<int:year>/", report.farm_report, name="farm_report"),
    path("farm/reports/<slug:crop>/<int:year>/sign/", report.farm_report_sign, name="farm_report_sign"),
    path(
        "farm/reports/<slug:crop>/<int:year>/<int:version>/<slug:form>/",
        report.farm_report_file,
        name="farm_report_file",
    ),
    path("farm/sales/", sales.farm_sales, name="farm_sales"),
    path("farm/sales/sign/", sales.farm_slip_sign, name="farm_slip_sign"),
    path("farm/sales/<slug:slip>/<slug:form>/", sales.farm_slip_file, name="farm_slip_file"),
    path("farm/records/", rows.farm_records, name="farm_records"),
    path("farm/records/<slug:kind>/", rows.farm_kind, name="farm_kind"),
    path("farm/records/<slug:kind>/row/", rows.farm_row, name="farm_row"),
    path("farm/records/<slug:kind>/remove/", rows.farm_row_remove, name="farm_row_remove"),
    *OF_CUSTODY,
    path("audits/", audits.audits, name="audits"),
    path("audits/accreditation/", audits.audit_accreditation, name="audit_accreditation"),
    path("audits/key/", audit_key.audit_key, name="audit_key"),
    path("audits/<slug:audit>/", audit_home.audit, name="audit"),
    path("audits/<slug:audit>/sample/", sample.audit_sample, name="audit_sample"),
    path("audits/<slug:audit>/sample.json", sample.audit_sample_file, name="audit_sample_file"),
    path("audits/<slug:audit>/work/", programme.audit_work, name="audit_work"),
    path("audits/<slug:audit>/work.<slug:ending>", programme.audit_work_file, name="audit_work_file"),
    path("audits/<slug:audit>/packages/", package.audit_package, name="audit_package"),
    path(
        "audits/<slug:audit>/packages/<int:number>/",
        package_work.audit_package_work,
        name="audit_package_work",
    ),
    path(
        "audits/<slug:audit>/packages/<int:number>/progress/",
        package_work.audit_package_progress,
        name="audit_package_progress",
    ),
    path(
        "audits/<slug:audit>/packages/<int:number>.zip",
        package_work.audit_package_file,
        name="audit_package_file",
    ),
    path("audits/<slug:audit>/results/<int:number>/", package.audit_result, name="audit_result"),
    path(
        "audits/<slug:audit>/results/<int:number>/<int:index>/finding/",
        findings.audit_finding_from,
        name="audit_finding_from",
    ),
    path("audits/<slug:audit>/findings/", findings.audit_findings, name="audit_findings"),
    path("audits/<slug:audit>/findings/<slug:number>/", findings.audit_finding, name="audit_finding"),
    path("audits/<slug:audit>/statement/", statement.audit_statement, name="audit_statement"),
    path("audits/<slug:audit>/statement/sign/", statement.audit_statement_sign, name="audit_statement_sign"),
    path("audits/<slug:audit>/statement/later/", statement.audit_statement_later, name="audit_statement_later"),
    path(
        "audits/<slug:audit>/statement.<slug:ending>",
        statement.audit_statement_file,
        name="audit_statement_file",
    ),
    path("audits-of-us/", ours.audits_of_us, name="audits_of_us"),
    path("audits-of-us/<slug:audit>/", ours.audit_ours, name="audit_of_us"),
    path("audits-of-us/<slug:audit>/later/<int:number>.json", ours.audit_our_later, name="audit_of_us_later"),
    path("audits-of-us/<slug:audit>/findings/<slug:number>/", ours.audit_our_finding, name="audit_of_us_finding"),
    path(
        "audits-of-us/<slug:audit>/statement.<slug:ending>",
        ours.audit_our_statement,
        name="audit_of_us_statement",
    ),
    path("log/", log.log, name="log"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.token_revoke, name="token_revoke"),
    path("files/<slug:file>/", download.stored_file, name="stored_file"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("account/", account.account, name="account"),
    path("account/", include("allauth.account.urls")),
    path("account/codes/", include("allauth.mfa.urls")),
    path("join/<str:secret>/", joining.join, name="join"),
    path("organisations/new/", organisations.new_organisation, name="new_organisation"),
    path("o/<slug:handle>/", include(OF_ORGANISATION)),
    path("interpretations/<int:number>/", interpretations.interpretation_page, name="interpretation"),
    path("health", health.health, name="health"),
    path("csp-report", csp_report.csp_report, name="csp_report"),
    path("api/v1/", api.urls),
]

handler400: Any = "provender.web.errors.bad_request"
handler403: Any = "provender.web.errors.forbidden"
handler404: Any = "provender.web.errors.not_found"
handler500: Any = "provender.web.errors.server_error"
