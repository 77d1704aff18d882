"""Every address. Each name has a row in the tests that says how the whole cast is answered."""

from typing import Any

from django.urls import URLPattern, URLResolver, include, path

from provender.web.api import api
from provender.web.custody_urls import OF_CUSTODY
from provender.web.pages import (
    account,
    audit_findings,
    audit_home,
    audit_list,
    audit_ours,
    audit_package,
    audit_sample,
    audit_statement,
    audit_work,
    csp_report,
    farm_book,
    farm_import,
    farm_import_choose,
    farm_intensity,
    farm_plan,
    farm_rows,
    farm_season,
    files,
    grants,
    health,
    home,
    joining,
    log,
    members,
    organisations,
    tokens,
)

OF_ORGANISATION: list[URLPattern] = [
    path("", organisations.organisation_page, name="organisation"),
    path("settings/", organisations.organisation_settings, name="organisation_settings"),
    path("members/", members.members, name="members"),
    path("members/<int:pk>/", members.member, name="member"),
    path("members/<int:pk>/remove/", members.member_remove, name="member_remove"),
    path("invitations/<int:pk>/withdraw/", members.invitation_withdraw, name="invitation_withdraw"),
    path("access/", grants.grants, name="grants"),
    path("access/<int:pk>/revoke/", grants.grant_revoke, name="grant_revoke"),
    path("farm/", farm_book.farm, name="farm"),
    path("farm/crop/", farm_book.farm_crop, name="farm_crop"),
    path("farm/season/", farm_season.farm_season, name="farm_season"),
    path("farm/intensity/", farm_intensity.farm_intensity, name="farm_intensity"),
    path("farm/plan/", farm_plan.farm_plan, name="farm_plan"),
    path("farm/template.xlsx", farm_import.farm_template, name="farm_template"),
    path("farm/imports/", farm_import.farm_imports, name="farm_imports"),
    path("farm/imports/rejected/", farm_import.farm_import_rejected, name="farm_import_rejected"),
    path("farm/imports/<slug:pk>/", farm_import.farm_import, name="farm_import"),
    path("farm/imports/<slug:pk>/progress/", farm_import.farm_import_progress, name="farm_import_progress"),
    path("farm/imports/<slug:pk>/choose/", farm_import_choose.farm_import_choose, name="farm_import_choose"),
    path("farm/imports/<slug:pk>/row/", farm_import_choose.farm_import_row, name="farm_import_row"),
    path("farm/imports/<slug:pk>/again/", farm_import.farm_import_again, name="farm_import_again"),
    path("farm/imports/<slug:pk>/write/", farm_import.farm_import_write, name="farm_import_write"),
    path("farm/imports/<slug:pk>/give-up/", farm_import.farm_import_give_up, name="farm_import_give_up"),
    path("farm/records/", farm_rows.farm_records, name="farm_records"),
    path("farm/records/<slug:kind>/", farm_rows.farm_kind, name="farm_kind"),
    path("farm/records/<slug:kind>/row/", farm_rows.farm_row, name="farm_row"),
    path("farm/records/<slug:kind>/remove/", farm_rows.farm_row_remove, name="farm_row_remove"),
    *OF_CUSTODY,
    path("audits/", audit_list.audits, name="audits"),
    path("audits/accreditation/", audit_list.audit_accreditation, name="audit_accreditation"),
    path("audits/<slug:audit>/", audit_home.audit, name="audit"),
    path("audits/<slug:audit>/sample/", audit_sample.audit_sample, name="audit_sample"),
    path("audits/<slug:audit>/sample.json", audit_sample.audit_sample_file, name="audit_sample_file"),
    path("audits/<slug:audit>/work/", audit_work.audit_work, name="audit_work"),
    path("audits/<slug:audit>/work.<slug:ending>", audit_work.audit_work_file, name="audit_work_file"),
    path("audits/<slug:audit>/packages/", audit_package.audit_package, name="audit_package"),
    path("audits/<slug:audit>/results/<int:number>/", audit_package.audit_result, name="audit_result"),
    path(
        "audits/<slug:audit>/results/<int:number>/<int:index>/finding/",
        audit_findings.audit_finding_from,
        name="audit_finding_from",
    ),
    path("audits/<slug:audit>/findings/", audit_findings.audit_findings, name="audit_findings"),
    path("audits/<slug:audit>/findings/<slug:number>/", audit_findings.audit_finding, name="audit_finding"),
    path("audits/<slug:audit>/statement/", audit_statement.audit_statement, name="audit_statement"),
    path("audits/<slug:audit>/statement/sign/", audit_statement.audit_statement_sign, name="audit_statement_sign"),
    path(
        "audits/<slug:audit>/statement.<slug:ending>",
        audit_statement.audit_statement_file,
        name="audit_statement_file",
    ),
    path("audits-of-us/", audit_ours.audits_of_us, name="audits_of_us"),
    path("audits-of-us/<slug:audit>/", audit_ours.audit_ours, name="audit_of_us"),
    path("audits-of-us/<slug:audit>/findings/<slug:number>/", audit_ours.audit_our_finding, name="audit_of_us_finding"),
    path(
        "audits-of-us/<slug:audit>/statement.<slug:ending>",
        audit_ours.audit_our_statement,
        name="audit_of_us_statement",
    ),
    path("log/", log.log, name="log"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.token_revoke, name="token_revoke"),
    path("files/<slug:file>/", files.stored_file, name="stored_file"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("account/", account.account, name="account"),
    path("account/", include("allauth.account.urls")),
    path("account/codes/", include("allauth.mfa.urls")),
    path("join/<str:secret>/", joining.join, name="join"),
    path("organisations/new/", organisations.new_organisation, name="new_organisation"),
    path("o/<slug:handle>/", include(OF_ORGANISATION)),
    path("health", health.health, name="health"),
    path("csp-report", csp_report.csp_report, name="csp_report"),
    path("api/v1/", api.urls),
]

handler400: Any = "provender.web.pages.errors.bad_request"
handler403: Any = "provender.web.pages.errors.forbidden"
handler404: Any = "provender.web.pages.errors.not_found"
handler500: Any = "provender.web.pages.errors.server_error"
