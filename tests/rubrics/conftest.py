"""Messages in English."""

from tests.scoring.conftest import in_english

__all__ = ["in_english"]
