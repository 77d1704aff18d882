"""How gunicorn runs the application: ``gunicorn --config python:provender.web.gunicorn_settings``.

One worker process with threads by default: SQLite has one writer anyway. With PostgreSQL set ``PROVENDER_WORKERS``.
"""

import os
import sys
from typing import Any

wsgi_app = "provender.web.wsgi:application"
bind = os.environ.get("PROVENDER_BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("PROVENDER_WORKERS", "1"))
threads = int(os.environ.get("PROVENDER_THREADS", "8"))
# Each worker loads the application itself: Polars must not be loaded before a fork.
preload_app = False
timeout = 120
graceful_timeout = 20
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
control_socket_disable = True
accesslog = None
errorlog = "-"
loglevel = "warning"
forwarded_allow_ips = os.environ.get("PROVENDER_PROXIES", "127.0.0.1")


def when_ready(server: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Say on the terminal where to look."""
    sys.stdout.write(f"provender answers at http://{bind}/ (Ctrl-C ends it)\n")
    sys.stdout.flush()
