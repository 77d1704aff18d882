"""Sets the stage for a race in the database that the environment names; prints what racers need."""

import os


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    import django

    django.setup()
    from django.core.management import call_command

    # The tables stand as a rule; a database that another test has left bare gets them here.
    call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
    from tests.web.cast import make_cast
    from tests.web.custody_season import SEEN_AT_THE_MILL, fill_custody

    cast = make_cast()
    season = fill_custody(cast)
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["testserver"]
    client = cast.client()
    for name, (_, where) in SEEN_AT_THE_MILL.items():
        assert client.get(where(cast)).status_code == 200, name
    print(cast.mill.handle, cast.elevator.handle, season.origin)  # noqa: T201 - the parent reads it


if __name__ == "__main__":
    main()
