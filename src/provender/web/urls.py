"""Every address. Each name has a row in the tests that says how the whole cast is answered."""

from typing import Any

from django.urls import URLPattern, URLResolver, include, path

from provender.web import download, errors, health, interpretations
from provender.web.api_routes import api
from provender.web.audit.urls import OF_AUDITS
from provender.web.custody.urls import OF_CUSTODY
from provender.web.farm.pages import field
from provender.web.farm.urls import OF_FARM
from provender.web.organisation.pages import home, members, organisations, sessions
from provender.web.organisation.urls import OF_MEMBERS

OF_ORGANISATION: list[URLPattern] = [
    *OF_MEMBERS,
    *OF_FARM,
    *OF_CUSTODY,
    *OF_AUDITS,
    path("files/<slug:file>/", download.stored_file, name="stored_file"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("account/", organisations.account, name="account"),
    path("account/sessions/", sessions.account_sessions, name="account_sessions"),
    path("account/", include("allauth.account.urls")),
    path("account/codes/", include("allauth.mfa.urls")),
    path("join/<str:secret>/", members.join, name="join"),
    path("organisations/new/", organisations.new_organisation, name="new_organisation"),
    path("o/<slug:handle>/", include(OF_ORGANISATION)),
    path("field/", field.field, name="field"),
    path("field/worker.js", field.field_worker, name="field_worker"),
    path("field/now", field.field_now, name="field_now"),
    path("interpretations/<int:number>/", interpretations.interpretation_page, name="interpretation"),
    path("health", health.health, name="health"),
    path("csp-report", errors.csp_report, name="csp_report"),
    path("api/v1/", api.urls),
]

handler400: Any = "provender.web.errors.bad_request"
handler403: Any = "provender.web.errors.forbidden"
handler404: Any = "provender.web.errors.not_found"
handler500: Any = "provender.web.errors.server_error"
