"""The thread of the server that reads for news and sends what is due, every few seconds."""

import threading
import time
from logging import getLogger
from typing import Final

from django.db import connections

from provender.services.news.gather import Gatherer, look_at_periods
from provender.services.news.outbox import Mail, forget_old, send_due

PAUSE: Final = 3.0
LOOKED: Final = 1800.0
"""Seconds between two looks at periods: midnight comes to one time zone after another."""

_log = getLogger(__name__)


class Teller:
    """Does one round after another; what fails is logged and tried in the next."""

    def __init__(self, mail: Mail) -> None:
        self._mail = mail
        self._gatherer = Gatherer()
        self._looked: float | None = None

    def round(self) -> int:
        """Read and send once; return how much was done, so that a round that found nothing can be followed by a rest.

        A server of several processes has several tellers: what one told or took, the others leave.
        """
        if self._looked is None or time.monotonic() - self._looked >= LOOKED:
            self._looked = time.monotonic()
            look_at_periods()
            forget_old()
        try:
            read = self._gatherer.round()
        except Exception:  # noqa: BLE001 - told in the log; what waits in the outbox goes out all the same
            _log.exception("news were not read")
            read = 0
        return read + send_due(self._mail)

    def run(self) -> None:
        """Do rounds for as long as the server runs."""
        while True:
            done = 0
            try:
                done = self.round()
            except Exception:  # noqa: BLE001 - told in the log; the next round tries again
                _log.exception("news were not told")
            finally:
                connections.close_all()
            if not done:
                time.sleep(PAUSE)


def start_teller(mail: Mail) -> None:
    """Let a thread of this process tell news."""
    threading.Thread(target=Teller(mail).run, daemon=True, name="teller").start()
