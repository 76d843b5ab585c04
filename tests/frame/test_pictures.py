"""A system's picture is served from our own address to whoever may read its dialogue, for as long as a turn names it."""

from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from dialogues.models import Attempt, Dialogue
from dialogues.pictures import file_of, files_of, keep_picture
from participants.adapters.pictures import picture_in
from participants.picture_lines import Picture
from privacy.actions.redacting import redact, span_of
from privacy.actions.talks import erase_talk
from replays.models import Replay
from reviews.actions.guide import add_example
from reviews.models import ReviewPlace
from serving.stored_files import stored_files
from tests.dialogues.test_actions import Talk
from tests.pairs.conftest import judge_of, opened, talked, with_pairs
from tests.participants.test_pictures import PNG
from tests.reviews.conftest import NOON, panel
from tests.world import client_of

PICTURE = picture_in(PNG)
pytestmark = pytest.mark.django_db


@pytest.fixture
def address(dialogue, settings, tmp_path, admission) -> str:
    settings.VAR_DIR = tmp_path
    talk = Talk(dialogue, admission)
    talk.answer(talk.send(text="看图").asked, text=PICTURE.line)
    async_to_sync(keep_picture)(dialogue.pk, PICTURE.name, PNG)
    return f"/dialogues/{dialogue.pk}/images/{PICTURE.name}/"


def statuses(address, *people):
    return [client_of(person).get(address).status_code for person in people]


def test_it_is_served_as_what_it_is_and_runs_nothing(address, tester):
    answer = client_of(tester).get(address)
    assert answer.getvalue() == PNG
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert client_of(tester).get("/api/v1" + address).getvalue() == PNG


def test_readers_of_the_dialogue_see_it_and_nobody_else(address, dialogue, tester, organizer, outsider, participant):
    assert statuses(address, tester, organizer, outsider, participant, None) == [200, 200, 404, 404, 302]
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    campaign = dialogue.assignment.campaign
    campaign.releases_transcripts = True
    campaign.save()
    assert statuses(address, participant, outsider) == [200, 404]


def test_what_no_turn_names_is_not_there(address, dialogue, tester):
    other = f"{'0' * 64}.png"
    async_to_sync(keep_picture)(dialogue.pk, other, PNG)
    wrong = [address.replace(PICTURE.name, name) for name in (other, "x.png", PICTURE.name.replace("png", "svg"))]
    wrong.append(address.replace(str(dialogue.pk), str(uuid4())))
    for one in wrong:
        assert statuses(one, tester) == [404]


def test_a_line_without_a_file_is_not_there(address, dialogue, tester):
    stored_files().remove(file_of(dialogue.pk, PICTURE.name))
    assert statuses(address, tester) == [404]


def test_redaction_takes_the_file_with_it(address, dialogue, organizer, django_capture_on_commit_callbacks):
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    assert files_of([dialogue.pk]) == {file_of(dialogue.pk, PICTURE.name)}
    with django_capture_on_commit_callbacks(execute=True):
        redact(dialogue=dialogue, span=span_of("1.bot"), because="a face", by=organizer, at=timezone.now())
    assert files_of([dialogue.pk]) == set()
    with pytest.raises(FileNotFoundError):
        stored_files().reading(file_of(dialogue.pk, PICTURE.name))


def test_words_within_its_line_leave_it_alone(
    address, dialogue, admission, organizer, django_capture_on_commit_callbacks
):
    talk = Talk(dialogue, admission)
    word = PICTURE.name[:6]
    talk.answer(talk.send("again", text=f"{word} image").asked, text=PICTURE.line)
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        for span in ("2.tester:1-6", "2.tester:1-99"):
            redact(dialogue=dialogue, span=span_of(span), because="a name", by=organizer, at=timezone.now())
    assert [turn.texts for turn in dialogue.turns.order_by("number")] == [[PICTURE.line]] * 2
    assert "image" not in dialogue.turns.get(number=2).text
    assert statuses(address, organizer) == [200]
    with django_capture_on_commit_callbacks(execute=True):
        redact(dialogue=dialogue, span=span_of("2.bot"), because="a face", by=organizer, at=timezone.now())
    assert files_of([dialogue.pk]) == set(), "the same picture goes wherever it was shown"


def test_one_of_a_late_reply_is_kept_track_of(address, dialogue, organizer):
    turn = dialogue.turns.get()
    late = Picture(f"{'1' * 64}.png", 9, 9)
    turn.attempts.create(number=1, request=1, outcome=Attempt.Outcome.LATE, texts=[late.line], ended_at=timezone.now())
    assert file_of(dialogue.pk, late.name) in files_of([dialogue.pk])
    async_to_sync(keep_picture)(dialogue.pk, late.name, PNG)
    assert statuses(address.replace(PICTURE.name, late.name), organizer) == [200]


def test_what_no_text_ever_named_goes_with_its_dialogue(address, dialogue, django_capture_on_commit_callbacks):
    unnamed = file_of(dialogue.pk, f"{'1' * 64}.png")
    async_to_sync(keep_picture)(dialogue.pk, f"{'1' * 64}.png", PNG)
    with django_capture_on_commit_callbacks(execute=True):
        erase_talk([dialogue.pk])
    for file in (unnamed, file_of(dialogue.pk, PICTURE.name)):
        with pytest.raises(FileNotFoundError):
            stored_files().reading(file)


def test_pages_show_it_in_the_place_of_its_line(address, dialogue, organizer):
    page = client_of(organizer).get(f"/campaigns/small/dialogues/{dialogue.pk}/").content.decode()
    assert f'src="{address}"' in page
    assert f">{PICTURE.line}<" not in page


def test_an_example_of_the_guide_has_its_picture_for_its_readers(address, dialogue, organizer, outsider):
    Dialogue.objects.update(status="completed", closed_at=NOON)
    campaign = dialogue.assignment.campaign
    (reviewer,) = panel(campaign, 1)
    point = campaign.rubric.criteria.first().points.first()
    add_example(dialogue=dialogue, point=point, turn=None, reason="It shows.", by=organizer, at=NOON)
    assert statuses(address, reviewer) == [404], "its panel is not whole"
    ReviewPlace.objects.create(dialogue=dialogue, reviewer=organizer, position=1, drawn_at=NOON, done_at=NOON)
    assert statuses(address, reviewer, outsider) == [200, 404]
    assert f'src="{address}"' in client_of(reviewer).get("/campaigns/small/review/guide/").content.decode()


def test_a_judge_sees_the_pictures_of_their_pair_and_learns_no_dialogue(campaign, tester, outsider, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    campaign = with_pairs(campaign, "finished")
    for repetition, entry in enumerate(campaign.entries.order_by("pk"), start=1):
        talked(campaign, tester, entry, campaign.scenarios.first(), repetition)
    judge = judge_of(campaign)
    pair = opened(campaign, judge)
    pictured = pair.right_dialogue
    pictured.turns.update(texts=[PICTURE.line])
    async_to_sync(keep_picture)(pictured.pk, PICTURE.name, PNG)
    own = f"/pairs/{pair.pk}/images/{PICTURE.name}/"
    page = client_of(judge).get(f"/pairs/{pair.pk}/").content.decode()
    assert f'src="{own}"' in page
    assert str(pictured.pk) not in page
    assert statuses(own, judge, outsider, tester) == [200, 404, 404]
    assert client_of(judge).get("/api/v1" + own).getvalue() == PNG
    assert statuses(own.replace(PICTURE.name, f"{'0' * 64}.png"), judge) == [404]


def test_a_replay_shows_pictures_of_then_and_says_of_others_that_it_stores_none(address, dialogue, organizer):
    Dialogue.objects.update(status="completed", closed_at=NOON)
    again = Replay.objects.create(
        dialogue=dialogue, against=dialogue.assignment.entry, asked_at=NOON, ended_at=NOON, n_lines=1, state="done"
    )
    other = Picture(f"{'1' * 64}.png", 9, 9)
    again.turns.create(
        turn=dialogue.turns.get(), attempt=0, number=1, outcome="reply", ended_at=NOON, texts=[PICTURE.line, other.line]
    )
    asked = client_of(organizer).get(f"/campaigns/small/replays/{again.pk}/", headers={"accept-language": "en"})
    page = asked.content.decode()
    assert page.count(f'src="{address}"') == 2
    assert page.count("[image ") == page.count(other.name) == 0
    assert page.count("[A new picture. Replays store none.]") == 1
