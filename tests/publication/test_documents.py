"""Documents of snapshots: canonical, complete, and silent about teams where they are hidden."""

import json

import pytest
from django.utils.translation import override

from leaderboards.board import Key, Named, Row, Words, ranked, renamed_statistics
from leaderboards.live_board import Unranked
from publication.documents import board_in, canonical, digest_of, document_of, time_of
from publication.queries import differences

COMPLETION = Key("completion", Words("完成率", "Completion"), "higher", 3, "C")
TURNS = Key("mean_turns", Words("轮数", "Turns"), "lower", 2, "T")
ROWS = [
    Row("11", "bot z", {"completion": 0.5, "mean_turns": 7.0}, team="Zeta", n=4),
    Row("12", "bot a", {"completion": 0.5, "mean_turns": 7.0}, team="Alpha", n=4),
    Row("13", "bot m", {"completion": 0.75, "mean_turns": 1 / 3}, team="Mu", n=4),
    Row("14", "bot q", {}, team="Qoppa", n=0, reason=Unranked.NO_REVIEWS),
    Row("15", "bot b", {}, team="Beta", n=0, reason=Unranked.NO_RECORDS),
]
BOARD = ranked(keys=[COMPLETION, TURNS], rule=[COMPLETION, TURNS], rows=ROWS)
TEAMS = {row.key: Named(f"entry-{row.key}", row.name, row.team) for row in ROWS}
ALIASES = {row.key: Named(alias, alias) for row, alias in zip(ROWS, ("K3", "K1", "K9", "K2", "K8"), strict=True)}
STATISTICS = {
    "seed": 7,
    "rows": {"13": {"intervals": {"completion": [0.5, 1.0], "mean_turns": None}, "rank_probabilities": [0.9, 0.1]}},
    "pairs": [{"one": "13", "other": "11", "ahead": 0.9, "behind": 0.1, "decided_by": "completion"}],
}


def document(names, statistics=None):
    named = renamed_statistics(statistics, names) if statistics else None
    return document_of(BOARD, names=names, statistics=named, head={"campaign": "small", "number": 1})


def test_a_document_is_written_in_one_way_alone():
    text = canonical({"b": [1, 0.1, None], "a": "评测"})
    assert text == '{"a":"评测","b":[1,0.1,null]}'
    # sha256sum of these 7 bytes, by the tool of that name.
    assert digest_of('{"a":1}') == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical({"a": float("nan")})


def test_a_document_gives_back_the_board_it_was_made_of_with_unrounded_figures():
    back = board_in(json.loads(canonical(document(TEAMS))))
    assert back.keys == BOARD.keys
    assert back.rule == BOARD.rule
    assert [(row.rank, row.team, row.name, row.n) for row in back.rows] == [
        (1, "Mu", "bot m", 4), (2, "Alpha", "bot a", 4), (2, "Zeta", "bot z", 4)
    ]  # fmt: skip
    assert back.rows[0].figures == {"completion": 0.75, "mean_turns": 1 / 3}


def test_why_a_row_has_no_rank_is_frozen_in_both_languages():
    back = board_in(document(TEAMS))
    assert [(row.team, row.reason.value) for row in back.unranked] == [("Beta", "no records"), ("Qoppa", "no reviews")]
    with override("zh-hans"):
        assert str(back.unranked[1].reason.label) == "等待评审"
    with override("en"):
        assert str(back.unranked[1].reason.label) == "waits for reviews"


def test_with_aliases_nothing_tells_who_made_a_bot_not_even_the_order():
    text = canonical(document(ALIASES, STATISTICS))
    for secret in ("Zeta", "Alpha", "Mu", "Qoppa", "Beta", "bot ", '"11"', '"13"'):
        assert secret not in text
    back = board_in(json.loads(text))
    assert [row.name for row in back.rows] == ["K9", "K1", "K3"]
    assert [row.name for row in back.unranked] == ["K2", "K8"]


def test_statistics_go_by_the_names_of_the_document():
    made = document(ALIASES, STATISTICS)
    assert made["statistics"]["seed"] == 7
    assert list(made["statistics"]["rows"]) == ["K9"]
    assert [(pair["one"], pair["other"], pair["ahead"]) for pair in made["statistics"]["pairs"]] == [("K9", "K3", 0.9)]
    assert board_in(made).rows[0].intervals == {"completion": (0.5, 1.0)}


def test_a_document_without_statistics_has_no_intervals():
    assert document(TEAMS)["statistics"] is None
    assert all(row.intervals == {} for row in board_in(document(TEAMS)).rows)


def test_times_are_told_in_utc_to_the_second():
    from datetime import datetime, timedelta, timezone

    at = datetime(2026, 11, 22, 10, 30, 5, 999, tzinfo=timezone(timedelta(hours=8)))
    assert time_of(at) == "2026-11-22T02:30:05Z"


C = Key("completion", Words("完成率", "Completion"), "higher", 3, "C")


def board(**rows):
    made = [Row(key, key, {"completion": figure}, n=n) for key, (figure, n) in rows.items()]
    return ranked(keys=[C], rule=[C], rows=made)


def test_equal_boards_differ_in_nothing():
    assert len(differences(board(a=(0.5, 4)), board(a=(0.5, 4)))) == 0


def test_a_row_that_overtakes_another_moves_both():
    found = differences(board(a=(0.5, 4), b=(0.4, 4)), board(a=(0.5, 4), b=(0.6, 5)))
    assert [(one.after.key, one.before.rank, one.after.rank) for one in found.moved] == [("b", 2, 1), ("a", 1, 2)]
    assert len(found) == 2


def test_more_records_with_the_same_figures_are_a_difference():
    assert len(differences(board(a=(0.5, 4)), board(a=(0.5, 8)))) == 1


def test_rows_that_came_and_went_are_told():
    found = differences(board(a=(0.5, 4), gone=(0.4, 4)), board(a=(0.5, 4), new=(0.3, 4)))
    assert (found.moved, [row.key for row in found.came], [row.key for row in found.gone]) == ((), ["new"], ["gone"])
    assert len(found) == 2
