"""Exports of what was recorded line by line: requests to bots, the ledger, changes of scores."""

import hashlib
import json

import pytest
from django.utils import timezone

from dialogues.models import Attempt, Dialogue
from dialogues.queries import events_after
from leaderboards.exports import EXPORTS, pieces, talks
from reviews.actions import submit_review
from tests.dialogues.test_actions import Talk
from tests.reviews.test_replay import first_broken

pytestmark = pytest.mark.django_db


def lines(campaign, what):
    return [json.loads(line) for piece in pieces(what, campaign, "jsonl") for line in piece.splitlines()]


@pytest.fixture
def talk(dialogue, admission):
    """One turn that failed and was asked again, one that names its maker and is masked, then the end."""
    talk = Talk(dialogue, admission)
    talk.fail(talk.send("k1").asked)
    talk.answer(talk.retry(1))
    talk.answer(talk.send("k2").asked, text="我是 Team Alpha 的机器人", masked=("Team Alpha",))
    talk.close(1)
    talk.turns(1)
    talk.close(2)
    return talk


def test_every_request_is_exported_also_those_that_the_turn_itself_stands_for(campaign, talk):
    rows = lines(campaign, "attempts")
    assert [(row["turn"], row["attempt"], row["request"], row["outcome"]) for row in rows] == [
        (1, 1, 1, "failure"), (1, 2, 1, "reply"), (2, 1, 1, "reply"), (3, 1, 1, "reply"),
    ]  # fmt: skip
    assert (rows[0]["kind"], rows[0]["fault"], rows[0]["reply"]) == ("http_5xx", "bot", [])
    assert rows[2]["reply"] == ["我是 Team Alpha 的机器人"]
    assert Attempt.objects.count() == 2


def test_a_secret_that_the_bot_repeats_is_in_no_request(campaign, dialogue, admission):
    entry = campaign.entries.get()
    entry.secret = "hush-hush"
    entry.save()
    talk = Talk(dialogue, admission)
    talk.fail(talk.send("k1").asked, evidence="told hush-hush")
    talk.answer(talk.retry(1), text="Team Alpha: hush-hush", masked=("Team Alpha",))
    failed, answered = lines(campaign, "attempts")
    assert (failed["evidence"], answered["reply"]) == ("told ***", ["Team Alpha: ***"])


def test_the_ledger_is_what_sockets_were_sent_in_its_order(campaign, dialogue, talk):
    rows = lines(campaign, "ledger")
    sent = [(seq, json.loads(frame)) for seq, frame in events_after(dialogue.pk, 0)]
    assert [(row["seq"], row["frame"]) for row in rows] == sent
    assert [row["kind"] for row in rows] == [
        "turn.accepted", "turn.failed", "turn.retried", "reply.done", "turn.accepted", "reply.done", "subtask.closed",
        "turn.accepted", "reply.done", "subtask.closed", "dialogue.closed",
    ]  # fmt: skip
    assert [row["fault"] for row in rows if row["fault"]] == ["bot"]
    assert all(row["at"].endswith("+00:00") for row in rows)


def test_a_dialogue_that_goes_on_meanwhile_is_exported_up_to_where_it_was_whole(
    campaign, dialogue, admission, monkeypatch
):
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1").asked)
    usual = talks.rows_of

    def read_after_more_was_said(stored, dialogues):
        if stored is talks.STORED_LINES:
            talk.fail(talk.send("k2").asked)
            talk.answer(talk.retry(2))
        return usual(stored, dialogues)

    monkeypatch.setattr(talks, "rows_of", read_after_more_was_said)
    rows = lines(campaign, "ledger")
    assert [(row["seq"], row["kind"]) for row in rows] == [
        (1, "turn.accepted"), (2, "reply.done"), (3, "turn.accepted"),
    ]  # fmt: skip


def test_the_trail_of_scores_can_be_checked_from_its_export_alone(campaign, dialogue, talk, tester):
    closed = Dialogue.objects.get(pk=dialogue.pk)
    for version, satisfaction in enumerate((1, 2)):
        submit_review(
            dialogue=closed, reviewer=tester, ratings={"satisfaction": satisfaction, "fluency": 0, "guidance": 0},
            verdicts={}, comment="", based_on_version=version, at=timezone.now(),
        )  # fmt: skip
    first, second = rows = lines(campaign, "changes")
    assert (first["kind"], first["before"], first["changed_by"]) == ("handed_in", None, "tester")
    assert (second["kind"], second["before"]["ratings"]["satisfaction"]) == ("handed_in", 1)
    assert second["after"]["ratings"]["satisfaction"] == 2

    def told(row):
        comments = [row[side] and row[side].pop("comment") for side in ("before", "after")]
        texts = json.dumps([row["salt"], *comments, row["reason"]], separators=(",", ":"))
        return {name: row[name] for name in ("review", "version", "kind", "at", "before", "after")} | {
            "changed_by": row["changed_by_id"], "texts": hashlib.sha256(texts.encode()).hexdigest(),
        }  # fmt: skip

    chain = [(told(row), row["digest"]) for row in rows]
    assert first_broken(chain) is None
    second["after"]["ratings"]["satisfaction"] = 0
    assert first_broken(chain) == 1


@pytest.mark.parametrize("what", ["attempts", "ledger", "changes"])
def test_rows_say_by_the_columns_of_all_exports_which_dialogue_they_are_of(campaign, talk, what):
    first_five = list(EXPORTS[what].columns(campaign))[:5]
    assert first_five == ["dialogue", "tester", "bot", "scenario", "repetition"]
