"""A bot is registered in the browser: what is refused, what is told to whom, and what another campaign never changes."""

import pytest
from django.forms.models import model_to_dict
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import (
    HasBegun,
    IsWithdrawn,
    change_address,
    draw_assignments,
    load_campaign,
    register_bot,
    resume_bot,
    take_out_bot,
)
from campaigns.models import Entry
from campaigns.reasons import ReasonNeeded
from dialogues.actions.opening import open_practice
from participants.adapters import ADAPTERS
from participants.bot_form import read_address, read_bot
from participants.limits import BOTS_PER_TEAM, REASON_LIMIT
from reading.checking import BadForm
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
SECRET = "s3cret"


def register(campaign, by=None, team="Team Alpha", **said):
    form = read_bot({"name": "Own bot", "url": "https://bot.example.com/chat?key=k3y"} | said, ADAPTERS)
    return register_bot(
        campaign=campaign, team=campaign.known_teams.get(name=team).team, form=form, by=by, at=timezone.now()
    )


def move(entry, by=None, **said):
    form = read_address({"url": "https://bot.example.com/chat"} | said, ADAPTERS)
    return change_address(entry=entry, form=form, by=by, at=timezone.now())


def refused(act, *given, **said):
    with pytest.raises(BadForm) as bad:
        act(*given, **said)
    return {problem.place: problem.message for problem in bad.value.problems}


def test_a_registered_bot_is_entered_with_who_and_when(campaign, participant):
    before = timezone.now()
    entry = register(campaign, participant, protocol="openai", secret=SECRET, options={"model": "m"})
    stored = Entry.objects.get(pk=entry.pk)
    assert (stored.bot.team.name, stored.bot.name, stored.key) == ("Team Alpha", "Own bot", "own-bot")
    assert (stored.protocol, stored.secret, stored.options) == ("openai", SECRET, {"model": "m"})
    assert stored.registered_by == participant
    assert stored.registered_at >= before
    assert stored.alias not in {"", campaign.entries.get(key="a").alias}
    assert stored.can_be_talked_to


def test_how_many_turns_a_bot_takes_at_a_time_stays_until_it_says_so(campaign):
    entry = register(campaign)
    assert entry.parallel == 50
    assert move(entry, parallel=300).parallel == 300
    assert move(entry).parallel == 300
    assert register(campaign, name="Another", parallel=1).parallel == 1
    for wrong in (0, 1001, "many", 2.5):
        assert refused(move, entry, parallel=wrong).keys() == {"parallel"}


def test_the_trail_names_alias_and_server_and_neither_secret_nor_path(campaign, participant):
    entry = register(campaign, participant, secret=SECRET)
    line = TrailLine.objects.get(act="bot.registered")
    assert (line.person, line.campaign, line.about) == ("participant", "small", entry.alias)
    assert line.details["server"] == "https://bot.example.com"
    move(entry, participant, secret="another")
    written = str(list(TrailLine.objects.values()))
    assert TrailLine.objects.filter(act="bot.address_changed").count() == 1
    for word in (SECRET, "another", "k3y", "/chat"):
        assert word not in written


def test_an_address_that_may_not_be_called_is_refused_before_it_is_stored(campaign):
    assert "private network" in refused(register, campaign, url="http://10.0.0.1/")["url"]
    assert "port 22" in refused(register, campaign, url="http://bot.example.com:22/")["url"]
    entry = register(campaign)
    assert "private network" in refused(move, entry, url="http://localhost:9000/")["url"]
    assert Entry.objects.get(pk=entry.pk).url == "https://bot.example.com/chat?key=k3y"
    assert campaign.entries.count() == 2


def test_a_host_that_the_site_lets_through_may_be_registered(campaign, settings):
    settings.OUTBOUND_ALLOW = frozenset({("10.0.0.1", 9000)})
    assert register(campaign, url="http://10.0.0.1:9000/").url


def test_a_team_registers_a_name_once_and_so_many_bots(campaign):
    register(campaign)
    assert "name" in refused(register, campaign)
    for number in range(BOTS_PER_TEAM - 2):
        register(campaign, name=f"机器人{number}")
    assert "name" in refused(register, campaign, name="one more")
    keys = list(campaign.entries.values_list("key", flat=True))
    assert len(set(keys)) == BOTS_PER_TEAM
    assert "bot" not in {key for key in keys if key == ""}


def test_a_secret_stays_where_it_was_given_for(campaign):
    entry = register(campaign, secret=SECRET)
    assert move(entry, url="https://bot.example.com/other").secret == SECRET
    for url in ("https://bot.example.com:8443/", "http://bot.example.com/", "https://evil.example.com/"):
        assert "another server" in refused(move, entry, url=url)["secret"]
    assert Entry.objects.get(pk=entry.pk).secret == SECRET
    assert move(entry, url="https://new.example.com/", secret="").secret == ""
    assert move(entry, url="https://newer.example.com/").url == "https://newer.example.com/"


def test_a_secret_that_no_key_unseals_is_not_carried_elsewhere_either(campaign, settings):
    entry = register(campaign, secret=SECRET)
    settings.SECRET_KEY = "another key" * 9
    assert "secret" in refused(move, entry, url="https://evil.example.com/")


def test_a_team_takes_its_bot_out_before_anybody_talked_to_it(campaign, participant):
    entry = register(campaign, participant)
    with pytest.raises(ReasonNeeded):
        take_out_bot(entry=entry, by=participant, at=timezone.now(), because="x" * (REASON_LIMIT + 1))
    take_out_bot(entry=entry, by=participant, at=timezone.now(), because="too early")
    stored = Entry.objects.get(pk=entry.pk)
    assert (stored.withdrawn_at is not None, stored.paused_because) == (True, "too early")
    assert TrailLine.objects.get(act="bot.taken_out").because == "too early"
    with pytest.raises(IsWithdrawn):
        take_out_bot(entry=entry, by=participant, at=timezone.now())
    with pytest.raises(IsWithdrawn):
        move(entry)
    resume_bot(entry=entry, because="it is back")
    assert Entry.objects.get(pk=entry.pk).can_be_talked_to


def test_what_was_drawn_for_a_bot_that_is_taken_out_leaves_the_plan_under_one_line(campaign, participant):
    entry = register(campaign)
    campaign.free_choice = False
    campaign.save()
    draw_assignments(campaign=campaign)
    assert entry.assignments.count() == 1
    lines = TrailLine.objects.count()
    take_out_bot(entry=entry, by=participant, at=timezone.now())
    assert entry.assignments.count() == 0
    assert campaign.assignments.count() == 1
    assert TrailLine.objects.count() == lines + 1


def test_a_team_that_practised_takes_its_bot_out(campaign, participant):
    practice = campaign.scenarios.create(key="try-out", position=9, title_en="Try out", is_practice=True)
    practice.subtasks.create(position=1, kind="flight", turn_cap=5)
    entry = register(campaign, participant)
    open_practice(entry=entry, scenario=practice, person=participant, at=timezone.now())
    take_out_bot(entry=entry, by=participant, at=timezone.now())
    assert Entry.objects.get(pk=entry.pk).withdrawn_at is not None


def test_a_bot_that_somebody_talked_to_is_the_organizers_to_withdraw(campaign, dialogue):
    entry = dialogue.assignment.entry
    with pytest.raises(HasBegun):
        take_out_bot(entry=entry, by=None, at=timezone.now())
    assert Entry.objects.get(pk=entry.pk).withdrawn_at is None


def test_what_happens_in_one_campaign_changes_no_bot_of_another(campaign, participant):
    other, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('slug = "small"', 'slug = "other"')))
    here, there = register(campaign, secret=SECRET), register(other, secret="theirs")
    before = model_to_dict(Entry.objects.get(pk=there.pk))
    assert (here.bot.name, here.bot == there.bot) == (there.bot.name, False)
    move(here, url="https://elsewhere.example.com/", secret="new", protocol="rasa")
    take_out_bot(entry=here, by=participant, at=timezone.now())
    text = SMALL_CAMPAIGN.replace('team = "Team Alpha"\nurl', 'team = "Team Alpha"\nname = "Own bot"\nurl')
    load_campaign(spec=spec_of(text.replace('slug = "small"', 'slug = "third"')))
    assert model_to_dict(Entry.objects.get(pk=there.pk)) == before
    assert before["secret"] == "theirs"


def test_a_bot_that_connects_itself_takes_part_without_a_url(campaign):
    entry = register(campaign, protocol="dial-out", url="")
    assert (entry.url, entry.reached_at, entry.can_be_talked_to) == ("", f"dial-out:{entry.pk}", True)
    assert entry in campaign.entries.with_address()
    assert TrailLine.objects.latest("pk").details["server"] == ""


def test_a_secret_is_forgotten_by_a_bot_that_connects_itself_from_now_on(campaign):
    entry = register(campaign, secret=SECRET)
    moved = move(entry, protocol="dial-out", url="")
    assert (moved.url, moved.secret, moved.can_be_talked_to) == ("", "", True)
    assert refused(move, moved, protocol="huace/1", url="").keys() == {"url"}
