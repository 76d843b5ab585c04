"""Pages and API of replays: organizers ask, teams ask after publication, nobody else sees anything."""

import pytest
from django.utils import timezone

from campaigns.models import Campaign
from replays.models import Replay, ReplayTurn, SentinelRound
from tests import world
from tests.replays.conftest import asked_for, talked

pytestmark = pytest.mark.django_db
PLACE, API = "/campaigns/small/replays/", "/api/v1/campaigns/small/replays/"
OWN, OWN_API = "/campaigns/small/team/replays/", "/api/v1/campaigns/small/team/replays/"


def client_of(person):
    client = world.client_of(person)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


@pytest.fixture
def old(campaign, tester):
    return talked(campaign, tester, ("你好", "您好，要去哪里"), ("上海", "好的"), ("<谢谢>", "<b>不客气</b>"))


def carried_out(old, entry, *answers, **how):
    replay = asked_for(old, entry, **how)
    for turn, text in zip(old.turns.all(), answers, strict=False):
        said = (
            {"outcome": "reply", "texts": [text]}
            if text
            else {"outcome": "failure", "kind": "timeout_total", "fault": "bot"}
        )
        ReplayTurn.objects.create(
            replay=replay, turn=turn, attempt=1, number=turn.number, ended_at=timezone.now(), **said
        )
    Replay.objects.filter(pk=replay.pk).update(
        state="done", n_attempts=1, n_turns=3, n_changed=2, parts_at=2, distance=0.4, ended_at=timezone.now()
    )
    return replay


def released(campaign):
    Campaign.objects.update(is_published=True, was_published=True, releases_transcripts=True)
    campaign.refresh_from_db()


def test_a_talk_that_its_system_ended_parts_at_the_line_that_was_not_put(old, entry, organizer):
    replay = carried_out(old, entry, "您好，要去哪里", "好的")
    page = client_of(organizer).get(f"{PLACE}{replay.pk}/").content.decode()
    assert page.index('id="turn-2"') < page.index('id="parting"') < page.index('id="turn-3"') < page.index("not put")
    Replay.objects.update(state="running")
    assert 'id="parting"' not in client_of(organizer).get(f"{PLACE}{replay.pk}/").content.decode()


def test_calls_are_counted_before_anything_is_sent(old, entry, organizer):
    client = client_of(organizer)
    page = client.get(PLACE, {"against": entry.alias, "n": "5"}).content.decode()
    assert "1 dialogue would be replayed" in page
    assert "Calls: 3" in page
    assert not Replay.objects.exists()
    answer = client.post(f"{PLACE}ask/", {"against": entry.alias, "n": "5"})
    replay = Replay.objects.get()
    assert answer["Location"] == f"{PLACE}{replay.pk}/"
    assert (replay.asked_by, replay.n_lines, replay.is_of_team) == (organizer, 3, False)


def test_a_refusal_is_told_on_the_page(old, entry, organizer):
    Campaign.objects.update(replay_calls_per_day=2)
    client = client_of(organizer)
    assert "This takes 3 calls, and 2 are left" in client.get(PLACE, {"against": entry.alias}).content.decode()
    told = client.post(f"{PLACE}ask/", {"against": entry.alias}, follow=True).content.decode()
    assert "This takes 3 calls" in told
    assert "Choose one of the systems" in client.get(PLACE, {"against": "K0"}).content.decode()


def test_answers_stand_beside_those_of_then_and_part_once(old, entry, organizer):
    replay = carried_out(old, entry, "您好，要去哪里", "好的，北京", "")
    page = client_of(organizer).get(f"{PLACE}{replay.pk}/").content.decode()
    assert page.count("a person would have spoken differently") == 1
    assert page.index("a person would have spoken") > page.index('id="turn-1"')
    assert page.index("a person would have spoken") < page.index('id="turn-2"')
    assert "<ins>，北京</ins>" in page
    assert "&lt;b&gt;不客气" in page
    told = client_of(organizer).get(f"{API}{replay.pk}/").json()
    assert [one["changed"] for one in told["turns"]] == [False, True, True]
    assert [one["after_parting"] for one in told["turns"]] == [False, False, True]
    assert told["turns"][2]["kind"] == "timeout_total"


def test_programs_count_ask_and_stop(old, entry, organizer):
    client = client_of(organizer)
    body = {"against": entry.alias, "n": 10, "only_count": True}
    counted = client.post(API, body, content_type="application/json").json()
    assert (counted["dialogues"], counted["calls"], counted["replays"]) == (1, 3, [])
    asked = client.post(API, body | {"only_count": False, "dialogues": [str(old.pk)]}, content_type="application/json")
    assert asked.status_code == 201
    (replay,) = asked.json()["replays"]
    assert replay["against"] == entry.alias
    assert [one["id"] for one in client.get(API).json()] == [replay["id"]]
    assert client.post(f"{API}{replay['id']}/stop/").json()["state"] == "stopped"
    assert client.post(f"{API}{replay['id']}/stop/").status_code == 409


def test_a_team_replays_its_own_system_after_publication_alone(campaign, old, entry, participant):
    client, body = client_of(participant), {"against": str(entry.pk)}
    assert "Once the leaderboard is published" in client.get(OWN).content.decode()
    assert client.post(OWN_API, body, content_type="application/json").status_code == 409
    client.post(f"{OWN}ask/", body)
    assert not Replay.objects.exists()
    released(campaign)
    assert client.post(f"{OWN}ask/", body)["Location"].startswith(OWN)
    replay = Replay.objects.get()
    assert replay.is_of_team
    page = client.get(f"{OWN}{replay.pk}/").content.decode()
    assert "上海" in page
    assert entry.alias not in page
    assert client.get(OWN_API).json()[0]["against"] == entry.bot.name


def test_a_team_sees_neither_others_systems_nor_the_organizers_replays(campaign, old, entry, participant, organizer):
    released(campaign)
    replay = carried_out(old, entry, "x")
    client = client_of(participant)
    assert client.get(f"{OWN}{replay.pk}/").status_code == 404
    assert client.get(f"{OWN_API}{replay.pk}/").status_code == 404
    assert client.get(PLACE).status_code == 404
    assert client.post(OWN_API, {"against": entry.alias}, content_type="application/json").status_code == 409


@pytest.mark.parametrize("withheld", ["is_published", "releases_transcripts"])
def test_a_team_reads_its_replays_while_its_dialogues_are_released_to_it(campaign, old, entry, participant, withheld):
    replay = carried_out(old, entry, "x")
    Replay.objects.update(is_of_team=True)
    title, client = old.assignment.scenario.title_en, client_of(participant)

    def read():
        pages = [client.get(OWN), client.get(f"{OWN}{replay.pk}/"), client.get(f"{OWN_API}{replay.pk}/")]
        told = [title in pages[0].content.decode(), *(page.status_code == 200 for page in pages[1:])]
        return [*told, bool(client.get(OWN_API).json())]

    released(campaign)
    assert read() == [True] * 4
    Campaign.objects.update(**{withheld: False})
    assert read() == [False] * 4


def test_a_drift_is_settled_on_the_page_and_over_the_api(old, entry, organizer):
    def drifting():
        SentinelRound.objects.all().delete()
        at = timezone.now()
        return SentinelRound.objects.create(
            entry=entry, began_at=at, ended_at=at, n_canaries=1, distance=0.8, spread=0.1, drift=0.7,
            limit_percent=30, is_flagged=True,
        )  # fmt: skip

    client, found = client_of(organizer), drifting()
    page = client.get(PLACE).content.decode()
    assert "drift 70%, reported over 30%" in page
    client.post(f"{PLACE}rounds/{found.pk}/settle/", {"settled": "accepted", "because": "new model"})
    found.refresh_from_db()
    assert (found.settled, found.settled_because) == ("accepted", "new model")
    found = drifting()
    told = client.post(f"{API}rounds/{found.pk}/settle/", {"settled": "noted"}, content_type="application/json").json()
    assert (told["settled"], told["drift"]) == ("noted", 0.7)
    assert [one["id"] for one in client.get(f"{API}rounds/").json()] == [found.pk]
