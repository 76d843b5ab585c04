"""Limits that files, rules and tables share, each written once. Pure: plain values; characters unless the name says more."""

from django.utils.translation import gettext_noop

from reading import kinds
from reading.kinds import Checked, Text

# What a tester sends at once, and so also what opens a dialogue, by the scenario or by an option of the bot.
MESSAGE_LIMIT = 2000
# For the fields of forms; an address is as long as it may be anywhere.
URL_LIMIT = kinds.URL_LIMIT
NAME_LIMIT = 200
# What stands in an address: a campaign's, a scenario's or a token's name.
KEY_LIMIT = 60
# Of people, as Django stores them.
PERSON_LIMIT, EMAIL_LIMIT = 150, 254
ZONE_LIMIT = 64
# Digits of a number of minutes.
MINUTES_LIMIT = 6
# What kind of subtask, train or hotel, say.
SUBTASK_KIND_LIMIT = 40
SECRET_LIMIT = 500
# Why a bot pauses or was withdrawn.
REASON_LIMIT = 500
# How much more time an open dialogue is given at once: a day.
EXTENSION_LIMIT_MIN = 1440
# When a bot is open, or a tester on shift.
HOURS_LIMIT = 300
# What is looked for in all that a person may open.
WORD_LIMIT = 100
# A part of what a campaign says of itself, in one language.
DESCRIPTION_LIMIT = 20_000
# How many bots a team may register in one campaign.
BOTS_PER_TEAM = 10
# How many of its turns a bot answers at a time, where its registration says nothing, and at most.
PARALLEL, PARALLEL_LIMIT = 50, 1000


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
# A host name has 253 characters at most.
PLACE_LIMIT = 253
# 65535 is the last port.
PORT_DIGITS = 5
