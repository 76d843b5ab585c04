"""What may stand in an HTTP header. Pure: a bot's secret is sent in one."""

from django.utils.translation import gettext_noop

from participants.limits import SECRET_LIMIT
from reading.kinds import Checked, Text


def is_header_text(text: str) -> bool:
    """Visible ASCII on one line; spaces inside are allowed, at the ends a server would drop them."""
    return text == text.strip() and all(" " <= character <= "~" for character in text)


SECRET = Checked(
    Text(SECRET_LIMIT, may_be_empty=True),
    is_header_text,
    gettext_noop(
        "is sent in an HTTP header: it must be ASCII on one line, without spaces at its ends; "
        "copy it again without the line break, or choose another"
    ),
)
