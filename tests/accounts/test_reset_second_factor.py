"""The command for somebody who lost the app and the backup codes."""

import pytest
from django.core.management import CommandError, call_command
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import Person
from audit.models import TrailLine


def test_it_resets_with_a_reason_and_names_what_is_wrong(db, capsys):
    ann = Person.objects.create_user("ann")
    with pytest.raises(CommandError, match="no account 'bob'"):
        call_command("reset_second_factor", "bob", because="lost")
    with pytest.raises(CommandError, match="ann has no second factor"):
        call_command("reset_second_factor", "ann", because="lost")
    TOTPDevice.objects.create(user=ann, confirmed=True)
    with pytest.raises(CommandError, match="Say why"):
        call_command("reset_second_factor", "ann", because=" ")
    call_command("reset_second_factor", "ann", because="lost telephone")
    assert not TOTPDevice.objects.exists()
    assert TrailLine.objects.get().because == "lost telephone"
