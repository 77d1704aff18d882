"""The addresses of an entity's pages of the chain of custody, below its organisation's."""

from django.urls import URLPattern, path

from provender.web.custody.pages import (
    checks,
    choice,
    days,
    deliveries,
    entry,
    incoming,
    movements,
    partners,
    periods,
    receive,
    sales,
    settlements,
    stock,
    tickets,
    trace,
)

OF_CUSTODY: list[URLPattern] = [
    path("custody/", stock.custody_stock, name="custody_stock"),
    path("custody/open/", stock.custody_open, name="custody_open"),
    path("custody/lots/", stock.custody_lots, name="custody_lots"),
    path("custody/grain/", stock.custody_grain, name="custody_grain"),
    path("custody/incoming/", incoming.custody_incoming, name="custody_incoming"),
    path("custody/receive/", receive.custody_receive, name="custody_receive"),
    path("custody/tickets/", tickets.custody_tickets, name="custody_tickets"),
    path("custody/settlements/", settlements.custody_settlements, name="custody_settlements"),
    path("custody/sales/", sales.custody_sales, name="custody_sales"),
    path("custody/document/", sales.custody_document, name="custody_document"),
    path("custody/statement/", sales.custody_statement, name="custody_statement"),
    path("custody/movements/", movements.custody_movements, name="custody_movements"),
    path("custody/movement/", movements.custody_movement, name="custody_movement"),
    path("custody/enter/<slug:kind>/", entry.custody_enter, name="custody_enter"),
    path("custody/periods/", periods.custody_periods, name="custody_periods"),
    path("custody/period/", periods.custody_period, name="custody_period"),
    path("custody/day/", days.custody_day, name="custody_day"),
    path("custody/balance/", days.custody_balance, name="custody_balance"),
    path("custody/choice/", choice.custody_choice, name="custody_choice"),
    path("custody/deliveries/", deliveries.custody_deliveries, name="custody_deliveries"),
    path("custody/partners/", partners.custody_partners, name="custody_partners"),
    path("custody/checks/", checks.custody_checks, name="custody_checks"),
    path("custody/retention/", checks.custody_retention, name="custody_retention"),
    path("custody/manual/", checks.custody_manual, name="custody_manual"),
    path("custody/trace/", trace.custody_trace, name="custody_trace"),
]
