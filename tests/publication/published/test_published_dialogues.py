"""Dialogues of a published leaderboard on the web: those of the frozen bundle, with their scores, and nobody's name."""

import re
from uuid import UUID

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from accounts.models import Person
from dialogues.models import Dialogue, Turn
from dialogues.pictures import keep_picture
from leaderboards.actions import refresh_leaderboard
from measures.live import mean
from participants.adapters.pictures import picture_in
from privacy.actions.erasing import erase_person, new_name
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
from publication.published.published_dialogues import readable_in, turns_of
from publication.published.published_records import published_records
from tests.leaderboards.played import example, play
from tests.participants.test_pictures import PNG
from tests.publishing import publish_now

PICTURE = picture_in(PNG)
pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def played(bundles):
    campaign = play(example("smp2018"))
    Dialogue.objects.filter(status="open").update(status="void", closed_at=timezone.now())
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    return campaign


def published(campaign, *, hides_teams=False):
    snapshot = freeze(campaign=campaign, hides_teams=hides_teams, by=None, at=timezone.now())
    publish(snapshot=snapshot, public_from=timezone.now(), by=None, at=timezone.now())
    return snapshot


def page_of(campaign, rest=""):
    return f"/campaigns/{campaign.slug}/leaderboard/1/dialogues/{rest}"


def text_of(client, address):
    answer = client.get(address, headers=ENGLISH)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_visitor_lists_all_that_count_and_reads_each_under_its_own_address(played, client):
    snapshot = published(played)
    readable = readable_in(snapshot.bundle_digest)
    page = text_of(client, page_of(played))
    listed = re.findall(r'href="[^"]+/dialogues/(\d+)/"', page)
    assert sorted(map(int, listed)) == [one.number for one in readable.dialogues]
    assert len(listed) > 1
    for one in readable.dialogues:
        told = text_of(client, page_of(played, f"{one.number}/"))
        for turn in turns_of(snapshot.bundle_digest, [one.id])[one.id]:
            assert turn.text in told
        assert Turn.objects.filter(dialogue=one.id).count() == len(turns_of(snapshot.bundle_digest, [one.id])[one.id])


def test_scores_beside_a_dialogue_are_the_means_of_its_published_records(played):
    snapshot = published(played)
    for one in readable_in(snapshot.bundle_digest).dialogues:
        records = published_records(snapshot.bundle_digest, "completion")
        assert one.figure("completion") == mean(own.value for own in records if own.dialogue == one.id)


def test_the_list_is_narrowed_and_ordered(played, client):
    snapshot = published(played)
    readable = readable_in(snapshot.bundle_digest)
    one = readable.dialogues[0]
    page = text_of(client, page_of(played, f"?scenario={one.scenario}&bot={one.bot}"))
    listed = re.findall(r"/dialogues/(\d+)/", page)
    assert listed == [
        str(other.number) for other in readable.dialogues if (other.scenario, other.bot) == (one.scenario, one.bot)
    ]
    none = text_of(client, page_of(played, "?scenario=no-such"))
    assert f'primary" href="{page_of(played)}"' in none
    best = re.findall(r"/dialogues/(\d+)/", text_of(client, page_of(played, "?by=mean_turns")))
    worst = re.findall(r"/dialogues/(\d+)/", text_of(client, page_of(played, "?by=mean_turns&order=worst")))
    turns = [readable.dialogue(int(number)).figure("mean_turns") for number in best]
    assert turns == sorted(turns)
    assert [readable.dialogue(int(number)).figure("mean_turns") for number in worst] == turns[::-1]


def test_side_by_side_shows_one_dialogue_of_each_system(played, client):
    snapshot = published(played)
    readable = readable_in(snapshot.bundle_digest)
    scenario = readable.dialogues[0].scenario
    bots = {one.bot for one in readable.dialogues if one.scenario == scenario}
    page = text_of(client, page_of(played, f"side-by-side/?scenario={scenario}"))
    assert page.count('<ol class="talk-read">') == min(2, len(bots))


def test_a_text_that_was_removed_since_is_not_shown_again(played, client):
    snapshot = published(played)
    number_of = {one.id: one.number for one in readable_in(snapshot.bundle_digest).dialogues}
    turn = Turn.objects.filter(dialogue__in=number_of).exclude(text="").first()
    number = number_of[str(turn.dialogue_id)]
    said = turn.text
    Turn.objects.filter(pk=turn.pk).update(text="[erased 0123456789ab]", texts=[])
    page = text_of(client, page_of(played, f"{number}/"))
    assert "Removed from the platform since the freeze." in page
    shown = turns_of(snapshot.bundle_digest, [str(turn.dialogue_id)])[str(turn.dialogue_id)]
    assert [(one.text, one.replies) for one in shown if one.number == turn.number] == [("", ())]
    assert said


@pytest.mark.parametrize(("column", "said"), [("text", "我是问询者甲，订票"), ("texts", ["问询者甲您好"])])
def test_a_turn_from_which_a_name_was_removed_since_is_not_shown_again(played, column, said):
    """A person who is erased everywhere leaves `erased-7` in what others said."""
    snapshot = published(played)
    one = readable_in(snapshot.bundle_digest).dialogues[0]
    turn = Turn.objects.filter(dialogue=one.id).first()
    person = Person.objects.create_user("somebody", display_name="问询者甲")
    Turn.objects.filter(pk=turn.pk).update(**{column: said})
    erase_person(person=person, by=None, at=timezone.now(), everywhere=True)
    assert new_name(person) in str(Turn.objects.values_list(column).get(pk=turn.pk))
    shown = turns_of(snapshot.bundle_digest, [one.id])[one.id]
    assert [found.number for found in shown if found.is_removed] == [turn.number]
    assert {(found.text, found.replies) for found in shown if found.is_removed} == {("", ())}


def pictured(campaign, **shown):
    """Each answer of the published dialogues is a picture, that of the first is stored; gives its page and its picture's address."""
    Turn.objects.filter(status="answered").update(texts=[PICTURE.line])
    one = readable_in(published(campaign, **shown).bundle_digest).dialogues[0]
    async_to_sync(keep_picture)(UUID(one.id), PICTURE.name, PNG)
    return one, page_of(campaign, f"{one.number}/images/{PICTURE.name}/")


def test_everybody_sees_a_picture_until_it_is_removed(played, client):
    one, address = pictured(played)
    for rest in (f"{one.number}/", f"side-by-side/?scenario={one.scenario}&bot={one.bot}"):
        assert f'src="{address}"' in text_of(client, page_of(played, rest))
    assert client.get(address).getvalue() == client.get(f"/api/v1{address}").getvalue() == PNG
    for wrong in (address.replace(PICTURE.name, f"{'0' * 64}.png"), page_of(played, f"987/images/{PICTURE.name}/")):
        assert client.get(wrong).status_code == client.get(f"/api/v1{wrong}").status_code == 404
    Turn.objects.filter(dialogue=one.id).update(text="[erased 0123456789ab]")
    assert client.get(address).status_code == 404


def test_a_leaderboard_without_names_of_teams_shows_no_picture_and_says_why(played, client):
    one, address = pictured(played, hides_teams=True)
    page = text_of(client, page_of(played, f"{one.number}/"))
    assert "A picture, not shown: this leaderboard hides the teams" in page
    assert PICTURE.name not in page
    assert client.get(address).status_code == client.get(f"/api/v1{address}").status_code == 404


def test_who_tested_and_who_scored_is_told_nobody_and_aliases_tell_no_team(played, client):
    published(played, hides_teams=True)
    readers = text_of(client, page_of(played)) + text_of(client, page_of(played, "side-by-side/"))
    for name in Dialogue.objects.of_campaign(played).values_list("tester__username", flat=True).distinct():
        assert f">{name}<" not in readers
    for team in played.entries.values_list("bot__team__name", flat=True):
        assert team not in readers


def test_pages_of_dialogues_neither_take_nor_show_an_id(played, client):
    """A tester knows the ids of their dialogues from the console: none leads to the system, nor does any page name one."""
    readable = readable_in(published(played, hides_teams=True).bundle_digest)
    numbers = [one.number for one in readable.dialogues]
    pages = [text_of(client, page_of(played, rest)) for rest in ("", "side-by-side/", *(f"{n}/" for n in numbers))]
    for one in readable.dialogues:
        assert client.get(page_of(played, f"{one.id}/")).status_code == 404
        assert not any(one.id in page for page in pages)


def test_what_is_not_in_the_bundle_is_not_there(played, client):
    published(played)
    assert client.get(page_of(played, "987654321/")).status_code == 404
    assert client.get(f"/campaigns/{played.slug}/leaderboard/2/dialogues/").status_code == 302


def test_a_leaderboard_without_a_bundle_has_no_dialogues_to_read(scored, client):
    publish_now(scored)
    for rest in ("", "side-by-side/", "1/"):
        assert client.get(page_of(scored, rest)).status_code == 404


def test_a_damaged_bundle_is_said_to_be_so(scored, client):
    publish_now(scored, has_bundle=True)
    for rest in ("", "side-by-side/", "1/"):
        assert "cannot be read" in text_of(client, page_of(scored, rest))
