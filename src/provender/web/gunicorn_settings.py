"""How gunicorn runs the application: ``gunicorn --config python:provender.web.gunicorn_settings``.

Two worker processes with threads where there are two cores: one computes at a time in each, so two people who look at
farms at once would wait for each other. SQLite has one writer anyway; more processes are for PostgreSQL, by
``PROVENDER_WORKERS``.
"""

import gc
import os
import signal
import sys
import time
from importlib import import_module
from typing import Any

from provender.database.address import BUSY_SECONDS
from provender.processors import processors

wsgi_app = "provender.web.wsgi:application"
bind = os.environ.get("PROVENDER_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("PROVENDER_WORKERS") or min(2, processors()))
worker_class = "provender.web.worker.EventLoopWorker"
threads = int(os.environ.get("PROVENDER_THREADS", "8"))
# A farm's frames are small, and one takes turns in Polars with the next: handing them to threads takes longer than the
# work, twice and more where others use the machine too.
os.environ.setdefault("POLARS_MAX_THREADS", "1")
# Each worker loads the application itself: Polars must not be loaded before a fork.
preload_app = False
# A writer on SQLite may wait for the others; it is told that it waited in vain before anybody takes it for hung.
timeout = 2 * BUSY_SECONDS
graceful_timeout = 20
max_requests = 20_000
max_requests_jitter = 2_000
control_socket_disable = True
accesslog = None
errorlog = "-"
loglevel = "warning"
forwarded_allow_ips = os.environ.get("PROVENDER_PROXIES", "127.0.0.1")


def when_ready(server: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    sys.stdout.write(f"provender answers at http://{bind}/ (Ctrl-C ends it)\n")
    sys.stdout.flush()


FIRST_ALONE = 5.0
"""Seconds for which the first process has the machine to itself, so that it answers as soon as one alone would."""


def post_fork(server: Any, worker: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Look for no garbage while the application is loaded: there is none, and looking takes a sixth of the time."""
    del worker
    gc.disable()
    if server.WORKERS:  # another answers already, or is about to
        for ends in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            signal.signal(ends, signal.SIG_DFL)  # of its parent it has what waits for others to end
        time.sleep(FIRST_ALONE)


def post_worker_init(worker: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Load every page now and let the garbage collector pass it by: its full round held a page for 200 ms.

    Begin to keep what pages show of books that are changed, and to tell news.
    """
    del worker
    from django.conf import settings

    from provender.services.news.hooks import start_notification_worker
    from provender.services.precompute import start_precomputer
    from provender.web.news_mail import mail_news
    from provender.web.start import make_private

    import_module("provender.web.urls")
    for name in make_private(settings.ENVIRONMENT.folder):
        sys.stderr.write(f"{name} could be read by others on this machine. Now only its owner can read it.\n")
    # Not looked through first: that takes a fifth of a second of a start, and finds one thing in eighty to drop.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()
    start_precomputer()
    start_notification_worker(mail_news)
