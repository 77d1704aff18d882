"""What the test of crashes runs in processes of its own: ``python -m tests.web.crashing make|show``.

``make`` fills a new server with farms that one signed-in person writes for, and prints how to write; ``show`` prints
what the server holds and whether it is sound.
"""

import json
import sys

FARMS = ("farm-a", "farm-b", "farm-c")
FILE = b"%PDF-1.7 kept through everything"


def make() -> dict[str, object]:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    from provender.database.actor import Actor
    from provender.database.choices import Role
    from provender.database.models.farm import BookKind
    from provender.services.accounts.organisations import create_organisation, create_person
    from provender.services.farm.book import open_book
    from provender.services.farm.files import store_upload

    call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
    by = Actor(None, "test")
    person = create_person("ada@example.org", name="Ada", password=None, actor=by)
    for farm in FARMS:
        organisation = create_organisation(farm, roles=[Role.FARM], manager=person, handle=farm, actor=by)
        open_book(organisation, BookKind.FARM, actor=by)
        store_upload(organisation, "ticket.pdf", FILE, actor=by)
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return {"cookie": f"{settings.SESSION_COOKIE_NAME}={session.session_key}"}


def show() -> dict[str, object]:
    from provender.database import guards
    from provender.database.models.accounts import LogRow
    from provender.database.models.farm import Book, Upload, check_chain, rows_of
    from provender.services.farm.files import path_of

    books = {book.organisation.handle: book for book in Book.objects.all()}
    return {
        "units": {code: sorted(rows_of(book).get("unit", {})) for code, book in books.items()},
        "problems": [str(problem) for book in books.values() for problem in check_chain(book)],
        "logged": LogRow.objects.filter(deed="change book").count(),
        "guards": [guard.name for guard in guards.missing("default")],
        "files": [path_of(row.sha256).read_bytes() == FILE for row in Upload.objects.all()],
    }


if __name__ == "__main__":
    import django

    from provender.web.start import set_environment

    set_environment(None)  # with the key that the server keeps, or it would not know the session
    django.setup()
    json.dump({"make": make, "show": show}[sys.argv[1]](), sys.stdout)
