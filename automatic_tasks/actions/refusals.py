"""Why the platform does not do what was asked of it."""

from typing import Any


class NotAccepted(Exception):
    """The platform does not take this run now; the message says why and what to do."""

    def __init__(self, code: str, message: str, **values: Any) -> None:
        super().__init__(message)
        self.code = code
        self.values = values
