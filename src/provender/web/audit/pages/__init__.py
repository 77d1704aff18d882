"""Pages of audits, and their addresses below those of the verifier or of the audited party."""

from django.urls import URLPattern, path

from provender.web.audit.pages import audits, package, programme

OF_AUDITS: list[URLPattern] = [
    path("audits/", audits.list_audits, name="audits"),
    path("audits/accreditation/", audits.audit_accreditation, name="audit_accreditation"),
    path("audits/key/", programme.audit_key, name="audit_key"),
    path("audits/<slug:audit>/", audits.audit, name="audit"),
    path("audits/<slug:audit>/sample/", audits.audit_sample, name="audit_sample"),
    path("audits/<slug:audit>/sample.json", audits.audit_sample_file, name="audit_sample_file"),
    path("audits/<slug:audit>/work/", programme.audit_work, name="audit_work"),
    path("audits/<slug:audit>/work.<slug:ending>", programme.audit_work_file, name="audit_work_file"),
    path("audits/<slug:audit>/packages/", package.audit_package, name="audit_package"),
    path("audits/<slug:audit>/packages/<int:number>/", package.audit_package_work, name="audit_package_work"),
    path(
        "audits/<slug:audit>/packages/<int:number>/progress/",
        package.audit_package_progress,
        name="audit_package_progress",
    ),
    path("audits/<slug:audit>/packages/<int:number>.zip", package.audit_package_file, name="audit_package_file"),
    path("audits/<slug:audit>/results/<int:number>/", package.audit_result, name="audit_result"),
    path(
        "audits/<slug:audit>/results/<int:number>/<int:index>/finding/",
        programme.audit_finding_from,
        name="audit_finding_from",
    ),
    path("audits/<slug:audit>/engagement/", programme.audit_engagement, name="audit_engagement"),
    path("audits/<slug:audit>/findings/", programme.audit_findings, name="audit_findings"),
    path("audits/<slug:audit>/findings/<slug:number>/", programme.audit_finding, name="audit_finding"),
    path("audits/<slug:audit>/statement/", programme.audit_statement, name="audit_statement"),
    path("audits/<slug:audit>/statement/sign/", programme.audit_statement_sign, name="audit_statement_sign"),
    path("audits/<slug:audit>/statement/later/", programme.audit_statement_later, name="audit_statement_later"),
    path("audits/<slug:audit>/statement.<slug:ending>", programme.audit_statement_file, name="audit_statement_file"),
    path("audits-of-us/", audits.audits_of_us, name="audits_of_us"),
    path("audits-of-us/<slug:audit>/", audits.audit_ours, name="audit_of_us"),
    path("audits-of-us/<slug:audit>/later/<int:number>.json", audits.audit_our_later, name="audit_of_us_later"),
    path("audits-of-us/<slug:audit>/findings/<slug:number>/", audits.audit_our_finding, name="audit_of_us_finding"),
    path("audits-of-us/<slug:audit>/statement.<slug:ending>", audits.audit_our_statement, name="audit_of_us_statement"),
]
