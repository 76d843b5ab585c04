"""A dumped campaign is its file: loading it changes nothing, and dumping again gives the same bytes."""

import tomllib
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import load_campaign
from campaigns.campaign_file.campaign_settings import TABLES, settings_of
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Entry
from leaderboards.actions import import_records
from leaderboards.record_files import read_record_lines
from participants.adapters import PROTOCOLS
from tests.conftest import SMALL_CAMPAIGN, spec_of

ROOT = Path(__file__).resolve().parents[3]
DEMO = (ROOT / "demo" / "campaign.toml").read_text()
PROTOCOLS_DEMO = (ROOT / "demo" / "protocols.toml").read_text()
WHOLE = """
[campaign]
members_may_judge = "others"
slug = "whole"
name = {zh = "全部\\\\\\"", en = "All\\tof it"}
cap_per = "dialogue"
turn_cap = 7
free_choice = true
reply_deadline_s = 9
open_dialogues_per_tester = 2
published = true
masked_words = ["Acme", "啊"]
language = "en"
turns_are = "utterances"
opened_by = "bot"
bot_may_end = false
sends_goal = true
context_message = "Know this:\\n{context}"
silence_limit_min = 7
[calendar]
time_zone = "Europe/Berlin"
registration_from = 2026-03-01T09:00:00+08:00
testing_until = 2099-03-15T18:00:30Z
[plan]
kind = "quota"
testers_per_cell = 4
dialogues_per_bot = 5
quota = {chat = 2, persona = 1}
[reviewing]
by = "both"
counted = "panel"
reviewers = 2
reservation_min = 9
adjudicated_over = 0
experts = 1
training_pass_percent = 80
gold_every = 6
[ranking]
keys = ["errors", "completion"]
[rubric]
key = "own"
name = {zh = "自己的", en = "Own"}
verdicts = false
shows_latency = true
[[rubric.criteria]]
key = "errors"
letter = "E"
name = {zh = "错误"}
question = {zh = "有多少错误？", en = "How many errors are there?"}
scope = "subtask"
better = "lower"
required = false
skills = ["persona"]
evidence_below = 1
points = [{score = 1, label = {zh = "多", en = "many"}}, {score = 0, label = {zh = "无", en = "none"}}]
[[rubric.criteria]]
key = "act"
letter = "Act"
name = {zh = "行为", en = "Act"}
kind = "label"
scope = "turn"
labels = [{key = "ask*", speaker = "tester", label = {zh = "问", en = "asks"}}, {key = "none", label = "x"}]
[[bots]]
key = "z"
team = "Team Z"
protocol = "openai"
url = "http://127.0.0.1:9/v1"
secret = "hush"
options = {model = "m", temperature = 0.5}
parallel = 7
[[bots]]
key = "a"
team = "Team A"
name = "no address"
[[bots]]
key = "drafted"
team = "Team A"
url = "http://127.0.0.1:9/"
draft = true
[[scenarios]]
key = "two"
opening = "多行\\n的"
opening_en = "of lines"
instructions = "the same in both"
skill = "chat"
items = ["one", "two\\n"]
context = {kb = [{a = 1}, {a = [true, {}]}]}
subtasks = [{kind = "train"}]
[[scenarios]]
key = "one"
skill = "persona"
title = {en = "Only English"}
facts = {"a key" = 1e30}
subtasks = [{kind = "flight"}, {kind = "hotel"}]
[[people]]
username = "p"
roles = ["reviewer", "tester"]
team = "Team Z"
[[people]]
username = "nobody"
roles = []
"""


def dump(capsys, slug: str, *options: str) -> str:
    call_command("dump_campaign", slug, *options)
    return capsys.readouterr().out


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", [SMALL_CAMPAIGN, DEMO, PROTOCOLS_DEMO, WHOLE], ids=["small", "demo", "protocols", "whole"]
)
@pytest.mark.parametrize("options", [(), ("--format", "json")], ids=["toml", "json"])
def test_load_dump_load_dump_gives_the_same_bytes(capsys, text, options):
    campaign, _ = load_campaign(spec=spec_of(text))
    first = dump(capsys, campaign.slug, "--with-secrets", *options)
    name = "dumped.json" if options else "dumped.toml"
    spec = read_campaign_file(name, first.encode(), PROTOCOLS)
    assert load_campaign(spec=spec)[1] == []
    assert dump(capsys, campaign.slug, "--with-secrets", *options) == first
    # And where nothing is stored yet, the dump makes the same campaign.
    campaign.assignments.all().delete()
    campaign.delete()
    load_campaign(spec=spec)
    assert dump(capsys, campaign.slug, "--with-secrets", *options) == first


@pytest.mark.django_db
def test_the_dump_says_every_setting_and_secrets_only_when_asked(capsys):
    load_campaign(spec=spec_of(WHOLE))
    dumped = dump(capsys, "whole")
    head = (
        '[campaign]\nslug = "whole"\nname = {zh = "全部\\\\\\"", en = "All\\tof it"}\npreset = "smp2018"\n'
        'language = "en"\ncap_per = "dialogue"\nturn_cap = 7\nturns_are = "utterances"\nopened_by = "bot"\n'
    )
    assert dumped.startswith(head)
    settings = tomllib.loads(dumped)["campaign"]
    for table in TABLES:
        said = tomllib.loads(dumped)[table].keys() - {"slug"}
        assert said == {setting.key_in_file for setting in settings_of(table).values()}
    assert (settings["published"], settings["masked_words"]) == (True, ["Acme", "啊"])
    assert "hush" not in dumped
    assert load_campaign(spec=spec_of(dumped))[1] == []
    assert Entry.objects.get(key="z").secret == "hush"
    assert 'secret = "hush"' in dump(capsys, "whole", "--with-secrets")


@pytest.mark.django_db
def test_a_draft_takes_part_nowhere_that_its_file_is_loaded(capsys, campaign):
    campaign.entries.update(draft_since=timezone.now())
    dumped = dump(capsys, "small")
    assert tomllib.loads(dumped)["bots"][0]["draft"] is True
    elsewhere, _ = load_campaign(spec=spec_of(dumped.replace('slug = "small"', 'slug = "other"')))
    assert not elsewhere.entries.taking_part().exists()
    # Of a bot that has entered, the file says nothing of that.
    elsewhere.entries.update(draft_since=None)
    load_campaign(spec=spec_of(dumped.replace('slug = "small"', 'slug = "other"')))
    assert elsewhere.entries.taking_part().exists()


@pytest.mark.django_db
def test_entries_that_only_imported_records_made_are_no_part_of_the_file(capsys, campaign):
    line = b'{"team": "One", "scenario": "s", "reviewer": "r", "subtasks": [{"completed": true, "turns": 3, "cap": 9}]}'
    import_records(campaign=campaign, lines=read_record_lines([line], {}))
    assert "One" not in dump(capsys, "small")


@pytest.mark.django_db
def test_what_toml_cannot_say_is_named_and_json_can(capsys, campaign):
    campaign.scenarios.update(facts={"flight": {"from": None}})
    with pytest.raises(CommandError, match=r"scenarios 1\.facts\.flight\.from is null, .* --format json"):
        call_command("dump_campaign", "small")
    assert '"from": null' in dump(capsys, "small", "--format", "json")


@pytest.mark.django_db
def test_a_campaign_that_does_not_exist_is_named():
    with pytest.raises(CommandError, match="There is no campaign 'nobody'"):
        call_command("dump_campaign", "nobody")


@pytest.mark.django_db
def test_printing_secrets_is_in_the_trail_and_printing_without_is_not(campaign, capsys):
    dump(capsys, "small")
    assert not TrailLine.objects.filter(act="campaign.secrets_printed").exists()
    dump(capsys, "small", "--with-secrets", "--format", "json")
    line = TrailLine.objects.get(act="campaign.secrets_printed")
    assert (line.person, line.about, line.details) == ("", "small", {"format": "json"})
