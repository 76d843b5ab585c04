"""Bots of a campaign file: their addresses are the campaign's own, names may be exchanged, imported ones stay."""

import json
from dataclasses import replace

import pytest
from django.utils import timezone

from campaigns.actions import load_campaign, load_file
from campaigns.actions.entering import new_entry
from campaigns.actions.teams import team_called
from campaigns.models import Campaign
from campaigns.presets import PRESETS
from dialogues.actions import open_chosen_dialogue
from dialogues.queries import briefing
from leaderboards.actions import campaign_of_records, import_records
from leaderboards.live_board import leaderboard
from leaderboards.record_files import read_record_lines
from participants.models import Bot
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db

HEAD, _, REST = SMALL_CAMPAIGN.partition("[[bots]]")
SCENARIOS_AND_PEOPLE = "[[scenarios]]" + REST.partition("[[scenarios]]")[2]


def bot(key, name, *, team="Team Alpha", url="http://127.0.0.1:9/", **more):
    said = {"key": key, "team": team, "name": name, "url": url} | more
    lines = (f"{word} = {toml(value)}\n" for word, value in said.items() if value is not None)
    return "[[bots]]\n" + "".join(lines)


def toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml(one)}" for name, one in value.items()) + "}"
    return json.dumps(value)


def file_with(*bots, slug="small", head=HEAD):
    return head.replace('slug = "small"', f'slug = "{slug}"') + "".join(bots) + SCENARIOS_AND_PEOPLE


def load(*bots, prunes=False, **named):
    return load_campaign(spec=spec_of(file_with(*bots, **named)), prunes=prunes)


def problems_of(*bots, prunes=False, **named):
    with pytest.raises(BadFile) as bad:
        load(*bots, prunes=prunes, **named)
    return [str(problem) for problem in bad.value.problems]


def names_of(campaign):
    return dict(campaign.entries.values_list("key", "bot__name"))


def record(team, bot=None, scenario="s1"):
    line = {
        "team": team,
        "scenario": scenario,
        "reviewer": "r",
        "subtasks": [{"completed": True, "turns": 3, "cap": 9}],
    }
    return json.dumps(line | ({"bot": bot} if bot else {})).encode()


def import_into(slug, *lines):
    campaign = campaign_of_records(slug=slug, preset=PRESETS["smp2018"])
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))
    return campaign


def test_a_bot_of_one_campaign_keeps_its_address_whatever_another_campaign_says():
    first, _ = load(bot("a", "x", url="http://127.0.0.1:9/first", secret="one", options={"model": "m1"}), slug="first")
    load(bot("a", "x", url="http://127.0.0.1:9/second", secret="two", protocol="openai"), slug="second")
    entry = first.entries.get()
    assert (entry.protocol, entry.url, entry.secret) == ("huace/1", "http://127.0.0.1:9/first", "one")
    assert entry.options == {"model": "m1"}
    assert (
        load(bot("a", "x", url="http://127.0.0.1:9/first", secret="one", options={"model": "m1"}), slug="first")[1]
        == []
    )


def test_a_dialogue_talks_to_the_address_of_its_own_campaign():
    first, _ = load(bot("a", "x", url="http://127.0.0.1:9/first", secret="one"), slug="first")
    second, _ = load(bot("a", "x", url="http://127.0.0.1:9/second"), slug="second")
    asked = {}
    for campaign in (first, second):
        dialogue = open_chosen_dialogue(
            campaign=campaign, tester=campaign.roles.get(role="tester").person, entry=campaign.entries.get(),
            scenario=campaign.scenarios.get(), at=timezone.now(),
        )  # fmt: skip
        asked[campaign.slug] = briefing(dialogue.pk).bot
    assert (asked["first"].url, asked["first"].secret) == ("http://127.0.0.1:9/first", "one")
    assert (asked["second"].url, asked["second"].secret) == ("http://127.0.0.1:9/second", "")


def test_two_bots_of_a_team_may_exchange_their_names():
    campaign, _ = load(bot("a", "x"), bot("b", "y"))
    _, changes = load(bot("a", "y"), bot("b", "x"))
    assert names_of(campaign) == {"a": "y", "b": "x"}
    assert changes == ["system a: team and name changed", "system b: team and name changed"]


def test_a_new_bot_may_take_the_name_that_another_gives_up():
    campaign, _ = load(bot("a", "x"))
    load(bot("a", "y"), bot("b", "x"))
    assert names_of(campaign) == {"a": "y", "b": "x"}
    assert problems_of(bot("c", "x")) == [
        "[[bots]] 1: Team Alpha / x takes part as b already, which this load leaves alone"
    ]
    load(bot("c", "x"), prunes=True)
    assert names_of(campaign) == {"c": "x"}


def test_one_bot_under_two_keys_is_a_problem_with_its_place():
    assert problems_of(bot("a", "x"), bot("b", "x")) == ["[[bots]] 2: Team Alpha has entered “x” already, as a"]
    assert not Campaign.objects.exists()


def test_a_new_team_that_is_called_like_the_id_of_another_has_a_bot_of_its_own():
    campaign, _ = load(bot("a", "A"))
    stored = campaign.known_teams.get().team
    load(bot("a", "A"), bot("b", "B"), bot("c", "B", team=str(stored.pk)))
    assert campaign.entries.get(key="b").bot.team == stored
    assert campaign.entries.get(key="c").bot.team.name == str(stored.pk)


def test_what_the_file_does_not_say_of_an_address_stays():
    campaign, _ = load(bot("a", "x", secret="s", protocol="rasa", options={"model": "m"}))
    assert load(bot("a", "x", url=None))[1] == []
    entry = campaign.entries.get()
    assert (entry.protocol, entry.url, entry.secret) == ("rasa", "http://127.0.0.1:9/", "s")
    assert load(bot("a", "x", secret=""))[1] == ["system a: secret changed"]


def test_imported_bots_stay_when_the_file_is_loaded_again():
    campaign, _ = load(bot("a", "x"))
    import_into("small", record("Elsewhere"), record("Team Alpha", "x"))
    assert load(bot("a", "x"))[1] == []
    assert campaign.entries.count() == 2
    assert len(leaderboard(campaign).rows) == 2


def test_a_bot_with_imported_records_cannot_leave_and_cannot_become_another():
    load(bot("a", "x"), bot("b", "y"))
    import_into("small", record("Team Alpha", "x"))
    assert problems_of(bot("b", "y"), prunes=True) == [
        "[[bots]] a: is gone from the file, but dialogues or records need it; put it back"
    ]
    (problem,) = problems_of(bot("a", "z"), bot("b", "y"))
    assert problem == "[[bots]] 1 team: system a has imported records and keeps team and name"


def test_a_file_adopts_the_bot_that_records_were_imported_for():
    campaign = import_into("small", record("Team Alpha", "x"), record("Elsewhere"))
    alias = campaign.entries.get(bot__name="x").alias
    _, changes = load(bot("a", "x"))
    assert "system a entered, with the records imported for it" in changes
    entry = campaign.entries.get(key="a")
    assert (entry.alias, entry.protocol, entry.url) == (alias, "huace/1", "http://127.0.0.1:9/")
    assert load(bot("a", "x"))[1] == []


def test_a_draft_of_a_file_waits_though_records_were_imported_for_it():
    campaign = import_into("small", record("Team Alpha", "x"))
    load(bot("a", "x", draft=True))
    assert campaign.entries.get(key="a").draft_since is not None


def test_a_campaign_that_begins_with_imported_records_draws_aliases_that_nobody_can_guess():
    seeds = {import_into(f"imported-{number}", record("One")).drawing_seed for number in range(3)}
    assert len(seeds) == 3


def test_an_entry_cannot_take_the_place_of_an_imported_bot():
    load(bot("a", "x"))
    import_into("small", record("Team Alpha", "old"))
    (problem,) = problems_of(bot("a", "old"))
    assert problem.startswith("[[bots]] 1 team: records were imported for Team Alpha / old")


def test_records_may_be_imported_after_a_bot_was_withdrawn():
    load(bot("a", "x"), bot("b", "y"))
    import_into("small", record("One"))
    load(bot("a", "x"), prunes=True)
    campaign = import_into("small", record("One"), record("Two"))
    assert campaign.entries.count() == 3


def test_bots_without_an_address_are_not_drawn():
    head = HEAD.replace("free_choice = true", "free_choice = false")
    import_into("small", record("Elsewhere"))
    campaign, _ = load(bot("a", "x"), bot("b", "y", url=None), head=head)
    assert set(campaign.assignments.values_list("entry__key", flat=True)) == {"a"}
    load(bot("a", "x"), bot("b", "y"), head=head)
    assert set(campaign.assignments.values_list("entry__key", flat=True)) == {"a", "b"}
    load(bot("a", "x"), bot("b", "y", url=""), head=head)
    assert set(campaign.assignments.values_list("entry__key", flat=True)) == {"a"}


def test_a_bot_that_was_talked_to_keeps_an_address(dialogue):
    key = dialogue.assignment.entry.key
    assert any(
        problem.startswith("[[bots]] 1 url: cannot be changed") for problem in problems_of(bot(key, "a", url=""))
    )


def test_a_secret_never_goes_to_another_team_by_omission():
    campaign, _ = load(bot("a", "x", url="https://a.example/talk", secret="SECRET-OF-A"))
    moved = bot("a", "x", team="Team B", url="https://b.example/talk")
    assert problems_of(moved) == [
        "[[bots]] 1 secret: was given for Team Alpha / x and is not sent to Team B / x at https://b.example/talk: "
        'name the secret to send there, or secret = "" if it needs none'
    ]
    entry = campaign.entries.get()
    assert (entry.bot.team.name, entry.url, entry.secret) == ("Team Alpha", "https://a.example/talk", "SECRET-OF-A")
    load(bot("a", "x", team="Team B", url="https://b.example/talk", secret=""))
    entry = campaign.entries.get()
    assert (entry.bot.team.name, entry.url, entry.secret) == ("Team B", "https://b.example/talk", "")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/talk", "https://a.example:8443/talk", "https://b.example/talk", "https://a.example.b.example/talk",
        "https://a.example@b.example/talk", "https://a.example:https/talk", "https://[a.example/talk",
    ],
)  # fmt: skip
def test_a_secret_never_goes_to_another_server_by_omission(url):
    load(bot("a", "x", url="https://a.example/talk", secret="s"))
    (problem,) = problems_of(bot("a", "x", url=url))
    assert problem.startswith("[[bots]] 1 secret: ")
    assert "system a: url, secret changed" in load(bot("a", "x", url=url, secret="another"))[1]


@pytest.mark.parametrize("url", ["https://a.example/v2", "https://A.example:443/talk?x=1"])
def test_a_secret_stays_at_its_server_when_only_the_path_changes(url):
    campaign, _ = load(bot("a", "x", url="https://a.example/talk", secret="s"))
    load(bot("a", "x", url=url))
    assert campaign.entries.get().secret == "s"


@pytest.mark.parametrize("secret", ["abc\n", "密钥"])
def test_no_entry_is_written_with_a_secret_that_no_header_holds(campaign, secret):
    """Also where the campaign was not read from a file."""
    spec = spec_of(SMALL_CAMPAIGN)
    for key in ("a", "new"):
        (declared,) = spec.bots
        bad = replace(spec, bots=(replace(declared, key=key, secret=secret),))
        with pytest.raises(ValueError, match=f"secret of bot {key} cannot be sent"):
            load_campaign(spec=bad, prunes=True)
    assert [(entry.key, entry.secret) for entry in campaign.entries.all()] == [("a", "")]


def test_a_secret_of_a_bot_that_lost_its_url_is_asked_for_again():
    load(bot("a", "x", url="https://a.example/talk", secret="s"))
    load(bot("a", "x", url=""))
    (problem,) = problems_of(bot("a", "x", url="https://b.example/talk"))
    assert problem.startswith("[[bots]] 1 secret: ")


def test_nothing_of_the_address_is_taken_over_by_another_bot():
    campaign, _ = load(bot("a", "x", secret="s", protocol="rasa", options={"model": "m"}))
    assert problems_of(bot("a", "y", url=None, secret="s")) == [
        '[[bots]] 1 url: is that of Team Alpha / x; name that of Team Alpha / y, or url = "" if it has none'
    ]
    _, changes = load(bot("a", "y", url="http://127.0.0.1:9/other", secret="t"))
    entry = campaign.entries.get()
    assert (entry.protocol, entry.url, entry.secret) == ("huace/1", "http://127.0.0.1:9/other", "t")
    assert entry.options == {}
    assert changes == ["system a: team and name changed", "system a: protocol, url, secret, options changed"]


def test_bots_that_exchange_their_names_take_no_secret_along():
    load(bot("a", "x", secret="one"), bot("b", "y", secret="two"))
    assert [problem.split(":")[0] for problem in problems_of(bot("a", "y"), bot("b", "x"))] == [
        "[[bots]] 1 secret", "[[bots]] 2 secret",
    ]  # fmt: skip
    campaign, _ = load(bot("a", "y", secret="two"), bot("b", "x", secret="one"))
    assert {entry.bot.name: entry.secret for entry in campaign.entries.all()} == {"x": "one", "y": "two"}


def test_a_bot_that_moves_and_has_no_url_is_not_drawn_any_more():
    head = HEAD.replace("free_choice = true", "free_choice = false")
    load(bot("a", "x"), bot("b", "y"), head=head)
    campaign, _ = load(bot("a", "x"), bot("b", "z", url=""), head=head)
    assert set(campaign.assignments.values_list("entry__key", flat=True)) == {"a"}
    assert campaign.entries.get(key="b").url == ""


def registered(campaign, key, name, *, team="Team Page", url="http://127.0.0.1:9/page"):
    """As a participant registers a bot in the browser."""
    owner = team_called(campaign, team)
    return new_entry(campaign, Bot.objects.create(team=owner, name=name), key=key, protocol="huace/1", url=url)


def left_alone(*bots, **asked):
    return [left.in_english for left in load_file(spec=spec_of(file_with(*bots)), **asked).report.left_alone]


@pytest.mark.parametrize("prunes", [False, True])
def test_a_bot_that_was_registered_in_the_browser_is_left_alone_and_named(prunes):
    campaign, _ = load(bot("a", "x"))
    registered(campaign, "k7", "own")
    assert left_alone(bot("a", "x"), prunes=prunes) == ["left alone: system k7, registered in the browser"]
    assert campaign.entries.get(key="k7").origin == "page"


def test_a_bot_that_leaves_the_file_stays_until_a_load_prunes(campaign):
    load(bot("a", "a"), bot("b", "y"))
    assert left_alone(bot("a", "a")) == ["left alone: system b, no longer in the file; only pruning removes it"]
    assert names_of(campaign) == {"a": "a", "b": "y"}
    assert load(bot("a", "a"), prunes=True)[1] == ["system b withdrawn"]
    assert names_of(campaign) == {"a": "a"}


def test_bots_of_imported_records_are_named_as_left_alone():
    load(bot("a", "x"))
    import_into("small", record("Elsewhere"))
    assert left_alone(bot("a", "x"), prunes=True) == ["left alone: Elsewhere / Elsewhere, of imported records"]


def test_a_file_may_name_a_bot_of_the_browser_as_it_is():
    campaign, _ = load(bot("a", "x"))
    registered(campaign, "k7", "own")
    same = bot("k7", "own", team="Team Page", url="http://127.0.0.1:9/page")
    assert load(bot("a", "x"), same)[1] == []
    assert campaign.entries.get(key="k7").origin == "page"


def test_a_key_that_a_bot_of_the_browser_has_is_a_problem_with_its_place_until_it_is_taken_over():
    campaign, _ = load(bot("a", "x"))
    entry = registered(campaign, "k7", "own")
    other = bot("k7", "own", team="Team Page", url="http://127.0.0.1:9/other")
    (problem,) = problems_of(bot("a", "x"), other)
    assert problem.startswith(
        "[[bots]] 2 key: system k7 was registered in the browser, and the file says something else"
    )
    loaded = load_file(spec=spec_of(file_with(bot("a", "x"), other)), takes_over=True)
    assert loaded.report.changes == ["system k7: taken over from the browser", "system k7: url changed"]
    entry.refresh_from_db()
    assert (entry.origin, entry.url) == ("file", "http://127.0.0.1:9/other")


def test_a_bot_of_the_browser_under_another_key_is_a_problem_with_its_place():
    campaign, _ = load(bot("a", "x"))
    registered(campaign, "k7", "own")
    twice = "Team Page / own takes part as k7 already, which this load leaves alone"
    assert problems_of(bot("a", "x"), bot("b", "own", team="Team Page")) == [f"[[bots]] 2: {twice}"]
    assert problems_of(bot("a", "own", team="Team Page")) == [f"[[bots]] 1: {twice}"]


def test_a_bot_that_connects_itself_enters_without_a_url():
    campaign, _ = load(bot("a", "x", protocol="dial-out", url=None))
    entry = campaign.entries.get()
    assert (entry.url, entry.can_be_talked_to, entry.reached_at) == ("", True, f"dial-out:{entry.pk}")
    assert problems_of(bot("a", "x", protocol="dial-out", url="https://a.example/"))
    tester = campaign.roles.get(role="tester").person
    entry.assignments.create(campaign=campaign, tester=tester, scenario=campaign.scenarios.get(), position=1)
    load(bot("a", "x", protocol="huace/1", url="https://a.example/"))
    load(bot("a", "x", protocol="dial-out", url=""))
    assert entry.assignments.count() == 1
    load(bot("a", "x", protocol="huace/1", url=""))
    assert not entry.assignments.exists()
