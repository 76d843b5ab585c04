"""Work that nobody waits for: timed for Prometheus by its name, and a line of the log where it did something."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from uuid import UUID

from serving.metrics import JOBS

logger = logging.getLogger("huace.job")


@dataclass(slots=True)
class Done:
    """How much was found to do."""

    n: int = 1


@contextmanager
def job(name: str, **ids: int | UUID) -> Iterator[Done]:
    """`name` is a word of the program; `ids` say what the work is about, by numbers alone."""
    done, began, failure = Done(), perf_counter(), ""
    try:
        yield done
    except BaseException as error:
        failure = type(error).__name__
        raise
    finally:
        took_s = perf_counter() - began
        JOBS.labels(name).observe(took_s)
        if (done.n or failure) and logger.isEnabledFor(logging.INFO):
            fields = {"job": name, "n": done.n, "ms": round(took_s * 1000, 1), **ids}
            logger.info("job", extra={"fields": fields | ({"failed": failure} if failure else {})})
