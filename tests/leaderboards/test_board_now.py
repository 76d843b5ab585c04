"""Beside the figures of a leaderboard stands only what was drawn of the same scores; else since when that is awaited."""

import json
import threading
from datetime import timedelta

import pytest
from django.db import connections
from django.db.models import F
from django.utils.html import strip_tags

from campaigns.actions import note_changed_scores
from campaigns.models import Campaign, Role
from dialogues.models import DialogueSubtask
from leaderboards import actions
from leaderboards.actions import (
    import_records,
    refresh_agreement,
    refresh_leaderboard,
    refresh_slices,
    refresh_statistics,
)
from leaderboards.board_now import board_now
from leaderboards.exports import EXPORTS
from leaderboards.live_board import computed_rows
from leaderboards.record_files import read_record_lines
from reviews.actions.deciding import restore_dialogue, void_dialogue
from reviews.actions.placing import draw_review_places
from tests.publication.conftest import add_records, record
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(minutes=30)
PAGE, API = "/campaigns/small/leaderboard/", "/api/v1/campaigns/small/leaderboard/"
ENGLISH = {"accept-language": "en"}
# What the page has of statistics: P(rank = k), tau, tests of pairs, the picture, and the sentences of the panel "why".
DRAWN = (
    "<b>P(rank = k)</b>",
    "Kendall",
    "All pairs",
    '<svg class="plot" viewBox="0 0 400',
    "resamples",
    "95% interval of the rank",
)


@pytest.fixture
def adjudicator(campaign):
    return person(campaign, "adjudicator", Role.ADJUDICATOR)


@pytest.fixture
def disputed(campaign, tester, adjudicator):
    """Two systems with imported records beside Team Alpha with two dialogues, of which the first waits for the adjudicator."""
    people = panel(campaign, 3, adjudicated_over=2)
    first, second = closed_dialogues(campaign, tester, 2)
    DialogueSubtask.objects.update(answered_turns=F("turns_used"))
    draw_review_places(campaign=campaign, at=NOON)
    for reviewer, scores in zip(people, ((-1, 1), (2, 1), (2, 1)), strict=True):
        for dialogue, score in zip((first, second), scores, strict=True):
            submit(dialogue, reviewer, ratings=SCORES | {"satisfaction": score}, verdicts={"1": True})
    add_records(campaign, *[record(team, n, n <= done, 2) for team, done in (("A", 3), ("B", 1)) for n in range(1, 5)])
    return first, second


def adjudicated(dialogues, adjudicator, organizer):
    submit(dialogues[0], adjudicator, ratings=SCORES | {"satisfaction": 0}, verdicts={"1": False})


def voided(dialogues, adjudicator, organizer):
    void_dialogue(dialogue=dialogues[1], by=organizer, because="走错了场景", at=NOON)


def restored(dialogues, adjudicator, organizer):
    restore_dialogue(dialogue=dialogues[1], by=organizer, because="其实没有走错", at=NOON)


def all_computed(campaign):
    for refresh in (refresh_leaderboard, refresh_agreement, refresh_statistics, refresh_slices):
        refresh(campaign=campaign, at=NOON)


def pages_of(client):
    """The page, the answers of the board, its statistics and parts, and the rows of the export by column."""
    page = " ".join(client.get(PAGE, headers=ENGLISH).content.decode().split())
    campaign = Campaign.objects.get(slug="small")
    export = EXPORTS["leaderboard"]
    rows = [dict(zip(export.columns(campaign), row, strict=True)) for row in export.rows(campaign)]
    answers = [client.get(address).json() for address in (API, f"{API}statistics/", f"{API}parts/?figure=satisfaction")]
    return page, *answers, rows


@pytest.mark.parametrize(
    ("before", "act"),
    [((), adjudicated), ((adjudicated,), voided), ((adjudicated, voided), restored)],
    ids=["adjudicated", "voided", "restored"],
)
def test_statistics_of_before_an_act_are_never_beside_the_figures_of_after_it(
    disputed, campaign, adjudicator, organizer, client, few_are_enough, before, act
):
    client.force_login(organizer)
    for earlier in before:
        earlier(disputed, adjudicator, organizer)
    all_computed(campaign)
    page, board, statistics, parts, rows = pages_of(client)
    assert [word for word in DRAWN if word not in page] == []
    assert "Recomputing" not in page
    old_mean = {row["team"]: row["satisfaction"] for row in (*board["rows"], *board["unranked"])}
    assert statistics["rows"]
    assert (board["recomputing_since"], parts["recomputing_since"], rows[0]["recomputing_since"]) == (None, None, None)

    act(disputed, adjudicator, organizer)
    refresh_leaderboard(campaign=campaign, at=LATER)
    campaign.refresh_from_db()
    page, board, statistics, parts, rows = pages_of(client)
    told = {row["team"]: row["satisfaction"] for row in (*board["rows"], *board["unranked"])}
    assert told["Team Alpha"] != old_mean["Team Alpha"], "the new mean is there"
    assert [word for word in DRAWN if word in page] == []
    # On the page as a whole, in the place of the picture, and in the panel that says why.
    assert strip_tags(page).count("Recomputing since 2026-05-18 20:30:00 (UTC+08:00).") == 3
    since, version = LATER.isoformat(), campaign.scores_version
    for answer in (board, statistics, parts):
        assert (answer["recomputing_since"], answer["scores_version"]) == (since, version)
    assert [(row["intervals"], row["rank_interval"], row["rank_probabilities"]) for row in board["rows"]] == [
        ({}, None, None)
    ] * len(board["rows"])
    assert [why["how_sure"] for why in board["why"]] == [[]] * len(board["why"])
    assert [column["agreement"] for column in board["columns"]] == [None] * 5
    empty = [statistics[name] for name in ("rows", "pairs", "rankings", "snapshots", "seed", "computed_at")]
    assert empty == [{}, [], {}, {}, None, None]
    assert parts["rows"] == []
    assert {row["satisfaction_low"] for row in rows} | {row["rank_high"] for row in rows} == {None}
    assert {(row["scores_version"], row["recomputing_since"]) for row in rows} == {(version, LATER.isoformat())}

    all_computed(campaign)
    page, board, statistics, parts, rows = pages_of(client)
    assert [word for word in DRAWN if word not in page] == []
    assert (statistics["recomputing_since"], statistics["scores_version"]) == (None, version)
    assert parts["rows"][0]["parts"]
    assert rows[0]["rank_high"]


def test_the_page_of_parts_shows_none_beside_a_board_of_other_scores(
    disputed, campaign, adjudicator, organizer, client
):
    client.force_login(organizer)
    all_computed(campaign)
    address = f"{PAGE}parts/?by=reviewer&figure=satisfaction"
    assert "reviewer-2" in client.get(address, headers=ENGLISH).content.decode()
    adjudicated(disputed, adjudicator, organizer)
    refresh_leaderboard(campaign=campaign, at=LATER)
    page = client.get(address, headers=ENGLISH).content.decode()
    assert "reviewer-2" not in page
    assert "Recomputing since 2026-05-18 20:30:00 (UTC+08:00)." in strip_tags(page)


def test_the_records_of_now_have_no_figure_of_before_over_them(disputed, campaign, adjudicator, organizer, client):
    client.force_login(organizer)
    refresh_leaderboard(campaign=campaign, at=NOON)
    entry = campaign.entries.get(bot__team__name="Team Alpha")
    address = f"{PAGE}records/{entry.pk}/satisfaction/"
    heading = f"Team Alpha · {entry.bot.name}: Sa"
    page = " ".join(client.get(address, headers=ENGLISH).content.decode().split())
    assert "The figure is the mean over" in page
    adjudicated(disputed, adjudicator, organizer)
    page = " ".join(client.get(address, headers=ENGLISH).content.decode().split())
    assert "The figure is the mean over" not in page
    assert f"{heading}</h1>" in page
    assert "New scores are being added" in page


@pytest.mark.django_db(transaction=True)
def test_figures_and_their_version_are_of_one_moment_whatever_is_scored_meanwhile(campaign, monkeypatch):
    """A record that comes while figures are added up is in none of those that are stored under the version of before."""

    def line(team, scenario):
        subtasks = [{"kind": "flight", "completed": True, "turns": 2, "cap": 9}]
        return json.dumps(
            {"team": team, "scenario": scenario, "reviewer": "r", "subtasks": subtasks, "ratings": {}}
        ).encode()

    def interrupted(campaign):
        def score():
            import_records(campaign=campaign, lines=read_record_lines([line("A", "2")], {}))
            connections.close_all()

        another = threading.Thread(target=score)
        another.start()
        another.join(10)
        assert not another.is_alive()
        return computed_rows(campaign)

    import_records(campaign=campaign, lines=read_record_lines([line("A", "1")], {}))
    campaign.refresh_from_db()
    version = campaign.scores_version
    monkeypatch.setattr(actions, "computed_rows", interrupted)
    stored = refresh_leaderboard(campaign=campaign, at=NOON)
    (row,) = stored.rows.values()
    assert (stored.scores_version, row["n"]) == (version, 1)
    campaign.refresh_from_db()
    assert campaign.scores_version == version + 1


def test_statistics_that_are_ahead_of_the_figures_wait_for_them(disputed, campaign):
    """A large board rests after it was computed; the statistics of newer scores may be there before it."""
    refresh_leaderboard(campaign=campaign, at=NOON)
    note_changed_scores(campaign=campaign)
    refresh_statistics(campaign=campaign, at=LATER)
    now = board_now(campaign)
    assert (now.statistics, now.recomputing_since) == ({}, NOON)
    refresh_leaderboard(campaign=campaign, at=LATER)
    now = board_now(campaign)
    assert (bool(now.statistics), now.recomputing_since) == (True, None)
