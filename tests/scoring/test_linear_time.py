"""Files, labels and answers from outside take time in proportion to their size, whatever stands in them."""

import gc
import json

import pytest

from measures.automatic.extraction import document_counts
from measures.automatic.mobilecs import AnnotatedTurn, Document, Mention, Triple, local_kb, requests, user_goal
from measures.automatic.task_oriented import GeneratedTurn, GoldDialogue, GoldTurn, dialogue_counts
from measures.automatic.text import rouge_l
from scoring.mobilecs_files import _said_and_asked
from scoring.one_run import read_gold, score_run
from scoring.task_types import TASK_TYPES
from tests.linear_time import assert_linear

INTENTS = TASK_TYPES["intent-classification"]
DIALOGUES = TASK_TYPES["task-oriented-dialogue"]
ANY = INTENTS.default_options() | {"missing": "count"}


@pytest.fixture(autouse=True)
def no_collector_of_garbage():
    """It looks at everything that the tests made so far, which has nothing to do with the size of one text."""
    gc.disable()
    yield
    gc.enable()


def doubled(size: int) -> tuple[int, int, int]:
    return size, 2 * size, 4 * size


def turn(**fields) -> AnnotatedTurn:
    return AnnotatedTurn(
        **({"user": "", "service": "", "user_intent": "", "service_intent": "", "service_first": False} | fields)
    )


def test_many_values_of_one_property_are_told_apart_in_time_with_their_number():
    def turns(n):
        triples = tuple(Triple("ent-1", "名称", f"值{place}", 0) for place in range(n))
        return [turn(user="值", user_triples=triples)]

    assert_linear(local_kb, turns, sizes=doubled(2_000))
    assert_linear(user_goal, turns, sizes=doubled(2_000))


def test_requests_with_many_values_are_answered_in_time_with_their_number():
    def goal(n):
        return [f"值{place}" for place in range(n)]

    def ask(values):
        return requests({"ent-1": {"费用": ["?", *values]}}, {"ent-1": {"费用": values}})

    assert ask(["一元"]) == []
    assert_linear(ask, goal, sizes=doubled(2_000))


def test_the_goal_of_a_dialogue_without_one_is_worked_out_in_time_with_turns_and_values():
    def dialogue(n):
        turns = [GoldTurn(f"我要{place}号套餐", "", "", "") for place in range(n)]
        return turns, {"ent-1": {"套餐": [f"{place:08d}" for place in range(n)]}}

    assert_linear(lambda made: _said_and_asked(*made), dialogue, sizes=doubled(300))


def test_values_of_every_length_are_sought_in_a_text_in_time_with_both():
    """The text and the values together have n² / 2 characters, so sizes are their square roots."""

    def dialogue(n):
        n = round((2 * n) ** 0.5)
        values = ["a" * length + "b" for length in range(n)]
        return [GoldTurn("a" * n, "", "", "")], {"ent-1": {"套餐": values}}

    assert_linear(lambda made: _said_and_asked(*made), dialogue, sizes=doubled(250_000))


def test_acts_of_gold_and_run_are_matched_in_time_with_their_number():
    def intent(n):
        return ",".join(f"询问(甲{place})" for place in range(n))

    def count(intent):
        gold = GoldDialogue((GoldTurn("", intent, "", ""),), {}, {})
        return dialogue_counts(gold, [GeneratedTurn(",".join(reversed(intent.split(","))), "", "")])

    assert count(intent(300)).user.n_hits == 300
    assert_linear(count, intent, sizes=doubled(300))


def test_entities_that_share_nothing_are_not_compared_one_by_one():
    def document(n, price):
        return Document(
            tuple(Mention(f"ent-{place}", "名", "业务", 0, 0, 1) for place in range(n)),
            tuple(Triple(f"ent-{place}", "费用", price(place), 0) for place in range(n)),
        )

    def both(n):
        return document(n, lambda place: f"{place}元"), document(n, lambda place: f"x{place}")

    assert_linear(lambda made: document_counts(*made), both, sizes=doubled(100))


def test_a_response_is_compared_in_time_with_its_length_and_that_of_the_reference():
    def both(n):
        return list("我想订一张从北京到上海的飞机票" * (n // 15)), list("我想飞" * (n // 3))

    assert_linear(lambda made: rouge_l(*made), both, sizes=doubled(900))


def test_labels_are_checked_in_time_with_sentences_and_classes():
    """As many classes as sentences, which is what a gold file with a mixed-up column has."""

    def rows(n):
        lines = [json.dumps({"id": place, "content": "句", "label": f"c{place}"}) for place in range(n)]
        results = [{"id": place, "result": f"c{n - 1 - place}"} for place in range(n)]
        return "\n".join(lines).encode(), json.dumps({"resultsList": results}).encode()

    def read(made):
        INTENTS.read_run(made[1], INTENTS.read_gold(made[0], ANY), ANY)

    assert_linear(read, rows, sizes=doubled(3_000))


def test_declared_classes_are_looked_up_in_time_with_their_number():
    def gold(n):
        options = ANY | {"classes": tuple(f"c{place}" for place in range(n))}
        lines = [json.dumps({"id": place, "content": "句", "label": f"c{n - 1 - place}"}) for place in range(n)]
        return "\n".join(lines).encode(), options

    assert_linear(lambda made: INTENTS.read_gold(*made), gold, sizes=doubled(700))


def test_dialogues_that_are_left_out_are_looked_up_in_time_with_their_number():
    def files(n):
        gold = json.dumps(
            [{"id": f"d{place}", "content": [turn_row("", "问候")]} for place in range(n)]
            + [{"id": "good", "content": [turn_row("问候", "问候")]}]
        )
        answers = {"用户意图-生成": "", "客服意图-生成": "", "客服-生成": ""}
        run = json.dumps(
            [{"id": "good", "content": [answers]}] + [{"id": f"d{place}", "content": []} for place in range(n)]
        )
        options = DIALOGUES.default_options() | {"missing": "count"}
        return run.encode(), DIALOGUES.read_gold(gold.encode(), options), options

    def turn_row(user, service):
        return {"[SPEAKER 1]": "您好", "[SPEAKER 2]": "您好", "用户意图": user, "客服意图": service, "info": {}}

    assert_linear(lambda made: DIALOGUES.read_run(*made), files, sizes=doubled(500))


def test_a_score_of_many_classes_takes_memory_with_their_number():
    """A confusion matrix per sentence would hold 2,000 · 2,000 · 2,001 numbers."""
    n = 2_000
    lines = [json.dumps({"id": place, "content": "句", "label": f"c{place}"}) for place in range(n)]
    gold = read_gold(INTENTS, "\n".join(lines).encode(), ANY)
    result = score_run(INTENTS, gold, b'{"resultsList": [{"id": 7, "result": "c7"}, {"id": 8, "result": "c7"}]}', ANY)
    assert result.scored.sums.shape == (n, 3 * n)
    # By hand: one class of 2,000 has precision 1/2 and recall 1.
    assert result.scored.figures["macro_precision"] == pytest.approx(0.5 / n)
    assert result.scored.figures["macro_recall"] == pytest.approx(1 / n)
