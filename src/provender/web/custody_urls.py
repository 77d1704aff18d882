"""The addresses of an entity's pages of the chain of custody, below its organisation's."""

from django.urls import URLPattern, path

from provender.web.pages import (
    custody_checks,
    custody_enter,
    custody_grain,
    custody_incoming,
    custody_movements,
    custody_partners,
    custody_periods,
    custody_receive,
    custody_sales,
    custody_settlements,
    custody_stock,
    custody_tickets,
    custody_trace,
)

OF_CUSTODY: list[URLPattern] = [
    path("custody/", custody_stock.custody_stock, name="custody_stock"),
    path("custody/open/", custody_stock.custody_open, name="custody_open"),
    path("custody/lots/", custody_stock.custody_lots, name="custody_lots"),
    path("custody/grain/", custody_grain.custody_grain, name="custody_grain"),
    path("custody/incoming/", custody_incoming.custody_incoming, name="custody_incoming"),
    path("custody/receive/", custody_receive.custody_receive, name="custody_receive"),
    path("custody/tickets/", custody_tickets.custody_tickets, name="custody_tickets"),
    path("custody/settlements/", custody_settlements.custody_settlements, name="custody_settlements"),
    path("custody/sales/", custody_sales.custody_sales, name="custody_sales"),
    path("custody/document/", custody_sales.custody_document, name="custody_document"),
    path("custody/statement/", custody_sales.custody_statement, name="custody_statement"),
    path("custody/movements/", custody_movements.custody_movements, name="custody_movements"),
    path("custody/movement/", custody_movements.custody_movement, name="custody_movement"),
    path("custody/enter/<slug:kind>/", custody_enter.custody_enter, name="custody_enter"),
    path("custody/periods/", custody_periods.custody_periods, name="custody_periods"),
    path("custody/period/", custody_periods.custody_period, name="custody_period"),
    path("custody/partners/", custody_partners.custody_partners, name="custody_partners"),
    path("custody/checks/", custody_checks.custody_checks, name="custody_checks"),
    path("custody/retention/", custody_checks.custody_retention, name="custody_retention"),
    path("custody/manual/", custody_checks.custody_manual, name="custody_manual"),
    path("custody/trace/", custody_trace.custody_trace, name="custody_trace"),
]
