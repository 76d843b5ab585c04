import json

import pytest
from django.utils import translation

from accounts.models import Person
from campaigns.actions import issue_passwords, issue_tokens, load_campaign
from campaigns.models import Assignment, Campaign
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db


def problems_of(text: str, *, prunes: bool = False) -> list[str]:
    with pytest.raises(BadFile) as bad:
        load_campaign(spec=spec_of(text), prunes=prunes)
    return [str(problem) for problem in bad.value.problems]


def changed(old: str, new: str, text: str = SMALL_CAMPAIGN) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_loading_the_same_file_again_changes_nothing(campaign):
    again, changes = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    assert again.pk == campaign.pk
    assert changes == []


def test_the_campaign_is_what_the_file_says(campaign):
    assert (campaign.free_choice, campaign.reply_deadline_s, campaign.cap_per) == (True, 5, "subtask")
    scenario = campaign.scenarios.get()
    assert [(row.kind, row.turn_cap) for row in scenario.subtasks.all()] == [("flight", 3), ("hotel", 2)]
    assert scenario.facts["flight"] == {"from": "北京", "to": "上海"}
    assert set(campaign.roles.values_list("person__username", "role")) == {
        ("organizer", "organizer"), ("tester", "tester"), ("reviewer", "reviewer"), ("participant", "participant"),
    }  # fmt: skip


def test_json_of_the_same_shape_is_read_too(campaign):
    import tomllib

    from campaigns.campaign_file.reader import read_campaign_file
    from participants.adapters import PROTOCOLS

    content = json.dumps(tomllib.loads(SMALL_CAMPAIGN)).encode()
    assert read_campaign_file("campaign.json", content, PROTOCOLS) == spec_of(SMALL_CAMPAIGN)


def test_every_problem_is_named_with_its_place_and_nothing_is_half_loaded(db):
    text = changed('slug = "small"', 'slug = "not ok!"')
    text = changed('url = "http://127.0.0.1:9/"', 'url = "ftp://x"\nprotocol = "smoke signals"', text)
    text = changed("turn_cap = 3", "turn_cap = 0", text)
    text = changed('roles = ["tester"]', 'roles = ["king"]', text)
    text += '\n[[people]]\nusername = "tester"\nroles = []\nshoe_size = 43\n'
    found = problems_of(text)
    assert len(found) == 7
    for place in (
        "[campaign] slug", "[[bots]] 1 url", "[[bots]] 1 protocol", "[[scenarios]] 1 subtasks[1] turn_cap",
        "[[people]] 2 roles", "[[people]] 5 shoe_size", "[[people]] 5 username: “tester” already appears at [[people]] 2",
    ):  # fmt: skip
        assert any(problem.startswith(place) for problem in found), (place, found)
    assert not Campaign.objects.exists()
    assert not Person.objects.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("this is no toml", "line 1, column 6: is not TOML: Expected '=' after a key in a key/value pair"),
        ("[campaign]\nslug = 1", "[campaign] slug"),
        (changed('preset = "smp2018"', 'preset = "tea"'), "must be one of msde, ntcir14"),
        (changed("reply_deadline_s = 5", "reply_deadline_s = 500"), "whole number from 1 to 120"),
        (changed("reply_deadline_s = 5", 'cap_per = "dialogue"'), "is needed where"),
        (changed("reply_deadline_s = 5", "turn_cap = 5"), "is only allowed where"),
        (changed("facts = {flight", "facts = {when = 2026-11-21, flight"), "no dates"),
        (
            changed("subtasks = [{kind", "subtasks = []\nsubtask_list = [{kind"),
            "[[scenarios]] 1 subtasks: must hold at least one table",
        ),
    ],
)
def test_a_bad_file_is_refused_in_words(db, text, words):
    assert any(words in problem for problem in problems_of(text))


def test_a_cap_over_the_whole_dialogue_stands_in_the_campaign(db):
    text = changed("reply_deadline_s = 5", 'cap_per = "dialogue"\nturn_cap = 10')
    text = text.replace(", turn_cap = 3", "").replace(", turn_cap = 2", "")
    campaign, _ = load_campaign(spec=spec_of(text))
    assert (campaign.cap_per, campaign.turn_cap) == ("dialogue", 10)
    assert set(campaign.scenarios.get().subtasks.values_list("turn_cap", flat=True)) == {None}


def test_what_has_begun_keeps_its_rules_and_says_so(dialogue):
    for text, place in (
        (changed("turn_cap = 3", "turn_cap = 4"), "[[scenarios]] 1"),
        (changed('opening = "帮我', 'opening = "请帮我'), "[[scenarios]] 1"),
        (
            changed("reply_deadline_s = 5", 'cap_per = "dialogue"\nturn_cap = 9')
            .replace(", turn_cap = 3", "")
            .replace(", turn_cap = 2", ""),
            "[campaign] cap_per",
        ),
        (changed('team = "Team Alpha"', 'team = "Team Beta"'), "[[bots]] 1 team"),
    ):
        assert any(problem.startswith(place) for problem in problems_of(text)), place
    assert dialogue.assignment.scenario.subtasks.first().turn_cap == 3


def test_what_does_not_rule_may_still_change_and_is_told(dialogue):
    _, changes = load_campaign(spec=spec_of(changed("http://127.0.0.1:9/", "http://127.0.0.1:10/")))
    assert changes == ["system a: url changed"]


def test_a_bot_that_was_talked_to_cannot_be_pruned(campaign, tester, dialogue):
    gone = SMALL_CAMPAIGN.replace('key = "a"\nteam = "Team Alpha"', 'key = "b"\nteam = "Team Beta"')
    assert any("[[bots]] a: is gone" in problem for problem in problems_of(gone, prunes=True))


def test_by_assignment_every_tester_meets_every_bot_in_every_scenario_once(db):
    text = changed("free_choice = true", "free_choice = false")
    text += '\n[[people]]\nusername = "tester-2"\nroles = ["tester"]\n[[bots]]\nkey = "b"\nteam = "Team Beta"\nurl = "http://127.0.0.1:9/"\n'
    campaign, _ = load_campaign(spec=spec_of(text))
    plan = Assignment.objects.filter(campaign=campaign)
    assert plan.count() == 2 * 2 * 1
    assert plan.values("tester", "entry", "scenario").distinct().count() == 4


def test_a_tester_who_comes_later_gets_the_plan_too_and_what_was_begun_stays(db):
    text = changed("free_choice = true", "free_choice = false")
    campaign, _ = load_campaign(spec=spec_of(text))
    assignment = campaign.assignments.get()
    from django.utils import timezone

    from dialogues.actions import open_dialogue

    open_dialogue(assignment=assignment, at=timezone.now())
    text += '\n[[people]]\nusername = "late"\nroles = ["tester"]\n'
    _, changes = load_campaign(spec=spec_of(text))
    assert "1 assignments drawn" in changes
    assert campaign.assignments.filter(pk=assignment.pk).exists()


def test_tokens_and_passwords_are_given_per_person(campaign):
    tokens = issue_tokens(campaign=campaign)
    assert set(tokens) == {"organizer", "participant", "reviewer", "tester"}
    passwords = issue_passwords(campaign=campaign)
    assert set(passwords) == set(tokens)
    assert issue_passwords(campaign=campaign) == {}


def test_aliases_say_nothing_about_the_team(campaign):
    alias = campaign.entries.get().alias
    assert len(alias) == 2
    assert alias.lower() not in "team alpha a"


def test_text_that_cannot_be_stored_is_named_with_its_place(db):
    found = problems_of(changed('facts = {flight = {from = "北京"', 'facts = {flight = {from = "\\u0000"'))
    assert found == [
        "[[scenarios]] 1 facts.flight.from: holds a NUL character or half a surrogate pair, which cannot be stored"
    ]


@pytest.mark.parametrize("secret", ["abc\\n", "abc\\r\\nX-Other: 1", " abc", "abc\\u00a0", "密钥", "a\\tb", "\\u007f"])
def test_a_secret_that_cannot_stand_in_a_header_is_refused_where_it_stands(db, secret):
    text = changed('url = "http://127.0.0.1:9/"', f'url = "http://127.0.0.1:9/"\nsecret = "{secret}"')
    (problem,) = problems_of(text)
    assert problem.startswith("[[bots]] 1 secret: is sent in an HTTP header")
    assert "copy it again" in problem
    assert not Campaign.objects.exists()


def test_a_url_with_a_line_break_is_refused(db):
    found = problems_of(changed("http://127.0.0.1:9/", "http://127.0.0.1:9/\\n"))
    assert found == ["[[bots]] 1 url: contains a space or a line break; copy it again without them"]


def test_a_problem_is_said_in_the_readers_language():
    with pytest.raises(BadFile) as bad:
        spec_of(changed('team = "Team Alpha"', "team = 5"))
    (problem,) = bad.value.problems
    assert str(problem) == "[[bots]] 1 team: must be a text, not a number"
    with translation.override("zh-hans"):
        assert str(problem) == "[[bots]] 1 team: 必须是文本，不能是数字"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('name = {zh = "小评测", en = "Small"}', f'name = "{"n" * 201}"', "[campaign] name zh"),
        ('title = {zh = "机票和酒店", en = "Flight and hotel"}', f'title = "{"t" * 201}"', "[[scenarios]] 1 title zh"),
    ],
)
def test_a_name_longer_than_its_column_is_refused_by_every_database(db, old, new, place):
    found = problems_of(changed(old, new))
    assert found[0].startswith(place), found
    assert "200 are the most" in found[0]


def test_every_problem_of_a_mapping_is_named_where_it_stands(db):
    team = 'team = "Team Alpha"\n'
    mapped = team + 'protocol = "mapping"\noptions = {request = "{", reply = "a["}\n'
    problems = problems_of(changed(team, mapped))
    assert [problem.partition(": ")[0] for problem in problems] == [
        "[[bots]] 1 options.request",
        "[[bots]] 1 options.reply",
    ]
    right = changed(team, mapped.replace('"{"', '"{}"').replace("a[", "a"))
    assert load_campaign(spec=spec_of(right))[0].entries.get().options == {"request": "{}", "reply": "a"}
