"""Presets of campaigns are files; each gives a whole rubric and a rule that ranks the figures of it."""

import pytest

from campaigns.presets import PRESETS, read_preset
from measures.live import RECORD_FIGURES
from reading.checking import BadFile
from rubrics.scales import Point

PAPERS = ["msde", "ntcir14", "pairs", "seretod2022-0-2", "seretod2022", "smp2018"]
SOME_PRESET = """
[preset]
source = "a paper"
[ranking]
keys = ["completion", "c"]
[rubric]
key = "r"
name = "r"
[[rubric.criteria]]
key = "c"
letter = "C"
name = "c"
points = [{score = 0, label = "0"}, {score = 1, label = "1"}]
"""


def scales(key):
    return {one.letter: (one.key, list(one.scores), one.skills) for one in PRESETS[key].rubric.criteria if one.is_scale}


def test_there_is_a_preset_per_paper_under_its_own_key():
    assert list(PRESETS) == PAPERS
    assert [preset.key for preset in PRESETS.values()] == PAPERS
    assert [preset.rubric.key for preset in PRESETS.values()] == PAPERS


def test_smp2018_is_what_the_paper_says():
    preset = PRESETS["smp2018"]
    assert preset.subtask_cap == 20
    assert preset.rubric.asks_for_verdicts
    assert preset.ranking_rule == ("completion", "mean_turns", "satisfaction", "fluency", "guidance")


def test_smp2018_has_three_reviewers_score_each_case_and_names_what_t_counts():
    settings = PRESETS["smp2018"].settings
    assert settings["turns_are"] == "exchanges", "the paper says utterances in one place, rounds in another"
    assert {name: settings[name] for name in ("reviewed_by", "counted_reviews", "reviewers_per_dialogue")} == {
        "reviewed_by": "panel", "counted_reviews": "panel", "reviewers_per_dialogue": 3,
    }  # fmt: skip


def test_smp2018_has_the_content_that_is_stored_already():
    """Another word would make every loaded campaign keep an older version."""
    rubric = PRESETS["smp2018"].rubric
    assert (rubric.name_zh, rubric.name_en) == ("SMP2018-ECDT 任务二", "SMP2018-ECDT Task 2")
    assert {(one.letter, one.key, one.name_zh, one.name_en): one.points for one in rubric.criteria} == {
        ("Sa", "satisfaction", "满意度", "Satisfaction"): (
            Point(-2, "很不满意", "very dissatisfied"), Point(-1, "不满意", "dissatisfied"), Point(0, "一般", "neutral"),
            Point(1, "满意", "satisfied"), Point(2, "很满意", "very satisfied"),
        ),
        ("F", "fluency", "流畅度", "Fluency"): (
            Point(-1, "不流畅", "not fluent"), Point(0, "一般", "acceptable"), Point(1, "流畅", "fluent"),
        ),
        ("G", "guidance", "引导能力", "Guidance"): (Point(0, "没有引导", "no guidance"), Point(1, "有引导", "guides the user")),
    }  # fmt: skip
    for one in rubric.criteria:
        assert (one.kind, one.scope, one.better, one.is_required) == ("scale", "dialogue", "higher", True)
        assert (one.skills, one.evidence_below) == ((), None)
    questions = {one.key: (one.question_zh, one.question_en) for one in rubric.criteria}
    assert questions == {
        "satisfaction": ("整段对话让你满意吗？", "How satisfied are you with the whole dialogue?"),
        "fluency": ("系统的话通顺自然吗？", "Do the replies read well?"),
        "guidance": ("所问超出数据，会引导吗？", "When data are missing, does it offer an alternative?"),
    }
    assert not rubric.shows_latency


@pytest.mark.parametrize(("key", "points"), [("seretod2022", [1, 2, 3, 4, 5]), ("seretod2022-0-2", [0, 1, 2])])
def test_seretod_scores_success_coherence_and_fluency_and_asks_for_a_turn_that_is_not_coherent(key, points):
    assert scales(key) == {
        "Suc": ("success", points, ()),
        "Coh": ("coherence", points, ()),
        "Flu": ("fluency", points, ()),
    }
    assert [one.evidence_below for one in PRESETS[key].rubric.criteria] == [None, points[len(points) // 2], None]
    assert not PRESETS[key].rubric.asks_for_verdicts


def test_msde_asks_for_what_each_skill_has():
    """Table 10: Info and Coh for all four, Know for three, Rec for recommendation alone."""
    know = ("knowledge", "persona", "recommendation")
    assert scales("msde") == {
        "Info": ("informativeness", [0, 1, 2], ()), "Coh": ("coherence", [0, 1, 2], ()),
        "Know": ("knowledge", [0, 1, 2], know), "Rec": ("recommendation", [0, 1, 2], ("recommendation",)),
    }  # fmt: skip


def test_the_points_of_msde_are_those_of_the_papers_third_section():
    points = {one.letter: [point.label_en for point in one.points] for one in PRESETS["msde"].rubric.criteria}
    assert points == {
        "Info": ["none", "one", "several"],
        "Coh": ["more than two thirds", "more than one third", "less than one third"],
        "Know": ["none used, or all wrong", "some right", "all right"],
        "Rec": ["not accepted", "partly accepted", "fully accepted"],
    }
    asked = {one.letter: one.question_en for one in PRESETS["msde"].rubric.criteria}
    assert "knowledge points" in asked["Info"]
    assert "unrelated to the goal and the context, or contradictory" in asked["Coh"]


def test_an_msde_dialogue_goes_on_until_all_is_used_or_ten_rounds_are_over_and_three_experts_assess_it():
    settings = PRESETS["msde"].settings
    assert (settings["tester_may_end"], settings["turn_cap"], settings["cap_per"]) == ("all_used", 10, "dialogue")
    assert not settings["bot_may_end"]
    assert settings["experts_per_dialogue"] == 3


def test_ntcir14_scores_the_dialogue_and_labels_each_turn_by_who_speaks():
    five = [-2, -1, 0, 1, 2]
    assert scales("ntcir14") == {
        "A": ("accomplishment", five, ()), "S": ("satisfaction", five, ()), "E": ("effectiveness", five, ()),
    }  # fmt: skip
    (nugget,) = (one for one in PRESETS["ntcir14"].rubric.criteria if not one.is_scale)
    assert (nugget.key, nugget.scope, nugget.is_required) == ("nugget", "turn", True)
    assert [(one.speaker, one.key, one.score) for one in nugget.points] == [
        ("tester", "CNUG0", 1), ("tester", "CNUG", 2), ("tester", "CNUG*", 3), ("tester", "CNaN", 4),
        ("bot", "HNUG", 5), ("bot", "HNUG*", 6), ("bot", "HNaN", 7),
    ]  # fmt: skip


def test_ntcir14_asks_for_satisfaction_with_the_dialogue_and_not_with_the_product_or_the_company():
    (satisfaction,) = (one for one in PRESETS["ntcir14"].rubric.criteria if one.letter == "S")
    assert "the dialogue itself, not with the product, the service or the company" in satisfaction.question_en
    assert "不是对产品、服务或公司" in satisfaction.question_zh


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_whole(preset):
    """It names its paper, and says what each point means in both languages."""
    figures = {figure.name for figure in RECORD_FIGURES} | {one.key for one in preset.rubric.criteria if one.is_scale}
    assert preset.source
    assert set(preset.ranking_rule) <= figures
    for criterion in preset.rubric.criteria:
        assert list(criterion.scores) == sorted(set(criterion.scores)), "the console's digits count from the left"
        assert all(point.label_zh and point.label_en for point in criterion.points)
        assert bool(criterion.question_zh) == bool(criterion.question_en)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"completion", "c"', '"completion", "d"', "[ranking] keys[2]: “d” is neither a figure nor a criterion"),
        ('"completion", "c"', '"c", "c"', "[ranking] keys[2]: “c” already decides before"),
        ('source = "a paper"', "", "[preset] source: is missing"),
        ("[ranking]", "[rankings]", "file rankings: is not known here"),
        ('key = "c"', 'key = "c d"', "[rubric] criteria[1] key: must be letters, digits"),
    ],
)
def test_a_preset_is_read_as_strictly_as_a_campaign_file(old, new, problem):
    assert read_preset("mine", SOME_PRESET.encode()).ranking_rule == ("completion", "c")
    assert old in SOME_PRESET
    with pytest.raises(BadFile) as bad:
        read_preset("mine", SOME_PRESET.replace(old, new).encode())
    assert any(str(one).startswith(problem) for one in bad.value.problems), bad.value


def test_labels_do_not_rank():
    text = SOME_PRESET.replace("points =", 'kind = "label"\nlabels =').replace("score = 0", 'key = "a"')
    with pytest.raises(BadFile, match=r"\[ranking\] keys\[2\]: “c” is neither a figure nor a criterion on a scale"):
        read_preset("mine", text.replace("score = 1", 'key = "b"').encode())
