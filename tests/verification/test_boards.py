from fractions import Fraction

from measures.live import AlikeSums, LiveSums
from verification.boards import columns_of, recomputed_board


def campaign(asks=True, rule=("completion", "fluency")):
    better = {"completion": "higher", "mean_turns": "lower", "fluency": "higher"}
    criteria = [
        {"key": "fluency", "letter": "F", "better": "higher", "kind": "scale"},
        {"key": "nugget", "letter": "N", "better": "higher", "kind": "label"},
    ]
    rubric = {"asks_for_verdicts": asks, "criteria": criteria}
    return {"campaign": "c", "rule": [{"key": key, "better": better[key]} for key in rule], "rubric": rubric}


ENTRIES = [
    {"bot": bot, "team": team, "name": bot.upper()} for bot, team in (("b", "Y"), ("a", "Y"), ("c", "X"), ("d", "W"))
]


def sums(n, n_complete, fluency):
    return LiveSums({Fraction(1): AlikeSums(n, n_complete, 4 * n, {"fluency": (n, fluency)})})


def test_rows_are_ranked_by_the_rule_and_ties_stand_in_the_order_of_their_names():
    board = recomputed_board(
        campaign(), ENTRIES, {"b": sums(4, 2, 1), "a": sums(2, 1, 0.5), "c": sums(3, 3, 0)}, {"d": "no reviews"}
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
        rule: [row["key"] for row in recomputed_board(campaign(rule=rule), ENTRIES, told, {})["rows"]]
        for rule in (("completion", "fluency"), ("fluency", "completion"))
    }
    assert ranks == {("completion", "fluency"): ["b", "a"], ("fluency", "completion"): ["a", "b"]}


def test_labels_have_no_column_and_completion_only_where_it_is_asked_or_ranks():
    assert [key["key"] for key in columns_of(campaign())] == ["completion", "mean_turns", "fluency"]
    assert [key["key"] for key in columns_of(campaign(asks=False))] == ["completion", "fluency"]
    assert [key["key"] for key in columns_of(campaign(asks=False, rule=("fluency",)))] == ["fluency"]
