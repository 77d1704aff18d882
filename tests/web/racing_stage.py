"""Sets the stage for a race in the database that the environment names; prints what the racers need."""

import os


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    import django

    django.setup()
    from tests.web.cast import make_cast
    from tests.web.custody_season import fill_custody

    cast = make_cast()
    season = fill_custody(cast)
    print(cast.mill.handle, cast.elevator.handle, season.origin)  # noqa: T201 - the parent reads it


if __name__ == "__main__":
    main()
