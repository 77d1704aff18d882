"""Whether this server works, for the thing that watches it."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from provender import __version__
from provender.database import guards


@require_GET
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers, its tables are current and its guards stand; else 503 and why."""
    wrong = _wrong()
    body = {"status": "unwell" if wrong else "ok", "wrong": wrong, "version": __version__}
    return JsonResponse(body, status=503 if wrong else 200)


def _wrong() -> list[str]:
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return ["migrations are waiting"]
        if guards.missing(connection.alias):
            return ["guards are missing"]
    except DatabaseError:
        return ["the database does not answer"]
    return []
