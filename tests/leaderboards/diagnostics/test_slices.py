"""The board in parts: sums of some of its records, and what an average reviewer would have given."""

import json

import pytest
from django.utils import timezone
from django.utils.translation import override

from leaderboards.actions import import_records, refresh_leaderboard, refresh_outdated_slices
from leaderboards.board import Key, Row, Words, ranked
from leaderboards.diagnostics.slices import parts_now, parts_of, severity_adjusted, slices_of
from leaderboards.live_sums import People, sums_by_cell
from leaderboards.record_files import read_record_lines
from leaderboards.templatetags.figures import part_label
from reviews.actions import submit_review
from tests.reviews.conftest import NOON, closed_dialogue

pytestmark = pytest.mark.django_db


def line(team, reviewer, dialogue, score):
    subtasks = [{"kind": "flight", "completed": True, "turns": 3, "cap": 9}]
    told = {"team": team, "scenario": "s", "reviewer": reviewer, "subtasks": subtasks, "dialogue": dialogue}
    return json.dumps(told | {"ratings": {"fluency": score}}).encode()


@pytest.fixture
def judged(campaign):
    """`kind` and `severe` score team A's dialogue 1 and 0; B's is scored by the severe one alone: 0."""
    lines = [line("A", "kind", "1", 1), line("A", "severe", "1", 0), line("B", "severe", "2", 0)]
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))
    return {entry.bot.team.name: str(entry.pk) for entry in campaign.entries.filter(has_imported_records=True)}


def test_severity_is_given_back_to_those_a_severe_reviewer_scored(campaign, judged):
    """By hand: severities are −0.5 and +0.5, so A stays at 0.5 and B rises from 0 to 0.5."""
    found = severity_adjusted(campaign, campaign.rubric.criteria.get(key="fluency"))
    assert found["severity"] == pytest.approx({"kind": -0.5, "severe": 0.5})
    assert found["rows"][judged["A"]] == pytest.approx([0.5, 0.5])
    assert found["rows"][judged["B"]] == pytest.approx([0.0, 0.5])


def test_where_no_two_reviewers_scored_one_thing_severity_is_not_told(campaign):
    lines = [line("A", "kind", "1", 1), line("B", "severe", "2", 0)]
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))
    assert severity_adjusted(campaign, campaign.rubric.criteria.get(key="fluency")) is None
    assert slices_of(campaign)["severity"] == {}


def test_parts_hold_the_figures_of_their_records(campaign, judged, tester):
    submit_review(
        dialogue=closed_dialogue(campaign, tester), reviewer=tester, verdicts={"1": True}, comment="", at=NOON,
        ratings={"satisfaction": 1, "fluency": 1, "guidance": 1}, based_on_version=0,
    )  # fmt: skip
    campaign.scenarios.update(skill="booking")
    live = str(campaign.entries.order_by("pk").first().pk)
    by = slices_of(campaign)["by"]
    assert by["kind"][live]["flight+hotel"]["n"] == 1
    assert by["skill"] == {live: by["kind"][live] and {"booking": by["kind"][live]["flight+hotel"]}}
    assert by["tester"] == {live: {"tester": by["kind"][live]["flight+hotel"]}}
    assert by["reviewer"][judged["A"]]["severe"]["figures"]["fluency"] == 0
    assert by["reviewer"][live]["tester"]["figures"]["fluency"] == 1


def test_kinds_of_imported_records_are_those_of_their_lines_and_of_none_where_they_name_none(campaign):
    both, first = [{"completed": True, "turns": 3, "cap": 9, "kind": kind} for kind in ("train", "hotel")], []
    first.append(both[0])
    told = {"ratings": {"fluency": 1}, "team": "A"}
    subtasks = {"case-1": first, "case-2": both, "case-3": first, "imported 7": [], "case-4": [{**both[0], "kind": ""}]}
    lines = [told | {"scenario": case, "reviewer": "r", "subtasks": rows} for case, rows in subtasks.items()]
    # Given up after the first part: still a case of two.
    lines.append(told | {"scenario": "case-2", "reviewer": "s", "subtasks": first})
    import_records(campaign=campaign, lines=read_record_lines([json.dumps(line).encode() for line in lines], {}))
    (parts,) = slices_of(campaign)["by"]["kind"].values()
    assert {kind: part["n"] for kind, part in parts.items()} == {"train": 2, "train+hotel": 2}


def test_each_way_of_grouping_adds_up_to_the_same_sums(campaign, judged):
    criteria = ["fluency"]
    whole, by_reviewer = sums_by_cell(campaign, criteria), sums_by_cell(campaign, criteria, People.reviewers)
    for entry in judged.values():
        totals = [
            sum(cell.n_records for (own, _), cell in sums.items() if own == int(entry)) for sums in (whole, by_reviewer)
        ]
        assert totals[0] == totals[1] > 0
    assert sums_by_cell(campaign, criteria, People.testers) == {}


@pytest.mark.parametrize("by", ["kind", "skill", "tester", "reviewer", "severity"])
def test_the_page_shows_what_is_stored_for_organizers_alone(campaign, judged, organizer, tester, client, by):
    address = "/campaigns/small/leaderboard/parts/"
    client.force_login(organizer)
    english = {"accept-language": "en"}
    assert "are being computed" in client.get(address, {"by": by}, headers=english).content.decode()
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    assert refresh_outdated_slices(at=timezone.now()) == 1
    assert refresh_outdated_slices(at=timezone.now()) == 0
    campaign.refresh_from_db()
    assert not parts_now(campaign).parts.is_outdated
    page = client.get(address, {"by": by, "figure": "fluency"}, headers=english).content.decode()
    assert "being computed" not in page
    if by in ("reviewer", "severity"):
        assert "severe" in page
    client.force_login(tester)
    assert client.get(address).status_code == 404


def test_parts_are_tinted_the_stronger_the_better_they_are_and_kinds_have_their_words():
    turns = Key("mean_turns", Words("轮数", "Turns"), "lower", 2, "T")
    rows = [Row("1", "a", {"mean_turns": 5.0}), Row("2", "b", {"mean_turns": 9.0}), Row("3", "c", {"mean_turns": 9.5})]
    board = ranked(keys=(turns,), rule=(turns,), rows=rows)
    told = (("1", 4.0, 5), ("2", 8.0, 5), ("3", 20.0, 4))
    of_kind = {key: {"flight": {"n": n, "figures": {"mean_turns": t}}} for key, t, n in told}
    _names, shown = parts_of(board, {"by": {"kind": of_kind}}, "kind", turns)
    assert [(cells[0].shade, cells[0].is_few) for _row, cells in shown] == [(4, False), (0, False), (None, True)]
    with override("zh-hans"):
        assert part_label("flight+hotel", "kind") == "机票 + 酒店"
    assert part_label("flight", "tester") == "flight"


__all__ = ["judged"]
PARTS = "/api/v1/campaigns/small/leaderboard/parts/"


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def computed(campaign):
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    refresh_outdated_slices(at=timezone.now())


def test_each_bot_has_its_figure_in_each_part(campaign, judged, program):
    computed(campaign)
    told = program.get(PARTS, {"by": "reviewer", "figure": "fluency"}).json()
    assert (told["by"], told["figure"], told["is_outdated"], told["criteria"]) == ("reviewer", "fluency", False, [])
    rows = {row["team"]: row for row in told["rows"]}
    assert rows["A"]["bot"] == int(judged["A"])
    assert rows["A"]["parts"] == [{"name": "kind", "figure": 1.0, "n": 1}, {"name": "severe", "figure": 0.0, "n": 1}]
    assert rows["B"]["parts"] == [{"name": "kind", "figure": None, "n": 0}, {"name": "severe", "figure": 0.0, "n": 1}]


def test_severity_gives_each_criterion_plain_and_adjusted(campaign, judged, program):
    computed(campaign)
    told = program.get(PARTS, {"by": "severity"}).json()
    (fluency,) = told["criteria"]
    assert (told["figure"], told["rows"]) == (None, [])
    assert (fluency["criterion"], fluency["severity"]) == ("fluency", pytest.approx({"kind": -0.5, "severe": 0.5}))
    b = next(row for row in fluency["rows"] if row["team"] == "B")
    assert (b["plain"], b["adjusted"], b["rank"]) == (0.0, pytest.approx(0.5), 2)


def test_before_the_first_computation_it_says_so_and_unknown_ways_are_refused(campaign, judged, program):
    told = program.get(PARTS).json()
    assert (told["by"], told["computed_at"], told["is_outdated"]) == ("kind", None, True)
    assert all(row["parts"] == [] for row in told["rows"])
    assert program.get(PARTS, {"by": "colour"}).status_code == 400
