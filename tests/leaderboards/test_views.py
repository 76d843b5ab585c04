"""The leaderboard's page shows what is stored and computes nothing."""

import re

import pytest
from django.core.management import call_command
from django.utils import timezone

from campaigns.actions import note_changed_scores
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from leaderboards import live_sums
from leaderboards.actions import import_records, refresh_leaderboard, refresh_statistics
from leaderboards.live_board import board_of, stored_board
from leaderboards.record_files import read_record_lines
from rubrics.models import Rubric
from tests.conftest import PUBLISHED
from tests.reviews.conftest import closed_dialogues, panel

pytestmark = pytest.mark.django_db

PAGE = "/campaigns/small/leaderboard/"
RECORD = (
    b'{"team": "Team Alpha", "scenario": "s", "reviewer": "r", "subtasks": [{"completed": true, "turns": 7, "cap": 9}], '
    b'"ratings": {"fluency": 1}}'
)


@pytest.fixture
def published(campaign, organizer, client):
    """With a record, and seen by its organizer."""
    client.force_login(organizer)
    import_records(campaign=campaign, lines=read_record_lines([RECORD], {}))
    return campaign


def test_a_page_shows_the_stored_figures_with_letters_and_arrows_of_the_rubric(published, client):
    refresh_leaderboard(campaign=published, at=timezone.now())
    page = client.get(PAGE, headers={"accept-language": "en"}).content.decode()
    assert "being computed" in page
    assert "% done" not in page
    published.stored_boards.create(key="statistics", share_done=0.417)
    assert "41% done." in client.get(PAGE, headers={"accept-language": "en"}).content.decode()
    refresh_statistics(campaign=published, at=timezone.now())
    page = client.get(PAGE, headers={"accept-language": "en"}).content.decode()
    arrow = r'<span class="arrow" title="\w+ is better"><span aria-hidden="true">(.)</span>'
    told = r'<span class="visually-hidden"> \((\w+) is better\)</span></span>'
    heads = re.findall(rf"<b>(\w+)</b>\s*{arrow}{told}\s*<sup[^>]*>(\d)</sup>", page)
    assert heads == [
        ("C", "↑", "higher", "1"), ("T", "↓", "lower", "2"), ("Sa", "↑", "higher", "3"), ("F", "↑", "higher", "4"),
        ("G", "↑", "higher", "5"),
    ]  # fmt: skip
    assert re.search(r'mean_turns/"[^>]*>7\.00</a>', page)
    assert "data-reload-s" not in page


@pytest.mark.parametrize(
    ("turns_are", "words"),
    [("exchanges", "A turn is what the tester says"), ("utterances", "Each utterance is a turn")],
)
def test_a_board_with_t_says_what_a_turn_is(published, client, turns_are, words):
    Campaign.objects.update(turns_are=turns_are)
    headers = {"accept-language": "en"}
    assert words in client.get(PAGE, headers=headers).content.decode()
    Campaign.objects.update(ranking_rule=["fluency"])
    Rubric.objects.update(asks_for_verdicts=False)
    assert words not in client.get(PAGE, headers=headers).content.decode(), "without T there is nothing to say"


def test_a_page_that_is_behind_says_so_and_computes_nothing(published, client, monkeypatch):
    def computed(*arguments):
        raise AssertionError("computed on a view")

    refresh_leaderboard(campaign=published, at=timezone.now())
    note_changed_scores(campaign=published)
    monkeypatch.setattr(live_sums, "sums_by_entry", computed)
    monkeypatch.setattr("leaderboards.live_board.sums_by_entry", computed)
    page = client.get(PAGE).content.decode()
    assert "7.00" in page
    assert "data-reload-s" in page
    board = client.get("/api/v1/campaigns/small/leaderboard/").json()
    assert (board["rows"][0]["mean_turns"], board["is_outdated"]) == (7, True)


def test_a_bot_that_enters_is_listed_without_a_rank_before_anything_is_computed(published, client):
    bot = published.entries.order_by("pk").first().bot.team.bots.create(name="newcomer")
    published.entries.create(bot=bot, key="n", alias="newest")
    page = client.get(PAGE, headers={"accept-language": "en"}).content.decode()
    assert "newcomer" in page
    assert "no scored dialogue yet" in page


def test_an_organizer_reads_what_each_export_holds(campaign, organizer, client):
    client.force_login(organizer)
    page = client.get("/campaigns/small/organize/", headers={"accept-language": "en"}).content.decode()
    assert 'Scored dialogues <code class="muted">reviews</code>' in page


@pytest.mark.parametrize(
    ("by", "status", "is_scored", "n_done"),
    [
        ("self", "completed", True, 1),
        ("self", "completed", False, 0),
        ("self", "returned", True, 0),
        ("panel", "completed", False, 1),
        ("panel", "open", False, 0),
    ],
)
def test_what_is_done_counts_and_is_scored_where_testers_score(
    campaign, dialogue, organizer, client, by, status, is_scored, n_done
):
    campaign.reviewed_by = by
    campaign.save()
    closed_at, scored_at = (timezone.now() if is_past else None for is_past in (status != "open", is_scored))
    Dialogue.objects.update(status=status, closed_at=closed_at, scored_at=scored_at)
    client.force_login(organizer)
    context = client.get("/campaigns/small/organize/").context
    assert [entry.n_done for entry in context["entries"]] == [n_done]
    assert [row[1] for row in context["testers"]] == [n_done]


def test_the_manage_page_shows_panels_that_nobody_can_fill(campaign, organizer, tester, client):
    panel(campaign, 2)
    campaign.reviewers_per_dialogue = 3
    campaign.save()
    client.force_login(organizer)
    address = "/campaigns/small/organize/"
    headers = {"Accept-Language": "en"}
    assert "Panels that nobody can fill" not in client.get(address, headers=headers).content.decode()
    closed_dialogues(campaign, tester, 7)
    shown = client.get(address, headers=headers).content.decode()
    assert "Panels that nobody can fill" in shown
    assert shown.count("1 more reviewer who did not talk in it") == 5
    assert 'href="/campaigns/small/panels/"' in shown


def test_two_chosen_rows_are_compared_and_else_the_first_two(client, db, django_user_model):
    call_command("import_records", str(PUBLISHED / "smp2018" / "records.jsonl"), campaign="paper", verbosity=0)
    paper = Campaign.objects.get(slug="paper")
    refresh_leaderboard(campaign=paper, at=timezone.now())
    person = django_user_model.objects.create_user("organizer")
    paper.roles.create(person=person, role=Role.ORGANIZER)
    client.force_login(person)
    rows = board_of(paper, stored_board(paper).rows).rows
    address, english = "/campaigns/paper/leaderboard/", {"accept-language": "en"}
    assert (
        f"Why {rows[0].team_en} is ahead of {rows[1].team_en}" in client.get(address, headers=english).content.decode()
    )
    chosen = client.get(address, {"compare": [rows[8].key, rows[7].key]}, headers=english).content.decode()
    assert f"Why {rows[7].team_en} is ahead of {rows[8].team_en}" in chosen
