"""What the correlations of a campaign are computed from, and when they are computed again."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from automatic_tasks.actions import publish_figures
from automatic_tasks.models import Split
from campaigns.presets import PRESETS
from leaderboards.actions import campaign_of_records, import_records, refresh_leaderboard
from leaderboards.record_files import read_record_lines
from organizing.actions import refresh_meta_evaluation, refresh_outdated_meta_evaluations, remove_metrics, store_metrics
from organizing.models import MetaEvaluation, MetricFile
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
from reading.checking import BadFile
from scoring.published_tables import PublishedRow
from tests.automatic_tasks.conftest import content_of, good_run, tasks

__all__ = ["content_of", "good_run", "tasks"]
pytestmark = pytest.mark.django_db
ORGANIZERS = MetaEvaluation.Audience.ORGANIZERS
# Satisfaction of five systems, and a metric: both in this order they are 2 1 4 3 5 and 1 2 3 4 5 of five.
SATISFACTION = {"A": -1, "B": -2, "C": 1, "D": 0, "E": 2}
TABLE = b"system,F1,flat\nA,0.1,7\nB,0.2,7\nC,0.3,7\nD,0.4,7\nE,0.5,7\nstranger,0.9,7\n"
NOW = timezone.now()


def add_records(campaign, scores, reviewer="r1", bot=None, scenario="1"):
    subtasks = [{"kind": "flight", "completed": True, "turns": 4, "cap": 20}]
    lines = [
        json.dumps(
            {"team": team, "bot": bot or team, "scenario": scenario, "reviewer": reviewer, "subtasks": subtasks}
            | {"ratings": {"satisfaction": score}}
        ).encode()
        for team, score in scores.items()
    ]
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))
    refresh_leaderboard(campaign=campaign, at=NOW)


@pytest.fixture
def rated(db):
    campaign = campaign_of_records(slug="rated", preset=PRESETS["smp2018"])
    add_records(campaign, SATISFACTION)
    return campaign


def upload(campaign, content=TABLE, name="metrics.csv"):
    return store_metrics(campaign=campaign, name=name, content=content, at=NOW)


def published(campaign, *, hides_teams=False, at=NOW):
    snapshot = freeze(campaign=campaign, hides_teams=hides_teams, by=None, at=at)
    publish(snapshot=snapshot, public_from=at, by=None, at=at)
    return snapshot


def rows_of(campaign):
    stored = refresh_meta_evaluation(campaign=campaign, audience=ORGANIZERS, at=NOW)
    return {(row["metric"], row["criterion"]): row for row in stored.content["rows"]}, stored.content


def test_an_uploaded_metric_is_correlated_with_the_human_means_of_the_leaderboard(rated):
    upload(rated)
    rows, content = rows_of(rated)
    found = rows["F1", "satisfaction"]
    # By hand: the differences of ranks are 1 1 1 1 0, eight of ten pairs are in order (tests/measures/test_correlation.py).
    assert (found["n"], found["skill"]) == (5, "")
    assert found["pearson"] == pytest.approx(0.8)
    assert found["spearman"] == pytest.approx(0.8)
    assert found["kendall"] == pytest.approx(0.6)
    assert found["kendall_p"] == pytest.approx(28 / 120)
    assert found["spearman_interval"] == pytest.approx([-0.4571, 0.9909], abs=0.0001)
    assert rows["flat", "satisfaction"]["pearson"] is None
    assert content["unmatched"] == ["stranger"]
    assert (content["seed"], content["n_resamples"]) == (0, 1000)


def test_every_figure_of_the_leaderboard_is_a_criterion(rated):
    upload(rated)
    assert {criterion for _, criterion in rows_of(rated)[0]} == {"completion", "mean_turns", "satisfaction"}


def test_what_has_only_one_side_has_no_row(rated):
    rows, content = rows_of(rated)
    assert rows == {}
    assert len(content["human"]) == 5


def test_it_is_computed_again_when_scores_a_table_or_a_board_change_and_not_before(rated, tasks):
    later = NOW

    def n_computed():
        nonlocal later
        # After the pause that a computation earns.
        later += timedelta(hours=1)
        return refresh_outdated_meta_evaluations(at=later)

    # The campaign with tasks, once: the rated one has no metrics yet.
    assert (n_computed(), n_computed()) == (1, 0)
    upload(rated)
    assert (n_computed(), n_computed()) == (1, 0)
    add_records(rated, {"A": 2}, reviewer="r2")
    assert (n_computed(), n_computed()) == (1, 0)
    upload(rated)
    assert (n_computed(), n_computed()) == (1, 0)
    publish_figures(
        task=tasks["responses"], split=Split.HIDDEN, rows=[PublishedRow("Team Alpha", {"f1": 0.5})], source="x"
    )
    assert (n_computed(), n_computed()) == (1, 0)
    published(rated, at=later)
    assert (n_computed(), n_computed()) == (1, 0)


def test_nobody_computes_what_somebody_computes_or_computed_just_now(rated):
    upload(rated)
    assert refresh_outdated_meta_evaluations(at=NOW) == 1
    upload(rated)
    kept = MetaEvaluation.objects.get()
    assert kept.next_at > NOW
    assert refresh_outdated_meta_evaluations(at=NOW) == 0
    assert refresh_outdated_meta_evaluations(at=kept.next_at) == 1


def test_a_table_with_problems_leaves_the_one_before(rated):
    upload(rated)
    with pytest.raises(BadFile):
        upload(rated, b"system,F1\nA,good\n")
    assert MetricFile.objects.get().figures[0] == {"skill": "", "system": "A", "figures": {"F1": 0.1, "flat": 7}}


def test_a_new_table_takes_the_place_of_the_old_one_and_a_removed_one_leaves_nothing(rated):
    first = upload(rated)
    second = upload(rated, b"system,G\nA,1\n", name="second.csv")
    assert MetricFile.objects.get() == second != first
    refresh_meta_evaluation(campaign=rated, audience=ORGANIZERS, at=NOW)
    remove_metrics(campaign=rated)
    assert not MetricFile.objects.exists()
    assert not MetaEvaluation.objects.exists()


def of_everybody(campaign):
    stored = refresh_meta_evaluation(campaign=campaign, audience=MetaEvaluation.Audience.EVERYBODY, at=NOW)
    return stored.content


def test_everybody_gets_the_scores_that_are_published_whatever_comes_in_later(rated):
    upload(rated)
    published(rated)
    before = of_everybody(rated)["rows"]
    assert len(before) == 6
    add_records(rated, {"A": 2, "B": 2}, reviewer="r2")
    assert of_everybody(rated)["rows"] == before != rows_of(rated)[1]["rows"]


def test_hidden_teams_go_by_their_aliases(rated):
    upload(rated)
    published(rated, hides_teams=True)
    content = of_everybody(rated)
    aliases = {str(entry.pk): entry.alias for entry in rated.entries.all()}
    assert content["names"] == aliases
    assert content["hides_teams"]
    assert next(row for row in content["rows"] if row["metric"] == "F1")["n"] == 5


def test_systems_come_in_the_order_of_the_published_ranks(rated):
    upload(rated)
    published(rated)
    content = of_everybody(rated)
    # All completed in four turns: satisfaction decides.
    assert [content["names"][row["entry"]] for row in content["automatic"]] == ["E", "C", "D", "A", "B"]


def test_a_table_that_tells_skills_apart_is_compared_skill_by_skill(rated):
    for number, skill in enumerate(("booking", "chat"), start=1):
        rated.scenarios.create(key=str(number), position=number, skill=skill)
    # On the second scenario the order is the reverse of the first, so that all of it together says nothing.
    add_records(rated, {team: -score for team, score in SATISFACTION.items()}, scenario="2")
    table = "skill,system,F1\n" + "".join(
        f"{skill},{team},{number}\n"
        for skill in ("booking", "chat", "poetry")
        for number, team in enumerate("ABCDE", start=1)
    )
    upload(rated, table.encode())
    _, content = rows_of(rated)
    found = {row["skill"]: row["spearman"] for row in content["rows"] if row["criterion"] == "satisfaction"}
    assert found == {"booking": pytest.approx(0.8), "chat": pytest.approx(-0.8)}
    published(rated)
    assert of_everybody(rated)["rows"] == []
