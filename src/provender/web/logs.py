"""One JSON object per line of log, with what an operator needs and nothing about a person.

No addresses of people or machines, no query strings, no form data, nothing that a caller wrote; of an error its type
and the places it passed through, never its message, which may quote what somebody typed.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from typing import Any, Final

FACTS: Final = "facts"
"""The name under which a caller hands facts: ``logger.info("request", extra={FACTS: {...}})``."""


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time, level, logger, event and facts; for an error its type and the frames it passed through."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        facts = getattr(record, FACTS, None)
        if record.name.partition(".")[0] == "provender":
            line["event"] = record.msg
        else:
            # A library's own words may quote whoever asks: a path, or the Host of a refused request.
            answered = record.name.startswith(("django.request", "waitress"))
            line["event"] = "request failed" if answered else "told by a library"
            line["where"] = f"{record.module}:{record.lineno}"
        line |= facts or {}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["frames"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line, ensure_ascii=False, default=str)


def logging_settings() -> dict[str, Any]:
    """Return Django's LOGGING: everything from INFO to stderr as JSON lines."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "provender.web.logs.JsonLines"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "provender": {"level": "INFO"},
            "django": {"handlers": [], "level": "WARNING", "propagate": True},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
        },
    }
