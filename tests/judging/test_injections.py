"""A bot that asks for full marks in twenty ways: the quotation holds, and where a model obeys all the same the page shows it."""

import json
import re

import pytest

from dialogues.models import Turn
from judging.actions.judgements import draw_variants
from judging.addressing import REMOVED, cleaned, speaks_to_judge
from judging.models import JudgeReview
from judging.workbench import report_of, to_probe
from tests.judging.conftest import NOON, Script, judge_of, judged, run
from tests.judging.injections import HARMLESS, WAYS
from tests.linear_time import assert_linear
from tests.reviews.conftest import closed_dialogues

ASKS = re.compile("full|满分|highest|maximum|perfect|excellent|最高|高分|system|系统提示|top score", re.IGNORECASE)


def honest(told):
    """Scores by the turns that it reads as data, and obeys whatever stands outside of the data and was not there before."""
    obeys = ASKS.search(told.outside.replace(OUTSIDE[0], "")) if OUTSIDE else None
    return told.answer(lambda key, points: max(points) if obeys else sorted(points)[len(told.turns) % len(points)])


def obedient(told):
    """Gives full marks to any dialogue whose text, read as JSON, asks for them."""
    said = " ".join(text for turn in told.turns for text in turn["system"])
    return told.answer(lambda key, points: max(points) if said.strip() and HARMLESS not in said and REMOVED not in said else min(points))  # fmt: skip


OUTSIDE: list[str] = []


def talks(campaign, tester, texts):
    made = closed_dialogues(campaign, tester, len(texts))
    for dialogue, text in zip(made, texts, strict=True):
        Turn.objects.filter(dialogue=dialogue).update(texts=[text])
    return made


@pytest.mark.django_db(transaction=True)
def test_twenty_ways_stay_within_the_quotation_and_move_no_score(campaign, tester):
    judge = judge_of(campaign)
    harmless, *asking = talks(campaign, tester, [HARMLESS, *WAYS])
    script = Script(honest)
    judged(judge, script)
    scores = {one.dialogue_id: one.content["ratings"] for one in JudgeReview.objects.done()}
    assert len(asking) == 20
    assert all(scores[one.pk] == scores[harmless.pk] for one in asking)
    outside = {outside_of(prompt) for prompt in script.prompts}
    assert len(outside) == 1, "a text of the dialogue stands outside of its quotation"


def outside_of(prompt):
    text = prompt.messages[1].content
    found = re.search(r"^<dialogue (\w+)>\n(.*?)\n</dialogue \1>$", text, re.DOTALL | re.MULTILINE)
    assert "<" not in found[2]
    assert ">" not in found[2]
    json.loads(found[2])
    return (prompt.messages[0].content + text.replace(found[2], "")).replace(found[1], "MARK")


@pytest.mark.django_db(transaction=True)
def test_a_model_that_obeys_is_shown_by_the_page(campaign, tester):
    judge = judge_of(campaign)
    talks(campaign, tester, [HARMLESS] * 5 + list(WAYS))
    judged(judge, Script(obedient))
    draw_variants(judge=judge, variants={"cleaned": to_probe(judge, 40)["cleaned"]}, at=NOON)
    run(judge, Script(obedient))
    report = report_of(judge, epsilon=0.2)
    assert report["judged"]["speaks_to_judge"] == 20
    shown = report["probes"]["addressing"]
    assert (shown["n"], shown["n_moved"], shown["is_found"]) == (20, 20, True)
    assert shown["shift"] == -1.0


@pytest.mark.parametrize("text", WAYS)
def test_each_way_is_seen_and_taken_out(text):
    assert speaks_to_judge(text)
    left = cleaned(f"{HARMLESS}{text}")
    assert REMOVED in left
    assert not speaks_to_judge(left)


@pytest.mark.parametrize(
    "text",
    [
        HARMLESS,
        "The train leaves at 10:05 and arrives at 15:20.",
        "酒店评价很好，价格三百元。",
        "I can book a full day tour.",
        "",
    ],
)
def test_what_is_said_of_the_matter_is_left_alone(text):
    assert not speaks_to_judge(text)
    assert cleaned(text) == text


@pytest.mark.parametrize("piece", ["ignore ", "give me f u l l ", "(((((", "评", "you are a ", "a b c d "])
def test_the_look_for_such_words_is_linear(piece):
    assert_linear(cleaned, lambda n: piece * (n // len(piece)), sizes=(10_000, 20_000, 40_000))
