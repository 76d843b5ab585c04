"""Pictures of boards as numbers, by hand."""

from dataclasses import replace

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.board_page import Bar, clipped, figure_bars, rank_picture

SA = Key("sa", Words("满意度", "Satisfaction"), "higher", 3, "Sa", (-2.0, 2.0))
T = Key("t", Words("轮数", "Turns"), "lower", 2, "T")


def board(*rows):
    return ranked(keys=(SA, T), rule=(SA,), rows=rows)


def row(key, sa, interval=None, t=None):
    return Row(key, key, {"sa": sa, "t": t}, intervals={"sa": interval} if interval else {})


def test_a_bar_stands_on_the_scale_of_its_key_with_its_interval_and_zero():
    """By hand: 72 units stand for −2 … 2, so 18 units are a point."""
    bars = figure_bars(board(row("a", 1.0, (0.5, 1.5))))
    assert bars["a"]["sa"] == Bar(mark=54, low=45, high=63, zero=36, title="0.500 – 1.500")
    assert bars["a"]["sa"].scale_path == "M0 3.5H72M.5 2V5M71.5 2V5M36 1V6"
    assert (bars["a"]["sa"].span_path, bars["a"]["sa"].mark_path) == ("M45 3.5H63", "M54 0V7")


def test_without_a_scale_all_bars_share_one_from_zero_that_everything_fits_in():
    bars = figure_bars(board(row("a", 1.0, t=10.0), row("b", 0.5, t=20.0)))
    assert [bars[key]["t"].mark for key in ("a", "b")] == [36, 72]
    assert bars["a"]["t"].low is None


def test_a_figure_that_is_missing_has_no_bar():
    assert set(figure_bars(board(row("a", None), row("b", 1.0)))["a"]) == set()


def test_ranks_stand_on_one_axis_that_names_the_first_the_last_and_every_fifth():
    """By hand: 230 units between rank 1 at 150 and rank 3 at 380, so 115 a rank."""
    made = board(row("a", 1.0), row("b", 0.5), row("c", 0.0))
    intervals = {"a": (1, 2), "b": (1, 3), "c": (3, 3)}
    made = replace(made, rows=tuple(replace(one, rank_interval=intervals[one.key]) for one in made.rows))
    picture = rank_picture(made)
    assert [(bar.name, bar.low, bar.mark, bar.high, bar.ranks) for bar in picture.bars] == [
        ("a", 150, 150, 265, "1 (1–2)"),
        ("b", 150, 265, 380, "2 (1–3)"),
        ("c", 380, 380, 380, "3 (3)"),
    ]
    assert picture.axis == ((1, 150, True), (2, 265, False), (3, 380, True))


def test_systems_of_one_team_are_told_apart_by_their_names_and_teams_alone_by_theirs():
    """By hand: 23 letters, of which a system's name has at most 13 and the team's the rest but for the dot between."""
    made = board(
        Row("1", "long dialogue model", {"sa": 1.0}, team="Team Alpha of Somewhere"),
        Row("2", "b2", {"sa": 0.5}, team="Team Alpha of Somewhere"),
        Row("3", "b3", {"sa": 0.4}, team="Team Beta"),
        Row("4", "X7", {"sa": 0.3}),
        Row("5", "X8", {"sa": 0.2}),
    )
    made = replace(made, rows=tuple(replace(one, rank_interval=(1, 5)) for one in made.rows))
    assert [(bar.name, bar.label) for bar in rank_picture(made).bars] == [
        ("Team A… · long dialogu…", "Team Alpha of Somewhere · long dialogue model"),
        ("Team Alpha of Som… · b2", "Team Alpha of Somewhere · b2"),
        ("Team Beta", "Team Beta · b3"),
        # Aliases: no team is named.
        ("X7", "X7"),
        ("X8", "X8"),
    ]


def test_names_that_begin_alike_keep_their_ends():
    """By hand: 11 letters of the beginning and 12 of the end, the dots between them included."""
    made = board(
        Row("1", "b1", {"sa": 1.0}, team="Team Alpha of Somewhere, first group"),
        Row("2", "b2", {"sa": 0.5}, team="Team Alpha of Somewhere, second group"),
        Row("3", "long dialogue model 1", {"sa": 0.4}, team="Team Beta"),
        Row("4", "long dialogue model 2", {"sa": 0.3}, team="Team Beta"),
    )
    made = replace(made, rows=tuple(replace(one, rank_interval=(1, 4)) for one in made.rows))
    assert [bar.name for bar in rank_picture(made).bars] == [
        "Team Alpha…first group",
        "Team Alpha…econd group",
        "Team Beta…gue model 1",
        "Team Beta…gue model 2",
    ]


def test_without_intervals_there_is_no_picture_of_ranks():
    assert rank_picture(board(row("a", 1.0))) is None


def test_a_long_name_is_cut_by_its_width():
    assert clipped("深思考人工智能机器人科技") == "深思考人工智能机器人…"
    assert clipped("a name of twenty letters") == "a name of twenty lette…"
    assert clipped("山西大学") == "山西大学"
