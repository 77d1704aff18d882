"""Addresses of an organisation's own pages."""

from django.urls import URLPattern, path

from provender.web.organisation.pages import grants, members, notices, organisations, reviewers, search, transparency

OF_MEMBERS: list[URLPattern] = [
    path("", organisations.organisation_page, name="organisation"),
    path("search/", search.organisation_search, name="organisation_search"),
    path("settings/", organisations.organisation_settings, name="organisation_settings"),
    path("members/", members.members, name="members"),
    path("members/<int:pk>/", members.member, name="member"),
    path("members/<int:pk>/remove/", members.member_remove, name="member_remove"),
    path("invitations/<int:pk>/withdraw/", members.invitation_withdraw, name="invitation_withdraw"),
    path("access/", grants.grants, name="grants"),
    path("access/<int:pk>/revoke/", grants.grant_revoke, name="grant_revoke"),
    path("reviewers/", reviewers.reviewers, name="reviewers"),
    path("reviewers/<int:pk>/end/", reviewers.reviewer_end, name="reviewer_end"),
    path("review/", reviewers.review, name="review"),
    path("notices/", notices.notices, name="notices"),
    path("notices/count/", notices.notices_count, name="notices_count"),
    path("webhooks/", notices.hooks, name="hooks"),
    path("webhooks/<int:pk>/end/", notices.hook_end, name="hook_end"),
    path("log/", organisations.log, name="log"),
    path("transparency/", transparency.transparency, name="transparency"),
    path("transparency/head/", transparency.transparency_head, name="transparency_head"),
    path("transparency/<slug:mark>/", transparency.transparency_proof, name="transparency_proof"),
    path("tokens/", grants.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", grants.token_revoke, name="token_revoke"),
]
