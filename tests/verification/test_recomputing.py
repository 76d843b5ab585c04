"""Records of dialogues written by hand; what they are charged is worked out by hand."""

from fractions import Fraction

import pytest

from campaigns.planning.drawing import Drawn
from campaigns.planning.plans import Ground
from measures.live import AlikeSums, LiveSums
from verification.boards import columns_of, recomputed_board
from verification.plans import AS_DRAWN, LATER, MOVED, digest_of, drawn_plan, made_by
from verification.recomputing import Charging, Recomputing
from verification.scores import Scores
from verification.talks import Talk

SETTINGS = {"turns_are": "exchanges", "opened_by": "tester", "counted_reviews": "self", "experts_per_dialogue": 0}
CRITERIA = [{"key": "fluency", "kind": "scale"}, {"key": "nugget", "kind": "label"}]
ENTRIES = {"b": {"bot": "b", "team": "T", "name": "N"}, "c": {"bot": "c", "team": "", "name": "W1"}}
SUBTASKS = [
    {"kind": "flight", "status": "finished", "turns": 2, "cap": 9},
    {"kind": "hotel", "status": "failed", "turns": 1, "cap": 7},
]
DIALOGUE = {
    "dialogue": "d", "bot": "b", "scenario": "s", "status": "unfinished", "turn_cap": None, "subtasks": SUBTASKS,
}  # fmt: skip
TURNS = [
    {"turn": 1, "subtask": 1, "status": "answered"},
    {"turn": 2, "subtask": 1, "status": "failed"},
    {"turn": 3, "subtask": 2, "status": "failed"},
]
ATTEMPTS = [
    {"turn": turn, "is_current": True, "fault": fault} for turn, fault in ((1, ""), (2, "bot"), (3, "platform"))
]
REVIEW = {"reviewer": "p", "part": "self", "is_counted": True, "verdicts": {"1": True}}
RATINGS = [
    {"reviewer": "p", "criterion": "fluency", "place": f"@{turn}.bot", "score": score}
    for turn, score in ((1, 1), (2, 0), (3, 0))
] + [{"reviewer": "p", "criterion": "nugget", "place": "@1.bot", "score": 1}]


def recomputed(dialogue=DIALOGUE, review=REVIEW, ratings=RATINGS, turns=TURNS, disputes=(), **settings):
    recomputing = Recomputing({"settings": SETTINGS | settings, "rubric": {"criteria": CRITERIA}}, ENTRIES)
    numbered = [list(enumerate(rows, start=1)) for rows in (turns, ATTEMPTS, [], [review], ratings, [], disputes, [])]
    spent = Charging(SETTINGS | settings).turns_of(Talk(1, dialogue, *numbered[:3]))
    lines = list(recomputing.records_of(spent, Scores(dialogue, *numbered[3:])))
    return recomputing, lines


def test_a_record_is_what_the_reviewer_says_and_the_turns_that_were_answered():
    recomputing, (line,) = recomputed()
    assert line == {
        "team": "T", "bot": "N", "scenario": "s", "reviewer": "p", "dialogue": "d",
        "subtasks": [
            {"kind": "flight", "completed": True, "turns": 1, "cap": 9},
            {"kind": "hotel", "completed": False, "turns": 0, "cap": 7},
        ],
        "ratings": {"fluency": {"@1.bot": 1, "@2.bot": 0, "@3.bot": 0}}, "weight": 1.0,
    }  # fmt: skip
    figures = recomputing.sums["b"].figures(["fluency"])
    assert (figures.n_records, figures.completion, figures.mean_turns) == (1, 0.0, 8.0)
    assert figures.ratings == {"fluency": 1 / 3}


@pytest.mark.parametrize(
    ("settings", "turns"),
    [
        ({"failed_turns": "charged"}, [2, 0]),  # the second turn was the bot's fault, the third the platform's
        ({"turns_are": "utterances"}, [2, 0]),
        ({"turns_are": "utterances", "opened_by": "bot"}, [3, 0]),
        ({"turns_are": "utterances", "opened_by": "bot", "failed_turns": "charged"}, [5, 0]),
    ],
)
def test_turns_are_charged_by_the_campaigns_policies(settings, turns):
    opening = {"turn": 0, "subtask": 1, "status": "answered"}
    _, (line,) = recomputed(turns=[opening, *TURNS], **settings)
    assert [subtask["turns"] for subtask in line["subtasks"]] == turns


def test_one_cap_for_the_dialogue_is_that_of_each_part():
    recomputing, (line,) = recomputed(dialogue=DIALOGUE | {"turn_cap": 12})
    assert (line["dialogue_cap"], [subtask["cap"] for subtask in line["subtasks"]]) == (12, [12, 12])
    assert recomputing.sums["b"].figures([]).mean_turns == 12


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"dialogue": DIALOGUE | {"status": "void"}}, "no records"),
        ({"broken_dialogues": "left_out"}, "no records"),
        ({"review": REVIEW | {"is_counted": False, "part": "panel"}}, "no reviews"),
        ({"review": REVIEW | {"is_counted": False}}, "no reviews"),
        ({"review": REVIEW | {"is_counted": False}, "counted_reviews": "nobody"}, "not scored"),
        ({"review": REVIEW | {"is_counted": False}, "disputes": [{"settled_at": None}]}, "disputed"),
        ({"review": REVIEW | {"is_counted": False}, "experts_per_dialogue": 3}, "not vetted"),
    ],
)
def test_what_is_no_record_and_what_its_bot_waits_for(changes, reason):
    recomputing, lines = recomputed(**changes)
    assert lines == []
    assert recomputing.reasons() == {"b": reason, "c": "no records"}


def test_under_an_alias_the_team_is_called_as_the_bot():
    _, (line,) = recomputed(dialogue=DIALOGUE | {"bot": "c"})
    assert (line["team"], line["bot"]) == ("c", "W1")


def test_imported_records_are_added_to_those_of_their_bot():
    recomputing, _ = recomputed()
    subtasks = [{"completed": True, "turns": 2, "cap": 5}]
    recomputing.add_imported(
        "b", {"team": "T", "scenario": "s", "reviewer": "r", "subtasks": subtasks, "ratings": {"fluency": 1}}
    )
    recomputing.weigh_imported()
    figures = recomputing.sums["b"].figures(["fluency"])
    assert (figures.n_records, figures.completion, figures.mean_turns) == (2, 0.5, 5.0)
    assert figures.ratings == {"fluency": pytest.approx(2 / 3)}


def campaign(asks=True, rule=("completion", "fluency")):
    better = {"completion": "higher", "mean_turns": "lower", "fluency": "higher"}
    criteria = [
        {"key": "fluency", "letter": "F", "better": "higher", "kind": "scale"},
        {"key": "nugget", "letter": "N", "better": "higher", "kind": "label"},
    ]
    rubric = {"asks_for_verdicts": asks, "criteria": criteria}
    return {"campaign": "c", "rule": [{"key": key, "better": better[key]} for key in rule], "rubric": rubric}


BOTS = [
    {"bot": bot, "team": team, "name": bot.upper()} for bot, team in (("b", "Y"), ("a", "Y"), ("c", "X"), ("d", "W"))
]


def sums(n, n_complete, fluency):
    return LiveSums({Fraction(1): AlikeSums(n, n_complete, 4 * n, {"fluency": (n, fluency)})})


def test_rows_are_ranked_by_the_rule_and_ties_stand_in_the_order_of_their_names():
    board = recomputed_board(
        campaign(), BOTS, {"b": sums(4, 2, 1), "a": sums(2, 1, 0.5), "c": sums(3, 3, 0)}, {"d": "no reviews"}
    )
    assert [(row["rank"], row["key"]) for row in board["rows"]] == [(1, "c"), (2, "a"), (2, "b")]
    assert board["rows"][1] == {
        "key": "a", "rank": 2, "team": "Y", "bot": "A", "n_records": 2,
        "figures": {"completion": 0.5, "mean_turns": 4.0, "fluency": 0.25},
    }  # fmt: skip
    (unranked,) = board["unranked"]
    assert (unranked["reason"], unranked["n_records"], set(unranked["figures"].values())) == ("no reviews", 0, {None})


def test_the_order_of_the_rule_decides():
    told = {"b": sums(2, 2, 0), "a": sums(2, 0, 2)}
    ranks = {
        rule: [row["key"] for row in recomputed_board(campaign(rule=rule), BOTS, told, {})["rows"]]
        for rule in (("completion", "fluency"), ("fluency", "completion"))
    }
    assert ranks == {("completion", "fluency"): ["b", "a"], ("fluency", "completion"): ["a", "b"]}


def test_labels_have_no_column_and_completion_only_where_it_is_asked_or_ranks():
    assert [key["key"] for key in columns_of(campaign())] == ["completion", "mean_turns", "fluency"]
    assert [key["key"] for key in columns_of(campaign(asks=False))] == ["completion", "fluency"]
    assert [key["key"] for key in columns_of(campaign(asks=False, rule=("fluency",)))] == ["fluency"]


FIRST, SECOND = Drawn("t", "a", "s", 1), Drawn("t", "b", "s", 2)
PLANNED = {"plan": "full", "testers_per_cell": 1, "dialogues_per_bot": 0, "quota": {}}
GROUND = Ground(["t"], ["a", "b"], {"s": ""})


def test_what_stands_where_it_was_drawn_is_taken_for_that_before_what_was_moved():
    moved = Drawn("t", "a", "s", 9)
    assert made_by([moved, FIRST], [FIRST, SECOND]) == ([LATER, AS_DRAWN], 1)
    assert made_by([moved, SECOND], [FIRST, SECOND]) == ([MOVED, AS_DRAWN], 0)
    assert made_by([moved, moved], [FIRST]) == ([MOVED, LATER], 0)
    assert made_by([], [FIRST, FIRST]) == ([], 2)


def test_the_digest_says_which_assignments_were_drawn_in_any_order():
    assert digest_of([FIRST, SECOND]) == digest_of([SECOND, FIRST])
    assert digest_of([FIRST, FIRST]) != digest_of([FIRST]) != digest_of([SECOND])


@pytest.mark.parametrize(
    "greedy",
    [
        {"plan": "per_cell", "testers_per_cell": 10**9},
        {"plan": "random_goals", "dialogues_per_bot": 10**9},
        {"plan": "quota", "quota": {"": 10**9}},
    ],
)
def test_a_plan_that_would_keep_its_reader_waiting_is_refused(greedy):
    assert len(drawn_plan(PLANNED, GROUND, seed=1)) == 2
    with pytest.raises(ValueError, match="more than 2,000,000 assignments"):
        drawn_plan(PLANNED | greedy, GROUND, seed=1)
    with pytest.raises(TypeError):
        drawn_plan(PLANNED | {"testers_per_cell": "1" * 9}, GROUND, seed=1)
