"""How much one foreign file may cost, and how a process puts those limits on itself (POSIX)."""

import resource
from dataclasses import dataclass
from typing import Final

MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may take before it is stopped.

    Attributes:
        address_bytes: address space of the child, libraries included.
        cpu_seconds: processor time for each file.
        wall_seconds: time on the wall for each file.
        result_bytes: size of what comes back for each file, as JSON.
        file_bytes: size of the file itself, tried before a child is started.
    """

    address_bytes: int = 2048 * MEBIBYTE
    cpu_seconds: int = 30
    wall_seconds: int = 60
    result_bytes: int = 128 * MEBIBYTE
    file_bytes: int = 256 * MEBIBYTE


def limit_process(limits: Limits) -> None:
    """Limit this process for good: memory, no core dump, no file written, few files open."""
    for what, most in (
        (resource.RLIMIT_AS, limits.address_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        resource.setrlimit(what, (most, most))


def limit_next_file(limits: Limits) -> None:
    """Allow this process ``cpu_seconds`` more from now; past them the kernel ends it with SIGXCPU."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(usage.ru_utime + usage.ru_stime)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (spent + limits.cpu_seconds, hard))
