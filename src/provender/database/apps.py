"""The Django application of the tables, and the hook that puts the guards back after every migration."""

from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate


class DatabaseApp(AppConfig):
    """Tables of people, organisations, record books, reports and custody."""

    name = "provender.database"
    label = "database"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Re-create the guards after each migration, and check on request that they stand."""
        from provender.database import guards

        def put_back(using: str, **_signal: Any) -> None:  # noqa: ANN401 - Django passes what it likes
            guards.install(using)

        post_migrate.connect(put_back, sender=self, weak=False, dispatch_uid="provender.guards")
        register(guards.check, Tags.database)
