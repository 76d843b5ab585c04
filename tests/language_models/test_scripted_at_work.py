"""The scripted model answers the prompts that the rooms of testers and judges really make, in all three forms of answers."""

import json
from types import SimpleNamespace

import pytest

from judging.prompts import judge_prompt
from judging.variants import PROBES, changed_sheet, sentence_of
from language_models.completions import completion_of, usage_of
from language_models.prompts import most_of, request_of
from simulation.prompts import prompt_of, wish_of
from simulation.talk import BOT, TESTER, Line, Part, Talk
from tests.fakes.scripted_model import scripted
from tests.language_models.test_scripted_model import booking_bot

FORMS = ("json_schema", "tools", "text")
TEXTS = {"zh": "机票和酒店", "en": "Flight and hotel"}
CARD = {
    "title": TEXTS, "instructions": {"zh": "先订机票，再订酒店。", "en": "Book the flight, then the hotel."},
    "opening": {"zh": "帮我订一张机票", "en": "I need a flight"}, "items": [],
    "facts": {
        "flight": {"from": "北京", "to": "上海", "date": "后天", "time": "下午", "class": "经济舱"},
        "hotel": {"city": "上海", "place": "虹桥", "budget": 500, "nights": 3},
    },
    "subtasks": [{"index": 1, "kind": "flight"}, {"index": 2, "kind": "hotel"}],
}  # fmt: skip
SCALE = [{"score": score, "label": str(score), "key": str(score), "speaker": ""} for score in range(5)]
CRITERION = {"key": "satisfaction", "kind": "scale", "name": "满意度", "question": "?", "points": SCALE, "places": [""]}
SHEET = {
    "criteria": [CRITERION],
    "scenario": TEXTS,
    "context": {},
    "asks_for_verdicts": True,
    "subtasks": [{"index": 1, "kind": "flight", "status": "finished", "turns_used": 3, "turn_cap": 9}],
    "turns": [
        {
            "number": number, "subtask": 1, "text": "订票", "failed": False,
            "texts": ["请稍等。" if number < 3 else "预订成功，订单号 7。"],
        }
        for number in (1, 2, 3)
    ],
}  # fmt: skip


def answered(prompt, answers="json_schema", model="scripted"):
    """What is read of the scripted model's answer, over JSON as on the wire."""
    asked = SimpleNamespace(url="", model=model, answers=answers, options={}, price_in=0, price_out=0)
    request = json.loads(json.dumps(request_of(prompt, asked)))
    completion = json.loads(json.dumps(scripted.completion(request)))
    assert usage_of(completion).tokens_in <= most_of(prompt, asked).tokens_in
    return completion_of(completion, prompt, answers).parsed


@pytest.mark.parametrize("answers", FORMS)
def test_a_simulated_tester_books_the_card_with_the_sample_bot(answers):
    bot = booking_bot()
    talk = Talk([Part(1, "flight", 20, "open"), Part(2, "hotel", 20, "pending")])
    acts = []
    while talk.current and len(acts) < 40:
        prompt = prompt_of(
            CARD, talk, [], persona="普通", difficulty="普通", language="zh", temperature=0.0, seed=1
        )  # fmt: skip
        wish = wish_of(answered(prompt, answers), 0)
        acts.append(wish.act)
        if wish.act != "say":
            talk.current.status = "finished" if wish.act == "finish" else "given_up"
            continue
        history = [{"role": "user" if one.who == TESTER else "assistant", "text": one.text} for one in talk.lines]
        reply = bot.answer({"dialogue": answers, "text": wish.text, "history": history})["text"]
        talk.lines += [Line(TESTER, wish.text), Line(BOT, reply)]
        talk.current.used += 1
    assert [part.status for part in talk.parts] == ["finished", "finished"], talk.lines
    assert [one["kind"] for one in bot.BOOKINGS[answers]] == ["flight", "hotel"]


@pytest.mark.parametrize("answers", FORMS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_judge_answers_with_points_turns_and_verdicts_that_exist(answers, language):
    prompt = judge_prompt(SHEET, language=language, instructions="", temperature=0.5, seed=3)
    answer = answered(prompt, answers)
    assert answer["evidence"] == {"satisfaction": 3}
    assert answer["verdicts"] == {"1": True}


def mean(variant, model, n=150):
    said = sentence_of(variant, maker="", language="zh")
    sheet = changed_sheet(SHEET, variant, "zh")
    prompts = [
        judge_prompt(sheet, language="zh", instructions="", temperature=0.5, seed=seed, author=said)
        for seed in range(n)
    ]
    return sum(answered(one, model=model)["ratings"]["satisfaction"] for one in prompts) / n


@pytest.mark.parametrize(
    ("probe", "bias"), [("turns", "turns=0.8"), ("points", "position=0.8"), ("length", "length=0.8"), ("self", "self=0.2")]
)  # fmt: skip
def test_the_probes_of_the_workbench_see_a_planted_bias_and_no_other(probe, bias):
    one = next(found for found in PROBES if found.key == probe)
    # A score is drawn between two neighbours: the standard error of a difference of two means of 150 is at most 0.06.
    assert abs(mean(one.changed, "scripted") - mean(one.control, "scripted")) < 0.2
    assert abs(mean(one.changed, f"scripted:{bias}") - mean(one.control, f"scripted:{bias}")) > 0.3
