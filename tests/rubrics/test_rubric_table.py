"""The table `[rubric]`: what it says is stored, whatever is wrong in it is named with its place."""

import tomllib

import pytest

from campaigns.presets import PRESETS
from reading.checking import BadFile, Problems
from reading.findings import FILE
from reading.tables import Field, Table
from reading.toml_text import toml_of
from rubrics.presets import CriterionPreset, RubricPreset
from rubrics.rubric_table import RUBRIC, rubric_document
from rubrics.scales import Point

ROOT = Table({"rubric": Field(RUBRIC)})
WHOLE = """
[rubric]
key = "mine"
name = {zh = "我的", en = "Mine"}
verdicts = false
shows_latency = true

[[rubric.criteria]]
key = "errors"
letter = "E"
name = "错误"
question = {en = "How many?"}
scope = "subtask"
better = "lower"
required = false
skills = ["knowledge", "persona"]
evidence_below = 1
points = [{score = 1, label = {zh = "多", en = "many"}}, {score = 0, label = {zh = "无", en = "none"}}]

[[rubric.criteria]]
key = "act"
letter = "Act"
name = {zh = "行为", en = "Act"}
kind = "label"
scope = "turn"
labels = [
    {key = "ask*", speaker = "tester", label = {zh = "问", en = "asks"}},
    {key = "other", label = {zh = "其他", en = "other"}},
]
"""


def read(text: str) -> RubricPreset:
    problems = Problems()
    root = ROOT.read(tomllib.loads(text), FILE, "", problems)
    problems.refuse()
    return root["rubric"]


def problems_of(*changes: tuple[str, str]) -> list[str]:
    text = WHOLE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(BadFile) as bad:
        read(text)
    return [str(problem) for problem in bad.value.problems]


def test_everything_that_the_table_says_is_read():
    errors = CriterionPreset(
        key="errors", letter="E", name_zh="错误", name_en="错误", question_en="How many?", scope="subtask", better="lower",
        is_required=False, skills=("knowledge", "persona"), evidence_below=1,
        points=(Point(0, "无", "none"), Point(1, "多", "many")),
    )  # fmt: skip
    act = CriterionPreset(
        key="act", letter="Act", name_zh="行为", name_en="Act", kind="label", scope="turn",
        points=(Point(1, "问", "asks", "ask*", "tester"), Point(2, "其他", "other", "other")),
    )  # fmt: skip
    assert read(WHOLE) == RubricPreset("mine", "我的", "Mine", False, (errors, act), shows_latency=True)


def test_silence_asks_for_verdicts_and_scores_the_dialogue_where_more_is_better():
    scale = '[{score = 0, label = "0"}, {score = 1, label = "1"}]'
    rubric = read(
        f'[rubric]\nkey = "r"\nname = "r"\ncriteria = [{{key = "c", letter = "C", name = "c", points = {scale}}}]'
    )
    (criterion,) = rubric.criteria
    assert (rubric.asks_for_verdicts, rubric.shows_latency) == (True, False)
    assert (criterion.kind, criterion.scope, criterion.better) == ("scale", "dialogue", "higher")
    assert (criterion.is_required, criterion.skills, criterion.evidence_below) == (True, (), None)


@pytest.mark.parametrize("rubric", [read(WHOLE), *(preset.rubric for preset in PRESETS.values())], ids=lambda r: r.key)
def test_what_is_written_is_read_as_the_same_rubric(rubric):
    written = toml_of({"rubric": rubric_document(rubric)})
    assert read(written) == rubric
    assert toml_of({"rubric": rubric_document(read(written))}) == written


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ([("score = 1", "score = 0")], "[rubric] criteria[1] points[2] score: 0 already is a point of this scale"),
        ([("score = 1", "score = 0.5")], "[rubric] criteria[1] points[1] score: must be a whole number from -100 to 100"),
        ([('"other", label', '"ask*", label')], "[rubric] criteria[2] labels[2] key: “ask*” already appears"),
        ([("below = 1", "below = 0")], "[rubric] criteria[1] evidence_below: must be a point of the scale above"),
        ([("below = 1", "below = 2")], "[rubric] criteria[1] evidence_below: must be a point of the scale above"),
        ([('key = "act"', 'key = "errors"')], "[rubric] criteria[2] key: “errors” already appears"),
        ([('key = "act"', 'key = "completion"')], "[rubric] criteria[2] key: is a figure that every evaluation has"),
        ([('key = "act"', 'key = "n_failed"')], "[rubric] criteria[2] key: is the name of a column that every leaderboard has"),
        ([('key = "act"', 'key = "errors_low"')], "[rubric] criteria[2] key: is the name of a column that"),
        ([('key = "act"', 'key = "completion_high"')], "[rubric] criteria[2] key: is the name of a column that"),
        ([('scope = "turn"', 'scope = "dialogue"')], "[rubric] criteria[2] labels[1] speaker: is only allowed where"),
        ([('scope = "subtask"', 'scope = "turn"')], "[rubric] criteria[1] evidence_below: has no meaning for turns"),
        ([('kind = "label"\n', "")], "[rubric] criteria[2] labels: is only allowed where kind"),
        ([('kind = "label"\n', "")], "[rubric] criteria[2] points: must hold at least two points"),
        ([('letter = "E"', 'kind = "label"\nletter = "E"')], "[rubric] criteria[1] points: is only allowed where kind"),
        ([('letter = "E"', 'kind = "label"\nletter = "E"')], "[rubric] criteria[1] labels: must hold at least two labels"),
        ([('letter = "E"', 'kind = "label"\nletter = "E"')], "[rubric] criteria[1] evidence_below: is only allowed"),
        ([('speaker = "tester"', 'speaker = "robot"')], "[rubric] criteria[2] labels[1] speaker: must be one of tester, bot"),
        ([("required = false", "optional = true")], "[rubric] criteria[1] optional: is not known here"),
        ([('letter = "Act"\n', "")], "[rubric] criteria[2] letter: is missing"),
    ],
)  # fmt: skip
def test_a_problem_is_named_with_its_place(changes, problem):
    found = problems_of(*changes)
    assert any(one.startswith(problem) for one in found), found


def test_a_rubric_without_criteria_is_refused():
    for text, problem in (
        ('[rubric]\nkey = "r"\nname = "r"', "[rubric] criteria: is missing"),
        ('[rubric]\nkey = "r"\nname = "r"\ncriteria = []', "[rubric] criteria: must hold at least one table"),
        ('rubric = "smp2018"', "file rubric: must be an object, not a text"),
    ):
        with pytest.raises(BadFile) as bad:
            read(text)
        assert [str(one) for one in bad.value.problems] == [problem]
