"""The addresses of an entity's pages of the chain of custody, below its organisation's."""

from django.urls import URLPattern, path

from provender.web.custody.pages import movements, partners, periods, sales, stock

OF_CUSTODY: list[URLPattern] = [
    path("custody/", stock.custody_stock, name="custody_stock"),
    path("custody/open/", stock.custody_open, name="custody_open"),
    path("custody/lots/", stock.custody_lots, name="custody_lots"),
    path("custody/grain/", stock.custody_grain, name="custody_grain"),
    path("custody/incoming/", sales.custody_incoming, name="custody_incoming"),
    path("custody/came-in/", periods.custody_came_in, name="custody_came_in"),
    path("custody/receive/", sales.custody_receive, name="custody_receive"),
    path("custody/tickets/", stock.custody_tickets, name="custody_tickets"),
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
    path("custody/trace/", stock.custody_trace, name="custody_trace"),
]
