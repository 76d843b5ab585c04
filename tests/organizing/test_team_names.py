"""English pages call a team by its English name, Chinese ones by its own; programs and files get both."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from api.answers import encoded
from dialogues.models import Turn
from leaderboards.actions import import_records, refresh_leaderboard, refresh_slices, refresh_statistics
from leaderboards.exports import EXPORTS
from leaderboards.record_files import read_record_lines
from organizing.rankings import ComparedAnswer, choices, chosen, compare
from participants.models import Team
from participants.team_names import called, called_after
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
from publication.document_now import document_now
from publication.documents import canonical
from tests.publication.conftest import add_records, bundles, record
from tests.reviews.conftest import NOON, closed_dialogues, submit

__all__ = ["bundles"]
pytestmark = pytest.mark.django_db
OWN, ENGLISH, OTHER = "Team Alpha", "Alpha Labs", "乙队"
SMALL, API = "/campaigns/small/", "/api/v1/campaigns/small/"


@pytest.fixture
def named(campaign, tester, bundles):
    """Team Alpha, which is Alpha Labs in English, with two scored dialogues; a team without an English name; all computed."""
    for dialogue in closed_dialogues(campaign, tester, 2):
        submit(dialogue, tester, verdicts={"1": True})
    Turn.objects.update(settled_at=NOON)
    add_records(campaign, *[record(OTHER, n, n < 3, 2) for n in range(1, 5)])
    Team.objects.filter(name=OWN).update(name_en=ENGLISH)
    for refresh in (refresh_leaderboard, refresh_statistics, refresh_slices):
        refresh(campaign=campaign, at=timezone.now())
    return campaign


def pages_of(campaign):
    """Every page on which an organizer sees teams, and what it must call them."""
    entry = campaign.entries.get(bot__team__name=OWN)
    participant = campaign.roles.get(role="participant").person
    dialogue = entry.assignments.first().dialogues.get()
    board = f"{SMALL}leaderboard/"
    return [
        board,
        f"{board}?pairs=completion",
        f"{board}records/{entry.pk}/completion/",
        f"{board}parts/?by=kind&figure=completion",
        f"{SMALL}organize/",
        f"{SMALL}publication/",
        f"{SMALL}publication/1/",
        f"{board}1/",
        f"{SMALL}rankings/",
        f"{SMALL}teams/bots/{entry.pk}/",
        f"{SMALL}coverage/?chosen={entry.alias}",
        f"{SMALL}dialogues/",
        f"{SMALL}dialogues/{dialogue.pk}/",
        f"{SMALL}people/",
        f"{SMALL}people/{participant.pk}/",
    ]


def test_every_page_calls_a_team_as_its_reader_does(named, client, organizer):
    freeze(campaign=named, hides_teams=False, by=organizer, at=timezone.now())
    client.force_login(organizer)
    for language, said, unsaid in (("en", ENGLISH, OWN), ("zh-hans", OWN, ENGLISH)):
        client.cookies["django_language"] = language
        wrong = []
        for address in pages_of(named):
            answer = client.get(address)
            page = answer.content.decode()
            if answer.status_code != 200 or said not in page or unsaid in page:
                wrong.append((address, answer.status_code, said in page, unsaid in page))
        assert wrong == []
    # Here an organizer sees both.
    page = client.get(f"{SMALL}teams/").content.decode()
    assert OWN in page
    assert ENGLISH in page


def test_a_team_without_an_english_name_keeps_its_own(named, client, organizer):
    client.force_login(organizer)
    assert OTHER in client.get(f"{SMALL}leaderboard/", headers={"accept-language": "en"}).content.decode()


def test_a_team_sees_itself_under_its_english_name(named, client, participant):
    client.force_login(participant)
    page = client.get(f"{SMALL}team/", headers={"accept-language": "en"}).content.decode()
    assert f"<h1>{ENGLISH}</h1>" in page


def test_answers_and_exports_have_both_names(named, client, organizer):
    snapshot = freeze(campaign=named, hides_teams=False, by=organizer, at=timezone.now())
    client.force_login(organizer)
    both = {(OWN, ENGLISH), (OTHER, "")}
    board = client.get(f"{API}leaderboard/").json()
    assert {(row["team"], row["team_en"]) for row in (*board["rows"], *board["unranked"])} == both
    parts = client.get(f"{API}leaderboard/parts/?figure=completion").json()
    assert {(row["team"], row["team_en"]) for row in parts["rows"]} == both
    people = client.get(f"{API}people/").json()["people"]
    assert (OWN, ENGLISH) in {(one["team"], one["team_en"]) for one in people}
    export = EXPORTS["leaderboard"]
    assert list(export.columns(named))[-1] == "team_en"
    assert {row[-1] for row in export.rows(named)} == {ENGLISH, ""}
    records = EXPORTS["records"]
    assert list(records.columns(named))[-1] == "team_en"
    assert {(row[0], row[-1]) for row in records.rows(named)} == both
    assert {(line["team"], line.get("team_en", "")) for line in records.objects(named)} == both
    publish(snapshot=snapshot, public_from=timezone.now(), by=organizer, at=timezone.now())
    client.logout()
    published = client.get(f"{API}leaderboard/").json()
    assert {(row["team"], row["team_en"]) for row in published["rows"]} == both
    table = client.get(f"{SMALL}leaderboard/1/leaderboard.csv")
    lines = b"".join(table.streaming_content).decode("utf-8-sig").splitlines()
    assert lines[0].endswith(",team_en")
    assert sum(line.endswith(f",{ENGLISH}") for line in lines) == 1


def test_the_public_page_has_english_names_and_no_digest_covers_them(named, client, organizer):
    """A name that is given later shows on the page of what was published, whose digest stays."""

    def document():
        told = {"number": 1, "hides_teams": False, "at": timezone.now().replace(microsecond=0), "bundle": None}
        return canonical(document_now(named, **told) | {"frozen_at": ""})

    with_names = document()
    Team.objects.update(name_en="")
    assert document() == with_names
    snapshot = freeze(campaign=named, hides_teams=False, by=organizer, at=timezone.now())
    publish(snapshot=snapshot, public_from=timezone.now(), by=organizer, at=timezone.now())
    address, english = f"{SMALL}leaderboard/1/", {"accept-language": "en"}
    assert OWN in client.get(address, headers=english).content.decode()
    Team.objects.filter(name=OWN).update(name_en=ENGLISH)
    page = client.get(address, headers=english).content.decode()
    assert ENGLISH in page
    assert OWN not in page
    assert client.get(address, headers={"accept-language": "zh-hans"}).content.decode().count(ENGLISH) == 0
    # Under aliases nothing tells the team.
    hidden = freeze(campaign=named, hides_teams=True, by=organizer, at=timezone.now())
    client.force_login(organizer)
    assert ENGLISH not in client.get(f"{SMALL}leaderboard/{hidden.number}/", headers=english).content.decode()


def test_rankings_are_compared_by_names_in_both_languages(named):
    document = encoded(ComparedAnswer, compare(named, *chosen(choices(named), "", "")))
    assert {(row["name"], row["name_en"]) for row in document["rows"]} == {
        (f"{OWN} · a", f"{ENGLISH} · a"),
        (f"{OTHER} · {OTHER}'s bot", ""),
    }


def test_records_give_a_team_its_english_name_once(campaign, organizer):
    """The first line that says one counts, also for a team that is known already; a team of another campaign is left as it is."""
    line = (
        '{"team": "%s", "team_en": "%s", "scenario": "s", "reviewer": "%s", "subtasks": '
        '[{"completed": true, "turns": 7, "cap": 9}], "ratings": {}}'
    )
    lines = [line % told for told in (("新队", "", "a"), ("新队", "New Team", "b"), (OWN, ENGLISH, "a"))]
    import_records(campaign=campaign, lines=read_record_lines([one.encode() for one in lines], {}))
    assert dict(Team.objects.values_list("name", "name_en")) == {"新队": "New Team", OWN: ENGLISH}
    import_records(campaign=campaign, lines=read_record_lines([(line % ("新队", "Other", "c")).encode()], {}))
    assert Team.objects.get(name="新队").name_en == "New Team"
    campaign.known_teams.update(is_owner=False)
    Team.objects.update(name_en="")
    import_records(campaign=campaign, lines=read_record_lines([(line % ("新队", "Other", "d")).encode()], {}))
    assert Team.objects.get(name="新队").name_en == ""


def test_a_run_and_a_system_called_as_its_team_take_its_english_name():
    with override("en"):
        assert called("甲队", "Team One") == "Team One"
        assert called("甲队", "") == "甲队"
        assert called_after("甲队-run3", "甲队", "Team One") == "Team One-run3"
        assert called_after("甲队", "甲队", "Team One") == "Team One"
        # A system with a name of its own keeps it, also where it begins as the team's.
        assert called_after("甲队小助手", "甲队", "Team One") == "甲队小助手"
        assert called_after("BL-uniform", "", "") == "BL-uniform"
    with override("zh-hans"):
        assert called_after("甲队-run3", "甲队", "Team One") == "甲队-run3"
