"""Addresses of an organisation's own pages."""

from django.urls import URLPattern, path

from provender.web.organisation.pages import members, notices, organisations

OF_MEMBERS: list[URLPattern] = [
    path("", organisations.organisation_page, name="organisation"),
    path("search/", organisations.organisation_search, name="organisation_search"),
    path("settings/", organisations.organisation_settings, name="organisation_settings"),
    path("members/", members.members, name="members"),
    path("members/<int:pk>/", members.member, name="member"),
    path("members/<int:pk>/remove/", members.member_remove, name="member_remove"),
    path("invitations/<int:pk>/withdraw/", members.invitation_withdraw, name="invitation_withdraw"),
    path("access/", members.grants, name="grants"),
    path("access/<int:pk>/revoke/", members.grant_revoke, name="grant_revoke"),
    path("reviewers/", members.reviewers, name="reviewers"),
    path("reviewers/<int:pk>/end/", members.reviewer_end, name="reviewer_end"),
    path("review/", members.review, name="review"),
    path("notices/", notices.notices, name="notices"),
    path("notices/count/", notices.notices_count, name="notices_count"),
    path("webhooks/", notices.hooks, name="hooks"),
    path("webhooks/<int:pk>/end/", notices.hook_end, name="hook_end"),
    path("log/", organisations.log, name="log"),
    path("transparency/", notices.transparency, name="transparency"),
    path("transparency/head/", notices.transparency_head, name="transparency_head"),
    path("transparency/<slug:mark>/", notices.transparency_proof, name="transparency_proof"),
    path("tokens/", members.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", members.token_revoke, name="token_revoke"),
]
