"""The process in which the example's verifier asks for the elevator's books: ``python -m provender.demo.asking DAY``.

To lay a package out takes a while, and nobody who starts the example waits for it: the server answers meanwhile.
"""

import subprocess
import sys
from datetime import date

from provender.services.background import give_way


def ask_soon(day: date) -> None:
    """Start the process on the database of this one, after whatever else there is to do; does not wait for it."""
    command = [sys.executable, "-B", "-m", __name__, day.isoformat()]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
    )
    give_way(process.pid)


def main() -> None:
    import django

    django.setup()
    from provender.database.actor import Actor
    from provender.database.models.accounts import Person
    from provender.database.models.audits import Audit
    from provender.demo.loading import CAST, VERIFIER
    from provender.services.audits.package_worker import WHOLE
    from provender.services.audits.packages import ask, order_of

    verifier = next(one for one in CAST if one.handle == VERIFIER)
    actor = Actor(Person.objects.get(email=verifier.email), "demo")
    audit = Audit.objects.get(verifier__handle=VERIFIER)
    ask(audit, order_of(audit, WHOLE, (), date.fromisoformat(sys.argv[1]), verify=True), actor=actor)


if __name__ == "__main__":
    main()
