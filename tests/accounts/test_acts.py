"""What the trail says of accounts."""

from django.utils import translation

from accounts.acts import SESSIONS_ENDED


def test_an_act_reads_on_after_the_name():
    with translation.override("en"):
        assert SESSIONS_ENDED.said_of("ann") == "ended all other logins of ann"
