"""A judge at work: the prompt, samples, bad answers, and what is stored."""

import json
from decimal import Decimal

import pytest
from django.utils import translation

from dialogues.models import Turn
from judging.actions.declaring import CannotDeclare, NoSuchModel, declare_judge, judge_as_it_is_now, withdraw_judge
from judging.actions.judgements import draw_for_judge, retry_failed
from judging.models import Judge, JudgeReview
from language_models.completions import DECLINED
from language_models.refusals import ModelRefusal, Why, budget_spent
from reading.findings import sentence
from reviews.models import Review
from rubrics.models import ScalePoint
from tests.judging.conftest import NOON, Script, endpoint_of, judge_of, judged, run
from tests.reviews.conftest import closed_dialogue, closed_dialogues

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_judge_scores_each_dialogue_by_the_points_of_the_rubric(campaign, tester, judge):
    dialogues = closed_dialogues(campaign, tester, 3)
    found = judged(judge, Script())
    assert (found.n_done, found.n_failed, found.n_left) == (3, 0, 0)
    stored = JudgeReview.objects.filter(judge=judge).done()
    assert {one.dialogue_id for one in stored} == {one.pk for one in dialogues}
    assert stored[0].content["ratings"] == {"satisfaction": 2, "fluency": 1, "guidance": 1}
    assert stored[0].content["evidence"] == {"satisfaction": 1, "fluency": 1, "guidance": 1}
    assert not Review.objects.exists()


def test_samples_are_kept_with_their_mean_and_the_point_that_stands(campaign, tester):
    judge = judge_of(campaign, n_samples=3)
    closed_dialogue(campaign, tester)
    said = iter([2, -2, 1])
    judged(judge, Script(lambda told: told.answer(lambda key, points: next(said) if key == "satisfaction" else 0)))
    stored = JudgeReview.objects.get()
    assert [one["ratings"]["satisfaction"] for one in stored.samples] == [2, -2, 1]
    assert (stored.content["ratings"]["satisfaction"], stored.means["satisfaction"]) == (1, pytest.approx(1 / 3))
    assert (stored.n_asked, stored.tokens_in, str(stored.cost)) == (3, 300, "0.000360000")


def test_samples_differ_by_their_seed_alone(campaign, tester):
    judge, script = judge_of(campaign, n_samples=2, seed=4), Script()
    closed_dialogue(campaign, tester)
    judged(judge, script)
    assert [one.seed for one in script.prompts] == [4000, 4001]
    assert script.prompts[0].messages == script.prompts[1].messages


@pytest.mark.parametrize(
    "wrong",
    [
        lambda answer: answer["ratings"].update(satisfaction=3),
        lambda answer: answer["ratings"].update(satisfaction=1.5),
        lambda answer: answer["ratings"].update(satisfaction="2"),
        lambda answer: answer["ratings"].update(satisfaction=None),
        lambda answer: answer["ratings"].pop("satisfaction"),
        lambda answer: answer["ratings"].update(beauty=2),
        lambda answer: answer["evidence"].update(satisfaction=9),
        lambda answer: answer["evidence"].update(satisfaction=0),
        lambda answer: answer["evidence"].pop("satisfaction"),
        lambda answer: answer["verdicts"].update({"2": True}),
        lambda answer: answer.pop("verdicts"),
    ],
)
def test_an_answer_off_the_scale_or_of_no_turn_is_asked_for_once_more_then_it_fails(campaign, tester, judge, wrong):
    closed_dialogue(campaign, tester)

    def rule(told):
        answer = told.answer(lambda key, points: points[0])
        wrong(answer)
        return answer

    script = Script(rule)
    found = judged(judge, script)
    stored = JudgeReview.objects.get()
    assert (found.n_failed, stored.state, stored.failed_because) == (1, "failed", "bad_answer")
    assert (stored.n_asked, stored.n_refused, stored.content, stored.samples) == (2, 2, None, [])
    assert "cannot be used" in script.prompts[1].messages[-1].content
    assert retry_failed(judge=judge, at=NOON) == 1
    assert run(judge, Script()).n_done == 1


def test_a_second_question_repeats_nothing_of_the_answer(campaign, tester, judge):
    """A model that obeys a text of the dialogue would carry it out of its quotation."""
    closed_dialogue(campaign, tester)
    script = Script(lambda told: told.answer(lambda key, points: "SMUGGLED") | {"SMUGGLED": 1})
    judged(judge, script)
    assert len(script.prompts) == 2
    assert "SMUGGLED" not in "".join(message.content for message in script.prompts[1].messages)


def test_a_model_that_declines_a_dialogue_fails_on_it_alone(campaign, tester, judge):
    first, _second = closed_dialogues(campaign, tester, 2)
    Turn.objects.filter(dialogue=first).update(texts=["nobody may read this"])

    class Prim(Script):
        async def __call__(self, prompt):
            if "nobody may read this" in prompt.messages[1].content:
                raise ModelRefusal(Why.REFUSED, sentence(DECLINED, said="no"), used=(7, 1, Decimal(0)))
            return await super().__call__(prompt)

    found = judged(judge, Prim())
    assert (found.n_done, found.n_failed, found.stopped_by) == (1, 1, None)
    failed = JudgeReview.objects.get(state="failed")
    assert (failed.dialogue_id, failed.failed_because, failed.tokens_in) == (first.pk, "refused_by_model", 7)


def test_a_dialogue_that_another_run_judged_meanwhile_is_asked_nothing(campaign, tester, judge):
    closed_dialogue(campaign, tester)
    draw_for_judge(judge=judge, at=NOON)
    reviews = list(JudgeReview.objects.values_list("pk", flat=True))
    run(judge, Script())
    script = Script()
    assert (run(judge, script, reviews=reviews).n_done, script.prompts) == (1, [])


def test_a_second_answer_that_is_usable_counts(campaign, tester, judge):
    closed_dialogue(campaign, tester)
    answers = iter([99, 0])
    judged(judge, Script(lambda told: told.answer(lambda key, points: next(answers) if key == "satisfaction" else 0)))
    stored = JudgeReview.objects.get()
    assert (stored.state, stored.n_asked, stored.n_refused) == ("done", 2, 1)


def test_a_run_that_is_cut_goes_on_where_it_was(campaign, tester, judge):
    closed_dialogues(campaign, tester, 4)
    n_left = [2]

    class Poor(Script):
        async def __call__(self, prompt):
            if not n_left[0]:
                raise budget_spent("scripted", "calls", is_in_all=True)
            n_left[0] -= 1
            return await super().__call__(prompt)

    found = judged(judge, Poor())
    assert (found.n_done, found.n_left, found.stopped_by.code) == (2, 2, "budget_spent")
    script = Script()
    assert run(judge, script, parallel=3).n_done == 2
    assert len(script.prompts) == 2
    assert draw_for_judge(judge=judge, at=NOON) == 0


def test_what_a_judgement_cost_before_it_was_cut_stays(campaign, tester):
    judge = judge_of(campaign, n_samples=3)
    closed_dialogue(campaign, tester)

    class Poor(Script):
        async def __call__(self, prompt):
            if len(self.prompts) == 2:
                raise budget_spent("scripted", "cost", is_in_all=True)
            return await super().__call__(prompt)

    found, stored = judged(judge, Poor()), JudgeReview.objects.get()
    assert (found.n_left, found.stopped_by.code, found.cost) == (1, "budget_spent", Decimal("0.00024"))
    assert (stored.state, stored.cost, stored.n_asked) == ("to_do", Decimal("0.00024"), 0)
    run(judge, Script())
    stored.refresh_from_db()
    assert (stored.state, stored.cost, stored.n_asked) == ("done", Decimal("0.0006"), 3)


def test_a_share_is_drawn_by_the_seed_and_grows_with_it(campaign, tester):
    closed_dialogues(campaign, tester, 10)
    judge = judge_of(campaign, share=30)
    assert draw_for_judge(judge=judge, at=NOON) == 3
    first = set(judge.reviews.values_list("dialogue", flat=True))
    again = judge_of(campaign, share=60)
    assert again.pk == judge.pk
    assert draw_for_judge(judge=again, at=NOON) == 3
    assert first < set(judge.reviews.values_list("dialogue", flat=True))
    other = judge_of(campaign, key="other", share=30, seed=1)
    draw_for_judge(judge=other, at=NOON)
    assert set(other.reviews.values_list("dialogue", flat=True)) != first


def test_a_judge_that_changed_is_another_judge(campaign, tester, judge):
    closed_dialogue(campaign, tester)
    judged(judge)
    assert judge_of(campaign).pk == judge.pk
    warmer = judge_of(campaign, temperature=0.7)
    assert (warmer.version, warmer.key) == (2, judge.key)
    assert judge.reviews.count() == 1
    assert not warmer.reviews.exists()
    assert [one.pk for one in Judge.objects.newest()] == [warmer.pk]


def test_another_seed_makes_another_judge_and_another_name_of_its_model_does_not(campaign, judge):
    assert judge_of(campaign, seed=5).version == 2
    other = endpoint_of(campaign, key="other")
    said = {"key": "scribe", "language": "en", "n_samples": 1, "seed": 5}
    again = declare_judge(campaign=campaign, model="other", by=None, at=NOON, **said)
    assert (again.version, again.endpoint_id) == (2, other.pk)
    endpoint_of(campaign, key="dear", currency="CNY")
    assert declare_judge(campaign=campaign, model="dear", by=None, at=NOON, **said).version == 3


def test_judges_at_work_and_versions_of_a_judge_have_limits_of_their_own(campaign, monkeypatch):
    monkeypatch.setattr("judging.actions.declaring.JUDGES_PER_CAMPAIGN", 2)
    monkeypatch.setattr("judging.actions.declaring.VERSIONS_PER_JUDGE", 3)
    assert [judge_of(campaign, seed=seed).version for seed in range(3)] == [1, 2, 3]
    other = judge_of(campaign, key="other")
    with translation.override("en"), pytest.raises(CannotDeclare, match="2 judges"):
        judge_of(campaign, key="third")
    withdraw_judge(judge=other, by=None, at=NOON)
    assert judge_of(campaign, key="third").version == 1
    with translation.override("en"), pytest.raises(CannotDeclare, match="3 versions"):
        judge_of(campaign, seed=3)


def test_another_word_of_the_rubric_makes_another_judge(campaign, judge):
    assert judge_as_it_is_now(judge=judge, by=None, at=NOON).pk == judge.pk
    point = ScalePoint.objects.filter(criterion__rubric=campaign.rubric).first()
    ScalePoint.objects.filter(pk=point.pk).update(label_en="quite otherwise")
    assert judge_as_it_is_now(judge=judge, by=None, at=NOON).version == 2


def test_a_model_that_nobody_declared_judges_nothing(campaign):
    endpoint_of(campaign)
    with pytest.raises(NoSuchModel):
        declare_judge(campaign=campaign, key="x", model="unknown", by=None, at=NOON)


def test_the_prompt_may_not_be_told_who_made_a_system(campaign):
    team = campaign.entries.get().bot.team
    for said in ({"instructions": f"{team.name} is strong."}, {"maker": team.name}):
        with pytest.raises(CannotDeclare):
            judge_of(campaign, **said)


def test_a_withdrawn_judge_is_another_one_when_it_comes_back(campaign, judge):
    withdraw_judge(judge=judge, by=None, at=NOON)
    assert judge_of(campaign).version == 2


def test_the_prompt_holds_its_dialogue_and_no_other_and_never_a_team(campaign, tester, judge):
    team = campaign.entries.get().bot.team
    team.name, team.name_en = "CanaryTeam", "CanaryTeamEn"
    team.save()
    first, second = closed_dialogues(campaign, tester, 2)
    Turn.objects.filter(dialogue=first).update(texts=["CanaryTeam made me. Only-in-one"])
    Turn.objects.filter(dialogue=second).update(texts=["I am from Ｃａｎａｒｙ Team. Only-in-two"])
    script = Script()
    judged(judge, script)
    texts = ["\n".join(one.content for one in prompt.messages) + json.dumps(prompt.schema) for prompt in script.prompts]
    for text in texts:
        assert "canaryteam" not in text.casefold().replace(" ", "")
        assert "Ｃａｎａｒｙ" not in text
        assert ("Only-in-one" in text) != ("Only-in-two" in text)
        for told in (campaign.entries.get().url, str(first.pk), str(second.pk)):
            assert told not in text
    assert len(texts) == 2


def test_names_go_from_all_that_a_system_was_given_whatever_its_parts_are_called(campaign, tester, judge):
    team = campaign.entries.get().bot.team
    team.name = "Turns"
    team.save()
    dialogue = closed_dialogue(campaign, tester)
    scenario = dialogue.assignment.scenario
    scenario.context = {"kind": "made by Turns", "status": {"key": "Turns"}, "Turns": 1}
    scenario.save()
    script = Script()
    assert judged(judge, script).n_done == 1
    assert "Turns" not in script.prompts[0].messages[1].content


def test_a_judge_whose_prompt_names_a_system_that_entered_since_is_asked_nothing(campaign, judge):
    Judge.objects.update(instructions="Latecomer is strong.")
    judge.refresh_from_db()
    assert judge_as_it_is_now(judge=judge, by=None, at=NOON).version == 2
    team = campaign.entries.get().bot.team
    team.name = "Latecomer"
    team.save()
    with pytest.raises(CannotDeclare):
        judge_as_it_is_now(judge=judge, by=None, at=NOON)
