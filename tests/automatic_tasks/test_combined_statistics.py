"""How sure combined boards are: drawn part by part, stored, and shown beside the figures that they are of alone."""

from datetime import timedelta

import pytest
from django.utils import timezone

from automatic_tasks.actions import board_statistics as computing
from automatic_tasks.actions import refresh_outdated_combined_statistics
from automatic_tasks.actions.board_statistics import refresh_combined_statistics
from automatic_tasks.boards.statistics import stored_statistics as statistics_of_task
from automatic_tasks.combined.boards import Reader, combined_board
from automatic_tasks.combined.statistics import (
    never_back,
    shown_statistics,
    statistics_of,
    stored_statistics,
    version_of,
)
from automatic_tasks.models import CombinedBoard, CombinedStatistics, Score, Split
from automatic_tasks.runs.scores import packed
from campaigns.models import Role
from leaderboards.actions import refresh_leaderboard
from leaderboards.live_board import stored_board
from leaderboards.statistics import statistics_of as statistics_of_people
from tests.automatic_tasks.conftest import TASKS
from tests.automatic_tasks.test_combined_boards import (
    API,
    MAIN,
    PAGE,
    bundles,
    client_of,
    load,
    played,
    publish_people,
    release,
)
from tests.publication.conftest import add_records, record

__all__ = ["bundles", "played"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_are_enough")]
TOTAL = 'ranking = ["total"]\ntotal = {by = "sum", of = ["completion", "fluency"]}'
LATER = timedelta(hours=1)


def refresh(at=None):
    return refresh_outdated_combined_statistics(at=at or timezone.now() + LATER)


def test_a_combined_board_has_what_every_board_has_on_its_page_and_over_the_api(played, organizer):
    assert refresh() == 1
    assert refresh() == 0, "nothing changed"
    answer = client_of(organizer).get(API).json()
    told = answer["statistics"]
    assert not answer["statistics_are_outdated"]
    assert (told["seed"], told["n_resamples"]) == (1, 60)
    assert told["parts"] == [
        {"task": None, "split": None, "n": 4, "seed": 1},
        {"task": "quality", "split": "hidden", "n": told["parts"][1]["n"], "seed": 2},
    ]
    alpha, beta = answer["rows"]
    assert [(row["n_records"], row["rank_interval"]) for row in (alpha, beta)] == [(4, [1, 1]), (4, [2, 2])]
    for row in (alpha, beta):
        assert sum(row["rank_probabilities"]) == pytest.approx(1)
        assert set(row["intervals"]) == {"completion", "fluency", "nmd"}
    (gamma,) = answer["unranked"]
    assert (gamma["n_records"], gamma["reason_text"]) == (4, "Quality: does not take part")
    (why,) = answer["why"]
    assert (why["ahead"], why["of"], [step["verdict"] for step in why["steps"]]) == (
        "Team Alpha", "Team Beta", ["equal", "decides"],
    )  # fmt: skip
    (pair,) = told["pairs"]
    assert pair["decided_by"] == "nmd"
    assert any(f"was ahead in {round(100 * pair['ahead'])}%" in sentence for sentence in why["how_sure"])
    assert "nmd" in pair["tests"]
    page = client_of(organizer).get(PAGE, {"pairs": "nmd"}).content.decode()
    for said in (
        "<b>P(rank = k)</b> in percent",
        "Kendall’s τ",
        "All pairs: tests",
        "records counted",
        "95% interval",
    ):
        assert said in page
    assert "are being computed" not in page


def test_what_is_drawn_is_what_its_parts_say(played):
    """Of the same resamples where a part has the seed of its own board, and of the same rows."""
    board = CombinedBoard.objects.get()
    made = statistics_of(board)
    people = statistics_of_people(played, n_resamples=60, n_permutations=40)
    alpha = str(played.entries.get(bot__name="Team Alpha's bot").pk)
    for figure in ("completion", "fluency"):
        assert made["rows"]["Team Alpha"]["intervals"][figure] == people["rows"][alpha]["intervals"][figure]
    run = Score.objects.get(split=Split.HIDDEN, run__team__name="Team Alpha")
    theirs = statistics_of_task(run.run.task, Split.HIDDEN)["rows"][run.run.name]["intervals"]
    assert made["rows"]["Team Alpha"]["intervals"]["nmd"] == theirs["quality.A.nmd"]
    assert seen_of_development(board) == {Role.ORGANIZER: True, Role.PARTICIPANT: False}
    Score.objects.filter(split="hidden", run__team__name="Team Beta").update(sums=packed_otherwise())
    assert set(statistics_of(CombinedBoard.objects.get())["rows"]) == {"Team Alpha"}, "no usable sums, no part"
    Score.objects.filter(split="hidden").update(sums=packed_otherwise())
    assert statistics_of(CombinedBoard.objects.get())["rows"] == {}


def seen_of_development(board):
    """As on the board of a task, teams see no statistics of a development split."""
    board.columns = [column | {"split": "development"} for column in board.columns if column["task"]]
    board.ranking = ["nmd"]
    stored, seen = CombinedStatistics(board=board, content=statistics_of(board), version=version_of(board)), {}
    for role in (Role.ORGANIZER, Role.PARTICIPANT):
        reader = Reader(frozenset({role}), timezone.now())
        made = combined_board(board, Reader(frozenset({Role.ORGANIZER}), timezone.now()))
        seen[role] = bool(shown_statistics(board, stored, made, reader))
    return seen


def test_a_total_is_drawn_and_tested_too(played, organizer):
    load(TASKS + MAIN.replace('ranking = ["completion", "nmd"]', TOTAL))
    refresh()
    told = client_of(organizer).get(API).json()
    assert {row["team"] for row in told["rows"]} == {"Team Alpha", "Team Beta", "Team Gamma"}
    assert all("total" in row["intervals"] for row in told["rows"])
    assert all("total" in pair["tests"] for pair in told["statistics"]["pairs"])
    gamma = next(row for row in told["rows"] if row["team"] == "Team Gamma")
    assert gamma["intervals"].keys() == {"completion", "fluency", "total"}, "no run, so nothing of the task"


def test_statistics_are_shown_beside_their_figures_alone(played, quality, organizer):
    release(quality)
    publish_people(played, organizer)
    refresh()
    board = CombinedBoard.objects.get()
    for roles in ({Role.ORGANIZER}, set()):
        reader = Reader(frozenset(roles), timezone.now())
        assert shown_statistics(board, stored_statistics(board), combined_board(board, reader), reader)["rows"]
    add_records(played, *[record("Team Alpha", n, False, 2) for n in range(5, 9)])
    refresh_leaderboard(campaign=played, at=timezone.now())
    now, public = (client_of(person).get(API).json() for person in (organizer, None))
    assert (now["statistics"], now["statistics_are_outdated"]) == ({}, True)
    assert public["statistics"]["rows"], "what was published is what they are of"
    assert "are being computed" in client_of(organizer).get(PAGE).content.decode()
    refresh(timezone.now() + 2 * LATER)
    now, public = (client_of(person).get(API).json() for person in (organizer, None))
    assert now["statistics"]["parts"][0]["n"] == 8
    assert public["statistics"]["parts"][0]["n"] == 4, "those of what was published stay beside newer ones"
    assert public["rows"][0]["intervals"]
    publish_people(played, organizer)
    refresh_leaderboard(campaign=played, at=timezone.now())
    assert client_of().get(API).json()["statistics"]["parts"][0]["n"] == 8


def test_another_rule_has_none_of_the_ranks_that_were_drawn_by_the_one_before(played, quality, organizer):
    """The figures of both are the same: to organizers, and to everybody once all parts are out."""
    release(quality)
    publish_people(played, organizer)
    refresh()
    load(TASKS + MAIN.replace('["completion", "nmd"]', '["nmd"]'))
    for person in (organizer, None):
        told = client_of(person).get(API).json()
        assert told["statistics"] == {}
        assert [row["rank_probabilities"] for row in told["rows"]] == [None, None]
        assert [why["how_sure"] for why in told["why"]] == [[]]
    page = client_of(organizer).get(PAGE).content.decode()
    assert "P(rank = k)" not in page
    assert "Recomputing since" in page
    refresh(timezone.now() + 2 * LATER)
    assert client_of(organizer).get(API).json()["statistics"]["rows"]
    assert "Recomputing" not in client_of(organizer).get(PAGE).content.decode()


def test_what_changes_a_part_or_the_rule_has_it_computed_again_after_its_rest(played, quality, monkeypatch):
    now = timezone.now()
    assert refresh(now) == 1
    board = CombinedBoard.objects.get()
    before = version_of(board)
    load(TASKS + MAIN.replace('["completion", "nmd"]', '["nmd"]'))
    assert version_of(CombinedBoard.objects.get()) != before
    assert refresh(now) == 0, "it rests"
    assert refresh(now + LATER) == 1
    played.stored_boards.filter(key="live").update(scores_version=stored_board(played).scores_version + 1)
    assert refresh(now + 2 * LATER) == 1
    quality.refresh_from_db()
    quality.board_version += 1
    quality.save()

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        refresh_outdated_combined_statistics(at=now + 3 * LATER, report_progress=stop)
    stored = CombinedStatistics.objects.get()
    assert (stored.share_done, stored.began_at) == (None, now + 3 * LATER)
    assert refresh(now + 4 * LATER) == 1


def test_a_page_that_waits_says_how_much_is_computed_and_since_when(played, quality, organizer):
    CombinedStatistics.objects.create(
        board=CombinedBoard.objects.get(), share_done=0.417, began_at=timezone.now().replace(hour=4, minute=5)
    )
    page = client_of(organizer).get(PAGE).content.decode()
    assert "41% done." in page
    assert "Started at " in page
    quality.refresh_from_db()
    quality.board_statistics.filter(split="hidden").update(share_done=0.25, board_version=0, began_at=timezone.now())
    page = client_of(organizer).get("/campaigns/small/tasks/quality/board/hidden/").content.decode()
    assert "25% done." in page


def test_an_older_computation_does_not_take_the_place_of_a_newer_one(played, monkeypatch):
    board, now = CombinedBoard.objects.get(), timezone.now()
    made = statistics_of(board)

    def overtaken(board, report_progress):
        monkeypatch.setattr(computing, "combined_statistics_of", lambda *asked: made | {"seed": 7})
        refresh_combined_statistics(board=board, at=now + LATER)
        report_progress(0.9)
        return made

    monkeypatch.setattr(computing, "combined_statistics_of", overtaken)
    refresh_combined_statistics(board=board, at=now)
    stored = CombinedStatistics.objects.get()
    assert (stored.content["seed"], stored.computed_at, stored.share_done) == (7, now + LATER, None)


def test_progress_never_goes_back(played):
    load(
        TASKS
        + MAIN.replace('ranking = ["completion", "nmd"]', TOTAL).replace('"completion", "fluency"]', '"completion"]')
    )
    shares = []
    statistics_of(CombinedBoard.objects.get(), shares.append)
    assert shares == sorted(shares)
    told = []
    report = never_back(told.append)
    for share in (0.2, 0.6, 0.4, 0.7):
        report(share)
    assert told == [0.2, 0.6, 0.6, 0.7]


def packed_otherwise():
    import numpy as np

    return packed(np.ones((2, 1)), ["another measure"])
