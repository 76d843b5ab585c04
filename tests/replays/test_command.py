"""manage.py replay SLUG DIALOGUE --against ENTRY [--all N]"""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from campaigns.models import Campaign
from replays.models import Replay
from tests.replays.conftest import asked_for, talked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def connections_are_closed():
    yield
    connections.close_all()


def said_by(*arguments, **options):
    out = io.StringIO()
    call_command("replay", "small", *arguments, stdout=out, **options)
    return out.getvalue()


def test_one_dialogue_is_replayed_and_compared(campaign, tester, entry):
    dialogue = talked(campaign, tester, ("你好", "收到：你好"), ("谢谢", "不客气"))
    said = said_by(str(dialogue.pk), against="a")
    assert "1 dialogues, 2 calls of 2000" in said
    assert "1 of 1 done, 2 calls made" in said
    assert "1/2" in said
    assert "parts at turn 2" in said


def test_it_counts_without_calling(campaign, tester, entry, bot):
    dialogue = talked(campaign, tester, ("你好", "好的"))
    assert "1 calls" in said_by(str(dialogue.pk), against="a", count=True)
    assert not Replay.objects.exists()
    assert not bot.requests


def test_many_are_resumed_and_none_is_done_twice(campaign, tester, entry, bot):
    dialogues = [talked(campaign, tester, ("你好", "好的"), repetition=2000 + n) for n in range(3)]
    asked_for(dialogues[0], entry)
    said = said_by(against="a", n=10)
    assert "2 dialogues, 2 calls of 1999; unfinished before: 1" in said
    assert "3 of 3 done" in said
    assert "Nothing is left to do." in said_by(against="a", n=10)
    assert len(bot.requests) == 3
    said_by(str(dialogues[1].pk), against="a", again=True)
    assert len(bot.requests) == 4


def test_what_is_wrong_is_said(campaign, tester, entry):
    dialogue = talked(campaign, tester, ("你好", "好的"))
    for arguments, options, words in (
        ((), {"against": "a"}, "Name a dialogue"),
        ((str(dialogue.pk),), {"against": "nobody"}, "no system nobody"),
        (("x",), {"against": "a"}, "no dialogue to replay"),
    ):
        with pytest.raises(CommandError, match=words):
            said_by(*arguments, **options)
    Campaign.objects.update(replay_calls_per_day=0)
    with pytest.raises(CommandError, match="0 are left"):
        said_by(str(dialogue.pk), against="a")
