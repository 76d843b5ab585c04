"""The rule of a board in sentences, in both languages."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils.translation import override

from leaderboards.board import Key, Named, Row, Words, ranked
from publication.documents import board_in, citation_of, document_of
from publication.published.rule_words import rule_in_words, short

COMPLETION = Key("completion", Words("完成率：全部完成", "Completion: share of records"), "higher", 3, "C")
TURNS = Key("mean_turns", Words("轮数：平均值", "Turns: mean"), "lower", 2, "T")
FLUENCY = Key("fluency", Words("流畅度", "Fluency"), "higher", 3)
DRAWN = {"seed": 1, "n_resamples": 2000, "n_scenarios": 21, "rows": {"1": {"intervals": {}}}, "pairs": []}


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def sentences(*keys, counted="self", statistics=None, n_dialogues=9, **said):
    board = ranked(keys=keys, rule=keys, rows=[Row("1", "a", {key.name: 0.5 for key in keys})])
    head = {"counted_reviews": counted, "n_dialogues": n_dialogues} | said
    document = document_of(board, names={"1": Named("a", "a")}, statistics=statistics, head=head)
    return rule_in_words(document, board_in(document))


def test_the_keys_are_said_in_their_order_with_what_is_better():
    assert sentences(COMPLETION, TURNS, FLUENCY)[:3] == [
        "Systems are ranked by C Completion (higher is better).",
        "Equal ones are told apart by T Turns (lower is better), Fluency (higher is better), in this order.",
        "Figures are compared unrounded; systems that are equal in all of them share a rank.",
    ]


def test_a_rule_of_one_key_tells_no_others():
    told = sentences(FLUENCY)
    assert told[0] == "Systems are ranked by Fluency (higher is better)."
    assert not any("told apart" in sentence for sentence in told)


@pytest.mark.parametrize(
    ("counted", "whose"),
    [("self", "the testers'"), ("panel", "the panel's"), ("both", "the testers' and the panel's")],
)
def test_it_says_whose_scores_count(counted, whose):
    assert f"Counted are {whose} scores." in sentences(FLUENCY, counted=counted)
    assert not any("Counted" in sentence for sentence in sentences(FLUENCY, counted=counted, n_dialogues=0))


def test_charged_turns_are_explained_where_there_are_any():
    charged = "A finished subtask is charged the turns that it took, an unfinished one its turn cap."
    assert charged in sentences(COMPLETION, TURNS)
    assert charged not in sentences(FLUENCY)


@pytest.mark.parametrize(
    ("turns_are", "words"),
    [("exchanges", "A turn is what the tester says"), ("utterances", "Each utterance is a turn")],
)
def test_a_board_with_t_says_what_a_turn_is(turns_are, words):
    assert any(one.startswith(words) for one in sentences(COMPLETION, TURNS, turns_are=turns_are))
    assert not any(one.startswith(words) for one in sentences(FLUENCY, turns_are=turns_are))
    column = {"key": "t", "task": None, "figure": "mean_turns"}
    joined = {"columns": [column], "parts": [{"task": None}], "total": None}
    renamed = Key("t", TURNS.words, "lower", 2, "T")
    assert any(one.startswith(words) for one in sentences(renamed, turns_are=turns_are, combined=joined))


def test_what_failures_cost_is_said_where_it_is_not_the_usual():
    usual = {"broken_dialogues": "counted", "failed_turns": "free"}
    assert sentences(COMPLETION, TURNS, faults=usual) == sentences(COMPLETION, TURNS)
    told = sentences(COMPLETION, TURNS, faults={"broken_dialogues": "left_out", "failed_turns": "charged"})
    assert "Dialogues in which a subtask ended because the system failed are left out." in told
    assert "Turns that the system failed to answer are charged, too." in told


def test_intervals_are_said_with_their_seed():
    drawn = "Intervals cover 95% of 2,000 resamples of the 21 scenarios (seed 1)."
    assert sentences(FLUENCY, statistics=DRAWN)[-1] == drawn
    assert not any("resamples" in sentence for sentence in sentences(FLUENCY))


def test_the_name_of_a_figure_ends_where_its_explanation_begins():
    assert (short("Turns: mean of turns"), short("轮数：平均值"), short("Fluency")) == ("Turns", "轮数", "Fluency")


def test_reconstructed_records_are_called_so():
    assert any("reconstruction" in sentence for sentence in sentences(FLUENCY, n_reconstructed=630))
    assert not any("reconstruction" in sentence for sentence in sentences(FLUENCY, n_reconstructed=0))


def test_on_a_combined_board_records_from_elsewhere_say_themselves_who_gave_them():
    combined = {
        "columns": [{"key": "fluency", "task": None, "figure": "fluency"}],
        "parts": [{"task": None}],
        "total": None,
    }
    told = {n: " ".join(sentences(FLUENCY, n_dialogues=n, combined=combined)) for n in (0, 9)}
    assert "Counted are" not in told[0]
    assert "Counted are" in told[9]


DOCUMENT = {"campaign": "smp2018", "number": 2, "frozen_at": "2026-11-20T08:00:00Z"}
ADDRESS = "https://huace.example/campaigns/smp2018/leaderboard/2/"


def cited(name="SMP2018-ECDT", public_from=datetime(2026, 11, 22, 9, tzinfo=UTC)):
    return cited_in("UTC", name, public_from)


def cited_in(zone, name="SMP2018-ECDT", public_from=datetime(2026, 11, 22, 17, tzinfo=UTC)):
    return citation_of(
        DOCUMENT, name=name, public_from=public_from, zone=ZoneInfo(zone), address=ADDRESS, digest="ab12"
    )


def test_a_citation_is_a_line_and_a_bibtex_entry():
    citation = cited()
    assert citation.text == (
        f"SMP2018-ECDT, leaderboard 2, frozen 2026-11-20, published 2026-11-22. {ADDRESS} (SHA-256 ab12)"
    )
    assert citation.bibtex.splitlines() == [
        "@misc{smp2018-leaderboard-2,",
        "  title = {SMP2018-ECDT, leaderboard 2},",
        "  year = {2026},",
        "  note = {Frozen 2026-11-20, published 2026-11-22. SHA-256 ab12},",
        f"  howpublished = {{\\url{{{ADDRESS}}}}},",
        "}",
    ]


def test_signs_that_tex_takes_for_its_own_are_escaped():
    assert "  title = {A \\& B 100\\% \\{x\\}, leaderboard 2}," in cited("A & B 100% {x}\\").bibtex


def test_what_is_not_published_yet_is_cited_by_the_day_it_was_frozen():
    assert "published 2026-11-20" in cited(public_from=None).text


def test_its_days_are_those_of_the_campaigns_time_zone():
    assert "frozen 2026-11-20, published 2026-11-23." in cited_in("Asia/Shanghai").text
    assert "frozen 2026-11-19, published 2026-11-22." in cited_in("Pacific/Honolulu").text
