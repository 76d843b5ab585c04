"""Each sentence of an explanation says figures of the records: recomputed here from SMP2018's published-table reconstruction."""

import json
import re

import pytest
from django.core.management import call_command
from django.utils.translation import override

from campaigns.models import Campaign
from leaderboards.board import Key, Row, Words, ranked
from leaderboards.board_now import board_now
from leaderboards.explanations import (
    Chance,
    OtherRanking,
    Verdict,
    explanation,
    pair_in,
    percent,
    statistics_tables,
    with_statistics,
)
from leaderboards.live_board import board_of
from leaderboards.models import StoredBoard
from tests.conftest import PUBLISHED
from tests.leaderboards.from_records import power, scores_of, shares_ahead, tukey_p

PLACED = ("深思考人工智能机器人科技(北京)有限公司", "深圳市人马互动科技有限公司")
RECORDS = PUBLISHED / "smp2018" / "records.jsonl"
C = Key("completion", Words("完成率", "Completion"), "higher", 3, "C")
T = Key("turns", Words("轮数", "Turns"), "lower", 2, "T")


@pytest.fixture
def paper(db):
    call_command("import_records", str(RECORDS), campaign="paper", verbosity=0)
    call_command("leaderboard", "paper")
    call_command("statistics", "paper")
    return Campaign.objects.get(slug="paper")


def mean(values):
    return sum(values) / len(values)


def test_the_sentences_say_what_the_records_say(paper):
    """By hand: a mean over a team's 63 records, read from the file anew."""
    records = [json.loads(line) for line in RECORDS.read_text().splitlines()]
    stored, statistics = StoredBoard.objects.get(key="live"), board_now(paper).drawn.rows
    board = board_of(paper, stored.rows)
    with override("en"):
        why = explanation(board, statistics, board.rows[0].key, board.rows[1].key)
    one, other = (
        mean(
            [all(part["completed"] for part in record["subtasks"]) for record in records if record["team"] == row.team]
        )
        for row in board.rows[:2]
    )
    step = why.steps[0]
    assert step.verdict == Verdict.DECIDES
    assert f"{one:.3f}" in step.sentence
    assert f"{other:.3f}" in step.sentence
    assert f"higher by {one - other:.3f}" in step.sentence
    assert [step.verdict for step in why.steps[1:]] == [Verdict.UNUSED] * 4
    for place in (1, 2, 3, 4):
        with override("en"):
            why = explanation(board, statistics, board.rows[0].key, board.rows[place].key)
        check_how_sure(records, [board.rows[0].team, board.rows[place].team], why.how_sure)


def check_how_sure(records, teams, sentences):
    """Shares of resamples, p and the number of scenarios, each drawn or computed anew. Both draws are seeded: nothing is a matter of luck."""
    shares = [int(one) / 100 for one in re.findall(r"(\d+)%", sentences[0])]
    # Two thousand draws there and four thousand here are within four standard errors of each other.
    if "< 1" not in sentences[0] and "> 99" not in sentences[0]:
        assert shares == pytest.approx(shares_ahead(records, *teams), abs=0.05)
    p = float(re.search(r"p = ([\d.]+)", sentences[1])[1])
    assert p == pytest.approx(tukey_p(records, *teams), abs=0.05)
    assert ("is not significant" in sentences[1]) == (p >= 0.05)
    if more := re.search(r"([\d,]+) more scenarios?", sentences[2]):
        n = 21 + int(more[1].replace(",", ""))
        assert power(records, *teams, n) >= 0.9 > power(records, *teams, n - 1)
    else:
        said = int(re.search(r"(\d+)%", sentences[2])[1]) / 100
        assert said == pytest.approx(power(records, *teams, 21), abs=0.006)


def test_equal_completions_are_said_with_the_records_that_are_complete(db, tmp_path):
    """Three more completed records make 22 of the second team's 63 the 25 of the first: then the turns decide."""
    records = [json.loads(line) for line in RECORDS.read_text().splitlines()]
    first, second = PLACED
    unfinished = [one for one in records if one["team"] == second and not all(p["completed"] for p in one["subtasks"])]
    for record in unfinished[:3]:
        for part in record["subtasks"]:
            part["completed"] = True
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records))
    call_command("import_records", str(path), campaign="paper", verbosity=0)
    call_command("leaderboard", "paper")
    board = board_of(Campaign.objects.get(slug="paper"), StoredBoard.objects.get(key="live").rows)
    with override("en"):
        why = explanation(board, None, board.rows[0].key, board.rows[1].key)
    assert [row.team for row in (why.one, why.other)] == [second, first]
    fewer, more = (mean([-scores_of(one)[1] for one in records if one["team"] == team]) for team in (second, first))
    assert [step.sentence.split(": ", 1)[1] for step in why.steps[:1]] == ["0.397, as in 25 of 63 records."]
    assert f"{fewer:.2f}, {why.other.label} {more:.2f}: lower by {more - fewer:.2f}" in why.steps[1].sentence


def board(*rows):
    return ranked(keys=(C, T), rule=(C, T), rows=rows)


def steps_of(*rows):
    with override("en"):
        return explanation(board(*rows), None, rows[0].key, rows[1].key).steps


def test_an_equal_key_is_said_with_its_records_and_the_next_decides():
    steps = steps_of(
        Row("a", "a", {"completion": 25 / 63, "turns": 21.86}, n=63),
        Row("b", "b", {"completion": 25 / 63, "turns": 26.13}, n=63),
    )
    assert [step.sentence for step in steps] == [
        "Equal: 0.397, as in 25 of 63 records.",
        "a has 21.86, b 26.13: lower by 4.27. This decides.",
    ]


def test_rows_that_are_equal_in_every_key_are_tied():
    rows = [Row(key, key, {"completion": 0.5, "turns": 3.0}, n=2) for key in "ab"]
    assert explanation(board(*rows), None, "b", "a").is_tied


def test_a_missing_figure_loses_and_is_said_to_be_missing():
    steps = steps_of(Row("a", "a", {"completion": 0.5}, n=2), Row("b", "b", {}, n=2))
    assert steps[0].sentence == "b has no such figure. This decides."


@pytest.mark.parametrize(("first", "second"), [("a", "a"), ("a", "nobody")])
def test_there_is_nothing_to_explain_of_one_row(first, second):
    assert explanation(board(Row("a", "a", {"completion": 0.5})), None, first, second) is None


@pytest.mark.parametrize(
    ("share", "said"), [(0.0, "0%"), (0.0004, "< 1%"), (0.18, "18%"), (0.9996, "> 99%"), (1.0, "100%")]
)
def test_what_is_neither_never_nor_always_is_not_shown_as_such(share, said):
    assert percent(share) == said


DRAWN = {"n_resamples": 10, "n_permutations": 10}
PLAN = {"n_now": 3, "power": 0.1, "n_more": 7}


def how_sure(key, better, worse, pair):
    """Of a, which the board has ahead, and b."""
    rows = [Row("a", "a", {key.name: better}), Row("b", "b", {key.name: worse})]
    with override("en"):
        return explanation(ranked(keys=(key,), rule=(key,), rows=rows), {**DRAWN, "pairs": [pair]}, "a", "b").how_sure


def pair_of(one, other, key, difference, *, p=0.01, effect=None):
    tests = {key.name: {"difference": difference, "p": p, "effect": effect}}
    return {"one": one, "other": other, "ahead": 0.1, "behind": 0.9, "plan": PLAN, "tests": tests}


@pytest.mark.parametrize(
    ("key", "figures", "pair"),
    [
        (C, (1.0, 0.5), pair_of("a", "b", C, 0.5, effect=1.234)),
        (C, (1.0, 0.5), pair_of("b", "a", C, -0.5, effect=-1.234)),
        (T, (3.0, 9.0), pair_of("a", "b", T, -6.0, effect=-1.234)),
        (T, (3.0, 9.0), pair_of("b", "a", T, 6.0, effect=1.234)),
    ],
)
def test_an_effect_is_told_in_favour_of_the_row_that_is_ahead_however_the_pair_is_stored(key, figures, pair):
    told = how_sure(key, *figures, pair)
    assert told[1].startswith(f"The difference in {key.head} is significant")
    assert told[2].startswith("7 more scenarios (14 dialogues, one of each of the two in each) would tell them apart")
    assert told[3].startswith(f"The effect size in {key.head} is 1.23 in favour of a:")


@pytest.mark.parametrize(
    ("key", "figures", "pair"),
    [
        # a has 10 of 10, 0 of 1 and 8 of 10, b 1 of 1, 3 of 10 and 1 of 1: 18/21 to 5/12 by records, 0.600 to 0.767 by scenarios.
        (C, (18 / 21, 5 / 12), pair_of("a", "b", C, 0.6 - 2.3 / 3, p=0.4, effect=-1.54)),
        (C, (18 / 21, 5 / 12), pair_of("b", "a", C, 2.3 / 3 - 0.6, p=0.4, effect=1.54)),
        (T, (3.0, 9.0), pair_of("a", "b", T, 2.0, p=0.4, effect=1.54)),
    ],
)
def test_a_test_that_sees_the_other_row_as_the_better_one_says_so_and_plans_nothing(key, figures, pair):
    told = how_sure(key, *figures, pair)
    assert len(told) == 3
    assert f"b is the better one in {key.head}, but the difference is not significant: p = 0.400" in told[1]
    assert told[2].startswith(f"The effect size in {key.head} is 1.54 in favour of b:")
    pair["tests"][key.name]["p"] = 0.01
    assert (
        f"b is the better one in {key.head}, and the difference is significant: p = 0.010"
        in (how_sure(key, *figures, pair)[1])
    )


def test_where_nothing_is_left_unexplained_no_effect_size_is_told():
    assert not any("effect size" in sentence for sentence in how_sure(C, 1.0, 0.5, pair_of("a", "b", C, 0.5)))


@pytest.mark.parametrize(("share", "said"), [(0.005, "< 1%"), (0.0055, "1%"), (0.995, "> 99%")])
def test_half_a_percent_is_neither_never_nor_always(share, said):
    assert percent(share) == said


DONE = Key("c", Words("完成率", "Completion"), "higher", 3, "C")
SPENT = Key("t", Words("轮数", "Turns"), "lower", 2, "T")
TAU = {"n": 3, "tau": -1 / 3, "interval": [-1.0, 1.0], "p": 0.0004}


def stored(**more):
    rows = {
        "a": {"intervals": {}, "rank_probabilities": [0.5, 0.499, 0.001], "rank_interval": [1, 2]},
        "b": {"intervals": {}, "rank_probabilities": [0.5, 0.5, 0.0], "rank_interval": [1, 2]},
        "z": {"intervals": {}, "rank_probabilities": [0.0, 0.001, 0.999], "rank_interval": [3, 3]},
    }
    lost = {"difference": -0.25, "p": 0.012, "effect": -1.5}
    pairs = [
        {"one": "a", "other": "b", "ahead": 0.499, "behind": 0.5, "tests": {"c": {"difference": 0.0, "p": 1.0, "effect": None}}},
        # As documents have it: by name, the worse row in front.
        {"one": "a", "other": "z", "ahead": 0.001, "behind": 0.999, "tests": {"c": lost}},
        {"one": "b", "other": "z", "ahead": 0.0, "behind": 1.0, "tests": {"c": lost}},
    ]  # fmt: skip
    drawn = {"seed": 1, "n_resamples": 2000, "n_permutations": 5000}
    return {**drawn, "rows": rows, "pairs": pairs, "rankings": {"c": TAU, "t": {**TAU, "interval": None}}, **more}


def tabled_board():
    figures = {"a": (0.5, 9.0), "b": (0.5, 9.0), "z": (0.75, 9.0)}
    rows = [Row(key, key, {"c": c, "t": t}) for key, (c, t) in figures.items()]
    return ranked(keys=(DONE, SPENT), rule=(DONE, SPENT), rows=rows)


def tables(statistics, pairs_by=""):
    with override("en"):
        return statistics_tables(with_statistics(tabled_board(), statistics), statistics, pairs_by)


def test_chances_are_whole_percents_and_what_is_neither_never_nor_always_is_not_shown_as_such():
    made = tables(stored())
    assert [one.row.key for one in made.chances] == ["z", "a", "b"]
    assert [cell.percents for cell in made.chances[0].chances] == ["0", "<1", ">99"]
    assert list(made.ranks) == [1, 2, 3]


@pytest.mark.parametrize(("share", "shade"), [(0.0, 0), (0.001, 1), (0.25, 1), (0.26, 2), (0.75, 3), (1.0, 4)])
def test_a_cell_is_tinted_the_more_the_likelier_its_rank_is(share, shade):
    statistics = stored()
    statistics["rows"]["z"]["rank_probabilities"] = [share, 0.0, 0.0]
    assert tables(statistics).chances[0].chances[0].shade == shade
    assert tables(statistics).chances[0].chances[1] == Chance("0", 0)


def test_chances_of_other_rows_than_those_of_the_board_are_not_shown():
    statistics = stored()
    del statistics["rows"]["b"]
    assert tables(statistics).chances == ()


def test_a_board_without_statistics_has_no_tables():
    assert tables(None) is None
    assert tables({"rows": {}, "pairs": []}) is None


def test_pairs_come_in_the_order_of_the_board_with_the_better_row_first():
    made = tables(stored(), "c")
    assert [(pair.one, pair.other) for pair in made.pairs] == [("z", "a"), ("z", "b"), ("a", "b")]
    first, second, last = made.pairs
    assert (first.ahead, first.behind, first.difference, first.effect, first.p) == (
        "> 99%", "< 1%", "+0.250", "+1.50", "0.012"
    )  # fmt: skip
    assert (first.is_significant, second.ahead) == (True, "100%")
    assert (last.difference, last.effect, last.p, last.is_significant) == ("0.000", "–", "1.000", False)


@pytest.mark.parametrize("asked", ["", "t", "unknown"])
def test_pairs_are_made_for_a_key_that_was_tested_and_asked_for(asked):
    made = tables(stored(), asked)
    assert ([key.name for key in made.tested], made.pairs_by, made.pairs) == (["c"], None, ())


def test_a_pair_that_a_key_did_not_test_has_dashes():
    statistics = stored()
    statistics["pairs"][0]["tests"] = {}
    assert (tables(statistics, "c").pairs[-1].p, tables(statistics, "c").pairs[-1].effect) == ("–", "–")


def test_other_rankings_are_named_with_their_tau():
    made = tables(stored(development=TAU, people=None, snapshots={"2": TAU}))
    assert made.rankings[0] == OtherRanking("C alone", 3, "−0.33", "−1.00 – 1.00", "< 0.001")
    assert [one.name for one in made.rankings] == [
        "C alone", "T alone", "Development split", "Frozen leaderboard 2"
    ]  # fmt: skip
    assert made.rankings[1].interval == "–"


def test_a_rule_of_one_key_is_not_compared_with_that_key():
    statistics = stored()
    alone = ranked(keys=(DONE, SPENT), rule=(DONE,), rows=tabled_board().rows)
    assert [one.n for one in statistics_tables(alone, statistics).rankings] == [3]


def test_a_tie_that_is_told_the_other_way_round_is_not_minus_nothing():
    statistics = stored()
    statistics["pairs"][1]["tests"] = {"c": {"difference": 0.0, "p": 1.0, "effect": 0.0}}
    assert (tables(statistics, "c").pairs[0].difference, tables(statistics, "c").pairs[0].effect) == ("0.000", "0.00")


F1 = Key("f1", Words("F1 值", "F1"), "higher", 3, "F1")
STATISTICS = {
    "rows": {
        "a": {"intervals": {"f1": [0.4, 0.6]}, "rank_probabilities": [0.9, 0.1], "rank_interval": [1, 2]},
        "b": {"intervals": {}, "rank_probabilities": [0.1, 0.9], "rank_interval": [2, 2]},
    },
    "pairs": [
        {
            "one": "a", "other": "b", "ahead": 0.9, "behind": 0.05, "plan": None,
            "tests": {"f1": {"difference": 0.1, "p": 0.2, "effect": 0.5}, "b": {"difference": 0.0, "p": 1.0, "effect": None}},
        }
    ],
}  # fmt: skip


def board_of_two():
    return ranked(keys=(F1,), rule=(F1,), rows=[Row("a", "a", {"f1": 0.5}), Row("b", "b", {"f1": 0.4})])


def test_a_row_has_the_intervals_that_are_stored_of_it_and_its_ranks_in_words():
    one, other = with_statistics(board_of_two(), STATISTICS).rows
    assert (one.intervals, one.rank_interval, one.ranks) == ({"f1": (0.4, 0.6)}, (1, 2), "1–2")
    assert (other.intervals, other.rank_interval, other.ranks) == ({}, (2, 2), "2")


def test_ranks_that_were_drawn_without_a_row_of_the_board_are_not_shown():
    """A printed row has no items to draw: beside it the others' drawn ranks would be those of a smaller board."""
    rows = [Row("a", "a", {"f1": 0.5}), Row("b", "b", {"f1": 0.4}), Row("printed", "printed", {"f1": 0.9})]
    shown = with_statistics(ranked(keys=(F1,), rule=(F1,), rows=rows), STATISTICS)
    assert [(row.key, row.rank, row.rank_interval) for row in shown.rows] == [
        ("printed", 1, None), ("a", 2, None), ("b", 3, None)
    ]  # fmt: skip
    assert shown.rows[1].intervals == {"f1": (0.4, 0.6)}


def test_without_statistics_a_board_is_as_it_was():
    assert with_statistics(board_of_two(), None) == with_statistics(board_of_two(), {}) == board_of_two()


def test_a_pair_is_told_of_the_first_named_against_the_other():
    assert pair_in(STATISTICS, "a", "b") == STATISTICS["pairs"][0]
    found = pair_in(STATISTICS, "b", "a")
    assert (found["one"], found["other"], found["ahead"], found["behind"]) == ("b", "a", 0.05, 0.9)
    assert found["tests"]["f1"] == {"difference": -0.1, "p": 0.2, "effect": -0.5}
    # A tie is no negative zero.
    assert str(found["tests"]["b"]["difference"]) == "0.0"
    assert found["tests"]["b"]["effect"] is None
    assert pair_in(STATISTICS, "a", "c") is None
    assert pair_in(None, "a", "b") is None
