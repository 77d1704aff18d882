"""Addresses of a farm, below those of its organisation."""

from django.urls import URLPattern, path

from provender.web.farm.pages import book, evidence, field, imports, report, rows, sales, season

OF_FARM: list[URLPattern] = [
    path("farm/", book.farm, name="farm"),
    path("farm/claims/", book.farm_claims, name="farm_claims"),
    path("farm/crop/", book.farm_crop, name="farm_crop"),
    path("farm/todo/", report.farm_todo, name="farm_todo"),
    path("farm/season/", season.farm_season, name="farm_season"),
    path("farm/intensity/", book.farm_intensity, name="farm_intensity"),
    path("farm/plan/", book.farm_plan, name="farm_plan"),
    path("farm/evidence/", evidence.farm_evidence, name="farm_evidence"),
    path("farm/field/", field.farm_field, name="farm_field"),
    path("farm/field/book/", field.farm_field_book, name="farm_field_book"),
    path("farm/map/", season.farm_map, name="farm_map"),
    path("farm/map/draw/", season.farm_draw, name="farm_draw"),
    path("farm/exchange/", evidence.farm_exchange, name="farm_exchange"),
    path("farm/exchange/adapt.zip", evidence.farm_exchange_file, name="farm_exchange_file"),
    path("farm/template.xlsx", imports.farm_template, name="farm_template"),
    path("farm/imports/", imports.farm_imports, name="farm_imports"),
    path("farm/imports/rejected/", imports.farm_import_rejected, name="farm_import_rejected"),
    path("farm/imports/<slug:pk>/", imports.farm_import, name="farm_import"),
    path("farm/imports/<slug:pk>/progress/", imports.farm_import_progress, name="farm_import_progress"),
    path("farm/imports/<slug:pk>/answer/", imports.farm_import_answer, name="farm_import_answer"),
    path("farm/imports/<slug:pk>/again/", imports.farm_import_again, name="farm_import_again"),
    path("farm/imports/<slug:pk>/write/", imports.farm_import_write, name="farm_import_write"),
    path("farm/imports/<slug:pk>/give-up/", imports.farm_import_give_up, name="farm_import_give_up"),
    path("farm/key/", evidence.farm_key, name="farm_key"),
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
    path("farm/records/<slug:kind>/put-back/", rows.farm_row_put_back, name="farm_row_put_back"),
]
