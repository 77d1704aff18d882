"""One of two who sell over the pages at once: ``python -m tests.web.racing_sales PERSON HANDLE BUYER ORIGIN COUNT``.

It signs in, waits for a line on its standard input, then posts the form of a sale of one named bushel after the other,
and prints the status of each answer with what the form says.
"""

import os
import re
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse
    from django.utils import timezone

    from provender.database.models.accounts import Person

    settings.ALLOWED_HOSTS = ["testserver"]
    person, handle, buyer, origin, count = sys.argv[1:]
    client = Client()
    client.force_login(Person.objects.get(email=person))
    print("ready", flush=True)  # noqa: T201 - the parent waits for it
    sys.stdin.readline()
    for number in range(int(count)):
        fields = {
            "do": "post",
            "day": timezone.localdate().isoformat(),
            "taker": buyer,
            "crop": "soybeans",
            "lots": f"{origin} {2000 + number}-{2001 + number}",
        }
        answer = client.post(reverse("custody_enter", args=(handle, "sale")), fields)
        words = " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
        print(answer.status_code, words, flush=True)  # noqa: T201 - the parent reads it


if __name__ == "__main__":
    main()
