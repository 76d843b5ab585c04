"""Every preset from its file to its leaderboard: real server, sockets and bots; testers, experts, a panel, an adjudicator."""

import json
import os
import sqlite3
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from dataclasses import astuple
from statistics import fmean

import pytest

from measures.crossed import crossed
from tests.demo.simulated_panel import EXAMPLES, margins_of
from tests.live.databases import ROOT

pytestmark = pytest.mark.server


class Rehearsed:
    """A finished rehearsal: what was printed, and its database."""

    def __init__(self, preset, folder, *options):
        self.slug, self.folder = f"example-{preset}", folder
        self.environment = os.environ | {"DATABASE_URL": f"sqlite:///{folder / 'tournament.sqlite3'}"}
        file = EXAMPLES / "campaigns" / f"{preset}.toml"
        self.printed = self.manage("tournament", "--campaign", str(file), "--keep", str(folder), *options)

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, env=self.environment, cwd=ROOT, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def rows(self, what):
        out = self.folder / f"{what}.jsonl"
        self.manage("export", self.slug, "--what", what, "--format", "jsonl", "--out", str(out))
        return [json.loads(line) for line in out.read_text().splitlines()]

    def bots(self):
        return json.loads(self.manage("dump_campaign", self.slug, "--format", "json")).get("bots", [])

    def acts_of_nobody(self):
        """The acts that no account did: commands."""
        with closing(sqlite3.connect(self.folder / "tournament.sqlite3")) as database:
            return [act for (act,) in database.execute("SELECT act FROM audit_trailline WHERE person = ''")]

    def board(self):
        return json.loads(self.manage("leaderboard", self.slug, "--format", "json"))

    def panel_scores(self):
        """The panel's scores on scales, reviewer × (dialogue, criterion)."""
        scored = [row for row in self.rows("ratings") if row["part"] == "panel" and row["label"] is None]
        return crossed((row["reviewer"], (row["dialogue"], row["criterion"]), float(row["score"])) for row in scored)


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory):
    return lambda preset, *options: Rehearsed(preset, tmp_path_factory.mktemp(preset), *options)


def check_habits_are_found(scores):
    """The severe reviewer is the most severe of those who read; without the careless one the panel agrees better."""
    margins = margins_of(scores)
    assert min(astuple(margins)) > 0, margins


def check_board(done):
    """Every figure of a criterion is the mean over dialogues of the mean of their counted ratings; labels have none."""
    counted = [row for row in done.rows("ratings") if row["is_counted"] and row["label"] is None]
    board = done.board()
    assert board["rows"]
    assert board["unranked"] == []
    keys = {entry["name"]: entry["key"] for entry in done.bots()}
    for row in board["rows"]:
        own = [rating for rating in counted if rating["bot"] == keys.get(row["bot"], rating["bot"])]
        assert own
        for criterion in {rating["criterion"] for rating in own}:
            of_dialogues = defaultdict(list)
            for rating in own:
                if rating["criterion"] == criterion:
                    of_dialogues[rating["dialogue"]].append(rating["score"])
            assert row[criterion] == pytest.approx(fmean(map(fmean, of_dialogues.values()))), criterion


def test_smp2018_is_played_and_its_panel_seen_through(rehearsed):
    done = rehearsed("smp2018")
    # The link of the site's first organizer: all else was done over the API by somebody's program.
    assert done.acts_of_nobody() == ["invitation.made"]
    check_habits_are_found(done.panel_scores())
    check_board(done)
    assert all(row["part"] == "adjudication" for row in done.rows("reviews") if row["reviewer"] == "adjudicator")


@pytest.mark.rehearsal
def test_seretod2022_draws_goals_evenly_and_ranks_by_the_panel(rehearsed):
    done = rehearsed("seretod2022")
    check_habits_are_found(done.panel_scores())
    played = [(row["bot"], row["scenario"]) for row in done.rows("dialogues")]
    per_goal = [played.count(pair) for pair in set(played)]
    assert [sum(bot == one for one, _goal in played) for bot in ("context", "booking", "forgetful")] == [6, 6, 6]
    assert max(per_goal) - min(per_goal) <= 1
    counted = {row["part"] for row in done.rows("reviews") if row["is_counted"]}
    assert counted <= {"panel", "adjudication"}
    check_board(done)


@pytest.mark.rehearsal
def test_the_scale_of_the_seretod_repository_is_scored_by_the_testers(rehearsed):
    done = rehearsed("seretod2022-0-2")
    assert {row["part"] for row in done.rows("reviews")} == {"self"}
    assert {row["score"] for row in done.rows("ratings")} <= {0, 1, 2}
    check_board(done)


@pytest.mark.rehearsal
def test_msde_returns_a_dialogue_has_it_redone_and_keeps_both(rehearsed):
    done = rehearsed("msde")
    check_habits_are_found(done.panel_scores())
    dialogues = done.rows("dialogues")
    (returned,) = [row for row in dialogues if row["status"] == "returned"]
    again = [row for row in dialogues if all(row[key] == returned[key] for key in ("tester", "bot", "scenario"))]
    assert len(dialogues) == 17
    assert len(again) >= 2
    assert returned["dialogue"] not in {row["dialogue"] for row in done.rows("reviews")}
    check_board(done)


@pytest.mark.rehearsal
def test_ntcir14_goes_from_imported_dialogues_to_scored_baselines(rehearsed):
    done = rehearsed("ntcir14", "--import", str(EXAMPLES / "runs" / "dialogue-quality" / "gold.json"))
    check_board(done)
    reviews = done.rows("reviews")
    assert sum(row["part"] == "panel" for row in reviews) == 3 * len(done.rows("dialogues"))
    assert [row["n_records"] for row in done.board()["rows"]] == [sum(row["is_counted"] for row in reviews)]
    for task in ("dialogue-quality", "nugget-detection"):
        gold, run = done.folder / f"{task}.json", done.folder / f"{task}-uniform.json"
        done.manage("export", done.slug, "--what", "gold", "--task", task, "--out", str(gold))
        done.manage("baseline", task, "uniform", "--gold", str(gold), "--output", str(run))
        scored = json.loads(done.manage("score", task, "--gold", str(gold), "--run", str(run), "--format", "json"))
        assert scored
