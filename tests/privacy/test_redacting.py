"""Words that are redacted go everywhere in their dialogue, and nothing else does."""

import io
import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from audit.models import TrailLine
from dialogues.actions.deciding import end_for_tester
from dialogues.models import Attempt, BotState, Dialogue, Turn
from privacy.actions.redacting import CannotRedact, Span, redact, span_of
from publication.bundle import bundle_pieces
from reviews.models import Remark, Review
from tests.dialogues.test_actions import Talk
from tests.privacy.conftest import damage, rows_that_hold, trail_breaks
from tests.reviews.conftest import submit
from verification.verifying import verify

pytestmark = pytest.mark.django_db
PHONE = "139-0000-0000"


@pytest.fixture
def talked(dialogue, admission, tester):
    talk = Talk(dialogue, admission)
    talk.answer(
        talk.send("k1", text=f"Call {PHONE}, please").asked,
        text=f"I call {PHONE} from Team Alpha",
        masked=("Team Alpha",),
    )
    talk.fail(talk.send("k2", text="And now?").asked, evidence=f"calling {PHONE}")
    talk.answer(talk.retry(2), text="ok")
    talk.end()
    closed = Dialogue.objects.get(pk=dialogue.pk)
    submit(closed, tester, comment=f"It called {PHONE}.")
    Remark.objects.create(dialogue=closed, reviewer=tester, kind="leaked", text=f"says {PHONE}", at=timezone.now())
    return closed


def remove(dialogue, said, because="private"):
    return redact(dialogue=dialogue, span=span_of(said), because=because, by=None, at=timezone.now())


@pytest.mark.parametrize(
    ("said", "span"),
    [("3.tester", Span(3, "tester")), ("12.bot:5-17", Span(12, "bot", 5, 17)), (" 0.bot ", Span(0, "bot"))],
)
def test_a_span_is_read_as_it_is_written(said, span):
    assert span_of(said) == span
    assert str(span) == said.strip()


@pytest.mark.parametrize("said", ["", "3", "3.user", "3.bot:5", "3.bot:5-", "x.bot", "3.bot:-1-2", "３.bot"])
def test_another_span_is_refused_with_an_example(said):
    with pytest.raises(CannotRedact, match=r"3\.tester"):
        span_of(said)


def test_the_words_go_from_turns_requests_reviews_and_remarks(talked):
    assert rows_that_hold(PHONE)
    assert remove(talked, "1.tester:6-18") == len(PHONE)
    assert rows_that_hold(PHONE) == {}
    first, second = Turn.objects.order_by("number")
    assert first.text.startswith("Call [erased ")
    assert first.text.endswith("], please")
    assert (second.text, second.texts) == ("And now?", ["ok"])
    assert Review.objects.get().ratings.count() == 3


def test_chains_data_and_a_new_bundle_hold_afterwards(talked, campaign, tmp_path):
    remove(talked, "1.bot")
    assert damage() == {}
    assert trail_breaks() == []
    campaign.refresh_from_db()
    path = tmp_path / "bundle.zip"
    path.write_bytes(b"".join(bundle_pieces(campaign, hides_teams=False, at=timezone.now())))
    assert verify(path).findings == []


def test_short_words_go_at_their_place_alone(talked):
    remove(talked, "2.bot")
    first, second = Turn.objects.order_by("number")
    assert second.texts[0].startswith("[erased ")
    assert PHONE in first.text


def test_the_same_words_leave_the_same_digest(talked):
    remove(talked, "1.tester:6-18")
    text, reply = Turn.objects.values_list("text", "texts").get(number=1)
    assert text[5:26] in reply[0]


@pytest.mark.parametrize("said", ["9.tester", "1.tester:90-95", "1.tester:6-5", "1.bot:0-3"])
def test_a_place_where_nothing_is_changes_nothing(talked, said):
    n_lines = TrailLine.objects.count()
    with pytest.raises(CannotRedact, match="There is nothing at"):
        remove(talked, said)
    assert PHONE in Turn.objects.get(number=1).text
    assert TrailLine.objects.count() == n_lines


@pytest.mark.parametrize("word", ["李小明先生", 'Anna "Bee" Ode', "C:\\new\\names"])
def test_words_go_from_answers_and_states_in_which_json_escapes_them(dialogue, admission, word):
    talk = Talk(dialogue, admission)
    asked = talk.send("k1", text=f"I am {word}").asked
    talk.fail(asked, evidence=json.dumps({"error": f"Who is {word}?"}))
    talk.answer(talk.retry(asked.turn.number), text="ok")
    BotState.objects.create(turn_id=asked.turn.id, written=json.dumps({"state": word}, ensure_ascii=False))
    talk.end()
    start = len("I am ") + 1
    remove(dialogue, f"{asked.turn.number}.tester:{start}-{start + len(word) - 1}")
    assert re.fullmatch(
        r'\{"error": "Who is \[erased [0-9a-f]{12}\]\?"\}', Attempt.objects.get(outcome="failure").evidence
    )
    assert re.fullmatch(r'\{"state": "\[erased [0-9a-f]{12}\]"\}', BotState.objects.get().written)


def test_an_open_dialogue_is_refused(dialogue, admission):
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1").asked)
    with pytest.raises(CannotRedact, match="is open"):
        remove(dialogue, "1.tester")


def test_the_trail_says_who_why_and_where_but_not_what(talked):
    remove(talked, "1.tester:6-18", because="a number")
    line = TrailLine.objects.latest("number")
    assert (line.act, line.because, line.details["span"]) == ("erased.words", "a number", "1.tester:6-18")
    assert PHONE not in json.dumps(line.details)


def test_words_in_a_reason_of_the_ledger_go_too(dialogue, admission, organizer):
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1", text=f"Call {PHONE}").asked)
    end_for_tester(dialogue=dialogue, by=organizer, because=f"tells {PHONE}", at=timezone.now())
    remove(Dialogue.objects.get(), "1.tester:6-18")
    assert rows_that_hold(PHONE) == {}
    assert trail_breaks() == []


def test_the_command_shows_the_words_and_asks(talked, monkeypatch):
    err, out = io.StringIO(), io.StringIO()
    call_command("redact", str(talked.pk), "1.tester:6-18", "--dry-run", stderr=err, stdout=out)
    assert PHONE in err.getvalue()
    assert rows_that_hold(PHONE)
    monkeypatch.setattr("sys.stdin", io.StringIO("x"))
    with pytest.raises(CommandError, match="Nothing was redacted"):
        call_command("redact", str(talked.pk), "1.tester:6-18", stderr=err, stdout=out)
    call_command("redact", str(talked.pk), "1.tester:6-18", "--yes", stderr=err, stdout=out)
    assert out.getvalue().startswith("Redacted: 13 characters.")
    with pytest.raises(CommandError, match="no id"):
        call_command("redact", "x", "1.bot")
