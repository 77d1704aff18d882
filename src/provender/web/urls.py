"""Every address. Each name has a row in the tests that says how the whole cast is answered."""

from typing import Any

from django.urls import URLPattern, URLResolver, include, path

from provender.web.api import api
from provender.web.pages import (
    account,
    csp_report,
    farm_book,
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
    path("farm/records/", farm_rows.farm_records, name="farm_records"),
    path("farm/records/<slug:kind>/", farm_rows.farm_kind, name="farm_kind"),
    path("farm/records/<slug:kind>/row/", farm_rows.farm_row, name="farm_row"),
    path("farm/records/<slug:kind>/remove/", farm_rows.farm_row_remove, name="farm_row_remove"),
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
