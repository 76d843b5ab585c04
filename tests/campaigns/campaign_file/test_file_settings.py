"""What the settings of a file come to, and what in it does not fit together, with its place."""

import re
from pathlib import Path

import pytest

from campaigns.campaign_file.reader import CampaignSpec
from campaigns.presets import PRESETS
from reading.checking import BadFile
from tests.conftest import spec_of

SCENARIOS = """
[[scenarios]]
key = "one"
skill = "booking"
subtasks = [{kind = "flight"}]
[[scenarios]]
key = "two"
subtasks = [{kind = "hotel"}]
"""
RUBRIC = """
[rubric]
key = "own"
name = "own"
[[rubric.criteria]]
key = "effort"
letter = "Ef"
name = "effort"
skills = ["booking"]
points = [{score = 1, label = "little"}, {score = 2, label = "much"}]
"""


def read(more: str = "", preset: str = "smp2018", head: str = "") -> CampaignSpec:
    return spec_of(f'[campaign]\nslug = "s"\nname = "s"\npreset = "{preset}"\n{head}\n{more}')


def problems_of(more: str, preset: str = "smp2018", head: str = "") -> list[str]:
    with pytest.raises(BadFile) as bad:
        read(more, preset, head)
    return [str(problem) for problem in bad.value.problems]


def test_what_a_file_does_not_say_of_the_rules_of_dialogues_is_its_presets():
    assert (read().settings["cap_per"], read().settings["turn_cap"]) == ("subtask", None)
    msde = read(preset="msde")
    assert (msde.settings["cap_per"], msde.settings["turn_cap"]) == ("dialogue", 10)
    assert "{context}" in msde.settings["context_message"]
    assert "experts_per_dialogue" not in msde.settings, "what is stored stays"
    assert msde.settings_when_new["experts_per_dialogue"] == 3


def test_a_cap_of_the_presets_dialogues_goes_where_subtasks_have_caps():
    assert read(preset="msde", head='cap_per = "subtask"').settings["turn_cap"] is None


def test_who_scores_counts_unless_the_file_says_otherwise():
    assert read('[reviewing]\nby = "panel"').settings["counted_reviews"] == "panel"
    assert read('[reviewing]\nby = "both"\ncounted = "panel"').settings["counted_reviews"] == "panel"
    assert read('[reviewing]\nby = "nobody"').settings["counted_reviews"] == "nobody"
    assert "counted_reviews" not in read("[reviewing]\nexperts = 1").settings


def test_the_plan_says_whether_testers_choose_for_themselves():
    free = read('[plan]\nkind = "free"').settings
    assert (free["plan"], free["free_choice"]) == ("full", True)
    assert read('[plan]\nkind = "per_cell"').settings["free_choice"] is False
    assert read('[plan]\nkind = "full"', head="free_choice = true").settings["free_choice"] is True
    assert "free_choice" not in read("[plan]\ntesters_per_cell = 2").settings


def test_rubric_and_rule_are_the_presets_unless_the_file_has_its_own():
    assert (read().own_rubric, read().own_ranking) == (None, None)
    assert read(preset="msde").rubric.key == "msde"
    assert read().ranking_rule == ("completion", "mean_turns", "satisfaction", "fluency", "guidance")
    own = read('[ranking]\nkeys = ["effort", "completion"]' + RUBRIC + SCENARIOS)
    assert (own.rubric.key, own.ranking_rule) == ("own", ("effort", "completion"))


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ('[plan]\nkind = "random_goals"', '[plan] dialogues_per_bot: is needed where kind = "random_goals"'),
        ('[plan]\nkind = "quota"', '[plan] quota: is needed where kind = "quota"'),
        ('[plan]\nkind = "tea"', "[plan] kind: must be one of full, per_cell, random_goals, quota, free"),
        ("[plan]\nquota = {booking = 0}", "[plan] quota booking: must be a whole number from 1"),
        ('[plan]\nquota = {"no slug" = 1}', "[plan] quota no slug: must be letters, digits"),
        ("[plan]\nquota = 7", "[plan] quota: must be an object"),
        ("[plan]\nquota = {boking = 1}" + SCENARIOS, "[plan] quota boking: no scenario has the skill “boking”"),
        ("[reviewing]\nreviewers = 0", "[reviewing] reviewers: must be a whole number from 1 to 100, not 0"),
        ("[reviewing]\nadjudicated_over = 201", '[reviewing] adjudicated_over: must be a whole number from 0 to 200 or "never"'),
        ('[reviewing]\nadjudicated_over = "off"', '[reviewing] adjudicated_over: must be a whole number from 0 to 200 or "never"'),
        ('[reviewing]\nby = "nobody"\ncounted = "self"', '[reviewing] counted: is "self", but by = "nobody" gives no such'),
        ('[reviewing]\nby = "both"\ncounted = "nobody"', '[reviewing] counted: is "nobody", but by = "both" gives scores that'),
        ('[reviewing]\nby = "panel"\ncounted = "both"', '[reviewing] counted: is "both", but by = "panel" gives'),
        ("[reviewing]\npanel = 3", "[reviewing] panel: is not known here"),
        ('[ranking]\nkeys = ["effort"]', "[ranking] keys[1]: “effort” is neither a figure nor a criterion on a scale"),
        ("[ranking]\nkeys = []", "[ranking] keys: must hold at least one figure"),
        (RUBRIC, "[ranking] keys: is missing: the preset ranks by completion, mean_turns, satisfaction"),
        (
            '[ranking]\nkeys = ["effort"]' + RUBRIC.replace('"booking"', '"boking"') + SCENARIOS,
            "[rubric] criteria[1] skills: no scenario has the skill “boking”",
        ),
        ('[rubric]\nkey = "own"\nname = "own"\ncriteria = []', "[rubric] criteria: must hold at least one table"),
        ('[[scenarios]]\nkey = "imported"\nsubtasks = [{kind = "x"}]', "[[scenarios]] 1 key: is reserved for imported"),
        ('[[scenarios]]\nkey = "a"\nitems = "one"\nsubtasks = [{kind = "x"}]', "[[scenarios]] 1 items: must be a list"),
        ('[[scenarios]]\nkey = "a"\nskill = "a b"\nsubtasks = [{kind = "x"}]', "[[scenarios]] 1 skill: must be letters"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_its_place(more, problem):
    found = problems_of(more)
    assert len(found) == 1 or "rubric" in more, found
    assert any(one.startswith(problem) for one in found), found


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('context_message = "Know this."', "[campaign] context_message: must hold {context}"),
        ('language = "fr"', "[campaign] language: must be one of zh, en"),
        ("silence_limit_min = 0", "[campaign] silence_limit_min: must be a whole number from 1 to 43200"),
    ],
)
def test_a_bad_setting_of_the_campaign_is_named_with_its_place(line, problem):
    (found,) = problems_of("", head=line)
    assert found.startswith(problem)


ONE_TURN = "[campaign] turn_cap: must be at least 2 utterances: what is said, and its answer"
OF_PARTS = '[[scenarios]]\nkey = "a"\nsubtasks = [{kind = "x", turn_cap = 2}, {kind = "y", turn_cap = 1}]'


def test_a_cap_of_utterances_holds_an_exchange_and_the_opening():
    utterances = 'turns_are = "utterances"\n'
    per_dialogue = utterances + 'cap_per = "dialogue"\nturn_cap = '
    assert problems_of("", head=per_dialogue + "1") == [ONE_TURN]
    assert read("", head=per_dialogue + "2").settings["turn_cap"] == 2
    (found,) = problems_of("", head=per_dialogue + '2\nopened_by = "bot"')
    assert (
        found
        == "[campaign] turn_cap: must be at least 3 utterances: what is said, its answer, and the system's opening first"
    )
    read("", head=per_dialogue + '3\nopened_by = "bot"')
    (found,) = problems_of(OF_PARTS, head=utterances)
    assert found.startswith("[[scenarios]] 1 subtasks[2] turn_cap: must be at least 2 utterances")
    first, second = problems_of(OF_PARTS, head=utterances + 'opened_by = "bot"')
    assert first.startswith("[[scenarios]] 1 subtasks[1] turn_cap: must be at least 3 utterances")
    assert second == found
    read(OF_PARTS)


def test_free_choice_contradicts_itself_in_one_case_only():
    (found,) = problems_of('[plan]\nkind = "free"', head="free_choice = false")
    assert found == '[plan] kind: is "free", but free_choice is false'


def test_skills_that_only_the_preset_knows_are_no_slip():
    """A campaign may have some of its preset's skills only, and its dump says the whole quota and rubric."""
    quota = read("[plan]\nquota = {persona = 3}" + SCENARIOS, preset="msde").settings["quota"]
    assert quota == {"persona": 3}


def test_skills_are_not_compared_before_there_are_scenarios():
    assert read("[plan]\nquota = {anything = 3}").settings["quota"] == {"anything": 3}


DOCS = Path(__file__).resolve().parents[3] / "docs"
PRESETS_PAGE = (DOCS / "presets.md").read_text()


def test_the_files_in_the_document_can_be_read():
    pages = (DOCS / "campaign-file.md").read_text() + PRESETS_PAGE
    campaign, *more, rubric = re.findall(r"^```toml\n(.*?)^```", pages, re.MULTILINE | re.DOTALL)
    whole = spec_of(
        campaign + "".join(more) + rubric.replace('skills = ["knowledge"]', "") + '[ranking]\nkeys = ["coherence"]\n'
    )
    assert (whole.slug, whole.rubric.key, whole.scenarios[0].skill) == ("probe", "my-rubric", "booking")
    assert [criterion.kind for criterion in whole.rubric.criteria] == ["scale", "label"]


def test_the_document_says_what_each_preset_says():
    rows = re.findall(
        r"^\| `([a-z0-9-]+)` \| (?:[^|]+) \| (\d+) per (\w+) \| ([^|;]+?)[;|]", PRESETS_PAGE, re.MULTILINE
    )
    words = {"full": "full", "random_goals": "random goals", "quota": "quota per system and skill"}
    told = {name: (int(cap), per, plan.strip()) for name, cap, per, plan in rows}
    assert told == {
        name: (
            preset.value_of("turn_cap") or preset.subtask_cap, preset.value_of("cap_per"), words[preset.value_of("plan")]
        )
        for name, preset in PRESETS.items()
    }  # fmt: skip
